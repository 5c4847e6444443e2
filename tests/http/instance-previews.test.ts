/** Preview domain and retention of an instance, set by operators over HTTP and applied on two nodes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject } from '../../src/app/operator/administration.ts'
import { DEFAULT_RETENTION, RETENTION_KINDS } from '../../src/base/api/retention.ts'
import type { AuditList } from '../../src/features/accounts/operations/organization.ts'
import type {
  InstancePreviews,
  PreviewDomainTrial,
} from '../../src/features/hosting/operations/preview-settings.ts'
import type { InstanceRetention } from '../../src/features/storage/operations/retention-settings.ts'
import { type DnsServer, startDnsServer } from '../kit/dns-server.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { until } from '../kit/until.ts'

const PREVIEWS = '/internal/instance/previews'
const RETENTION = '/internal/instance/retention'

let dns: DnsServer
let octavo: TestNode
let other: TestNode
let operator: Browser
let owner: Browser
let projectId: string

before(async () => {
  dns = await startDnsServer()
  octavo = await startTestNode({ OCTAVO_DNS_SERVERS: dns.address })
  other = await startTestNode({ DATABASE_URL: octavo.databaseUrl, OCTAVO_DATA: octavo.dataFolder })
  const source = { kind: 'git', repository: 'https://git.example.com/docs.git' } as const
  const domains = ['docs.site.example.org']
  const wanted = { organizationId: octavo.organizationId, name: 'Docs', domains, source }
  projectId = (await addProject(octavo.node.context, wanted)).id
  operator = await enter('operator@example.com', true)
  owner = await enter('owner@example.com', false)
})
after(async () => {
  await other[Symbol.asyncDispose]()
  await octavo[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
})

async function enter(email: string, isOperator: boolean): Promise<Browser> {
  const { database } = octavo.node.context
  const { organizationId } = octavo
  const { id } = await addPerson(database, { email, organizationId, role: 'owner' })
  if (isOperator)
    await database.queries.insertInto('operators').values({ user_id: id, made_by: 'cli' }).execute()
  return await signedIn(octavo.url, { email, organizationId })
}

const change = (domain: string | null) =>
  operator.json<InstancePreviews>(PREVIEWS, { method: 'PATCH', body: { domain } })
const trial = (domain: string) => operator.post<PreviewDomainTrial>(`${PREVIEWS}/test`, { domain })

async function refusal(who: Browser, path: string, body: object, method = 'PATCH') {
  const response = await who.ask(path, { method, body })
  const { code, details = [] } = (await response.json()) as {
    code: string
    details?: { field: string; message: string }[]
  }
  return { status: response.status, code, field: details[0]?.field, message: details[0]?.message ?? '' }
}

const nodes = () => [octavo.node.context, other.node.context]

test('every node picks up a new preview domain without a restart and returns to the default one', async () => {
  const before = await operator.json<InstancePreviews>(PREVIEWS)
  assert.deepEqual(
    [before.source, before.domain, before.usual],
    ['none', 'previews.localhost', before.domain],
  )
  const saved = await change(' *.Previews.Example.NET. ')
  assert.deepEqual(
    [saved.source, saved.domain, saved.changedBy],
    ['dashboard', 'previews.example.net', 'Ada Lovelace'],
  )
  for (const context of nodes()) await until(() => context.previewDomain() === 'previews.example.net')
  await change(null)
  for (const context of nodes()) await until(() => context.previewDomain() === 'previews.localhost')
  const { rows } = await operator.json<AuditList>('/internal/audit')
  const row = rows.find(({ action }) => action === 'instance.previews_changed')
  assert.deepEqual(row?.details, { from: 'previews.example.net', to: 'previews.localhost' })
})

test('rejects an invalid preview domain with its field, and anyone who is not an operator', async () => {
  for (const [domain, says] of [
    ['nothing', /must be a domain/],
    ['https://previews.example.net', /must be a domain/],
    ['10.0.0.1', /must be a domain/],
    ['docs.site.example.org', /a site's domain: `docs\.site\.example\.org`$/],
    ['site.example.org', /a site's domain: `docs\.site\.example\.org`$/],
  ] as const) {
    const refused = await refusal(operator, PREVIEWS, { domain })
    assert.deepEqual(
      [refused.status, refused.code, refused.field],
      [400, 'invalid_request', '/domain'],
      domain,
    )
    assert.match(refused.message, says)
  }
  assert.equal((await change('other.example.org')).domain, 'other.example.org')
  await change(null)
  for (const path of [PREVIEWS, RETENTION]) assert.equal((await owner.ask(path)).status, 403)
})

test('a test of a preview domain reports a missing DNS record and a failing DNS query', async () => {
  assert.match(
    (await trial('away.example.net')).faults.map(({ sentence }) => sentence).join(),
    /Add a record for \*\.away\.example\.net/,
  )
  dns.isFailing = true
  assert.match(
    (await trial('away.example.net')).faults.map(({ sentence }) => sentence).join(),
    /could not be queried/,
  )
  dns.isFailing = false
  assert.deepEqual(await trial('more.localhost'), { faults: [], notes: [] })
})

test('changing the preview domain schedules reports to forges and counts the open previews', async () => {
  const { queries } = octavo.node.context.database
  const { organizationId } = octavo
  const shared = { organization_id: organizationId, project_id: projectId, created_by: 'cli' }
  const row = (name: string, told: string | null) => ({
    ...shared,
    ...{ id: `pv_${name}`, label: name, ref: `refs/heads/${name}`, branch: name, told },
    expires_at: new Date(Date.now() + 86_400_000),
  })
  await queries
    .insertInto('previews')
    .values([row('told', 'dep_1 ready'), row('untold', null)])
    .execute()
  await queries
    .updateTable('previews')
    .set({ tell_at: new Date('2200-01-01') })
    .execute()
  const saved = await change('moved.localhost')
  assert.equal(saved.open, 2)
  const dueSoon = await queries
    .selectFrom('previews')
    .select('id')
    .where('told', '=', 'moved')
    .where('tell_at', '<', new Date(Date.now() + 60_000))
    .execute()
  assert.deepEqual(dueSoon, [{ id: 'pv_told' }])
  await change(null)
})

test('retention set by an operator applies on every node, to organizations without their own', async () => {
  const before = await operator.json<InstanceRetention>(RETENTION)
  assert.equal(before.source, 'none')
  assert.deepEqual(
    before.kinds.map(({ kind }) => kind),
    RETENTION_KINDS,
  )
  await owner.json('/internal/organization', { method: 'PATCH', body: { retention: { audit: 30 } } })
  const set = (retention: object) =>
    operator.json<InstanceRetention>(RETENTION, { method: 'PATCH', body: { retention } })
  const saved = await set({ exports: 7, renderCache: 0 })
  const of = (view: InstanceRetention, kind: string) => view.kinds.find((one) => one.kind === kind)
  assert.deepEqual(of(saved, 'exports'), {
    ...{ kind: 'exports', days: 7, chosen: true, usualDays: 90, organizations: 0 },
  })
  assert.equal(of(saved, 'audit')?.organizations, 1)
  for (const context of nodes())
    await until(() => context.retention().exports === 7 && context.retention().renderCache === 0)
  const { storage } = await owner.json<{ storage: { retention: { kind: string; usualDays: number }[] } }>(
    '/internal/organization',
  )
  assert.equal(storage.retention.find(({ kind }) => kind === 'exports')?.usualDays, 7)
  assert.equal((await set({ exports: null, renderCache: null })).source, 'none')
  for (const context of nodes())
    await until(() => JSON.stringify(context.retention()) === JSON.stringify(DEFAULT_RETENTION))
  for (const retention of [{ exports: 4000 }, { exports: -1 }, { exports: 1.5 }, { unknown: 1 }])
    assert.equal((await refusal(operator, RETENTION, { retention })).status, 400)
})

test('settings from the environment are shown and cannot be changed on the dashboard', async () => {
  await using given = await startTestNode({
    ...{ DATABASE_URL: octavo.databaseUrl, OCTAVO_DATA: octavo.dataFolder },
    ...{ OCTAVO_PREVIEW_DOMAIN: 'given.example.net', OCTAVO_RETENTION: 'exports=3' },
  })
  const { organizationId } = octavo
  const there = await signedIn(given.url, { email: 'operator@example.com', organizationId })
  await change('ignored.example.net')
  const previews = await there.json<InstancePreviews>(PREVIEWS)
  assert.deepEqual(
    [previews.source, previews.domain, previews.variables],
    ['environment', 'given.example.net', ['OCTAVO_PREVIEW_DOMAIN']],
  )
  const retention = await there.json<InstanceRetention>(RETENTION)
  assert.deepEqual([retention.source, retention.variables], ['environment', ['OCTAVO_RETENTION']])
  assert.equal(given.node.context.retention().exports, 3)
  assert.equal(given.node.context.previewDomain(), 'given.example.net')
  for (const [path, body] of [
    [PREVIEWS, { domain: 'x.example.net' }],
    [RETENTION, { retention: { exports: 5 } }],
  ] as const)
    assert.equal((await refusal(there, path, body)).code, 'set_by_environment')
  assert.equal(
    (await refusal(there, `${PREVIEWS}/test`, { domain: 'x.localhost' }, 'POST')).code,
    'set_by_environment',
  )
  await change(null)
})
