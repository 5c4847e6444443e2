/** Single sign-on against a provider that follows the rules, and one that does not. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CreatedInvitation, Session } from '../../src/contract/dashboard-people.ts'
import { type OidcProvider, startOidcProvider } from '../kit/oidc-provider.ts'
import { addPerson, Browser, signedIn } from '../kit/people.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

let provider: OidcProvider
let api: ApiUnderTest

before(async () => {
  provider = await startOidcProvider(() => [`${api.url}/auth/callback/sso`])
  const { issuer, clientId, clientSecret } = provider
  api = await startApi({
    singleSignOn: {
      issuer,
      clientId,
      clientSecret,
      name: 'Example Login',
      domains: ['staff.example'],
      role: 'editor',
      organizationId: null,
    },
    limits: { signIns: { count: 1000, seconds: 60 } },
  })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  provider.spoil = null
})

/** All the way a browser goes; answers where it ends. */
async function goThrough(browser: Browser): Promise<string> {
  const { url } = await browser.post<{ url: string }>('/auth/sign-in/social', {
    provider: 'sso',
    callbackURL: '/',
    errorCallbackURL: '/sign-in',
    disableRedirect: true,
  })
  const atProvider = await fetch(url, { redirect: 'manual' })
  assert.equal(atProvider.status, 302, await atProvider.text())
  const back = await browser.ask(atProvider.headers.get('location') ?? '', {
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  })
  assert.equal(back.status, 302, await back.text())
  return back.headers.get('location') ?? ''
}

test('the button has its name', async () => {
  const { signIn } = await new Browser(api.url).json<Session>('/internal/session')
  assert.deepEqual(signIn.sso, { name: 'Example Login' })
})

test('people of the domain join with the role that the operator chose, once', async () => {
  provider.user = { sub: 'a', email: 'Ada@staff.example', name: 'Ada', email_verified: true }
  const browser = new Browser(api.url)
  assert.equal(await goThrough(browser), '/')
  const { user, organizations } = await browser.json<Session>('/internal/session')
  assert.equal(user?.email, 'ada@staff.example')
  assert.equal(user?.hasPassword, false)
  assert.deepEqual(
    organizations.map(({ id, role }) => ({ id, role })),
    [{ id: api.acme.organizationId, role: 'editor' }],
  )
  const asked = provider.asked[0]
  assert.equal(asked?.get('code_challenge_method'), 'S256')
  assert.ok((asked?.get('state') ?? '').length >= 32)
  assert.ok((asked?.get('nonce') ?? '').length >= 16)
  const again = new Browser(api.url)
  await goThrough(again)
  assert.equal((await again.json<Session>('/internal/session')).user?.id, user?.id)
})

test('who was removed does not come back by the domain', async () => {
  provider.user = { sub: 'gone', email: 'gone@staff.example', name: 'Gone' }
  const browser = new Browser(api.url)
  await goThrough(browser)
  const { user } = await browser.json<Session>('/internal/session')
  await addPerson(api.database, {
    email: 'remover@example.com',
    organizationId: api.acme.organizationId,
    role: 'owner',
  })
  const owner = await signedIn(api.url, {
    email: 'remover@example.com',
    organizationId: api.acme.organizationId,
  })
  await owner.json(`/internal/members/${user?.id}`, { method: 'DELETE' })
  await goThrough(browser)
  assert.deepEqual((await browser.json<Session>('/internal/session')).organizations, [])
})

test('strangers are refused, and told why on the sign-in page', async () => {
  provider.user = { sub: 'x', email: 'x@elsewhere.example', email_verified: true }
  const browser = new Browser(api.url)
  assert.match(await goThrough(browser), /\/sign-in\?.*error=not_invited/)
  assert.equal((await browser.json<Session>('/internal/session')).user, null)
})

test('the invited join by single sign-on', async () => {
  await addPerson(api.database, {
    email: 'inviter@example.com',
    organizationId: api.other.organizationId,
    role: 'owner',
  })
  const owner = await signedIn(api.url, {
    email: 'inviter@example.com',
    organizationId: api.other.organizationId,
  })
  const email = 'guest@elsewhere.example'
  await owner.post<CreatedInvitation>('/internal/invitations', { email, role: 'viewer' })
  provider.user = { sub: 'guest', email, name: 'Guest', email_verified: true }
  const browser = new Browser(api.url)
  assert.equal(await goThrough(browser), '/')
  const { organizations } = await browser.json<Session>('/internal/session')
  assert.deepEqual(
    organizations.map(({ id, role }) => ({ id, role })),
    [{ id: api.other.organizationId, role: 'viewer' }],
  )
})

test('an account with a password is the same person at the provider', async () => {
  const email = 'both@example.com'
  const user = await addPerson(api.database, {
    email,
    organizationId: api.acme.organizationId,
    role: 'admin',
  })
  provider.user = { sub: 'both', email, name: 'Both' }
  const browser = new Browser(api.url)
  assert.equal(await goThrough(browser), '/')
  assert.equal((await browser.json<Session>('/internal/session')).user?.id, user.id)
  const rows = await api.database.queries
    .selectFrom('credentials')
    .select(['provider_id', 'access_token', 'refresh_token', 'id_token'])
    .where('user_id', '=', user.id)
    .where('provider_id', '=', 'sso')
    .execute()
  assert.deepEqual(rows, [{ provider_id: 'sso', access_token: null, refresh_token: null, id_token: null }])
})

test('an address that the provider has not verified is nobody', async () => {
  provider.user = { sub: 'unverified', email: 'boss@staff.example', email_verified: false }
  const browser = new Browser(api.url)
  assert.match(await goThrough(browser), /error=email_not_verified/)
  assert.equal((await browser.json<Session>('/internal/session')).user, null)
})

for (const spoil of ['signature', 'audience', 'nonce'] as const) {
  test(`a token with another ${spoil} opens nothing`, async () => {
    provider.user = { sub: `s-${spoil}`, email: 'ada@staff.example', email_verified: true }
    provider.spoil = spoil
    const browser = new Browser(api.url)
    assert.match(await goThrough(browser), /\/sign-in\?.*error=/)
    assert.equal((await browser.json<Session>('/internal/session')).user, null)
  })
}

test('an answer of the provider that another browser asked for opens nothing', async () => {
  provider.user = { sub: 'a', email: 'ada@staff.example', email_verified: true }
  const attacker = new Browser(api.url)
  const { url } = await attacker.post<{ url: string }>('/auth/sign-in/social', {
    provider: 'sso',
    callbackURL: '/',
  })
  const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
  const victim = new Browser(api.url)
  await victim.ask(back)
  assert.equal((await victim.json<Session>('/internal/session')).user, null)
})

test('nobody is sent to another site afterwards', async () => {
  const response = await new Browser(api.url).ask('/auth/sign-in/social', {
    method: 'POST',
    body: { provider: 'sso', callbackURL: 'https://evil.example/' },
  })
  assert.equal(response.status, 403)
})

test('with the provider away, passwords work, and single sign-on says so and comes back', async () => {
  const reserved = await startOidcProvider(() => [])
  const { issuer, clientId, clientSecret } = reserved
  await reserved[Symbol.asyncDispose]()
  await using alone = await startApi({
    beside: api,
    singleSignOn: {
      ...{ issuer, clientId, clientSecret, name: 'Away' },
      ...{ domains: [], role: 'viewer', organizationId: null },
    },
  })
  const ask = () =>
    new Browser(alone.url).ask('/auth/sign-in/social', {
      method: 'POST',
      body: { provider: 'sso', callbackURL: '/' },
    })
  assert.equal((await ask()).status, 503)
  await addPerson(api.database, { email: 'local@example.com', organizationId: api.acme.organizationId })
  await signedIn(alone.url, { email: 'local@example.com' })
  await using _back = await startOidcProvider(() => [], Number(new URL(issuer).port))
  assert.equal((await ask()).status, 200)
})
