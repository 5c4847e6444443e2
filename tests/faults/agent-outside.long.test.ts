/**
 * Fails everything that agent jobs depend on: repositories, branches, credentials, forges and the model. Jobs wait for
 * temporary failures. Permanent ones end the job as `failed` with a readable error, and a later message resumes it.
 */
import assert from 'node:assert/strict'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import {
  type Fleet,
  type FleetRepository,
  openFleet,
  TASK_PAGES,
  taskBehaviour,
  taskOf,
  taskPrompt,
} from '../kit/agent-fleet.ts'
import type { ForgeFault } from '../kit/forge-servers/start-forge-server.ts'
import type { ForgeMoment } from '../kit/holding-proxy.ts'
import { sampleOf } from '../kit/whole-run.ts'
import type { WorkerProcess } from '../kit/worker-process.ts'

/** The task whose model is unavailable until the job waits for it. */
const WITHOUT_MODEL = 900

let fleet: Fleet
let worker: WorkerProcess
let isModelAway = true
let unused: FleetRepository[]
let tasks = 0

before(async () => {
  fleet = await openFleet({
    forges: [...Array.from({ length: 20 }, () => 'gitea' as const), 'github', 'github', 'gitlab', 'gitlab'],
    behave: (request) => (exchange) =>
      isModelAway && taskOf(request).task === WITHOUT_MODEL
        ? void exchange.response.destroy()
        : taskBehaviour(request)(exchange),
    env: { OCTAVO_AGENT_PATIENCE: '6', OCTAVO_WORKERS: '8' },
  })
  unused = fleet.repositories.filter(({ kind }) => kind !== 'local')
  worker = fleet.startWorker()
})
after(async () => {
  await worker.kill()
  await fleet[Symbol.asyncDispose]()
})

/** Takes an unused repository. There are two each of the kinds other than the default. */
function takeRepository(kind: FleetRepository['kind'] = 'gitea'): FleetRepository {
  const index = unused.findIndex((repository) => repository.kind === kind)
  const [taken] = index < 0 ? [] : unused.splice(index, 1)
  if (taken === undefined) throw new Error('there are not enough forges')
  return taken
}

async function begin({ projectId }: FleetRepository, task = ++tasks): Promise<{ id: string; task: number }> {
  const { id } = await fleet.octavo.client.createAgentJob(projectId, { prompt: taskPrompt(task, 1) })
  return { id, task }
}

async function run(repository: FleetRepository): Promise<{ job: AgentJob; task: number }> {
  const { id, task } = await begin(repository)
  return { job: await fleet.ended(repository.projectId, id), task }
}

async function goOn({ projectId }: FleetRepository, { id }: AgentJob, task: number): Promise<AgentJob> {
  await fleet.octavo.client.sendAgentMessage(projectId, id, { prompt: taskPrompt(task, 2) })
  return await fleet.ended(projectId, id)
}

function assertFailed(job: AgentJob, sentence: RegExp): void {
  assert.equal(job.status, 'failed', JSON.stringify(job))
  assert.match(job.error ?? '', sentence)
  assert.match(job.error ?? '', /^[A-Z0-9][^\n]*[.?”]$/)
  assert.doesNotMatch(job.error ?? '', /token-[0-9a-f]|fatal:|undefined|\[object|exit code/)
}

/** Checks for exactly one pull request, linked by the job, and the expected number of commits. */
async function assertPublished(repository: FleetRepository, job: AgentJob, commits: number): Promise<void> {
  assert.equal(job.status, 'completed', job.error ?? '')
  const [request, ...others] = repository.requestsFrom(job.branch ?? '')
  assert.deepEqual(others, [])
  assert.ok(request !== undefined && job.prLink?.endsWith(request.link), `${job.prLink}`)
  const count = await repository.git('rev-list', '--count', `main..refs/heads/${job.branch}`)
  assert.equal(Number(count), commits)
}

/** Resolves once the job has reported that it waits for `what`. */
async function waiting(jobId: string, what: string): Promise<void> {
  for (;;) {
    const events = await fleet.database.queries
      .selectFrom('agent_job_events')
      .select('data')
      .where('job_id', '=', jobId)
      .where('type', '=', 'waiting')
      .execute()
    if (events.some(({ data }) => (data as { for: string }).for === what)) return
    const { status } = await fleet.database.queries
      .selectFrom('agent_jobs')
      .select('status')
      .where('id', '=', jobId)
      .executeTakeFirstOrThrow()
    assert.equal(status, 'active', `it did not wait for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const gitDir = ({ git }: FleetRepository) => git('rev-parse', '--absolute-git-dir')

describe('a job whose repository fails or changes', { concurrency: 8 }, () => {
  test('the job reports a missing repository', async () => {
    const repository = takeRepository()
    await rm(await gitDir(repository), { recursive: true })
    const { job } = await run(repository)
    assertFailed(job, /^The repository http:\S+\/acme\/docs\.git does not exist/)
    assert.equal(job.branch, null)
  })

  test('the job reports a missing local folder', async () => {
    const repository = fleet.repositories.find(({ kind }) => kind === 'local') as FleetRepository
    await rm(join(await gitDir(repository), '..'), { recursive: true })
    const { job } = await run(repository)
    assertFailed(job, /^There is no folder \S+\.$/)
  })

  test('the job names the missing branch of the project', async () => {
    const repository = takeRepository()
    await fleet.database.queries
      .updateTable('projects')
      .set({ ref: 'next' })
      .where('id', '=', repository.projectId)
      .execute()
    const { job } = await run(repository)
    assertFailed(job, /has no branch "next"/)
  })

  test('the job reports a rejected token', async () => {
    const repository = takeRepository()
    repository.refuse(() => 401)
    const { job } = await run(repository)
    assertFailed(job, /does not exist, or its credentials were rejected/)
  })

  test('a read-only repository fails the job, and a message publishes after write access is granted', async () => {
    const repository = takeRepository()
    repository.refuse((path) => (path.endsWith('git-receive-pack') ? 403 : null))
    const { job, task } = await run(repository)
    assertFailed(job, /rejects the branch octavo\/\S+: its credentials have no write access/)
    assert.equal(job.prLink, null)
    repository.refuse(() => null)
    await assertPublished(repository, await goOn(repository, job, task), 1)
  })

  test('the job quotes the reason of a push rejected by a hook', async () => {
    const repository = takeRepository()
    const hook = join(await gitDir(repository), 'hooks/pre-receive')
    await writeFile(hook, '#!/bin/sh\necho "Only the release team may push." >&2\nexit 1\n')
    await chmod(hook, 0o755)
    const { job } = await run(repository)
    assertFailed(job, /rejects the branch octavo\/\S+: .*Only the release team may push\./)
    assert.equal(job.prLink, null)
    assert.deepEqual(repository.requestsFrom(job.branch ?? ''), [])
  })

  test('the job waits for a repository that is unavailable at the push, and completes', async () => {
    const repository = takeRepository()
    repository.refuse((path) => (path.endsWith('git-receive-pack') ? 503 : null))
    const { id } = await begin(repository)
    await waiting(id, 'the repository')
    repository.refuse(() => null)
    await assertPublished(repository, await fleet.ended(repository.projectId, id), 1)
  })

  test('the job reports a repository that stays unavailable', async () => {
    const repository = takeRepository()
    repository.refuse(() => 503)
    const { job } = await run(repository)
    assertFailed(job, /^The repository http:\S+ cannot be reached from here/)
  })

  test('a pull request merges although its target branch moved during the push', async () => {
    const repository = takeRepository()
    await onceAt(repository, 'pushing', async () => {
      const tree = await repository.git('rev-parse', 'main^{tree}')
      const commit = await repository.git('commit-tree', tree, '-p', 'main', '-m', 'Meanwhile')
      await repository.git('update-ref', 'refs/heads/main', commit)
    })
    const { job } = await run(repository)
    await assertPublished(repository, job, 1)
    await repository.forge?.merge(1)
    assert.match(await repository.git('show', `main:${TASK_PAGES[0].path}`), /Of task/)
  })

  test('a message to a job fails when the branch of the job was deleted', async () => {
    const repository = takeRepository()
    const { job, task } = await run(repository)
    await assertPublished(repository, job, 1)
    await repository.git('update-ref', '-d', `refs/heads/${job.branch}`)
    assertFailed(await goOn(repository, job, task), /^The branch octavo\/\S+ of this job was deleted/)
  })

  test('a message to a job continues from a commit that a reviewer pushed to its branch', async () => {
    const repository = takeRepository()
    const { job, task } = await run(repository)
    const tree = await repository.git('rev-parse', `${job.branch}^{tree}`)
    const commit = await repository.git('commit-tree', tree, '-p', job.branch ?? '', '-m', 'A word of mine')
    await repository.git('update-ref', `refs/heads/${job.branch}`, commit)
    await assertPublished(repository, await goOn(repository, job, task), 3)
  })
})

/** Runs `work` once, the first time a job reaches that moment. */
async function onceAt(repository: FleetRepository, at: ForgeMoment, work: () => Promise<void>) {
  repository.onMoment(async (moment) => {
    if (moment !== at) return 'go on'
    repository.onMoment(async () => 'go on')
    await work()
    return 'go on'
  })
}

/** Permanent forge faults and the job error each must produce. */
const FAULTS: [ForgeFault, FleetRepository['kind'], RegExp][] = [
  ['down', 'gitea', /^127\.0\.0\.1:\d+ cannot be reached/],
  ['silent', 'gitea', /^127\.0\.0\.1:\d+ cannot be reached/],
  ['server_error', 'gitlab', /^127\.0\.0\.1:\d+ returned an error \(50\d\)\.$/],
  ['rate_limited', 'github', /^127\.0\.0\.1:\d+ limits requests at the moment\./],
  ['unauthorized', 'gitea', /rejects the .*token.*: it is invalid, expired or revoked\./],
  ['quotes_token', 'gitea', /^127\.0\.0\.1:\d+ does not allow the .*token.* to do this\./],
  ['not_json', 'gitea', /returned an invalid response/],
]

describe('a job whose forge fails while the pull request is created', { concurrency: 8 }, () => {
  for (const [fault, kind, sentence] of sampleOf(FAULTS, 2)) {
    test(`forge ${fault} (${kind}): the job fails, and a message after recovery opens one pull request`, async () => {
      const repository = takeRepository(kind)
      const { forge } = repository
      assert.ok(forge !== null)
      forge.fault = fault
      const { job, task } = await run(repository)
      assertFailed(job, sentence)
      assert.equal(job.prLink, null)
      forge.fault = null
      await assertPublished(repository, await goOn(repository, job, task), 2)
    })
  }

  for (const [status, kind] of [
    [500, 'gitea'],
    [429, 'github'],
    [503, 'gitlab'],
  ] as const) {
    test(`forge returns ${status} (${kind}) and recovers: the job completes with one pull request`, async () => {
      const repository = takeRepository(kind)
      repository.refuse((path) => (path.startsWith('/api/') ? status : null))
      const { id } = await begin(repository)
      await waiting(id, 'the forge')
      repository.refuse(() => null)
      await assertPublished(repository, await fleet.ended(repository.projectId, id), 1)
    })
  }

  test('a lost response to the creation leaves one pull request, and the job links to it', async () => {
    const repository = takeRepository()
    const { forge } = repository
    assert.ok(forge !== null)
    forge.fault = 'cut_after_create'
    const { job } = await run(repository)
    assert.equal(forge.fault, null)
    await assertPublished(repository, job, 1)
  })
})

test('no forge token appears in jobs, their events and messages, or the log', async () => {
  const tokens = fleet.repositories.flatMap(({ forge }) => forge?.token ?? [])
  const { rows } = await fleet.database.pool.query<{ row: string }>(
    `SELECT t::text AS row FROM agent_jobs t UNION ALL SELECT t::text FROM agent_job_events t
      UNION ALL SELECT t::text FROM agent_job_messages t`,
  )
  const texts = [...rows.map(({ row }) => row), ...fleet.log]
  assert.ok(texts.length > 100)
  assert.deepEqual(
    texts.filter((text) => tokens.some((token) => text.includes(token))),
    [],
  )
})

test('the job waits for an unavailable model and completes with one pull request', async () => {
  const repository = takeRepository()
  const { id } = await begin(repository, WITHOUT_MODEL)
  await waiting(id, 'the AI model')
  isModelAway = false
  await assertPublished(repository, await fleet.ended(repository.projectId, id), 1)
})
