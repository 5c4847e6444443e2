/** Password guessing is limited without locking out the account owner. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addPerson, Browser, PASSWORD } from '../kit/people.ts'
import { nextCode, totpCode } from '../kit/totp.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

let api: ApiUnderTest
/** The same with lower limits, so that a flood needs less hashing: 3 attempts instead of 10, 30 instead of 100. */
let few: ApiUnderTest
before(async () => {
  // One proxy in front of the server forwards the client address.
  api = await startApi({ trustedProxies: 1 })
  few = await startApi({ trustedProxies: 1, beside: api, limits: { signIns: { count: 3, seconds: 900 } } })
})
after(async () => {
  await few[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

let count = 0
async function person() {
  const email = `person-${++count}@example.com`
  await addPerson(api.database, { email, organizationId: api.acme.organizationId })
  return email
}

async function signIn(browser: Browser, from: string, email: string, password = PASSWORD): Promise<number> {
  const response = await browser.ask('/auth/sign-in/email', {
    method: 'POST',
    body: { email, password },
    headers: { 'X-Forwarded-For': from },
  })
  await response.body?.cancel()
  return response.status
}

const WRONG = 'another walk in the rain'

test('110 wrong passwords from one address do not lock out the owner signing in from another address', async () => {
  const email = await person()
  const statuses: number[] = []
  for (let n = 0; n < 110; n++)
    statuses.push(await signIn(new Browser(api.url), '198.51.100.1', email, WRONG))
  assert.equal(statuses.filter((status) => status === 401).length, 10)
  assert.equal(statuses.filter((status) => status === 429).length, 100)
  assert.equal(await signIn(new Browser(api.url), '203.0.113.9', email), 200)
})

test('addresses of one IPv6 network share one sign-in limit', async () => {
  const email = await person()
  const statuses: number[] = []
  for (let n = 1; n <= 12; n++)
    statuses.push(await signIn(new Browser(api.url), `2001:db8:1:2::${n.toString(16)}`, email, WRONG))
  assert.deepEqual(statuses.slice(9), [401, 429, 429])
  assert.equal(await signIn(new Browser(api.url), '2001:db8:1:3::1', email), 200)
})

test('a flood from many addresses blocks unknown browsers but not one that has signed in before', async () => {
  const email = await person()
  const known = new Browser(few.url)
  assert.equal(await signIn(known, '203.0.113.20', email), 200)
  for (let n = 0; n < 31; n++) await signIn(new Browser(few.url), `198.51.100.${n + 2}`, email, WRONG)
  assert.equal(await signIn(new Browser(few.url), '203.0.113.21', email), 429)
  known.cookies.delete('octavo.session_token')
  assert.equal(await signIn(known, '198.51.100.2', email), 200)
})

test('a known browser has its own sign-in limit and is known for its own account only', async () => {
  const [email, other] = [await person(), await person()]
  const known = new Browser(few.url)
  assert.equal(await signIn(known, '203.0.113.30', email), 200)
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push(await signIn(known, `198.51.100.${n + 2}`, email, WRONG))
  assert.deepEqual(statuses.slice(1), [401, 401, 429])
  for (let n = 0; n < 31; n++) await signIn(new Browser(few.url), `192.0.2.${n + 2}`, other, WRONG)
  assert.equal(await signIn(known, '203.0.113.30', other), 429)
})

test('an altered or forged device cookie does not bypass the sign-in limit', async () => {
  const email = await person()
  const known = new Browser(few.url)
  await signIn(known, '203.0.113.40', email)
  const cookie = known.cookies.get('octavo.device') ?? ''
  assert.notEqual(cookie, '')
  for (let n = 0; n < 31; n++) await signIn(new Browser(few.url), `192.0.2.${n + 2}`, email, WRONG)
  const altered = cookie.replace(/^./, cookie.startsWith('A') ? 'B' : 'A')
  for (const value of [
    altered,
    `${cookie}A`,
    'a.b.c',
    '',
    `${'A'.repeat(22)}.${'A'.repeat(22)}.${'A'.repeat(43)}`,
  ]) {
    const stranger = new Browser(few.url)
    stranger.cookies.set('octavo.device', value)
    assert.equal(await signIn(stranger, '203.0.113.41', email), 429, value)
  }
})

test('wrong codes by someone who knows the password do not lock out the owner', async () => {
  const email = await person()
  const owner = new Browser(few.url)
  await signIn(owner, '203.0.113.50', email)
  const { totpURI } = await owner.post<{ totpURI: string }>('/auth/two-factor/enable', { password: PASSWORD })
  await owner.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  const verify = async (browser: Browser, from: string, code: string) => {
    const response = await browser.ask('/auth/two-factor/verify-totp', {
      method: 'POST',
      body: { code },
      headers: { 'X-Forwarded-For': from },
    })
    await response.body?.cancel()
    return response.status
  }
  let tried = 0
  for (let n = 0; n < 4; n++) {
    const thief = new Browser(few.url)
    await signIn(thief, `198.51.100.${n + 60}`, email)
    for (let guess = 0; guess < 3; guess++)
      if ((await verify(thief, `198.51.100.${n + 60}`, '000000')) === 401) tried++
  }
  assert.ok(tried >= 2 && tried <= 3, `${tried} codes were looked at`)
  owner.cookies.delete('octavo.session_token')
  assert.equal(await signIn(owner, '203.0.113.50', email), 200)
  assert.equal(await verify(owner, '203.0.113.50', nextCode(totpURI)), 200)
})

test('attempts at link tokens are limited per address', async () => {
  const ask = (from: string) =>
    new Browser(api.url).ask('/internal/password-reset', {
      method: 'POST',
      body: { token: 'A'.repeat(43), password: 'the tide comes in at nine' },
      headers: { 'X-Forwarded-For': from },
    })
  const statuses: number[] = []
  for (let n = 0; n < 105; n++) statuses.push((await ask('192.0.2.200')).status)
  assert.equal(statuses.at(-1), 429)
  assert.ok(!statuses.slice(0, 100).includes(429))
  assert.notEqual((await ask('192.0.2.201')).status, 429)
})
