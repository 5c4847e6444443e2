import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sha256 } from '../../src/base/hash.ts'
import type { Session, SessionList } from '../../src/features/accounts/operations/people.ts'
import { addPerson, Browser, PASSWORD, signedIn } from '../kit/people.ts'
import { totpCode } from '../kit/totp.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

let count = 0
async function person(role: 'viewer' | 'owner' = 'owner') {
  const email = `person-${++count}@example.com`
  const user = await addPerson(api.database, { email, organizationId: api.acme.organizationId, role })
  return { email, user }
}

test('an anonymous session shows only the sign-in methods', async () => {
  const session = await new Browser(api.url).json<Session>('/internal/session')
  assert.equal(session.user, null)
  assert.deepEqual(session.organizations, [])
  assert.deepEqual(session.signIn, { password: true, passkey: true, sso: null })
})

test('signing in with email and password creates a session with the person and their organizations', async () => {
  const { email, user } = await person()
  const browser = await signedIn(api.url, { email: email.toUpperCase() })
  const session = await browser.json<Session>('/internal/session')
  assert.deepEqual(session.user, {
    id: user.id,
    name: 'Ada Lovelace',
    email,
    twoFactorEnabled: false,
    hasPasskey: false,
    hasPassword: true,
    hasSingleSignOn: false,
    isOperator: false,
  })
  assert.deepEqual(session.organizations, [
    { id: api.acme.organizationId, name: 'acme', plan: 'enterprise', role: 'owner', secondFactorDueAt: null },
  ])
})

test('the session cookie is HttpOnly and SameSite=Lax', async () => {
  const { email } = await person()
  const browser = new Browser(api.url)
  const response = await browser.ask('/auth/sign-in/email', {
    method: 'POST',
    body: { email, password: PASSWORD },
  })
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith('octavo.session_token='))
  assert.match(cookie ?? '', /HttpOnly/)
  assert.match(cookie ?? '', /SameSite=Lax/)
  assert.match(cookie ?? '', /Max-Age=2592000/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
})

test('a wrong password and an unknown address get the same refusal', async () => {
  const { email } = await person()
  const wrong = { method: 'POST', body: { email, password: 'another walk in the rain' } }
  const unknown = { method: 'POST', body: { email: 'nobody@example.com', password: PASSWORD } }
  const [first, second] = [
    await new Browser(api.url).ask('/auth/sign-in/email', wrong),
    await new Browser(api.url).ask('/auth/sign-in/email', unknown),
  ]
  assert.equal(first.status, 401)
  assert.equal(second.status, 401)
  assert.deepEqual(await first.json(), await second.json())
})

test('auth endpoints that are not exposed return 404', async () => {
  const browser = new Browser(api.url)
  for (const endpoint of [
    'sign-up/email',
    'request-password-reset',
    'delete-user',
    'ok',
    'get-access-token',
  ]) {
    const response = await browser.ask(`/auth/${endpoint}`, { method: 'POST', body: {} })
    assert.equal(response.status, 404, endpoint)
    assert.deepEqual(await response.json(), { error: 'Not found', code: 'not_found' })
  }
})

test('a session ended from another session is refused immediately', async () => {
  const { email } = await person()
  const [laptop, phone] = [await signedIn(api.url, { email }), await signedIn(api.url, { email })]
  const { sessions } = await laptop.json<SessionList>('/internal/sessions')
  assert.equal(sessions.length, 2)
  const other = sessions.find((session) => !session.isThis)
  await laptop.json(`/internal/sessions/${other?.sessionId}`, { method: 'DELETE' })
  assert.equal((await phone.json<Session>('/internal/session')).user, null)
  assert.notEqual((await laptop.json<Session>('/internal/session')).user, null)
})

test('a new password ends all other sessions and invalidates the old password', async () => {
  const { email } = await person()
  const [laptop, phone] = [await signedIn(api.url, { email }), await signedIn(api.url, { email })]
  const newPassword = 'the tide comes in at nine'
  await laptop.post('/auth/change-password', { currentPassword: PASSWORD, newPassword })
  assert.equal((await phone.json<Session>('/internal/session')).user, null)
  assert.notEqual((await laptop.json<Session>('/internal/session')).user, null)
  await assert.rejects(signedIn(api.url, { email }), /401/)
  await signedIn(api.url, { email, password: newPassword })
})

test('rejects a new password made of common words', async () => {
  const { email } = await person()
  const browser = await signedIn(api.url, { email })
  const response = await browser.ask('/auth/change-password', {
    method: 'POST',
    body: { currentPassword: PASSWORD, newPassword: 'Password123456' },
  })
  assert.equal(response.status, 400)
  assert.match(await response.text(), /common words/)
})

test('signing out ends the session', async () => {
  const { email } = await person()
  const browser = await signedIn(api.url, { email })
  const cookie = browser.cookieHeader()
  await browser.post('/auth/sign-out')
  const replayed = await fetch(`${api.url}/internal/session`, { headers: { Cookie: cookie } })
  assert.equal(((await replayed.json()) as Session).user, null)
})

test('sign-ins and failed sign-ins are in the audit log with method and address', async () => {
  const { email, user } = await person()
  await new Browser(api.url).ask('/auth/sign-in/email', {
    method: 'POST',
    body: { email, password: 'another walk in the rain' },
  })
  await signedIn(api.url, { email })
  const rows = await api.database.queries
    .selectFrom('audit_rows')
    .select(['action', 'details'])
    .where('actor', '=', user.id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  assert.deepEqual(rows, [
    { action: 'member.sign_in_failed', details: { by: 'password', address: '127.0.0.1' } },
    { action: 'member.signed_in', details: { by: 'password', address: '127.0.0.1' } },
  ])
})

test('cross-site requests cannot sign in, change the password or sign out', async () => {
  const { email } = await person()
  const browser = await signedIn(api.url, { email })
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' }
  for (const [path, body] of [
    ['/auth/sign-in/email', { email, password: PASSWORD }],
    ['/auth/change-password', { currentPassword: PASSWORD, newPassword: 'the tide comes in at nine' }],
    ['/auth/sign-out', {}],
  ] as const) {
    const response = await browser.ask(path, { method: 'POST', body, headers: foreign })
    assert.equal(response.status, 403, path)
    assert.match(await response.text(), /Open the dashboard at http/)
  }
  assert.equal((await browser.json<Session>('/internal/session')).user?.email, email)
  const form = await fetch(`${api.url}/auth/sign-out`, {
    method: 'POST',
    headers: { Cookie: browser.cookieHeader(), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'a=b',
  })
  assert.equal(form.status, 415)
})

test('wrong credentials return a clear message and the code wrong_credentials', async () => {
  const response = await new Browser(api.url).ask('/auth/sign-in/email', {
    method: 'POST',
    body: { email: 'nobody@example.com', password: 'something else' },
  })
  assert.deepEqual(await response.json(), {
    error: 'Incorrect email address or password.',
    code: 'wrong_credentials',
  })
})

test('code attempts are limited by the account signing in, whatever email the request names', async () => {
  await using strict = await startApi({ beside: api, limits: { signIns: { count: 10, seconds: 3600 } } })
  const { email } = await person()
  const own = await signedIn(strict.url, { email })
  const { totpURI } = await own.post<{ totpURI: string }>('/auth/two-factor/enable', { password: PASSWORD })
  await own.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  const right = totpCode(totpURI)
  const guess = async (endpoint: string, index: number) => {
    const thief = new Browser(strict.url)
    await thief.post('/auth/sign-in/email', { email, password: PASSWORD })
    const code = String(Number(right) + 1 + index)
      .slice(-6)
      .padStart(6, '0')
    const named = `x${index}@example.com`
    return thief.ask(`${endpoint}?email=${named}`, { method: 'POST', body: { code, email: named } })
  }
  const statuses: number[] = []
  for (let index = 0; index < 8; index++) {
    const kind = index % 2 === 0 ? 'totp' : 'backup-code'
    statuses.push((await guess(`/auth/two-factor/verify-${kind}`, index)).status)
  }
  assert.ok(!statuses.slice(0, 5).includes(429) && statuses.slice(5).every((status) => status === 429))
  const { rows } = await api.database.pool.query(
    `SELECT bucket FROM rate_hits WHERE bucket LIKE '%' || $1 || '%'`,
    [sha256('x0@example.com')],
  )
  assert.deepEqual(rows, [])
})
