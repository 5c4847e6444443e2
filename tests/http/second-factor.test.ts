/** TOTP codes, recovery codes and limits on guessing them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import type { Session } from '../../src/features/accounts/operations/people.ts'
import { createLibraries } from '../../src/features/accounts/sign-in/sign-in-libraries.ts'
import { addPerson, Browser, PASSWORD, signedIn } from '../kit/people.ts'
import { nextCode, totpCode } from '../kit/totp.ts'
import { type ApiUnderTest, SECRET, startApi } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { signIns: { count: 6, seconds: 3600 } } })
})
after(() => api[Symbol.asyncDispose]())

let count = 0
async function person() {
  const email = `factor-${++count}@example.com`
  const user = await addPerson(api.database, { email, organizationId: api.acme.organizationId })
  return { email, user }
}

async function withCodes(email: string): Promise<{ uri: string; recoveryCodes: string[] }> {
  const browser = await signedIn(api.url, { email })
  const { totpURI, backupCodes } = await browser.post<{ totpURI: string; backupCodes: string[] }>(
    '/auth/two-factor/enable',
    { password: PASSWORD },
  )
  await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  const { user } = await browser.json<Session>('/internal/session')
  assert.equal(user?.twoFactorEnabled, true)
  return { uri: totpURI, recoveryCodes: backupCodes }
}

async function passwordOnly(email: string): Promise<Browser> {
  const browser = new Browser(api.url)
  const answer = await browser.post('/auth/sign-in/email', { email, password: PASSWORD })
  assert.equal(answer.twoFactorRedirect, true)
  assert.equal((await browser.json<Session>('/internal/session')).user, null)
  return browser
}

test('with codes switched on, the password alone opens no session, and the code does', async () => {
  const { email } = await person()
  const { uri } = await withCodes(email)
  const browser = await passwordOnly(email)
  const wrong = await browser.ask('/auth/two-factor/verify-totp', {
    method: 'POST',
    body: { code: '000000' },
  })
  assert.equal(wrong.status, 401)
  await browser.post('/auth/two-factor/verify-totp', { code: nextCode(uri) })
  assert.equal((await browser.json<Session>('/internal/session')).user?.email, email)
})

test('a trusted device request or cookie never skips the second factor code', async () => {
  const { email } = await person()
  const { uri, recoveryCodes } = await withCodes(email)
  const ways = [
    ['totp', nextCode(uri)],
    ['backup-code', recoveryCodes[0]],
  ] as const
  for (const [way, code] of ways) {
    const browser = await passwordOnly(email)
    await browser.post(`/auth/two-factor/verify-${way}`, { code, trustDevice: true })
    assert.deepEqual([...browser.cookies.keys()].sort(), ['octavo.device', 'octavo.session_token'])
    browser.cookies.delete('octavo.session_token')
    const again = await browser.post('/auth/sign-in/email', { email, password: PASSWORD })
    assert.equal(again.twoFactorRedirect, true)
  }
  const browser = await passwordOnly(email)
  const library = await createLibraries({
    ...{ database: api.database, log: silentLog, secret: SECRET, publicUrl: () => api.url },
  }).plain()
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const trusted = await library.handler(
    new Request(`${api.url}/auth/two-factor/verify-backup-code`, {
      method: 'POST',
      headers: { Cookie, Origin: api.url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: recoveryCodes[1], trustDevice: true }),
    }),
  )
  const given = trusted.headers.getSetCookie().find((text) => text.startsWith('octavo.trust_device='))
  assert.ok(given)
  const old = new Browser(api.url)
  old.cookies.set('octavo.trust_device', given.slice(given.indexOf('=') + 1, given.indexOf(';')))
  const refused = await old.post('/auth/sign-in/email', { email, password: PASSWORD })
  assert.equal(refused.twoFactorRedirect, true)
})

test('a TOTP code works once, even in two concurrent sign-ins', async () => {
  const { email } = await person()
  const { uri } = await withCodes(email)
  const browsers = [await passwordOnly(email), await passwordOnly(email)]
  const code = nextCode(uri)
  const use = async (browser: Browser, shown: string) =>
    (await browser.ask('/auth/two-factor/verify-totp', { method: 'POST', body: { code: shown } })).status
  const statuses = await Promise.all(browsers.map((browser) => use(browser, code)))
  assert.deepEqual(statuses.sort(), [200, 401])
  const later = await passwordOnly(email)
  assert.equal(await use(later, code), 401)
})

test('a recovery code works once', async () => {
  const { email } = await person()
  const { recoveryCodes } = await withCodes(email)
  const use = async () =>
    (await passwordOnly(email)).ask('/auth/two-factor/verify-backup-code', {
      method: 'POST',
      body: { code: recoveryCodes[0] },
    })
  assert.equal((await use()).status, 200)
  assert.equal((await use()).status, 401)
})

test('TOTP secrets and recovery codes are stored encrypted', async () => {
  const { email, user } = await person()
  const { uri, recoveryCodes } = await withCodes(email)
  const row = await api.database.queries
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  assert.ok(!row.secret.includes(new URL(uri).searchParams.get('secret') ?? ''))
  assert.ok(!row.recovery_codes.includes(recoveryCodes[0] as string))
})

test('the audit log records codes being switched on, failed and used', async () => {
  const { email, user } = await person()
  const { uri } = await withCodes(email)
  const browser = await passwordOnly(email)
  await browser.ask('/auth/two-factor/verify-totp', { method: 'POST', body: { code: '000000' } })
  await browser.post('/auth/two-factor/verify-totp', { code: nextCode(uri) })
  const rows = await api.database.queries
    .selectFrom('audit_rows')
    .select(['action', 'details'])
    .where('subject', '=', user.id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map(({ action, details }) => `${action} ${details.by ?? ''}`.trim()),
    [
      'member.signed_in password',
      'second_factor.begun',
      'second_factor.switched_on',
      'member.sign_in_failed code',
      'member.signed_in code',
    ],
  )
})

test('sign-in guesses at an account are limited across servers, and other accounts still sign in', async () => {
  await using second = await startApi({
    beside: api,
    limits: { signIns: { count: 6, seconds: 3600 } },
  })
  const { email } = await person()
  const tries = async (url: string, password: string) =>
    new Browser(url).ask('/auth/sign-in/email', { method: 'POST', body: { email, password } })
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) {
    for (const url of [api.url, second.url]) {
      statuses.push((await tries(url, 'not the password it is')).status)
    }
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 401, 429, 429])
  const right = await tries(api.url, PASSWORD)
  assert.equal(right.status, 429)
  assert.ok(Number(right.headers.get('retry-after')) > 3000)
  assert.match(right.headers.get('ratelimit-policy') ?? '', /^"signIns";/)
  const { email: other } = await person()
  await signedIn(api.url, { email: other })
})

test('sign-in guesses at many accounts from one address are limited too', async () => {
  await using strict = await startApi({ beside: api, limits: { signIns: { count: 1, seconds: 3600 } } })
  let refused = 0
  for (let guess = 0; guess < 12; guess++) {
    const response = await new Browser(strict.url).ask('/auth/sign-in/email', {
      method: 'POST',
      body: { email: `guess-${guess}@example.com`, password: PASSWORD },
    })
    if (response.status === 429) refused++
  }
  assert.ok(refused >= 2)
})
