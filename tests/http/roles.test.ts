/** Every operation of both tables is allowed or refused for every role as the permission table says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DashboardOperation, Operation } from '../../src/base/api/operation.ts'
import {
  type Permission,
  ROLES,
  type Role,
  requiredPermission,
  roleHasPermission,
} from '../../src/base/api/roles.ts'
import { type ErrorCode, errorMessage } from '../../src/base/errors/errors.ts'
import { DASHBOARD_OPERATIONS } from '../../src/features/dashboard-operations.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

let api: ApiUnderTest
const browsers = new Map<Role, Browser>()

before(async () => {
  api = await startApi({ limits: { signIns: { count: 1000, seconds: 60 } } })
  const { organizationId } = api.acme
  for (const role of ROLES) {
    const email = `${role}@example.com`
    await addPerson(api.database, { email, organizationId, role })
    browsers.set(role, await signedIn(api.url, { email, organizationId }))
  }
})
after(() => api[Symbol.asyncDispose]())

interface Row {
  id: string
  operation: Operation
  permission: Permission
}

const ROWS: Row[] = [
  ...Object.entries(OPERATIONS as Record<string, Operation>).map(([id, operation]) => ({
    id,
    operation,
    permission: requiredPermission(operation),
  })),
  ...Object.entries(DASHBOARD_OPERATIONS as Record<string, DashboardOperation>).flatMap(([id, operation]) =>
    operation.permission === null ? [] : [{ id, operation, permission: operation.permission }],
  ),
]

/** Uses ids that do not exist, so that allowed operations change nothing. */
function addressOf({ path }: Operation): string {
  return path.replace(/\{(\w+)\}/g, 'none_0')
}

async function askAs(browser: Browser, { method, path }: Operation, headers?: Record<string, string>) {
  const address = addressOf({ path } as Operation)
  const response = await browser.ask(address, {
    method,
    ...(method === 'GET' ? {} : { body: {} }),
    ...(headers === undefined ? {} : { headers }),
  })
  const text = await readSome(response)
  return { status: response.status, text }
}

/** Cancels a successful response, because an event stream would not end. */
async function readSome(response: Response): Promise<string> {
  if (response.ok) {
    await response.body?.cancel()
    return ''
  }
  return response.text()
}

const bodyOf = (code: ErrorCode) => ({ error: errorMessage(code), code })

for (const role of ROLES) {
  test(`${role}: each operation is allowed or refused as the permission table says`, async () => {
    const browser = browsers.get(role) as Browser
    for (const { id, operation, permission } of ROWS) {
      const { status, text } = await askAs(browser, operation)
      if (roleHasPermission(role, permission)) {
        assert.ok(status !== 401 && !text.includes(errorMessage('role_missing')), `${id}: ${status} ${text}`)
      } else {
        assert.equal(status, 403, id)
        assert.deepEqual(JSON.parse(text), bodyOf('role_missing'), id)
      }
    }
  })
}

test('a non-member gets the same 403 for another organization as for a missing one at every operation', async () => {
  const browser = browsers.get('owner') as Browser
  for (const organizationId of [api.other.organizationId, 'org_none', '']) {
    for (const { id, operation } of ROWS) {
      const { status, text } = await askAs(browser, operation, { 'Octavo-Organization': organizationId })
      assert.equal(status, 403, id)
      assert.deepEqual(JSON.parse(text), bodyOf('not_a_member'), id)
    }
  }
})

test('cross-site requests cannot use the session at any operation', async () => {
  const browser = browsers.get('owner') as Browser
  const foreign: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ]
  for (const headers of foreign) {
    for (const { id, operation } of ROWS) {
      const { status, text } = await askAs(browser, operation, headers)
      assert.equal(status, 403, id)
      assert.deepEqual(JSON.parse(text), bodyOf('cross_site_refused'), id)
    }
  }
})

test('the session cookie alone, as sent by a form of another site, does not authenticate a caller', async () => {
  const browser = browsers.get('owner') as Browser
  for (const { id, operation } of ROWS) {
    const { method } = operation
    const response = await fetch(api.url + addressOf(operation), {
      method,
      headers: { Cookie: browser.cookieHeader() },
    })
    await response.body?.cancel()
    assert.ok(response.status === 401 || response.status === 403, `${id}: ${response.status}`)
  }
})

test('the internal API rejects an API key', async () => {
  for (const [id, operation] of Object.entries(DASHBOARD_OPERATIONS as Record<string, DashboardOperation>)) {
    if (operation.permission === null) continue
    const response = await fetch(api.url + addressOf(operation), {
      method: operation.method,
      headers: { Authorization: `Bearer ${api.acme.key}`, 'Octavo-Organization': api.acme.organizationId },
    })
    assert.equal(response.status, 401, id)
  }
})

test('rejects a forged or altered session cookie', async () => {
  const browser = browsers.get('owner') as Browser
  const altered = browser
    .cookieHeader()
    .replace(/session_token=(.)/, (_all, first) => `session_token=${first === 'a' ? 'b' : 'a'}`)
  for (const Cookie of [altered, 'octavo.session_token=none', 'octavo.session_token=a.b']) {
    const response = await fetch(`${api.url}/internal/members`, {
      headers: { Cookie, 'Octavo-Organization': api.acme.organizationId },
    })
    assert.equal(response.status, 401)
  }
})

test('dashboard reads do not count against the analytics rate limit of the organization', async () => {
  const browser = browsers.get('viewer') as Browser
  const path = `/v1/analytics/${api.acme.projectId}/feedback`
  const asMember = await browser.ask(path)
  assert.equal(asMember.status, 200)
  assert.match(asMember.headers.get('ratelimit-policy') ?? '', /^"members";q=1200;w=60$/)
  const asKey = await fetch(api.url + path, { headers: { Authorization: `Bearer ${api.acme.key}` } })
  assert.match(asKey.headers.get('ratelimit') ?? '', /^"analytics";r=99;/)
})

test('a changed role or an ended membership takes effect on the next request', async () => {
  const { organizationId } = api.acme
  const email = 'changing@example.com'
  const user = await addPerson(api.database, { email, organizationId, role: 'admin' })
  const browser = await signedIn(api.url, { email, organizationId })
  assert.equal((await browser.ask('/internal/invitations')).status, 200)
  const owner = browsers.get('owner') as Browser
  await owner.json(`/internal/members/${user.id}`, { method: 'PATCH', body: { role: 'viewer' } })
  assert.equal((await browser.ask('/internal/invitations')).status, 403)
  assert.equal((await browser.ask('/internal/members')).status, 200)
  await owner.json(`/internal/members/${user.id}`, { method: 'DELETE' })
  assert.equal((await browser.ask('/internal/members')).status, 403)
})
