/** Keys limited to projects: for every operation of the public API, other projects do not exist. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../../src/base/api/operation.ts'
import type { ApiKeyList, CreatedApiKey } from '../../src/features/accounts/operations/organization.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { BODIES, NOTHING, QUERIES } from './access-cells.ts'
import { type ApiUnderTest, jsonRequest, startApi, type Tenant, withKey } from './api-under-test.ts'
import { type DashboardScene, type MemberUnderTest, openDashboard, type Refusal } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let owner: MemberUnderTest
/** Another project of `acme`. */
let second: { projectId: string; domain: string }
/** Key limited to the second project. */
let limited: string

before(async () => {
  const many = { count: 100_000, seconds: 60 }
  api = await startApi({ limits: { newKeys: many, analytics: many, exportStarts: many, members: many } })
  dashboard = await openDashboard(api)
  owner = await dashboard.member('owner')
  const domain = 'second.example.org'
  const body = {
    name: 'Second',
    domains: [domain],
    source: { kind: 'git', repository: 'https://93.184.216.34/docs.git' },
  }
  const { id } = await owner.post<{ id: string }>('/internal/projects', body)
  second = { projectId: id, domain }
  limited = await keyFor([id])
})
after(() => api[Symbol.asyncDispose]())

async function keyFor(projectIds: readonly string[]): Promise<string> {
  return (await owner.post<CreatedApiKey>('/internal/api-keys', { name: 'limited', projectIds })).text
}

async function ask(key: string, method: string, path: string, body?: unknown) {
  const response = await api.fetch(
    path,
    body === undefined ? withKey(key, { method }) : jsonRequest(method, key, body),
  )
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? null : (JSON.parse(text.split('\n')[0] ?? '') as unknown),
  }
}
type Rows = [id: string, operation: Operation][]
const ROWS = Object.entries(OPERATIONS) as Rows
const isOfProject = ({ path }: Operation) => path.includes('{projectId}')

function askRow(key: string, [id, operation]: Rows[number], things: Record<string, string>, tenant: Tenant) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => things[name] ?? NOTHING[name] ?? '')
  const body = operation.body === null ? undefined : BODIES[id]?.(tenant)
  return ask(key, operation.method, path + (QUERIES[id] ?? ''), body)
}

test('a project-limited key gets the same 404 for another project as for a missing one at every operation', async (t) => {
  let cells = 0
  for (const row of ROWS.filter(([, operation]) => isOfProject(operation))) {
    const nothing = await askRow(limited, row, {}, api.acme)
    const outside = await askRow(limited, row, { projectId: api.acme.projectId }, api.acme)
    assert.equal(nothing.status, 404, row[0])
    assert.deepEqual(outside, nothing, row[0])
    cells++
  }
  t.diagnostic(`${cells} operations`)
  assert.ok(cells > 50)
  const audited = await api.database.pool.query('SELECT FROM all_projects WHERE deleted_at IS NOT NULL')
  assert.equal(audited.rowCount, 0)
})

test('a project-limited key reads and changes feedback and exports of its project only', async () => {
  const [id = ''] = await putRows(api.database, second.projectId, [{}])
  const feedback = `/v1/analytics/${second.projectId}/feedback`
  assert.equal((await ask(limited, 'GET', feedback)).status, 200)
  assert.equal((await ask(limited, 'PATCH', `${feedback}/${id}`, { status: 'resolved' })).status, 200)
  const hidden = await ask(api.acme.key, 'POST', '/v1/static-export/jobs', { domain: api.acme.domain })
  const started = await ask(limited, 'POST', '/v1/static-export/jobs', { domain: second.domain })
  assert.deepEqual([hidden.status, started.status], [202, 202])
  const idOf = ({ body }: { body: unknown }) => (body as { jobId: string }).jobId
  const { jobs } = (await ask(limited, 'GET', '/v1/static-export/jobs')).body as { jobs: { jobId: string }[] }
  assert.deepEqual(
    jobs.map(({ jobId }) => jobId),
    [idOf(started)],
  )
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', '/cancel'],
    ['POST', '/bundle'],
    ['GET', '/events'],
  ] as const) {
    const [outside, none] = await Promise.all(
      [idOf(hidden), NOTHING.jobId].map((jobId) =>
        ask(limited, method, `/v1/static-export/jobs/${jobId}${rest}`),
      ),
    )
    assert.deepEqual([outside?.status, outside], [404, none], rest)
  }
  assert.equal((await ask(limited, 'GET', `/v1/static-export/jobs/${idOf(started)}`)).status, 200)
  assert.equal((await ask(limited, 'POST', `/v1/static-export/jobs/${idOf(started)}/cancel`)).status, 200)
})

test('a project-limited key gets the same error for a domain of another project as for an unknown one', async () => {
  const start = (domain: string) => ask(limited, 'POST', '/v1/static-export/jobs', { domain })
  const [outside, none] = await Promise.all([start(api.acme.domain), start('nobody.example.org')])
  assert.deepEqual([outside?.status, outside], [400, none])
})

test('a project-limited key neither sees nor creates webhooks of other projects or of the organization', async () => {
  const url = 'https://93.184.216.34/hook'
  const make = (key: string, more: object = {}) => ask(key, 'POST', '/v1/webhooks', { url, ...more })
  const whole = await make(api.acme.key)
  const others = await make(api.acme.key, { projectId: api.acme.projectId })
  const own = await make(limited, { projectId: second.projectId })
  assert.deepEqual([whole.status, others.status, own.status], [201, 201, 201])
  const idOf = ({ body }: { body: unknown }) => (body as { webhookId: string }).webhookId
  const { webhooks } = (await ask(limited, 'GET', '/v1/webhooks')).body as {
    webhooks: { webhookId: string }[]
  }
  assert.deepEqual(
    webhooks.map(({ webhookId }) => webhookId),
    [idOf(own)],
  )
  const rows = ROWS.filter(([, { path }]) => path.includes('{webhookId}'))
  for (const row of rows)
    for (const webhookId of [idOf(whole), idOf(others)]) {
      const none = await askRow(limited, row, {}, api.acme)
      assert.deepEqual(await askRow(limited, row, { webhookId }, api.acme), none, row[0])
      assert.equal(none.status, 404, row[0])
    }
  const refused = (await make(limited)) as { status: number; body: { code: string } }
  assert.deepEqual([refused.status, refused.body.code], [403, 'key_limited'])
  const [outside, none] = await Promise.all(
    [api.acme.projectId, 'prj_none0'].map((projectId) => make(limited, { projectId })),
  )
  assert.deepEqual([outside?.status, outside], [400, none])
})

test('every operation without a project declares its response to a project-limited key', async () => {
  for (const row of ROWS.filter(([, operation]) => !isOfProject(operation))) {
    const [id, { keyProjects, ownerTable }] = row
    assert.ok((keyProjects ?? ownerTable) !== undefined, `${id} refuses every limited key`)
    if (keyProjects === 'scoped') continue
    const { status, body } = await askRow(limited, row, { transferId: 'ptr_none0' }, api.acme)
    const expected = ownerTable === undefined ? [403, 'key_limited'] : [404, 'not_found']
    assert.deepEqual([status, (body as { code: string }).code], expected, id)
  }
  const { projects } = (await ask(limited, 'GET', '/v1/deleted-projects')).body as { projects: unknown[] }
  assert.deepEqual(projects, [])
})

test('the project limit of a key takes only projects of its organization and does not widen when one is deleted', async () => {
  const refused = (projectIds: unknown): Promise<Refusal> =>
    owner.refused('/internal/api-keys', { method: 'POST', body: { name: 'x', projectIds } })
  for (const projectIds of [[], ['prj_none0'], [api.other.projectId, second.projectId]]) {
    const { status, fields } = await refused(projectIds)
    assert.deepEqual([status, fields[0]?.startsWith('/projectIds')], [400, true], JSON.stringify(projectIds))
  }
  const both = await keyFor([second.projectId, api.acme.projectId, second.projectId])
  const { keys } = await owner.json<ApiKeyList>('/internal/api-keys')
  assert.deepEqual(
    keys[0]?.projects?.map(({ id }) => id).sort(),
    [second.projectId, api.acme.projectId].sort(),
  )
  assert.equal(keys.find(({ name }) => name !== 'limited')?.projects ?? null, null)
  assert.equal((await ask(both, 'GET', `/v1/analytics/${api.acme.projectId}/feedback`)).status, 200)
  await api.database.pool.query('UPDATE all_projects SET deleted_at = now() WHERE id = $1', [
    second.projectId,
  ])
  const gone = await owner.json<ApiKeyList>('/internal/api-keys')
  assert.ok(gone.keys[0]?.projects?.some(({ id, name }) => id === second.projectId && name === null))
  const deleted = (await ask(limited, 'GET', '/v1/deleted-projects')).body as {
    projects: { projectId: string }[]
  }
  assert.deepEqual(
    deleted.projects.map(({ projectId }) => projectId),
    [second.projectId],
  )
  assert.equal((await ask(limited, 'GET', `/v1/analytics/${api.acme.projectId}/feedback`)).status, 404)
})
