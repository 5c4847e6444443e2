/**
 * `npm run eval:agent`: runs and grades the agent's forty tasks.
 *
 *   npm run eval:agent                        with recorded conversations, without a model
 *   OCTAVO_MODEL=… npm run eval:agent         with the model configured in the environment
 *   … -- --task rename-command,add-guide      only these tasks
 *   … -- --json                               prints grades as JSON lines
 *   … -- --write                              writes the table into the documentation
 *
 * Exits with code 1 if a task fails.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestNode } from '../../../tests/kit/node.ts'
import { type Grade, grade, isPassed } from './grade.ts'
import { runTask } from './run-task.ts'
import { faultsOf, tableOf } from './table.ts'
import type { Task } from './task.ts'
import { TASKS } from './tasks/all.ts'

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'agent-evaluation.mdx')
const MARKS = ['{/* table */}', '{/* end of table */}'] as const

const { values } = parseArgs({
  options: {
    task: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const tasks = chosenTasks(values.task)
const folder = await mkdtemp(join(tmpdir(), 'octavo-evaluation-'))
try {
  const { env, name } = await modelSettings(folder)
  await using node = await startTestNode(env)
  const grades: Grade[] = []
  for (const task of tasks) {
    const graded = grade(task, await runTask(node, task))
    grades.push(graded)
    tell(graded)
  }
  if (!values.json) process.stdout.write(`\n${name}\n\n${tableOf(grades)}\n`)
  if (values.write) await writeTable(name, grades)
  process.exitCode = grades.every(isPassed) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

function chosenTasks(text: string | undefined): readonly Task[] {
  if (text === undefined) return TASKS
  const ids = text.split(',')
  const unknown = ids.filter((id) => !TASKS.some((task) => task.id === id))
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no task ${unknown.join(', ')}. There are: ${TASKS.map(({ id }) => id).join(', ')}.\n`,
    )
    process.exit(2)
  }
  return TASKS.filter(({ id }) => ids.includes(id))
}

/** Passes the model settings of the environment to the node. Without a model, replays the recordings of the tasks. */
async function modelSettings(place: string): Promise<{ env: Record<string, string>; name: string }> {
  const given = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && /^OCTAVO_MODEL|_API_KEY$/.test(entry[0]),
  )
  const model = process.env.OCTAVO_MODEL
  // Test nodes disable the self-review; real models are graded with it.
  const looks = { OCTAVO_AGENT_SELF_REVIEW: process.env.OCTAVO_AGENT_SELF_REVIEW ?? 'true' }
  if (model !== undefined) return { env: { ...Object.fromEntries(given), ...looks }, name: model }
  const file = join(place, 'recording.json')
  const conversations = tasks.map(({ prompt, recording: answers }) => ({ prompt, answers }))
  await writeFile(file, JSON.stringify({ model: 'written by hand', conversations }))
  return {
    env: { OCTAVO_MODEL: `replay:${file}` },
    name: 'Results with recorded, hand-written conversations',
  }
}

function tell(graded: Grade): void {
  if (values.json) return void process.stdout.write(`${JSON.stringify(graded)}\n`)
  process.stdout.write(`${isPassed(graded) ? '✓' : '✗'} ${graded.task}\n`)
  for (const fault of faultsOf(graded)) process.stdout.write(`    ${fault}\n`)
}

async function writeTable(name: string, grades: readonly Grade[]): Promise<void> {
  const text = await readFile(PAGE, 'utf8')
  const [head, rest = ''] = text.split(MARKS[0])
  const [, tail = ''] = rest.split(MARKS[1])
  await writeFile(PAGE, `${head}${MARKS[0]}\n\n${name}.\n\n${tableOf(grades)}\n\n${MARKS[1]}${tail}`)
}
