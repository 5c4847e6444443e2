/**
 * Kills workers with SIGKILL while agent jobs run, some at random moments, some exactly between a push and its record.
 * Every job completes with one pull request and one commit for each prompt, and loses no response of the model except
 * the current one. OCTAVO_FAULT_ROUNDS sets the number of kills. Each takes about five seconds if there are many.
 */
import assert from 'node:assert/strict'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import {
  type Fleet,
  type FleetRepository,
  MODEL_KEY,
  openFleet,
  STEPS_OF_TASK,
  TASK_PAGES,
  taskOf,
  taskPrompt,
} from '../kit/agent-fleet.ts'
import type { ForgeMoment } from '../kit/holding-proxy.ts'
import { loadFactor } from '../kit/until.ts'
import { faultRounds } from '../kit/whole-run.ts'
import type { WorkerProcess } from '../kit/worker-process.ts'

const KILLS = faultRounds(3)
const WORKERS = KILLS < 20 ? 2 : 4
const TASKS_AT_ONCE = 3 * WORKERS
const MAX_FAULTS = 20
/** Documented limit. */
const RESUMED_WITHIN_MS = 30_000

let fleet: Fleet
const workers = new Set<WorkerProcess>()
const kills: { at: string; held: number; isBetween: boolean }[] = []
/** Time at which the worker of each queue job was killed, until another worker starts the job. */
const orphans = new Map<string, number>()
const resumedAfterMs: number[] = []
/** Number of starts of each queue job. */
const starts = new Map<string, number>()
const branches = new Set<string>()

before(async () => {
  fleet = await openFleet({})
  for (let count = 0; count < WORKERS; count++) startWorker()
})
after(async () => {
  await Promise.all([...workers].map((worker) => worker.kill()))
  await fleet[Symbol.asyncDispose]()
})

function startWorker(): void {
  const worker = fleet.startWorker(({ event, job, jobId = '' }) => {
    if (job !== 'agent.run' || event !== 'job.started') return
    starts.set(jobId, (starts.get(jobId) ?? 0) + 1)
    const killedAt = orphans.get(jobId)
    if (killedAt !== undefined && workers.has(worker)) {
      orphans.delete(jobId)
      resumedAfterMs.push(performance.now() - killedAt)
    }
  })
  workers.add(worker)
}

async function strike(worker: WorkerProcess, at: string): Promise<void> {
  workers.delete(worker)
  const killedAt = performance.now()
  await worker.kill({ alone: Math.random() < 0.5 })
  const held = [...worker.running]
  for (const jobId of held) orphans.set(jobId, killedAt)
  kills.push({ at, held: held.length, isBetween: await isBetweenPushAndRecord(held) })
  startWorker()
}

async function isBetweenPushAndRecord(held: readonly string[]): Promise<boolean> {
  if (held.length === 0) return false
  const rows = await fleet.database.queries
    .selectFrom('agent_jobs')
    .select(['project_id', 'branch', 'pushed_commit'])
    .where('queue_job_id', 'in', held)
    .where('status', '=', 'active')
    .where('phase', '=', 'publish')
    .execute()
  for (const { project_id: id, branch, pushed_commit: recorded } of rows) {
    const repository = fleet.repositories.find(({ projectId }) => projectId === id)
    const tip = await repository?.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`)
    if (tip !== '' && tip !== recorded) return true
  }
  return false
}

/** Set after too many faults, when an awaited event may never occur. */
let isGivenUp = false
let armed: { at: ForgeMoment; struck: () => void } | null = null

/** Kills the worker of the branch if `armed` waits for this moment. */
async function onMoment(at: ForgeMoment, branch: string): Promise<'go on' | 'cut'> {
  if (armed?.at !== at) return 'go on'
  const { struck } = armed
  armed = null
  const row = await fleet.database.queries
    .selectFrom('agent_jobs')
    .select('queue_job_id')
    .where('branch', '=', branch)
    .executeTakeFirst()
  const worker = [...workers].find(({ running }) => running.has(row?.queue_job_id ?? ''))
  if (worker !== undefined) await strike(worker, at)
  struck()
  // The request of a killed worker may be processed or lost.
  return Math.random() < 0.8 ? 'go on' : 'cut'
}

async function watchMoments(stop: AbortSignal): Promise<void> {
  for (const repository of fleet.repositories) repository.onMoment(onMoment)
  const local = fleet.repositories.find(({ kind }) => kind === 'local')
  const folder = join((await local?.git('rev-parse', '--absolute-git-dir')) ?? '', 'refs/heads/octavo')
  watch(folder, { signal: stop }, (_event, name) => {
    if (name !== null && !name.endsWith('.lock')) void onMoment('pushed', `octavo/${name}`)
  }).on('error', () => undefined)
}

const MOMENTS: ForgeMoment[] = ['pushed', 'creating', 'created', 'pushed', 'created', 'pushing']

async function strikeAgainAndAgain(): Promise<void> {
  for (let round = 0; kills.length < KILLS && !isGivenUp; round++) {
    const at = MOMENTS[round % MOMENTS.length] ?? 'pushed'
    if (round % 5 < 2) await new Promise<void>((struck) => (armed = { at, struck }))
    else await strikeAtRandom()
  }
}

async function strikeAtRandom(): Promise<void> {
  await sleep(Math.random() * 5000)
  const busy = [...workers].filter(({ running }) => running.size > 0)
  const worker = busy[Math.floor(Math.random() * busy.length)]
  if (worker !== undefined) await strike(worker, 'random')
}

/** Runs a task to its end and returns the faults found. */
async function runTask(task: number): Promise<string[]> {
  const repository = fleet.repositories[task % fleet.repositories.length] as FleetRepository
  const { projectId } = repository
  const parts = task % 2 === 0 ? 2 : 1
  const { client } = fleet.octavo
  const { id } = await client.createAgentJob(projectId, { prompt: taskPrompt(task, 1) })
  const queueJobs: string[] = []
  for (let part = 1; part <= parts; part++) {
    if (part > 1) await client.sendAgentMessage(projectId, id, { prompt: taskPrompt(task, part) })
    const job = await fleet.ended(projectId, id)
    if (job.status !== 'completed') return [`${repository.kind} ${id} is ${job.status}: ${job.error}`]
    queueJobs.push((await rowOf(id)).queue_job_id ?? '')
  }
  const faults = [
    ...(await requestFaults(repository, id)),
    ...(await commitFaults(repository, id, task, parts)),
    ...(await conversationFaults(id, task, parts, queueJobs)),
    ...(await eventFaults(repository, id, parts)),
  ]
  return faults.map((fault) => `${repository.kind} ${id}: ${fault}`)
}

function rowOf(id: string) {
  return fleet.database.queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function requestFaults(repository: FleetRepository, id: string): Promise<string[]> {
  const { branch, prLink } = await fleet.octavo.client.getAgentJob(repository.projectId, id)
  branches.add(branch ?? '')
  if (repository.kind === 'local') return prLink?.startsWith(fleet.octavo.url) ? [] : [`linked to ${prLink}`]
  const requests = repository.requestsFrom(branch ?? '')
  const [request] = requests
  if (requests.length !== 1 || request === undefined) return [`${requests.length} pull requests`]
  return prLink?.endsWith(request.link) ? [] : [`linked to ${prLink} instead of ${request.link}`]
}

async function commitFaults(
  { git }: FleetRepository,
  id: string,
  task: number,
  parts: number,
): Promise<string[]> {
  const { branch, pushed_commit: recorded } = await rowOf(id)
  const tip = await git('rev-parse', `refs/heads/${branch}`)
  const count = await git('rev-list', '--count', `main..refs/heads/${branch}`)
  const names = await git('diff', '--name-only', 'main', `refs/heads/${branch}`)
  const pages = TASK_PAGES.slice(0, parts)
  const texts = await Promise.all(pages.map(({ path }) => git('show', `refs/heads/${branch}:${path}`)))
  return [
    ...(tip === recorded ? [] : [`stands at ${tip}, recorded is ${recorded}`]),
    ...(count === String(parts) ? [] : [`${count} commits`]),
    ...(names === pages.map(({ path }) => path).join('\n') ? [] : [`changed ${names}`]),
    ...pages
      .filter(({ after }, index) => texts[index]?.split(after(task)).length !== 2)
      .map(({ path }) => `${path} has another text`),
  ]
}

/** Reports duplicate or missing messages, and more repeated model requests than there were kills. */
async function conversationFaults(
  id: string,
  task: number,
  parts: number,
  queueJobs: readonly string[],
): Promise<string[]> {
  const { count } = await fleet.database.queries
    .selectFrom('agent_job_messages')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('job_id', '=', id)
    // Excludes notes that list other open jobs: their number depends on timing.
    .where(
      sql<string>`coalesce(message->>'text', '')`,
      'not like',
      'Note from Octavo on the state of the work%',
    )
    .executeTakeFirstOrThrow()
  const asked = fleet.model.requests.filter((request) => taskOf(request).task === task).length
  const lost = queueJobs.reduce((sum, jobId) => sum + (starts.get(jobId) ?? 1) - 1, 0)
  const expected = parts * (1 + 2 * STEPS_OF_TASK)
  return [
    ...(Number(count) === expected ? [] : [`${count} messages instead of ${expected}`]),
    ...(asked <= parts * STEPS_OF_TASK + lost ? [] : [`the model was asked ${asked} times, ${lost} lost`]),
  ]
}

async function eventFaults({ projectId }: FleetRepository, id: string, parts: number): Promise<string[]> {
  const faults: string[] = []
  const counts = new Map<string, number>()
  let last = 0
  for await (const { id: number, event } of followAgentJob(fleet.octavo.client, projectId, id)) {
    if (number !== last + 1) faults.push(`event ${number} after ${last}`)
    last = number
    counts.set(event.type, (counts.get(event.type) ?? 0) + 1)
  }
  const expected = { prompt: parts, tool: parts * STEPS_OF_TASK, changes: parts, check: parts }
  for (const [type, count] of Object.entries(expected))
    if (counts.get(type) !== count) faults.push(`${counts.get(type)} events ${type} instead of ${count}`)
  return faults
}

/** Waits until the queue is empty: a worker killed after its last write leaves its queue job to another worker. */
async function emptyQueue(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await fleet.database.pool.query(
      `SELECT 1 FROM pgboss.job WHERE name = 'agent.run' AND state < 'completed' LIMIT 1`,
    )
    if (rows.length === 0) return
    await sleep(200)
  }
  throw new Error('a job of the queue is stuck')
}

test(`${KILLS} worker kills: no job is lost or stuck, and none has two pull requests`, async (t) => {
  const stop = new AbortController()
  await watchMoments(stop.signal)
  const striking = strikeAgainAndAgain()
  const faults: string[] = []
  let tasks = 0
  const runTasks = async () => {
    do faults.push(...(await runTask(++tasks)))
    while (kills.length < KILLS && faults.length < MAX_FAULTS)
  }
  await Promise.all(Array.from({ length: TASKS_AT_ONCE }, runTasks))
  isGivenUp = kills.length < KILLS
  armed?.struck()
  await striking
  await emptyQueue()
  stop.abort()

  const between = kills.filter(({ isBetween }) => isBetween)
  const held = kills.filter((kill) => kill.held > 0)
  const longest = Math.max(0, ...resumedAfterMs)
  const average = resumedAfterMs.reduce((sum, ms) => sum + ms, 0) / resumedAfterMs.length
  t.diagnostic(
    `${kills.length} kills, ${held.length} of workers at work, ${between.length} between push and record; ${tasks} jobs`,
  )
  t.diagnostic(
    `${resumedAfterMs.length} times another worker went on, after ${Math.round(average)} ms, at most ${Math.round(longest)} ms`,
  )
  const byMoment = Object.groupBy(kills, ({ at }) => at)
  for (const [at, group = []] of Object.entries(byMoment)) t.diagnostic(`${group.length} kills at ${at}`)
  assert.deepEqual(faults, [])
  assert.ok(longest < RESUMED_WITHIN_MS * loadFactor(), `a job stood still for ${longest} ms`)
  assert.deepEqual([...orphans.keys()], [])
  await assertNothingElse()
})

/** Checks for unexpected branches, invalid model requests and secrets in the logs. */
async function assertNothingElse(): Promise<void> {
  for (const { git } of fleet.repositories) {
    const names = await git('for-each-ref', '--format=%(refname:short)', 'refs/heads')
    for (const name of names.split('\n')) assert.ok(name === 'main' || branches.has(name), name)
  }
  assert.deepEqual(fleet.model.faults, [])
  const telling = fleet.log.filter((line) => line.includes(MODEL_KEY) || /token-[0-9a-f]/.test(line))
  assert.deepEqual(telling, [])
}
