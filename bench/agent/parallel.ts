/**
 * Many agent jobs at once on one node, of ten projects, with a model that takes its time for each step:
 * `node bench/agent/parallel.ts [--jobs 200] [--step-ms 5000]`. One job alone comes first; told are the ratio of the
 * longest to it, the memory of all processes, and how evenly the projects fared.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { addProject } from '../../src/app/administration.ts'
import { DOCS, editing } from '../../tests/kit/agent.ts'
import { createTestRepository } from '../../tests/kit/git.ts'
import { replies, startModelServer } from '../../tests/kit/model-server.ts'
import { startTestNode } from '../../tests/kit/node.ts'
import { memoryOfTree, secondsOfTree } from './processor-time.ts'

const PROJECTS = 10
const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '200' }, 'step-ms': { type: 'string', default: '5000' } },
})
const jobs = Number(values.jobs)
const stepMs = Number(values['step-ms'])

// The page is read as often as a job of some length would read, then edited.
const [reading, ...rest] = editing('').answers
const answers = [reading, reading, reading, reading, reading, reading, ...rest]

await using model = await startModelServer((request) => {
  const step = request.messages.filter(({ role }) => role === 'assistant').length
  return async (exchange) => {
    await sleep(stepMs)
    if (!exchange.gone.aborted) await replies(answers[step] ?? {})(exchange)
  }
})
await using octavo = await startTestNode({
  OCTAVO_MODEL: 'openai-compatible:bench',
  OCTAVO_MODEL_URL: model.url,
  OCTAVO_LIMIT_AGENT_JOBS: '100000/3600',
})
await using opened = new AsyncDisposableStack()
const projects = await Promise.all(
  Array.from({ length: PROJECTS }, async (_, number) => {
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

const secondsOf = async (project: number, index: number): Promise<number> => {
  const projectId = projects[project] ?? ''
  const began = performance.now()
  const { id } = await octavo.client.createAgentJob(projectId, { prompt: `Job ${index}.` })
  for (;;) {
    const job = await octavo.client.getAgentJob(projectId, id)
    if (job.status === 'completed') return (performance.now() - began) / 1000
    if (job.status !== 'active') throw new Error(`Job ${index} is ${job.status}: ${job.error}`)
    await sleep(1000)
  }
}

await secondsOf(0, -2)
const alone = await secondsOf(0, -1)
process.stdout.write(`one job alone: ${alone.toFixed(1)} s, ${answers.length} steps of ${stepMs} ms\n`)

let peak = 0
const watch = setInterval(async () => {
  peak = Math.max(peak, await memoryOfTree(process.pid))
}, 1000)
const cpu = process.cpuUsage()
const spentBefore = await secondsOfTree(process.pid)
const each = await Promise.all(
  Array.from({ length: jobs }, async (_, index) => ({
    project: index % PROJECTS,
    seconds: await secondsOf(index % PROJECTS, index),
  })),
)
clearInterval(watch)
const { user, system } = process.cpuUsage(cpu)
const spent = (await secondsOfTree(process.pid)) - spentBefore
const all = each.map(({ seconds }) => seconds).sort((a, b) => a - b)
const longest = all.at(-1) ?? 0
const ofProjects = projects.map((_, number) => {
  const own = each.filter(({ project }) => project === number).map(({ seconds }) => seconds)
  return Math.max(...own)
})
process.stdout.write(
  [
    `${jobs} jobs of ${PROJECTS} projects: half after ${(all[jobs >> 1] ?? 0).toFixed(1)} s, all after ${longest.toFixed(1)} s`,
    `ratio of the longest to one alone: ${(longest / alone).toFixed(2)}`,
    `the last of each project: ${Math.min(...ofProjects).toFixed(1)} to ${Math.max(...ofProjects).toFixed(1)} s`,
    `memory of all processes at most ${Math.round(peak / 2 ** 20)} MiB; processor time of the node ${((user + system) / 1e6).toFixed(1)} s, ${((user + system) / 1e6 / jobs).toFixed(2)} s a job`,
    `processor time of all processes ${spent.toFixed(1)} s, ${(spent / jobs).toFixed(2)} s a job`,
    '',
  ].join('\n'),
)
