/**
 * Runs many agent jobs of ten projects at once on one node, with a model that takes a fixed time for each step:
 * `node bench/agent/parallel.ts [--jobs 200] [--step-ms 5000] [--projects 10] [--uneven]`. Runs a single job first,
 * then prints the ratio of the longest job to it, how evenly the projects are served, and the memory and CPU time of
 * all processes except the model. `--uneven` assigns half of the jobs to the first project, which submits them first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { addProject } from '../../src/app/operator/administration.ts'
import { createClient } from '../../src/client/client.ts'
import { DOCS, editing } from '../../tests/kit/agent.ts'
import { createTestRepository } from '../../tests/kit/git.ts'
import { startTestNode } from '../../tests/kit/node.ts'
import { memoryOfTree, secondsOfTree } from './processor-time.ts'
import { startSlowModel } from './slow-model.ts'

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '200' },
    'step-ms': { type: 'string', default: '5000' },
    projects: { type: 'string', default: '10' },
    uneven: { type: 'boolean', default: false },
  },
})
const jobs = Number(values.jobs)
const stepMs = Number(values['step-ms'])
const projectCount = Number(values.projects)

// Reads the page as often as a job of typical length, then edits it.
const [reading = {}, ...rest] = editing('').answers
const answers = [reading, reading, reading, reading, reading, reading, ...rest]

using model = await startSlowModel({ answers, stepMs: 0 })
await using octavo = await startTestNode({
  OCTAVO_MODEL: 'openai-compatible:bench',
  OCTAVO_MODEL_URL: model.url,
  OCTAVO_LIMIT_AGENT_JOBS: '100000/3600',
  // One organization gets three quarters of the slots.
  OCTAVO_AGENT_JOBS: String(Math.ceil(jobs / 0.75)),
})
const { queries } = octavo.node.context.database
// Not the test kit's client, which validates every response against the API description.
const client = createClient({ baseUrl: octavo.url, apiKey: octavo.key })
await using opened = new AsyncDisposableStack()
const projects = await Promise.all(
  Array.from({ length: projectCount }, async (_, number) => {
    const repository = opened.use(await createTestRepository(DOCS))
    const { id } = await addProject(octavo.node.context, {
      organizationId: octavo.organizationId,
      name: `Project ${number}`,
      domains: [`p${number}.example.com`],
      source: { kind: 'folder', repository: repository.folder },
    })
    return id
  }),
)

// Warm up, so that each project has its clone of the repository and the node has loaded its modules.
for (const number of projects.keys()) await run([number])
model.setStepMs(stepMs)
const [alone = { seconds: 0 }] = await run([0])
say(`one job alone: ${tell(alone.seconds)} s, ${answers.length} steps of ${stepMs} ms`)

let peak = 0
const ownTree = async (measure: (root: number) => Promise<number>) =>
  (await measure(process.pid)) - (await measure(model.process.pid ?? 0))
const watch = setInterval(async () => {
  peak = Math.max(peak, await ownTree(memoryOfTree))
}, 1000)
const cpu = process.cpuUsage()
const spentBefore = await ownTree(secondsOfTree)
const first = values.uneven ? jobs / 2 : 0
const ended = await run(
  Array.from({ length: jobs }, (_, index) => (index < first ? 0 : index % projectCount)),
)
clearInterval(watch)
const { user, system } = process.cpuUsage(cpu)
const spent = (await ownTree(secondsOfTree)) - spentBefore
const all = ended.map(({ seconds }) => seconds).sort((a, b) => a - b)
const longest = all.at(-1) ?? 0
say(
  `${jobs} jobs of ${projectCount} projects: half after ${tell(all[jobs >> 1] ?? 0)} s, all after ${tell(longest)} s`,
)
say(`ratio of the longest to one alone: ${(longest / alone.seconds).toFixed(2)}`)
say(
  `mean time of a project's jobs until they begin: ${spread('waited')}; until they end: ${spread('seconds')}`,
)
say(
  `processor time of the node ${tell((user + system) / 1e6)} s, of all processes without the model's ${tell(spent)} s, ${(spent / jobs).toFixed(2)} s a job; memory of them at most ${Math.round(peak / 2 ** 20)} MiB`,
)

interface Ended {
  project: number
  /** Seconds from the POST until the job began; `seconds` is until its end. */
  waited: number
  seconds: number
}

/** Starts one job for each of these projects, in this order, and waits until all have ended. */
async function run(of: readonly number[]): Promise<Ended[]> {
  const asked = await Promise.all(
    of.map(async (project, index) => {
      const { id } = await client.createAgentJob(projects[project] ?? '', { prompt: `Job ${index}.` })
      return { id, project }
    }),
  )
  const projectOf = new Map(asked.map(({ id, project }) => [id, project]))
  for (;;) {
    const rows = await queries
      .selectFrom('agent_jobs')
      .select(['id', 'status', 'error', 'created_at', 'turn_started_at', 'updated_at'])
      .where('id', 'in', [...projectOf.keys()])
      .execute()
    const failed = rows.find(({ status }) => status !== 'active' && status !== 'completed')
    if (failed !== undefined) throw new Error(`${failed.id} is ${failed.status}: ${failed.error}`)
    if (rows.every(({ status }) => status === 'completed'))
      return rows.map((row) => ({
        project: projectOf.get(row.id) ?? 0,
        waited: secondsBetween(row.created_at, row.turn_started_at),
        seconds: secondsBetween(row.created_at, row.updated_at),
      }))
    await sleep(500)
  }
}

function secondsBetween(from: Date, to: Date | null): number {
  return ((to?.getTime() ?? 0) - from.getTime()) / 1000
}

function spread(what: 'waited' | 'seconds'): string {
  const means = projects.map((_, number) => {
    const own = ended.filter(({ project }) => project === number).map((one) => one[what])
    return own.reduce((sum, one) => sum + one, 0) / own.length
  })
  return `${tell(Math.min(...means))} to ${tell(Math.max(...means))} s`
}

function tell(seconds: number): string {
  return seconds.toFixed(1)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
