import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startOf } from '../../src/features/analytics/intake/tally.ts'
import type { AutomationRun } from '../../src/features/automations/operations/automations.ts'
import { checkAutomations } from '../../src/features/automations/run-due-automations.ts'
import { addFeedback, complete } from '../http/agent-jobs.ts'
import { toldOf } from '../kit/told.ts'
import { type AutomationScene, openAutomationScene, openBeside } from './automation-scene.ts'

let scene: AutomationScene
before(async () => {
  scene = await openAutomationScene()
})
after(() => scene[Symbol.asyncDispose]())

/** Returns the job of the newest run, which must have started or messaged one. */
async function lastJob(id: string): Promise<string> {
  const [run] = await scene.runs(id)
  assert.ok(run?.jobId, JSON.stringify(run))
  return run.jobId
}

/** Marks a job as completed with an open pull request, as a worker does. */
async function openRequest(jobId: string, files: string[] = []): Promise<void> {
  await scene.api.database.queries
    .updateTable('agent_jobs')
    .set({
      status: 'completed',
      pull_request_state: 'open',
      pull_request_link: 'https://forge.example/1',
      published_files: JSON.stringify(files),
    })
    .where('id', '=', jobId)
    .execute()
  await endPrompts(jobId)
}

async function endPrompts(jobId: string): Promise<void> {
  await scene.api.database.queries
    .updateTable('agent_job_prompts')
    .set({ started_at: new Date(), ended_at: new Date() })
    .where('job_id', '=', jobId)
    .execute()
}

async function decide(jobId: string, state: 'merged' | 'closed'): Promise<void> {
  await scene.api.database.queries
    .updateTable('agent_jobs')
    .set({ pull_request_state: state, merged_at: state === 'merged' ? new Date() : null })
    .where('id', '=', jobId)
    .execute()
}

const briefly = (runs: AutomationRun[]) => runs.map(({ state, reason, topic }) => [state, reason, topic])

test('a schedule starts one job and messages it while its pull request is open', async () => {
  const { automationId: id } = await scene.create({
    trigger: { kind: 'schedule', every: 'day', hour: 3, timeZone: 'Europe/Berlin' },
    scope: ['guides/**'],
    budget: { steps: 3 },
    model: 'anthropic:claude-haiku-4-5',
  })
  await scene.look()
  assert.deepEqual(await scene.runs(id), [], 'its time has not come')
  await scene.look(id)
  const jobId = await lastJob(id)
  const job = await scene.api.database.queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [job.scope, job.budget, job.model],
    [['guides/**'], { steps: 3 }, 'anthropic:claude-haiku-4-5'],
  )
  assert.equal(job.started_by, id)
  await scene.look(id)
  assert.deepEqual(briefly(await scene.runs(id))[0], ['added', null, 'schedule'])
  assert.equal((await scene.prompts(jobId)).length, 1, 'it waits already, and says the same')
  await openRequest(jobId)
  await scene.look(id)
  assert.equal(await lastJob(id), jobId)
  assert.equal((await scene.prompts(jobId)).length, 2)
  await openRequest(jobId)
  await decide(jobId, 'merged')
  await scene.look(id)
  assert.notEqual(await lastJob(id), jobId)
  assert.deepEqual(briefly(await scene.runs(id))[0], ['started', null, 'schedule'])
})

test('a job that ended without a pull request is followed by a new job', async () => {
  const { automationId: id } = await scene.create({})
  await scene.look(id)
  const first = await lastJob(id)
  await complete(scene.api, first)
  await scene.look(id)
  assert.notEqual(await lastJob(id), first)
})

test('a publish starts one job about the pages that match, and only once', async () => {
  await scene.publish({})
  const { automationId: id } = await scene.create({ trigger: { kind: 'push', pages: ['/guides/**'] } })
  await scene.look(id)
  assert.deepEqual(await scene.runs(id), [])
  await scene.publish({ '/about': 'changed' })
  await scene.look()
  assert.deepEqual(await scene.runs(id), [], 'no page of its patterns has changed')
  await scene.publish({ '/guides/brew': 'changed', '/about': 'added' })
  await scene.look()
  const jobId = await lastJob(id)
  const [prompt] = await scene.prompts(jobId)
  assert.equal(prompt?.told[0]?.text, 'changed: /guides/brew')
  await scene.look(id)
  assert.equal((await scene.runs(id)).length, 1)
})

test('skips changes published by its own job and starts a job for later changes by others', async () => {
  const { automationId: id } = await scene.create({ trigger: { kind: 'push' } })
  await scene.publish({ '/guides/brew': 'changed' })
  await scene.look()
  const jobId = await lastJob(id)
  await openRequest(jobId, ['de/brew.mdx', 'de/index.mdx'])
  await decide(jobId, 'merged')
  await scene.publish({ '/de/brew': 'changed', '/de': 'changed' })
  await scene.look()
  assert.deepEqual(briefly(await scene.runs(id))[0], ['skipped', 'own_change', 'push'])
  await scene.publish({ '/guides/more': 'added' })
  await scene.look()
  assert.deepEqual((await scene.prompts(await lastJob(id)))[0]?.told[0]?.text, 'added: /guides/more')
})

test('hands over page feedback once the count is reached, and never twice', async () => {
  const { automationId: id } = await scene.create({ trigger: { kind: 'feedback', count: 3 } })
  const few = await addFeedback(scene.api, scene.api.acme, ['one', 'two'])
  await scene.look(id)
  assert.deepEqual(await scene.runs(id), [])
  await new Promise((resolve) => setTimeout(resolve, 2)) // ids are made of milliseconds
  const third = await addFeedback(scene.api, scene.api.acme, ['three'])
  await scene.look(id)
  const jobId = await lastJob(id)
  assert.deepEqual(briefly(await scene.runs(id)), [['started', null, '/']])
  const [prompt] = await scene.prompts(jobId)
  assert.equal(prompt?.feedback.length, 3)
  const entries = await statuses([...few, ...third])
  assert.deepEqual(entries, ['in_progress', 'in_progress', 'in_progress'])
  // The job ended without a result and released its feedback.
  await scene.api.database.queries.updateTable('feedback').set({ status: 'pending' }).execute()
  await complete(scene.api, jobId)
  await scene.look(id)
  assert.equal((await scene.runs(id)).length, 1)
})

async function statuses(ids: string[]): Promise<string[]> {
  const rows = await scene.api.database.queries
    .selectFrom('feedback')
    .select('status')
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ status }) => status)
}

test('a search with enough empty results starts one job and is not repeated at the next check', async () => {
  const { automationId: id } = await scene.create({ trigger: { kind: 'search', count: 5 } })
  const count = (key: string, empty: number) =>
    scene.api.database.queries
      .insertInto('analytics_counts')
      .values(
        (['day', 'week', 'month'] as const).map((period) => ({
          project_id: scene.api.acme.projectId,
          dimension: 'search' as const,
          period,
          starts_at: new Date(startOf(period, Date.now())),
          key,
          page: '',
          human: empty,
          empty,
        })),
      )
      .execute()
  await count('rate limits', 7)
  await count('sso', 4)
  await scene.look(id)
  assert.deepEqual(briefly(await scene.runs(id)), [['started', null, 'rate limits']])
  await scene.look(id)
  assert.equal((await scene.runs(id)).length, 1)
})

test('broken links start one job for all new ones, and a fixed link that breaks again counts as new', async () => {
  const { automationId: id } = await scene.create({ trigger: { kind: 'broken_link' } })
  await scene.publish({}, ['No page /a', 'No page /b'])
  await scene.look()
  const jobId = await lastJob(id)
  assert.match((await scene.prompts(jobId))[0]?.told[0]?.text ?? '', /No page \/a\n.*No page \/b/)
  await scene.publish({}, ['No page /a', 'No page /b'])
  await scene.look()
  assert.equal((await scene.runs(id)).length, 1)
  await endPrompts(jobId)
  await scene.publish({}, ['No page /b'])
  await scene.look()
  await scene.publish({}, ['No page /a', 'No page /b'])
  await scene.look()
  assert.deepEqual(briefly(await scene.runs(id))[0], ['added', null, 'links'])
  assert.equal((await scene.prompts(jobId)).at(-1)?.told[0]?.text, 'index.mdx, line 3: No page /a')
})

test('a dry run records its prompt and starts nothing, and the real run finds the same problem', async () => {
  await scene.publish({}, ['No page /dry'])
  const { automationId: id } = await scene.create({ trigger: { kind: 'broken_link' }, dryRun: true })
  await scene.look(id)
  const [dry] = await scene.runs(id)
  assert.deepEqual([dry?.state, dry?.reason, dry?.jobId], ['skipped', 'dry_run', null])
  assert.match(dry?.asked ?? '', /Look after the docs\.\s[\s\S]*No page \/dry/)
  await scene.look(id)
  assert.equal((await scene.runs(id)).length, 1)
  await scene.update(id, { dryRun: false })
  await scene.look()
  assert.equal((await scene.runs(id))[0]?.state, 'started')
})

test('a paused automation does not run and does not catch up on publishes when resumed', async () => {
  const { automationId: id } = await scene.create({ trigger: { kind: 'push' }, paused: true })
  await scene.publish({ '/paused': 'changed' })
  await scene.look()
  assert.deepEqual(await scene.runs(id), [])
  await scene.update(id, { paused: false })
  await scene.look()
  assert.deepEqual(await scene.runs(id), [])
  await scene.publish({ '/again': 'changed' })
  await scene.look()
  assert.equal((await scene.runs(id)).length, 1)
})

test('starts no run beyond the daily limit and starts the skipped one when there is room', async () => {
  const { automationId: id } = await scene.create({
    trigger: { kind: 'broken_link' },
    budget: { runsPerDay: 1 },
  })
  await scene.publish({}, ['No page /first'])
  await scene.look(id)
  await scene.publish({}, ['No page /first', 'No page /second'])
  await scene.look(id)
  assert.deepEqual(briefly(await scene.runs(id))[0], ['skipped', 'daily_limit', 'links'])
  await scene.update(id, { budget: {} })
  await scene.look(id)
  assert.match((await scene.runs(id))[0]?.asked ?? '', /No page \/second/)
})

test('without a model no job starts, and the next check with a model starts it', async () => {
  const { automationId: id } = await scene.create({ trigger: { kind: 'broken_link' } })
  await scene.publish({}, ['No page /model'])
  await scene.api.database.queries
    .updateTable('automations')
    .set({ look_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  const bare = { ...scene.deps, agent: { ...scene.deps.agent, modelName: null } }
  await checkAutomations(bare, new AbortController().signal)
  assert.equal((await scene.runs(id))[0]?.reason, 'model_unavailable')
  const stopped = await toldOf(scene.api.database, scene.api.acme.projectId)
  assert.deepEqual(
    stopped.filter(({ subject }) => subject === id).map(({ kind, facts }) => [kind, facts.reason]),
    [['automation_stopped', 'this server has no model']],
  )
  await scene.look(id)
  assert.equal((await scene.runs(id))[0]?.state, 'started')
})

test('concurrent checks on two nodes start one job', async () => {
  const { automationId: id } = await scene.create({})
  await using second = await openBeside(scene.api)
  await scene.api.database.queries
    .updateTable('automations')
    .set({ look_at: sql<Date>`clock_timestamp() - interval '1 second'` })
    .where('id', '=', id)
    .execute()
  const { signal } = new AbortController()
  await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      checkAutomations(index % 2 === 0 ? scene.deps : { ...scene.deps, database: second }, signal),
    ),
  )
  assert.equal((await scene.runs(id)).length, 1)
})

test('a failing automation does not block those behind it', async () => {
  const { automationId: broken } = await scene.create({ trigger: { kind: 'push' } })
  const { automationId: fine } = await scene.create({})
  await scene.api.database.queries
    .updateTable('automations')
    .set({ trigger: JSON.stringify({ kind: 'push', pages: 7 }) })
    .where('id', '=', broken)
    .execute()
  await scene.publish({ '/x': 'changed' })
  await scene.look(broken, fine)
  assert.equal((await scene.runs(fine)).length, 1)
  await scene.api.database.queries.deleteFrom('automations').where('id', '=', broken).execute()
})
