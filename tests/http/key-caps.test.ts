/** API keys allow at most what their maker may do at the time of the call, and organizations limit their lifetime. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type {
  ApiKeyList,
  AuditList,
  CreatedApiKey,
} from '../../src/features/accounts/operations/organization.ts'
import type { RemovedMember } from '../../src/features/accounts/operations/people.ts'
import { type ApiUnderTest, jsonRequest, makeKey, startApi, type Tenant, withKey } from './api-under-test.ts'
import { type DashboardScene, type MemberUnderTest, openDashboard } from './dashboard-scene.ts'

let api: ApiUnderTest
let scene: DashboardScene

before(async () => {
  const many = { count: 1000, seconds: 60 }
  api = await startApi({ limits: { newKeys: many, signIns: many } })
  scene = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

async function keyOf(maker: MemberUnderTest, more: Record<string, unknown> = {}): Promise<CreatedApiKey> {
  return maker.post('/internal/api-keys', { name: 'a program', ...more })
}

async function ask(text: string, path: string, init: RequestInit = {}) {
  const response = await api.fetch(path, withKey(text, init))
  const { error = '' } = (await response.json()) as { error?: string }
  return { status: response.status, error }
}

const statusOf = async (text: string, path = '/v1/static-export/jobs') => (await ask(text, path)).status

const MAKER_MAY_NOT =
  'The member who created this key does not have permission to do this. Use the key of a member with a higher role.'

test('the key of an editor cannot list or create webhooks, whose URLs may hold secrets', async () => {
  await api.fetch(
    '/v1/webhooks',
    jsonRequest('POST', api.acme.key, { url: 'https://93.184.216.34/hook?token=hidden' }),
  )
  const { text } = await keyOf(await scene.member('editor'))
  const response = await api.fetch('/v1/webhooks', withKey(text))
  assert.equal(response.status, 403)
  const body = await response.text()
  assert.doesNotMatch(body, /hidden/)
  assert.deepEqual(JSON.parse(body), { error: MAKER_MAY_NOT, code: 'maker_role_missing' })
  const made = await api.fetch('/v1/webhooks', jsonRequest('POST', text, { url: 'https://93.184.216.34/x' }))
  assert.equal(made.status, 403)
  assert.equal(await statusOf(text), 200)
})

test('keys created by an admin or on the command line can list webhooks', async () => {
  const { text } = await keyOf(await scene.member('admin'))
  assert.equal(await statusOf(text, '/v1/webhooks'), 200)
  const operators = await api.database.transaction((tx) => makeKey(tx, api.acme.organizationId))
  assert.equal(await statusOf(operators, '/v1/webhooks'), 200)
})

test('lowering or raising the role of a member applies to their keys from the next call', async () => {
  const [owner, maker] = [await scene.member('owner'), await scene.member('admin')]
  const { text } = await keyOf(maker)
  assert.equal(await statusOf(text, '/v1/webhooks'), 200)
  await owner.patch(`/internal/members/${maker.userId}`, { role: 'viewer' })
  assert.equal(await statusOf(text, '/v1/webhooks'), 403)
  assert.equal(await statusOf(text), 200)
  const write = () => ask(text, `/v1/deployments/${api.acme.projectId}`, { method: 'POST' })
  assert.deepEqual(await write(), { status: 403, error: MAKER_MAY_NOT })
  await owner.patch(`/internal/members/${maker.userId}`, { role: 'editor' })
  assert.equal((await write()).status, 202)
  assert.equal(await statusOf(text, '/v1/webhooks'), 403)
})

test('removing a member revokes their keys in the same step', async () => {
  const [owner, maker] = [await scene.member('owner'), await scene.member('editor')]
  const [first, second] = [await keyOf(maker), await keyOf(maker)]
  assert.equal(await statusOf(first.text), 200)
  const removed = await owner.json<RemovedMember>(`/internal/members/${maker.userId}`, { method: 'DELETE' })
  assert.deepEqual(removed, { userId: maker.userId, keys: 'revoke', keyCount: 2 })
  assert.equal(await statusOf(first.text), 401)
  assert.equal(await statusOf(second.text), 401)
  const { keys } = await owner.json<ApiKeyList>('/internal/api-keys')
  const states = keys.filter(({ maker: by }) => by?.id === maker.userId).map(({ state }) => state)
  assert.deepEqual(states, ['revoked', 'revoked'])
  const { rows } = await owner.json<AuditList>(`/internal/audit?action=api_key.revoked&actor=${owner.userId}`)
  assert.deepEqual(rows.map(({ subject }) => subject).sort(), [first.key.id, second.key.id].sort())
})

test('keys of a member who leaves are revoked and stay revoked after they rejoin', async () => {
  const maker = await scene.member('editor')
  const { text } = await keyOf(maker)
  await maker.json(`/internal/members/${maker.userId}`, { method: 'DELETE' })
  assert.equal(await statusOf(text), 401)
  await join(maker.userId)
  assert.equal(await statusOf(text), 401)
})

test('a membership row deleted in the database invalidates the keys of that member', async () => {
  const maker = await scene.member('editor')
  const { text } = await keyOf(maker)
  await api.database.queries.deleteFrom('members').where('user_id', '=', maker.userId).execute()
  assert.equal(await statusOf(text), 401)
})

test('keys can be handed over to the member who removes their maker and keep the role of the maker', async () => {
  const [owner, maker] = [await scene.member('owner'), await scene.member('editor')]
  const { key, text } = await keyOf(maker)
  const path = `/internal/members/${maker.userId}?keys=hand_over`
  const removed = await owner.json<RemovedMember>(path, { method: 'DELETE' })
  assert.deepEqual(removed, { userId: maker.userId, keys: 'hand_over', keyCount: 1 })
  assert.equal(await statusOf(text), 200)
  // The program that uses the key, and anyone else who knows it, must not gain permissions.
  assert.equal(await statusOf(text, '/v1/webhooks'), 403)
  const { keys } = await owner.json<ApiKeyList>('/internal/api-keys')
  const shown = keys.find(({ id }) => id === key.id)
  assert.deepEqual([shown?.maker?.id, shown?.role, shown?.state], [owner.userId, 'editor', 'valid'])
  const { rows } = await owner.json<AuditList>(`/internal/audit?subject=${key.id}&action=api_key.handed_over`)
  assert.deepEqual(rows[0]?.details, {
    from: maker.userId,
    to: owner.userId,
    name: 'a program',
    role: 'editor',
  })
})

test('a member who leaves cannot hand keys over to themselves', async () => {
  const maker = await scene.member('editor')
  const { text } = await keyOf(maker)
  const { status, details } = await maker.refused(`/internal/members/${maker.userId}?keys=hand_over`, {
    method: 'DELETE',
  })
  assert.equal(status, 400)
  assert.match(details[0] ?? '', /ask an admin/)
  assert.equal(await statusOf(text), 200)
})

test('leaving one organization does not revoke keys of the same member in another', async () => {
  const maker = await scene.member('editor')
  await api.database.queries
    .insertInto('members')
    .values({ organization_id: api.other.organizationId, user_id: maker.userId, role: 'editor' })
    .execute()
  const here = await keyOf(maker)
  maker.organizationId = api.other.organizationId
  const there = await keyOf(maker)
  maker.organizationId = api.acme.organizationId
  await maker.json(`/internal/members/${maker.userId}`, { method: 'DELETE' })
  assert.equal(await statusOf(here.text), 401)
  assert.equal(await statusOf(there.text), 200)
})

test('creating a key while its maker is being removed leaves no valid key', async () => {
  for (let round = 0; round < 5; round++) {
    const [owner, maker] = [await scene.member('owner'), await scene.member('editor')]
    const making = maker.ask('/internal/api-keys', { method: 'POST', body: { name: 'a late one' } })
    const removing = owner.json(`/internal/members/${maker.userId}`, { method: 'DELETE' })
    const [made] = await Promise.all([making, removing])
    await join(maker.userId)
    if (made.status === 201) assert.equal(await statusOf(((await made.json()) as CreatedApiKey).text), 401)
    else assert.ok([403, 404].includes(made.status), String(made.status))
  }
})

test('a maximum key lifetime shortens existing keys and rejects longer lifetimes', async () => {
  const tenant = api.other
  const owner = await scene.member('owner', tenant)
  const never = await keyOf(owner, { expiresInDays: null })
  const long = await keyOf(owner, { expiresInDays: 90 })
  const short = await keyOf(owner, { expiresInDays: 7 })
  assert.equal((await owner.json<{ maxKeyDays: number | null }>('/internal/organization')).maxKeyDays, null)
  const longer = [...(await expiries(owner)).values()].filter((at) => daysUntil(at) > 30).length
  const changed = await owner.patch<{ maxKeyDays: number | null }>('/internal/organization', {
    maxKeyDays: 30,
  })
  assert.equal(changed.maxKeyDays, 30)
  const ends = await expiries(owner)
  for (const { key } of [never, long]) assert.equal(daysUntil(ends.get(key.id)), 30)
  assert.equal(daysUntil(ends.get(short.key.id)), 7)

  assert.equal(daysUntil((await keyOf(owner)).key.expiresAt), 30)
  for (const expiresInDays of [null, 60, 90]) {
    const refused = await owner.refused('/internal/api-keys', {
      method: 'POST',
      body: { name: 'x', expiresInDays },
    })
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.details, ['Keys of this organization expire after at most 30 days'])
  }
  const { rows } = await owner.json<AuditList>('/internal/audit?action=api_key.lifetime_bounded')
  assert.deepEqual(rows[0]?.details, { from: null, to: 30, shortened: longer })

  // Removing the maximum does not restore shortened lifetimes.
  await owner.patch('/internal/organization', { maxKeyDays: null })
  assert.equal(daysUntil((await expiries(owner)).get(never.key.id)), 30)
})

test('only owners can set the maximum key lifetime', async () => {
  const admin = await scene.member('admin')
  const refused = await admin.refused('/internal/organization', { method: 'PATCH', body: { maxKeyDays: 7 } })
  assert.equal(refused.status, 403)
})

test('the key list shows who created each key and the role it is limited to', async () => {
  const tenant: Tenant = api.acme
  const maker = await scene.member('editor', tenant)
  const { key } = await keyOf(maker)
  assert.deepEqual([key.maker, key.role], [{ id: maker.userId, name: 'The editor' }, 'editor'])
  const { keys } = await maker.json<ApiKeyList>('/internal/api-keys')
  const operators = keys.find(({ maker: by }) => by === null)
  assert.equal(operators?.role, null)
})

async function expiries(member: MemberUnderTest): Promise<Map<string, string | null>> {
  const { keys } = await member.json<ApiKeyList>('/internal/api-keys')
  return new Map(keys.map(({ id, expiresAt }) => [id, expiresAt]))
}

function daysUntil(at: string | null | undefined): number {
  return at == null ? Number.POSITIVE_INFINITY : Math.round((Date.parse(at) - Date.now()) / 86_400_000)
}

async function join(userId: string): Promise<void> {
  await api.database.queries
    .insertInto('members')
    .values({ organization_id: api.acme.organizationId, user_id: userId, role: 'editor' })
    .execute()
}
