import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '../../src/base/errors/errors.ts'
import { silentLog } from '../../src/base/log.ts'
import { listAudit } from '../../src/database/audit.ts'
import { openDatabase } from '../../src/database/database.ts'
import {
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from '../../src/features/accounts/keys/api-keys.ts'
import { type Authentication, authenticate } from '../../src/features/accounts/keys/authenticate.ts'
import { addKey, addOrganization } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { refusalOf } from '../kit/refusal.ts'
import { until } from '../kit/until.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

function knock(
  text: string,
  more: { address?: string; scope?: 'read' | 'write' } = {},
): Promise<Authentication> {
  const { address = '203.0.113.9', scope = 'read' } = more
  return authenticate(database.queries, {
    authorization: `Bearer ${text}`,
    address,
    scope,
    permission: 'read',
  })
}

function create(organizationId: string, more: Partial<NewApiKey> = {}) {
  return database.transaction((tx) =>
    createApiKey(tx, { organizationId, name: 'a key', actor: 'test', makerId: null, ...more }),
  )
}

test('a key authenticates with its organization, current plan and scopes', async () => {
  const organizationId = await addOrganization(database, 'pro')
  const key = await addKey(database, organizationId)
  assert.deepEqual(await knock(key.text), {
    kind: 'ok',
    caller: {
      kind: 'key',
      id: key.id,
      organizationId,
      plan: 'pro',
      scopes: ['read', 'write'],
      role: null,
      projectIds: null,
    },
  })
  await database.pool.query(`UPDATE organizations SET plan = 'enterprise' WHERE id = $1`, [organizationId])
  const later = await knock(key.text)
  assert.equal(later.kind === 'ok' && later.caller.plan, 'enterprise')
})

test('unknown, malformed, revoked and expired keys are rejected alike', async () => {
  const organizationId = await addOrganization(database)
  const [good, revoked, expired] = [
    await addKey(database, organizationId),
    await addKey(database, organizationId),
    await addKey(database, organizationId),
  ]
  await database.transaction((tx) => revokeApiKey(tx, { keyId: revoked.id, actor: 'test' }))
  await database.pool.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expired.id])
  const other = await addKey(database, organizationId)
  await database.pool.query('DELETE FROM api_keys WHERE id = $1', [other.id])

  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    good.text,
    `Basic ${good.text}`,
    `Bearer ${good.text} ${good.text}`,
    `Bearer ${good.text.slice(0, -1)}`,
    `Bearer ${good.text.toUpperCase()}`,
    `Bearer ${revoked.text}`,
    `Bearer ${expired.text}`,
    `Bearer ${other.text}`,
  ]
  for (const authorization of headers) {
    const verdict = await authenticate(database.queries, {
      authorization,
      address: '::1',
      scope: 'read',
      permission: 'read',
    })
    assert.deepEqual(verdict, { kind: 'unauthorized' }, String(authorization))
  }
  const lower = await authenticate(database.queries, {
    authorization: `bearer  ${good.text}`,
    address: '::1',
    scope: 'read',
    permission: 'read',
  })
  assert.equal(lower.kind, 'ok')
})

test('the write scope includes read, and a read key cannot write', async () => {
  const organizationId = await addOrganization(database)
  const reader = await addKey(database, organizationId, { scopes: ['read'] })
  const writer = await addKey(database, organizationId, { scopes: ['write'] })
  assert.equal((await knock(reader.text)).kind, 'ok')
  assert.equal((await knock(reader.text, { scope: 'write' })).kind, 'scope_missing')
  assert.equal((await knock(writer.text)).kind, 'ok')
  assert.equal((await knock(writer.text, { scope: 'write' })).kind, 'ok')
})

test('a key with an allow-list works only from the listed addresses', async () => {
  const organizationId = await addOrganization(database)
  const key = await addKey(database, organizationId, { allowList: ['203.0.113.0/24', '2001:db8::/32'] })
  assert.equal((await knock(key.text, { address: '203.0.113.200' })).kind, 'ok')
  assert.equal((await knock(key.text, { address: '::ffff:203.0.113.1' })).kind, 'ok')
  assert.equal((await knock(key.text, { address: '2001:db8:1::5' })).kind, 'ok')
  assert.equal((await knock(key.text, { address: '203.0.114.1' })).kind, 'address_refused')
})

test('revoking a key takes effect immediately on another server', async () => {
  const organizationId = await addOrganization(database)
  const key = await addKey(database, organizationId)
  await using other = await openDatabase({
    url: database.url,
    poolSize: 2,
    allowFsyncOff: true,
    log: silentLog,
  })
  const there = {
    authorization: `Bearer ${key.text}`,
    address: '::1',
    scope: 'read',
    permission: 'read',
  } as const
  assert.equal((await authenticate(other.queries, there)).kind, 'ok')
  await database.transaction((tx) => revokeApiKey(tx, { keyId: key.id, actor: 'test' }))
  assert.equal((await authenticate(other.queries, there)).kind, 'unauthorized')
})

test('the key text is not stored in the database', async () => {
  const organizationId = await addOrganization(database)
  const key = await addKey(database, organizationId)
  const rows = await database.pool.query<{ text: string }>(
    `SELECT api_keys::text AS text FROM api_keys UNION ALL SELECT audit_rows::text FROM audit_rows`,
  )
  const secret = key.text.slice(4, 47)
  assert.ok(rows.rows.length > 0)
  assert.ok(rows.rows.every((row) => !row.text.includes(secret)))
  const listed = (await listApiKeys(database.queries, organizationId))[0]
  assert.equal(listed?.lastFour, key.text.slice(-4))
})

test('a key expires after 90 days by default, after a chosen time or never', async () => {
  const organizationId = await addOrganization(database)
  const daysOf = async (expiresInDays?: number | null) => {
    const made = await create(organizationId, expiresInDays === undefined ? {} : { expiresInDays })
    const { createdAt, expiresAt } = made.key
    return expiresAt === null ? null : (expiresAt.getTime() - createdAt.getTime()) / 86_400_000
  }
  assert.equal(await daysOf(), 90)
  assert.equal(await daysOf(7), 7)
  assert.equal(await daysOf(null), null)
})

test('reports all errors of a new key at once', async () => {
  const organizationId = await addOrganization(database)
  const refused = await refusalOf(
    create(organizationId, {
      name: ' ',
      scopes: ['read', 'admin'],
      expiresInDays: 8,
      allowList: ['0.0.0.0/0', 'office'],
    }),
  )
  assert.equal(refused.code, 'invalid_request')
  const fields = refused.details.map(({ field }) => field)
  assert.deepEqual(fields, ['/allowList', '/allowList', '/name', '/scopes', '/expiresInDays'])
  assert.equal((await refusalOf(create('org_none'))).code, 'not_found')
})

test('an organization can create ten keys per hour, and failed attempts do not count', async () => {
  const organizationId = await addOrganization(database)
  await refusalOf(create(organizationId, { name: '' }))
  const made = await Promise.allSettled(Array.from({ length: 12 }, () => create(organizationId)))
  assert.equal(made.filter((one) => one.status === 'fulfilled').length, 10)
  const refused = made.find((one) => one.status === 'rejected')
  assert.ok(refused?.reason instanceof AppError && refused.reason.code === 'rate_limited')
  const seconds = Number(refused.reason.headers['Retry-After'])
  assert.ok(seconds > 3000 && seconds <= 3600)
  assert.ok((await create(await addOrganization(database))).key.id, 'another organization is not concerned')
})

test('creating and revoking a key are audited once each, even when it is revoked twice', async () => {
  const organizationId = await addOrganization(database)
  const key = await addKey(database, organizationId, { name: 'deploy', actor: 'cli' })
  const revoke = () =>
    database.transaction((tx) => revokeApiKey(tx, { keyId: key.id, organizationId, actor: 'cli' }))
  const first = await revoke()
  assert.ok(first?.revokedAt)
  assert.deepEqual((await revoke())?.revokedAt, first.revokedAt)
  const trace = await listAudit(database.queries, { organizationId, limit: 10 })
  assert.deepEqual(
    trace.map(({ action, subject, actor }) => ({ action, subject, actor })),
    [
      { action: 'api_key.revoked', subject: key.id, actor: 'cli' },
      { action: 'api_key.created', subject: key.id, actor: 'cli' },
      { action: 'organization.created', subject: organizationId, actor: 'test' },
    ],
  )
})

test('an organization cannot revoke a key of another organization', async () => {
  const [one, other] = [await addOrganization(database), await addOrganization(database)]
  const key = await addKey(database, one)
  const revoked = await database.transaction((tx) =>
    revokeApiKey(tx, { keyId: key.id, organizationId: other, actor: 'test' }),
  )
  assert.equal(revoked, null)
  assert.equal((await knock(key.text)).kind, 'ok')
})

test('records the last use at most once a minute', async () => {
  const organizationId = await addOrganization(database)
  const key = await addKey(database, organizationId)
  const lastUse = async () => (await listApiKeys(database.queries, organizationId))[0]?.lastUsedAt ?? null
  const settled = async (expected: (at: Date | null) => boolean) => {
    await until(async () => expected(await lastUse()))
    return lastUse()
  }
  assert.equal(await lastUse(), null)
  await Promise.all(Array.from({ length: 20 }, () => knock(key.text)))
  const first = await settled((at) => at !== null)
  await knock(key.text)
  assert.deepEqual(await lastUse(), first)
  await database.pool.query(`UPDATE api_keys SET last_used_at = now() - interval '2 minutes' WHERE id = $1`, [
    key.id,
  ])
  await knock(key.text)
  await settled((at) => at !== null && first !== null && at >= first)
})
