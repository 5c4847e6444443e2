/**
 * Cancels agent jobs at random moments, and exactly while they push and open a pull request. Calls to the model stop
 * within five seconds, nothing more is published, and the job reports what the forge has by then.
 * OCTAVO_FAULT_ROUNDS sets the number of jobs cancelled at random.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import {
  type Fleet,
  type FleetRepository,
  openFleet,
  STEPS_OF_TASK,
  TASK_PAGES,
  taskBehaviour,
  taskOf,
  taskPrompt,
} from '../kit/agent-fleet.ts'
import type { ForgeMoment } from '../kit/holding-proxy.ts'
import { loadFactor, until } from '../kit/until.ts'
import { faultRounds } from '../kit/whole-run.ts'
import type { WorkerProcess } from '../kit/worker-process.ts'

const ROUNDS = faultRounds(3)
/** Documented limit. */
const EFFECTIVE_WITHIN_MS = 5000
const MODEL_MS = 800

interface Exchange {
  task: number
  begun: number
  ended: number | null
}

/** Moment at which each task pauses, keyed by task number. */
const holds = new Map<number, { at: ForgeMoment; until: () => Promise<void> }>()

let fleet: Fleet
let worker: WorkerProcess
const exchanges: Exchange[] = []
const cancelledAt = new Map<number, number>()
/** Tips of the branches after their jobs had stopped. */
const tips: { repository: FleetRepository; branch: string; tip: string }[] = []

before(async () => {
  fleet = await openFleet({
    behave: (request) => async (exchange) => {
      const kept: Exchange = { task: taskOf(request).task, begun: performance.now(), ended: null }
      exchanges.push(kept)
      exchange.response.once('close', () => {
        kept.ended = performance.now()
      })
      await sleep(Math.random() * MODEL_MS)
      await taskBehaviour(request)(exchange)
    },
    env: { OCTAVO_WORKERS: '12' },
  })
  for (const repository of fleet.repositories)
    repository.onMoment(async (moment, branch) => {
      const hold = holds.get(Number(/task-(\d+)/.exec(branch)?.[1]))
      if (hold?.at === moment) await hold.until()
      return 'go on'
    })
  worker = fleet.startWorker()
})
after(async () => {
  await worker.kill()
  await fleet[Symbol.asyncDispose]()
})

async function start(task: number, { projectId }: FleetRepository): Promise<string> {
  const { id } = await fleet.octavo.client.createAgentJob(projectId, { prompt: taskPrompt(task, 1) })
  return id
}

async function cancel(task: number, { projectId }: FleetRepository, id: string): Promise<void> {
  const job = await fleet.octavo.client.cancelAgentJob(projectId, id)
  cancelledAt.set(task, performance.now())
  assert.deepEqual([job.status, job.error], ['failed', 'The job was cancelled.'])
}

/** Waits until no worker runs the job any more, and returns it. */
async function atRest({ projectId }: FleetRepository, id: string): Promise<AgentJob> {
  const row = await rowOf(id)
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await fleet.database.pool.query<{ state: string }>(
      'SELECT state::text FROM pgboss.job WHERE id = $1',
      [row.queue_job_id],
    )
    if (rows.every(({ state }) => !['created', 'retry', 'active'].includes(state)))
      return await fleet.octavo.client.getAgentJob(projectId, id)
    await sleep(100)
  }
  throw new Error(`a worker is still at work on ${id}`)
}

function rowOf(id: string) {
  return fleet.database.queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Asserts that the job reports the actual branch and pull request, and returns the tip of the branch. */
async function assertTrue(repository: FleetRepository, job: AgentJob): Promise<string> {
  const branch = job.branch ?? 'octavo/none'
  const tip = await repository.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`)
  tips.push({ repository, branch, tip })
  assert.equal((await rowOf(job.id)).pushed_commit ?? '', tip)
  const [request, ...others] = repository.requestsFrom(branch)
  assert.deepEqual(others, [])
  if (repository.kind === 'local') assert.equal(job.prLink !== null, tip !== '')
  else if (request === undefined) assert.equal(job.prLink, null)
  else assert.ok(job.prLink?.endsWith(request.link), `${job.prLink}`)
  return tip
}

/** Waits for a random moment between the first request to the model and the end of the job. */
async function randomMoment(task: number): Promise<void> {
  const count = Math.ceil(Math.random() * STEPS_OF_TASK)
  await until(() => exchanges.filter((exchange) => exchange.task === task).length >= count)
  await sleep(Math.random() * (count < STEPS_OF_TASK ? MODEL_MS : 4 * MODEL_MS))
}

describe('jobs cancelled at a random moment', { concurrency: 6 }, () => {
  for (let task = 1; task <= ROUNDS; task++) {
    test(`job ${task} stops and reports the branch and pull request it left`, async () => {
      const repository = fleet.repositories[task % fleet.repositories.length] as FleetRepository
      const id = await start(task, repository)
      await randomMoment(task)
      if ((await fleet.octavo.client.getAgentJob(repository.projectId, id)).status !== 'active') return
      await cancel(task, repository, id)
      const job = await atRest(repository, id)
      assert.equal(job.status, 'failed')
      await assertTrue(repository, job)
    })
  }
})

/** Pauses the job at the given moment, cancels it and resumes it. */
async function cancelAt(
  task: number,
  at: ForgeMoment,
  repository: FleetRepository,
  between = async () => {},
) {
  const reached = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  const until = async () => {
    holds.delete(task)
    reached.resolve()
    await cancelled.promise
  }
  holds.set(task, { at, until })
  const id = await start(task, repository)
  await reached.promise
  await between()
  await cancel(task, repository, id)
  cancelled.resolve()
  return await atRest(repository, id)
}

const MOMENTS: ForgeMoment[] = ['pushing', 'pushed', 'creating', 'created']

describe('jobs cancelled while they publish', { concurrency: MOMENTS.length }, () => {
  for (const [index, at] of MOMENTS.entries()) {
    test(`${at}: the job reports what was published, and a message continues from there`, async () => {
      const repository = fleet.repositories[index % 2] as FleetRepository
      const task = 1000 + index
      const stopped = await cancelAt(task, at, repository)
      assert.notEqual(await assertTrue(repository, stopped), '')
      assert.equal(stopped.prLink !== null, at === 'creating' || at === 'created')

      const { projectId } = repository
      await fleet.octavo.client.sendAgentMessage(projectId, stopped.id, { prompt: taskPrompt(task, 2) })
      const job = await fleet.ended(projectId, stopped.id)
      assert.equal(job.status, 'completed', job.error ?? '')
      assert.equal(job.filesChanged, 2)
      tips.splice(
        tips.findIndex(({ branch }) => branch === job.branch),
        1,
      )
      await assertTrue(repository, job)
      assert.equal(repository.requestsFrom(job.branch ?? '').length, 1)
      for (const { path, after } of TASK_PAGES)
        assert.match(await repository.git('show', `${job.branch}:${path}`), new RegExp(after(task)))
    })
  }
})

test('a job cancelled after its worker died before recording reports its pull request', async () => {
  const repository = fleet.repositories[0] as FleetRepository
  const stopped = await cancelAt(2000, 'created', repository, async () => {
    await worker.kill()
    worker = fleet.startWorker()
  })
  assert.notEqual(stopped.prLink, null)
  await assertTrue(repository, stopped)
})

test('requests to the model end within five seconds of a cancellation, and nothing is pushed later', async (t) => {
  await sleep(EFFECTIVE_WITHIN_MS * loadFactor())
  const lasted: number[] = []
  for (const { task, begun, ended } of exchanges) {
    const at = cancelledAt.get(task)
    if (at === undefined || task >= 1000) continue
    assert.notEqual(ended, null, 'a connection to the model is still open')
    lasted.push((ended ?? begun) - at, begun - at)
  }
  const longest = Math.max(0, ...lasted)
  t.diagnostic(
    `${cancelledAt.size} jobs cancelled; the model was left after ${Math.round(longest)} ms at most`,
  )
  assert.ok(longest < EFFECTIVE_WITHIN_MS * loadFactor())
  for (const { repository, branch, tip } of tips)
    assert.equal(await repository.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`), tip)
})
