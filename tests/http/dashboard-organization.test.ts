/** Organizations in the internal API: plan and usage, API keys, audit log. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type {
  ApiKey,
  ApiKeyList,
  AuditList,
  AuditRow,
  CreatedApiKey,
  OrganizationDetail,
} from '../../src/features/accounts/operations/organization.ts'
import { type ApiUnderTest, makeTenant, startApi, withKey } from './api-under-test.ts'
import { type DashboardScene, openDashboard } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0

before(async () => {
  api = await startApi({ poolSize: 20 })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const tenant = () => makeTenant(api.database, { name: `people-${++count}`, plan: 'enterprise' })

test('a key is shown once, works at once and stops working when it is revoked', async () => {
  const site = await tenant()
  const editor = await dashboard.member('editor', site)
  const { key, text } = await editor.post<CreatedApiKey>('/internal/api-keys', {
    name: 'CI',
    scopes: ['read'],
    expiresInDays: null,
    allowList: ['127.0.0.0/8'],
  })
  assert.deepEqual(
    [key.name, key.scopes, key.expiresAt, key.allowList, key.state, key.lastFour],
    ['CI', ['read'], null, ['127.0.0.0/8'], 'valid', text.slice(-4)],
  )
  const list = () => fetch(`${api.url}/v1/analytics/${site.projectId}/feedback`, withKey(text))
  assert.equal((await list()).status, 200)
  const listed = await editor.ask('/internal/api-keys')
  assert.equal(listed.headers.get('cache-control'), 'no-store')
  const body = await listed.text()
  assert.ok(!body.includes(text))
  assert.equal((JSON.parse(body) as ApiKeyList).keys.length, 2)
  const revoked = await editor.post<ApiKey>(`/internal/api-keys/${key.id}/revoke`)
  assert.equal(revoked.state, 'revoked')
  assert.equal((await list()).status, 401)
  const stranger = await dashboard.member('owner')
  assert.equal(
    (await stranger.ask(`/internal/api-keys/${key.id}/revoke`, { method: 'POST', body: {} })).status,
    404,
  )
})

test('a key is stored nowhere in plain text: not in idempotent responses, rows or the audit log', async () => {
  const site = await tenant()
  const owner = await dashboard.member('owner', site)
  const refused = await owner.refused('/internal/api-keys', {
    method: 'POST',
    body: { name: '', scopes: ['write', 'admin'], expiresInDays: 8, allowList: ['0.0.0.0/0'] },
  })
  assert.equal(refused.status, 400)
  for (const part of ['/name', '/scopes', '/expiresInDays'])
    assert.ok(
      refused.details.some((detail) => detail.includes(part)),
      `${part} in ${refused.details.join('\n')}`,
    )
  const once = async (name: string) => {
    const headers = { 'Idempotency-Key': 'again' }
    const response = await owner.ask('/internal/api-keys', { method: 'POST', body: { name }, headers })
    return { status: response.status, made: (await response.json()) as CreatedApiKey }
  }
  const { made: first } = await once('Once')
  const { text } = first
  assert.deepEqual(await once('Once'), { status: 201, made: first })
  assert.equal((await once('Twice')).status, 422)
  const dump = await api.database.pool.query<{ all: string }>(
    `SELECT coalesce(string_agg(row_to_json(k)::text, ''), '') || (SELECT coalesce(string_agg(row_to_json(a)::text, ''), '')
       FROM audit_rows AS a) || (SELECT coalesce(string_agg(row_to_json(i)::text, ''), '') FROM idempotent_answers AS i)
       AS all FROM api_keys AS k`,
  )
  assert.ok(dump.rows[0]?.all.includes('"Once"'))
  assert.ok(!dump.rows[0]?.all.includes(text))
})

test('key creation is limited per hour and returns Retry-After', async () => {
  const site = await tenant()
  const owner = await dashboard.member('owner', site)
  const make = () => owner.ask('/internal/api-keys', { method: 'POST', body: { name: 'One more' } })
  const statuses: number[] = []
  for (let made = 1; made < 10; made++) statuses.push((await make()).status)
  const over = await make()
  assert.deepEqual([new Set(statuses), over.status], [new Set([201]), 429])
  assert.ok(Number(over.headers.get('retry-after')) > 3000)
})

test('the plan shows its capabilities and the usage of each limit', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const owner = await dashboard.member('owner', site)
  await fetch(`${api.url}/v1/analytics/${site.projectId}/feedback`, withKey(site.key))
  const found = await viewer.json<OrganizationDetail>('/internal/organization')
  assert.deepEqual(
    [found.plan, found.capabilities.static_export, found.projectCount],
    ['enterprise', true, 1],
  )
  assert.deepEqual(
    found.limits.map(({ name, projectId, used, limit }) => [name, projectId, used, limit]),
    [
      ['analytics', null, 1, 100],
      ['exportStarts', null, 0, 20],
      ['newKeys', null, 1, 10],
      ['agentJobs', site.projectId, 0, 100],
    ],
  )
  const change = { method: 'PATCH', body: { name: 'Renamed', plan: 'pro' } }
  assert.equal((await viewer.ask('/internal/organization', change)).status, 403)
  const changed = await owner.json<OrganizationDetail>('/internal/organization', change)
  assert.deepEqual(
    [changed.name, changed.plan, changed.capabilities.static_export],
    ['Renamed', 'pro', false],
  )
  const { rows } = await owner.json<AuditList>('/internal/audit?action=organization')
  assert.deepEqual(rows.map(({ action }) => action).sort(), [
    'organization.created',
    'organization.plan_changed',
    'organization.renamed',
  ])
})

test('storage use is visible to every member, and only owners set its retention', async () => {
  const site = await tenant()
  const stranger = await tenant()
  const [owner, viewer] = [await dashboard.member('owner', site), await dashboard.member('viewer', site)]
  const { queries } = api.database
  const held = (organizationId: string, bytes: number) => ({
    organization_id: organizationId,
    holder: 'exports',
    objects: 2,
    bytes,
  })
  await queries
    .insertInto('storage_use')
    .values([held(site.organizationId, 3_000_000), held(stranger.organizationId, 9)])
    .execute()
  const { storage } = await viewer.json<OrganizationDetail>('/internal/organization')
  assert.deepEqual(storage.use, [{ holder: 'exports', objects: 2, bytes: 3_000_000 }])
  assert.deepEqual(storage.retention[0], { kind: 'exports', days: null, usualDays: 90 })

  const choose = (person: typeof owner, retention: object) =>
    person.ask('/internal/organization', { method: 'PATCH', body: { retention } })
  assert.equal((await choose(viewer, { exports: 7 })).status, 403)
  for (const wrong of [{ exports: -1 }, { exports: 3651 }, { renderCache: 1 }, { exports: '7' }])
    assert.equal((await choose(owner, wrong)).status, 400, JSON.stringify(wrong))
  const changed = (await (await choose(owner, { exports: 7, audit: 0 })).json()) as OrganizationDetail
  const daysOf = ({ storage: { retention } }: OrganizationDetail) =>
    Object.fromEntries(retention.map(({ kind, days }) => [kind, days]))
  const others = {
    ...{ deployments: null, mirrors: null, agentWork: null, events: null, deliveries: null },
    notifications: null,
    analyticsCounts: null,
    assistantQuestions: null,
    deletedProjects: null,
  }
  assert.deepEqual(daysOf(changed), { exports: 7, audit: 0, ...others })
  const back = (await (await choose(owner, { exports: null })).json()) as OrganizationDetail
  assert.deepEqual(daysOf(back), { exports: null, audit: 0, ...others })
  const { rows } = await owner.json<AuditList>('/internal/audit')
  assert.equal(rows.filter(({ action }) => action === 'organization.retention_changed').length, 2)
})

test('the audit log is paged without gaps, can be filtered and names the actors', async () => {
  const site = await tenant()
  const owner = await dashboard.member('owner', site)
  for (let made = 0; made < 7; made++) await owner.post('/internal/api-keys', { name: `=key ${made}` })
  const seen: AuditRow[] = []
  let cursor = ''
  do {
    const page = await owner.json<AuditList>(
      `/internal/audit?action=api_key.created&actor=${owner.userId}&limit=3${cursor}`,
    )
    seen.push(...page.rows)
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
  } while (cursor !== '')
  assert.deepEqual(
    seen.map(({ details, actorName }) => [(details as { name: string }).name, actorName]),
    Array.from({ length: 7 }, (_, index) => [`=key ${6 - index}`, 'The owner']),
  )
  const csv = await (await owner.ask('/internal/audit/export?action=api_key&format=csv')).text()
  assert.equal(csv.trim().split('\r\n').length, 9)
  const lines = await (await owner.ask(`/internal/audit/export?actor=${owner.userId}`)).text()
  const exported = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRow)
  assert.deepEqual(
    exported.filter(({ action }) => action === 'api_key.created').map(({ id }) => id),
    seen.map(({ id }) => id),
  )
  const found = await owner.json<AuditList>('/internal/audit?q=KEY%203')
  assert.deepEqual(
    found.rows.map(({ action, subjectName }) => [action, subjectName]),
    [['api_key.created', '=key 3']],
  )
  const { rows: none } = await owner.json<AuditList>('/internal/audit?q=key%25')
  assert.deepEqual(none, [], 'signs of patterns are taken as they are')
  const wrong = await owner.refused('/internal/audit?dateFrom=2026-02-30&dateTo=soon&limit=0')
  assert.equal(wrong.details.length, 3)
  const foreign = await dashboard.member('owner')
  const { nextCursor } = await owner.json<AuditList>('/internal/audit?limit=1')
  assert.equal((await foreign.ask(`/internal/audit?limit=1&cursor=${nextCursor}`)).status, 400)
  const admin = await dashboard.member('editor', site)
  assert.equal((await admin.ask('/internal/audit')).status, 403)
})
