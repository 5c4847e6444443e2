/** Order of queued jobs and the queue position each one reports, without a worker. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { complete, createJob, jobPath } from './agent-jobs.ts'
import { type ApiUnderTest, addProject, startApi, type Tenant, withKey } from './api-under-test.ts'

let api: ApiUnderTest
let second: Tenant
before(async () => {
  api = await startApi({ limits: { agentJobs: { count: 1000, seconds: 3600 } } })
  second = await projectBeside(api.acme, 'second')
})
after(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  const { queries } = api.database
  for (const { id } of await queries.selectFrom('agent_jobs').select('id').execute()) await complete(api, id)
  await sql`DELETE FROM pgboss.job`.execute(queries)
})

interface Asked {
  tenant: Tenant
  id: string
}

async function projectBeside(tenant: Tenant, name: string): Promise<Tenant> {
  return { ...tenant, projectId: await addProject(api.database.queries, tenant.organizationId, name) }
}

async function ask(tenant: Tenant, times = 1): Promise<Asked[]> {
  const asked: Asked[] = []
  for (let number = 0; number < times; number++) asked.push({ tenant, id: (await createJob(api, tenant)).id })
  return asked
}

async function placesOf(asked: readonly Asked[]): Promise<(number | undefined)[]> {
  return await Promise.all(
    asked.map(async ({ tenant, id }) => {
      const read = await api.fetch(jobPath(tenant, id), withKey(tenant.key))
      return ((await read.json()) as AgentJob).queuedBehind
    }),
  )
}

test('a project with one job waits behind one job of a project with ten', async () => {
  const many = await ask(api.acme, 10)
  assert.deepEqual(await placesOf(many), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  const one = await ask(second)
  assert.deepEqual(await placesOf(one), [1])
  assert.deepEqual(await placesOf(many), [0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('organizations take turns, however many projects each has', async () => {
  const theirs = [...(await ask(api.acme, 2)), ...(await ask(second, 2))]
  const own = await ask(api.other, 2)
  assert.deepEqual(await placesOf(own), [1, 3])
  assert.deepEqual(await placesOf(theirs), [0, 4, 2, 5])
})

test('ten projects that request three jobs each take turns', async () => {
  const asked: Asked[] = []
  for (let number = 0; number < 10; number++)
    asked.push(...(await ask(await projectBeside(api.acme, `p${number}`), 3)))
  const turns = Array.from({ length: 10 }, (_, project) => [project, project + 10, project + 20])
  assert.deepEqual(await placesOf(asked), turns.flat())
})

test('a running job counts as a turn of its project, and a finished one does not', async () => {
  const [atWork, next] = await ask(api.acme, 2)
  const [beside] = await ask(second)
  await sql`UPDATE pgboss.job SET state = 'active' WHERE id = (
    SELECT queue_job_id::uuid FROM agent_jobs WHERE id = ${atWork?.id})`.execute(api.database.queries)
  const all = [atWork, next, beside] as Asked[]
  assert.deepEqual(await placesOf(all), [undefined, 1, 0])
  await complete(api, atWork?.id ?? '')
  await sql`UPDATE pgboss.job SET state = 'completed' WHERE state = 'active'`.execute(api.database.queries)
  const [third] = await ask(second)
  assert.deepEqual(await placesOf([...all, third] as Asked[]), [undefined, 0, 1, 2])
})
