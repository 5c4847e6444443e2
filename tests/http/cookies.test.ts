/** Dashboard cookies with an https public URL: no other host can plant one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Session } from '../../src/features/accounts/operations/people.ts'
import { addPerson, Browser, PASSWORD } from '../kit/people.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

const PUBLIC_URL = 'https://docs.example.com'

let api: ApiUnderTest
let plain: ApiUnderTest
before(async () => {
  plain = await startApi()
  api = await startApi({ beside: plain, publicUrl: PUBLIC_URL })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await plain[Symbol.asyncDispose]()
})

let count = 0
async function signIn(
  url: string,
  origin = url,
): Promise<{ browser: Browser; set: string[]; email: string }> {
  const email = `person-${++count}@example.com`
  await addPerson(api.database, { email, organizationId: api.acme.organizationId })
  const browser = new Browser(url)
  const response = await browser.ask('/auth/sign-in/email', {
    method: 'POST',
    body: { email, password: PASSWORD },
    headers: { Origin: origin },
  })
  assert.equal(response.status, 200, await response.text())
  return { browser, set: response.headers.getSetCookie(), email }
}

const userOf = async (browser: Browser) =>
  (await browser.json<Session>('/internal/session')).user?.email ?? null

test('over https every cookie has the __Host- prefix, Secure and Path=/, and no Domain', async () => {
  const { set, browser, email } = await signIn(api.url, PUBLIC_URL)
  assert.ok(set.some((text) => text.startsWith('__Host-octavo.session_token=')))
  assert.ok(set.some((text) => text.startsWith('__Host-octavo.device=')))
  for (const text of set) {
    assert.match(text, /^__Host-octavo\.\w+=/)
    assert.match(text, /; Path=\/(;|$)/)
    assert.match(text, /; Secure(;|$)/)
    assert.match(text, /; HttpOnly(;|$)/)
    assert.match(text, /; SameSite=Lax(;|$)/)
    assert.doesNotMatch(text, /domain=/i)
  }
  assert.equal(await userOf(browser), email)
})

test('ignores a session cookie planted by a sibling host under another name', async () => {
  const { browser: attacker } = await signIn(api.url, PUBLIC_URL)
  const value = attacker.cookies.get('__Host-octavo.session_token') ?? ''
  const victim = await signIn(api.url, PUBLIC_URL)
  for (const name of [
    'octavo.session_token',
    '__Secure-octavo.session_token',
    '__Host-octavo.session_toke',
  ]) {
    const planted = new Browser(api.url)
    planted.cookies.set(name, value)
    assert.equal(await userOf(planted), null, name)
    const beside = new Browser(api.url)
    beside.cookies.set(name, value)
    for (const [own, text] of victim.browser.cookies) beside.cookies.set(own, text)
    assert.equal(await userOf(beside), victim.email, name)
  }
})

test('signing out deletes the __Host- session cookie', async () => {
  const { browser } = await signIn(api.url, PUBLIC_URL)
  const out = await browser.ask('/auth/sign-out', {
    method: 'POST',
    body: {},
    headers: { Origin: PUBLIC_URL },
  })
  assert.equal(out.status, 200)
  assert.equal(browser.cookies.has('__Host-octavo.session_token'), false)
  assert.equal(await userOf(browser), null)
})

test('over plain http cookies have no prefix and no Secure attribute', async () => {
  const { set, browser, email } = await signIn(plain.url)
  for (const text of set) {
    assert.match(text, /^octavo\.\w+=/)
    assert.doesNotMatch(text, /; Secure/)
  }
  assert.equal(await userOf(browser), email)
})
