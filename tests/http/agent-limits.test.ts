/** Hourly limit of a project, and idempotent creation of jobs and messages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { complete, create, createJob, steer } from './agent-jobs.ts'
import { type ApiUnderTest, makeTenant, startApi, type Tenant } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

async function countJobs({ projectId }: Tenant): Promise<number> {
  const { count } = await api.database.queries
    .selectFrom('agent_jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

const leftOf = (response: Response) => response.headers.get('x-ratelimit-remaining')

test('the 101st create in an hour is rejected for the project, but not for another project', async () => {
  const tenant = await makeTenant(api.database, { name: 'busy', plan: 'pro' })
  const responses = await Promise.all(Array.from({ length: 130 }, () => create(api, tenant)))
  const accepted = responses.filter(({ status }) => status === 201)
  const refused = responses.filter(({ status }) => status === 429)
  assert.deepEqual([accepted.length, refused.length], [100, 30])
  assert.equal(await countJobs(tenant), 100)
  for (const { headers } of refused) {
    assert.equal(headers.get('ratelimit-policy'), '"agentJobs";q=100;w=3600')
    assert.ok(Number(headers.get('retry-after')) <= 3600)
  }
  const { id } = (await (accepted[0] as Response).json()) as { id: string }
  await complete(api, id)
  assert.equal((await steer(api, tenant, id, 'message', { prompt: 'More.' })).status, 429, 'one shared limit')
  assert.equal((await create(api, tenant, {})).status, 429, 'rate before shape')
  assert.equal((await create(api, api.acme)).status, 201)
})

test('rejected requests do not count, and creates and messages share one limit', async () => {
  const tenant = await makeTenant(api.database, { name: 'counting', plan: 'pro' })
  assert.equal(leftOf(await create(api, tenant, { prompt: '' })), '100')
  assert.equal(leftOf(await create(api, tenant)), '99')
  const job = await createJob(api, tenant)
  assert.equal(leftOf(await steer(api, tenant, job.id, 'message', { prompt: 'Queued.' })), '97')
  await steer(api, tenant, job.id, 'archive')
  assert.equal(leftOf(await steer(api, tenant, job.id, 'message', { prompt: 'Too late.' })), '97')
  assert.equal(leftOf(await create(api, tenant)), '96')
})

test('1,000 parallel creates with one Idempotency-Key create one job and count once', async () => {
  const tenant = await makeTenant(api.database, { name: 'parallel', plan: 'pro' })
  const once = () => create(api, tenant, { prompt: 'x' }, { 'Idempotency-Key': 'one key' })
  const responses = await Promise.all(Array.from({ length: 1000 }, once))
  assert.equal(await countJobs(tenant), 1)
  const accepted = responses.filter(({ status }) => status === 201)
  const busy = responses.filter(({ status }) => status === 409)
  assert.equal(accepted.length + busy.length, 1000)
  assert.equal(new Set(await Promise.all(accepted.map((response) => response.text()))).size, 1)
  const again = await once()
  assert.deepEqual(
    [again.status, again.headers.get('idempotent-replayed'), leftOf(again)],
    [201, 'true', '99'],
  )
  assert.equal((await create(api, tenant, { prompt: 'y' }, { 'Idempotency-Key': 'one key' })).status, 422)
})

test('repeated messages with one Idempotency-Key add one message', async () => {
  const tenant = await makeTenant(api.database, { name: 'repeated', plan: 'pro' })
  const { id } = await createJob(api, tenant)
  const path = `/v2/agent/${tenant.projectId}/job/${id}/message`
  for (let i = 0; i < 3; i++) {
    const response = await api.fetch(path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${tenant.key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k',
      },
      body: '{"prompt":"More."}',
    })
    assert.deepEqual([response.status, response.headers.has('idempotent-replayed')], [200, i > 0])
  }
  const prompts = await api.database.queries
    .selectFrom('agent_job_prompts')
    .select('prompt')
    .where('job_id', '=', id)
    .execute()
  assert.equal(prompts.length, 2)
})
