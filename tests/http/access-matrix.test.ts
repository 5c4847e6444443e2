/**
 * Calls every operation of both tables as every kind of caller and derives the expected result from the tables.
 * Resources of another organization must get the same response as ids that do not exist. An operation without test
 * data fails.
 */
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Operation } from '../../src/base/api/operation.ts'
import {
  type Permission,
  ROLES,
  type Role,
  requiredPermission,
  roleHasPermission,
} from '../../src/base/api/roles.ts'
import type { ErrorCode } from '../../src/base/errors/errors.ts'
import { createId } from '../../src/base/ids.ts'
import { signRequest } from '../../src/base/operator-proof.ts'
import { createApiKeyText } from '../../src/features/accounts/keys/api-key-text.ts'
import { DASHBOARD_OPERATIONS } from '../../src/features/dashboard-operations.ts'
import { LIMITS, type Limits } from '../../src/features/limits.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import {
  type Answered,
  addRows,
  assertRefused,
  BODIES,
  countAuditRows,
  isRemoval,
  makeOperators,
  NO_CHANGE,
  NOTHING,
  OPERATOR,
  QUERIES,
  VISITORS,
  withFirst,
} from './access-cells.ts'
import { addFeedback, createJob } from './agent-jobs.ts'
import { type ApiUnderTest, jsonRequest, SECRET, startApi, startJob, type Tenant } from './api-under-test.ts'

interface Row {
  id: string
  operation: Operation
  isPublic: boolean
  /** Null for operations open to visitors. */
  permission: Permission | null
}

/** Members may always remove themselves, but the matrix removes someone else, which needs this permission. */
const OF_OTHERS: Record<string, Permission> = { removeMember: 'members' }

const ROWS: Row[] = [
  ...Object.entries<Operation>(OPERATIONS).map(([id, operation]) => ({
    id,
    operation,
    isPublic: true,
    permission: requiredPermission(operation),
  })),
  ...Object.entries(DASHBOARD_OPERATIONS).map(([id, operation]) => ({
    id,
    operation: operation as Operation,
    isPublic: false,
    permission: OF_OTHERS[id] ?? (operation.permission as Permission | null),
  })),
]

type Things = Record<string, string>

type Who =
  | { kind: 'none' }
  /** `refused`: the key is invalid. `cap`: the role of its maker, or null for a key from the command line. */
  | {
      kind: 'key'
      text: string
      refused: boolean
      canWrite: boolean
      cap: Role | null
      /** Assistant key, limited to the public text of one project. */
      isAssistant?: true
    }
  /** Command line on the machine of the server. */
  | { kind: 'operator' }
  | { kind: 'session'; browser: Browser; role: Role | null; isOperator?: true }

let api: ApiUnderTest
const callers = new Map<string, Who>()
let others: Things
let own: Things

before(async () => {
  const limits = Object.fromEntries(
    Object.keys(LIMITS).map((name) => [name, { count: 1_000_000, seconds: 60 }]),
  ) as Limits
  api = await startApi({ limits, poolSize: 20 })
  const [made, theirs, ours] = await Promise.all([makeCallers(), thingsOf(api.other), thingsOf(api.acme)])
  for (const [name, who] of made.flat()) callers.set(name, who)
  others = theirs
  own = ours
})
after(() => api[Symbol.asyncDispose]())

type Named = [name: string, who: Who]

/** Creates the callers in parallel, because password hashing takes most of the time. */
function makeCallers(): Promise<Named[][]> {
  const { organizationId } = api.acme
  return Promise.all([
    ...ROLES.map(async (role): Promise<Named[]> => {
      const { browser, makeKey } = await member(role, organizationId)
      const session: Named = [`session of ${role}`, { kind: 'session', browser, role }]
      return role === 'viewer' ? [session] : [session, [`key of ${role}`, await makeKey()]]
    }),
    loweredAndRemoved(organizationId),
    foreigner(organizationId),
    operators(organizationId),
    ownersKeys(organizationId),
  ])
}

async function loweredAndRemoved(organizationId: string): Promise<Named[]> {
  const [owner, lowered, removed] = await Promise.all([
    member('owner', organizationId),
    member('admin', organizationId),
    member('admin', organizationId),
  ])
  const [loweredKey, removedKey] = await Promise.all([lowered.makeKey(), removed.makeKey()])
  await owner.browser.json(`/internal/members/${lowered.userId}`, {
    method: 'PATCH',
    body: { role: 'viewer' },
  })
  await owner.browser.json(`/internal/members/${removed.userId}`, { method: 'DELETE' })
  return [
    ['key whose maker became viewer', { ...loweredKey, cap: 'viewer' }],
    ['key of a removed member', { ...removedKey, refused: true }],
    ['session of a removed member', { kind: 'session', browser: removed.browser, role: null }],
  ]
}

async function foreigner(organizationId: string): Promise<Named[]> {
  const { browser } = await member('owner', api.other.organizationId)
  browser.organizationId = organizationId
  return [["session of the other organization's owner", { kind: 'session', browser, role: null }]]
}

/** Operations on the whole instance require an operator who is also an owner. */
async function operators(organizationId: string): Promise<Named[]> {
  const [owner, admin] = await Promise.all([member('owner', organizationId), member('admin', organizationId)])
  await makeOperators(api.database, [owner.userId, admin.userId])
  return [
    ['session of an operator', { kind: 'session', browser: owner.browser, role: 'owner', isOperator: true }],
    ['session of an operator who is admin', { kind: 'session', browser: admin.browser, role: 'admin' }],
  ]
}

async function ownersKeys(organizationId: string): Promise<Named[]> {
  const [reading, ended, given] = await Promise.all(
    Array.from({ length: 3 }, () => member('owner', organizationId)),
  )
  const [read, expired, revoked] = await Promise.all([
    reading?.makeKey(['read']),
    ended?.makeKey(),
    given?.makeKey(),
  ])
  if (!read || !expired || !revoked) throw new Error('three keys were asked for')
  await endKeys(ended?.userId ?? '', 'expires_at')
  await endKeys(given?.userId ?? '', 'revoked_at')
  return [
    ['nobody', { kind: 'none' }],
    ['operator at the command line', { kind: 'operator' }],
    ['unknown key', key(createApiKeyText(), { refused: true })],
    ['key of the command line', key(api.acme.key)],
    ['assistant key', await assistantKey(reading?.browser as Browser)],
    ['read key', read],
    ['expired key', { ...expired, refused: true }],
    ['revoked key', { ...revoked, refused: true }],
  ]
}

async function assistantKey(browser: Browser): Promise<Who> {
  const wanted = { name: 'assistant', kind: 'assistant', projectIds: [api.acme.projectId] }
  const { text } = await browser.post<{ text: string }>('/internal/api-keys', wanted)
  return key(text, { isAssistant: true })
}

function key(text: string, more: Partial<Extract<Who, { kind: 'key' }>> = {}): Extract<Who, { kind: 'key' }> {
  return { kind: 'key', text, refused: false, canWrite: true, cap: null, ...more }
}

async function member(role: Role, organizationId: string) {
  const email = `${createId('usr')}@example.com`
  const { id: userId } = await addPerson(api.database, { email, organizationId, role })
  const browser = await signedIn(api.url, { email, organizationId })
  const makeKey = async (scopes = ['read', 'write']) => {
    const { text } = await browser.post<{ text: string }>('/internal/api-keys', { name: role, scopes })
    return key(text, { cap: role, canWrite: scopes.includes('write') })
  }
  return { browser, userId, makeKey }
}

async function endKeys(userId: string, column: 'expires_at' | 'revoked_at'): Promise<void> {
  await api.database.pool.query(
    `UPDATE api_keys SET ${column} = now() - interval '1 minute' WHERE maker_id = $1`,
    [userId],
  )
}

/** Creates one resource of each kind in an organization and returns their ids. */
async function thingsOf(tenant: Tenant): Promise<Things> {
  const { browser } = await member('owner', tenant.organizationId)
  const { projectId } = tenant
  const ask = async <Body>(method: string, path: string, body?: unknown) => {
    const response = await api.fetch(path, jsonRequest(method, tenant.key, body))
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }
  const { deploymentId } = await ask<{ deploymentId: string }>('POST', `/v1/deployments/${projectId}`)
  const { webhookId } = await ask<{ webhookId: string }>('POST', '/v1/webhooks', {
    url: 'https://93.184.216.34/',
  })
  const { deliveryId } = await ask<{ deliveryId: string }>('POST', `/v1/webhooks/${webhookId}/test`)
  const views = `/internal/projects/${projectId}/feedback/views`
  const view = await browser.post<{ id: string }>(views, {
    name: 'mine',
    query: 'status=pending',
    isShared: true,
  })
  const { key: made } = await browser.post<{ key: { id: string } }>('/internal/api-keys', { name: 'a thing' })
  const { invitationId } = await browser.post<{ invitationId: string }>('/internal/invitations', {
    email: `${createId('inv')}@example.com`,
    role: 'viewer',
  })
  const { id: credentialId } = await browser.post<{ id: string }>('/internal/git-credentials', {
    prefix: `github.com/${createId('prj').slice(4)}`,
    token: 'a-token-of-the-matrix',
  })
  const { sessions } = await browser.json<{ sessions: { sessionId: string }[] }>('/internal/sessions')
  return {
    projectId,
    jobId: await startJob(api, tenant),
    id: (await createJob(api, tenant)).id,
    deploymentId,
    statusId: deploymentId,
    feedbackId: (await addFeedback(api, tenant, ['of the matrix']))[0] as string,
    viewId: view.id,
    webhookId,
    deliveryId,
    keyId: made.id,
    userId: (await member('viewer', tenant.organizationId)).userId,
    invitationId,
    sessionId: sessions[0]?.sessionId as string,
    ...{ credentialId, ...(await addRows(api.database, projectId)) },
    domain: tenant.domain,
  }
}

const paramsOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

async function ask(
  who: Who,
  { id, operation }: Row,
  things: Things,
  tenant: Tenant = api.acme,
): Promise<Answered> {
  const { method, path } = operation
  const address =
    path.replace(/\{(\w+)\}/g, (_, name: string) => things[name] ?? 'missing') + (QUERIES[id] ?? '')
  const body = operation.body === null ? undefined : BODIES[id]?.(tenant)
  const response =
    who.kind === 'session'
      ? await who.browser.ask(address, { method, body: body ?? {} })
      : await fetch(api.url + address, {
          method,
          headers: {
            ...(who.kind === 'key' ? { Authorization: `Bearer ${who.text}` } : {}),
            ...(who.kind === 'operator' ? signed(method, address) : {}),
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
  const { status } = response
  if (response.ok) {
    await response.body?.cancel()
    return { status, body: null }
  }
  return { status, body: await response.json() }
}

function signed(method: string, target: string): Record<string, string> {
  const Authorization = signRequest(SECRET, { method, target, port: api.port })
  return { Authorization, 'Octavo-Organization': api.acme.organizationId }
}

/** Returns the error that the tables require, or null when the caller is admitted. */
function refusalOf(who: Who, { operation, isPublic, permission }: Row): ErrorCode | null {
  if (permission === null) return null
  if (who.kind === 'session') {
    if (who.role === null) return 'not_a_member'
    if (!roleHasPermission(who.role, permission)) return 'role_missing'
    if (permission === 'machine') return 'operator_missing'
    return permission === 'instance' && who.isOperator !== true ? 'operator_missing' : null
  }
  if (who.kind === 'operator') return null
  if (!isPublic) return 'signed_out'
  if (who.kind === 'none' || who.refused) return 'unauthorized'
  if (who.isAssistant) return operation.takesAssistantKeys === true ? null : 'unauthorized'
  if (operation.method !== 'GET' && !who.canWrite) return 'scope_missing'
  return who.cap === null || roleHasPermission(who.cap, permission) ? null : 'maker_role_missing'
}

test('every operation has its matrix cells: a body, missing ids and a row for visitors', () => {
  for (const { id, operation, permission } of ROWS) {
    for (const name of paramsOf(operation)) {
      assert.ok(NOTHING[name], `${id}: an id for {${name}} in NOTHING`)
      assert.ok(others[name] && own[name], `${id}: a thing for {${name}} in thingsOf`)
    }
    assert.equal(operation.body !== null, id in BODIES, `${id}: a body in BODIES`)
    assert.equal(permission === null, id in VISITORS, `${id}: a row in VISITORS`)
  }
  const ids = new Set(ROWS.map(({ id }) => id))
  for (const id of Object.keys({ ...BODIES, ...QUERIES, ...VISITORS, ...OPERATOR }))
    assert.ok(ids.has(id), `${id} is gone`)
})

/** Runs the callers in parallel, and the rows of each caller in order. */
async function eachCaller(
  t: TestContext,
  check: (name: string, who: Who, row: Row) => Promise<number>,
): Promise<void> {
  const counts = await Promise.all(
    [...callers].map(async ([name, who]) => {
      let cells = 0
      for (const row of ROWS) cells += await check(name, who, row)
      return cells
    }),
  )
  t.diagnostic(`${counts.reduce((sum, one) => sum + one, 0)} cells`)
}

/** Responses for ids that do not exist, requested once per caller and operation. */
const aboutNothing = new Map<string, Promise<Answered>>()

function askOfNothing(name: string, who: Who, row: Row): Promise<Answered> {
  const cell = `${name}: ${row.id}`
  const known = aboutNothing.get(cell) ?? ask(who, row, NOTHING)
  aboutNothing.set(cell, known)
  return known
}

test('every caller is admitted or rejected at every operation according to the tables', async (t) => {
  await eachCaller(t, async (name, who, row) => {
    const cell = `${name}: ${row.id}`
    const answered = await askOfNothing(name, who, row)
    const refusal = refusalOf(who, row)
    if (refusal !== null) {
      assertRefused(answered, refusal, cell)
      return 1
    }
    if (row.permission === null) {
      const { out, in: signedIn } = VISITORS[row.id] as { out: number; in: number }
      assert.equal(answered.status, who.kind === 'session' ? signedIn : out, cell)
      return 1
    }
    const { success } = row.operation
    const usual = paramsOf(row.operation).length > 0 ? 404 : success.status
    const expected = who.kind === 'operator' ? (OPERATOR[row.id] ?? usual) : usual
    assert.equal(answered.status, expected, `${cell}: ${JSON.stringify(answered.body)}`)
    return 1
  })
})

test("another organization's resources get the same response as missing ids, for every admitted caller", async (t) => {
  await eachCaller(t, async (name, who, row) => {
    const params = paramsOf(row.operation)
    if (params.length === 0 || row.permission === null || refusalOf(who, row) !== null) return 0
    const nothing = await askOfNothing(name, who, row)
    assert.equal(nothing.status, 404, `${name}: ${row.id}`)
    const asked = [
      others,
      ...(params.length > 1 ? [withFirst(params, others, own), withFirst(params, own, others)] : []),
    ]
    for (const things of asked) {
      const answered = await ask(who, row, things)
      assert.deepEqual(answered, nothing, `${name}: ${row.id} of ${JSON.stringify(things)}`)
    }
    return 1 + asked.length
  })
})

test("a resource named in a body is looked up only in the caller's organization", async () => {
  const row = ROWS.find(({ id }) => id === 'startExport') as Row
  const who = callers.get('key of owner') as Who
  const [theirs, nobodys] = [
    await ask(who, row, {}, api.other),
    await ask(who, row, {}, { ...api.other, domain: 'nobody.example.com' }),
  ]
  assert.equal(theirs.status, 400)
  const text = ({ body }: Answered) => JSON.stringify(body).replace(/(other|nobody)\.example\.com/g, 'it')
  assert.equal(text(theirs), text(nobodys))
})

test('resources of the other organization are unchanged after the matrix has run', async () => {
  const owner = (await member('owner', api.other.organizationId)).browser
  const { keys } = await owner.json<{ keys: { id: string; state: string }[] }>('/internal/api-keys')
  assert.equal(keys.find(({ id }) => id === others.keyId)?.state, 'valid')
  const { members } = await owner.json<{ members: { userId: string; role: string }[] }>('/internal/members')
  assert.equal(members.find(({ userId }) => userId === others.userId)?.role, 'viewer')
  const { webhooks } = (await (
    await api.fetch('/v1/webhooks', { headers: { Authorization: `Bearer ${api.other.key}` } })
  ).json()) as { webhooks: { description: string | null }[] }
  assert.deepEqual(
    webhooks.map(({ description }) => description),
    [null],
  )
})

test('every admitted change writes a row to the audit log', async () => {
  const owner = callers.get('session of an operator') as Extract<Who, { kind: 'session' }>
  // Removals run last.
  const rows = [...ROWS].sort((a, b) => Number(isRemoval(a.operation)) - Number(isRemoval(b.operation)))
  for (const row of rows) {
    const { operation, permission, id } = row
    if (operation.method === 'GET' || permission === null || typeof operation.audit !== 'string') continue
    const before = await countAuditRows(api.database)
    const { status, body } = await ask(permission === 'machine' ? { kind: 'operator' } : owner, row, own)
    const written = (await countAuditRows(api.database)) - before
    // A change that the state of the resource does not allow writes no row; every other change does.
    if (status >= 400)
      assert.ok(written === 0 && [400, 409].includes(status), `${id}: ${status} ${JSON.stringify(body)}`)
    else if (NO_CHANGE.has(id)) assert.equal(written, 0, id)
    else assert.ok(written > 0, `${id} left no row`)
  }
})
