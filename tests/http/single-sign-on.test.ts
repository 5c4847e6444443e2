/** Single sign-on with a compliant and a misbehaving provider. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CreatedInvitation, Session } from '../../src/features/accounts/operations/people.ts'
import { SSO_PROVIDER } from '../../src/features/accounts/sign-in/sso-provider.ts'
import { type OidcProvider, startOidcProvider } from '../kit/oidc-provider.ts'
import { addPerson, Browser, PASSWORD, signedIn } from '../kit/people.ts'
import { nextCode, totpCode } from '../kit/totp.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

let provider: OidcProvider
let api: ApiUnderTest
const redirects: string[] = []

const operatorsProvider = () => ({
  ...{ issuer: provider.issuer, clientId: provider.clientId, clientSecret: provider.clientSecret },
  ...{ name: 'Example Login', domains: ['staff.example'], role: 'editor' as const, organizationId: null },
  ...{ id: SSO_PROVIDER, vouchesForDomains: false, asksSecondFactor: false },
})

before(async () => {
  provider = await startOidcProvider(() => redirects)
  api = await startApi({
    singleSignOn: operatorsProvider(),
    limits: { signIns: { count: 1000, seconds: 60 } },
  })
  redirects.push(`${api.url}/auth/callback/sso`)
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  provider.spoil = null
})

/** Follows the redirects of a sign-in like a browser and returns the final location. */
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

test('the session response names the single sign-on provider', async () => {
  const { signIn } = await new Browser(api.url).json<Session>('/internal/session')
  assert.deepEqual(signIn.sso, { name: 'Example Login' })
})

test('people of a configured domain join once with the role chosen by the operator', async () => {
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

test('a removed member does not rejoin through the domain', async () => {
  provider.user = { sub: 'gone', email: 'gone@staff.example', name: 'Gone', email_verified: true }
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

test('uninvited people of other domains are sent to the sign-in page with an error', async () => {
  provider.user = { sub: 'x', email: 'x@elsewhere.example', email_verified: true }
  const browser = new Browser(api.url)
  assert.match(await goThrough(browser), /\/sign-in\?.*error=not_invited/)
  assert.equal((await browser.json<Session>('/internal/session')).user, null)
})

test('an invited person joins by single sign-on', async () => {
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

const REFUSED_CLAIMS = [undefined, false, null, 0, 1, '', 'true', 'True', 'False', {}, [true]]

for (const claim of REFUSED_CLAIMS)
  test(`refuses email_verified ${JSON.stringify(claim)} for new and known addresses`, async () => {
    for (const email of ['boss@staff.example', await knownPerson()]) {
      provider.user = { sub: `unverified ${email}`, email, email_verified: claim }
      const browser = new Browser(api.url)
      assert.match(await goThrough(browser), /error=email_not_verified/)
      assert.equal((await browser.json<Session>('/internal/session')).user, null)
    }
  })

const NO_ADDRESSES = [
  'root@root.test\n@staff.example',
  'root@root.test@staff.example',
  '"root@root.test"@staff.example',
  'ro ot@staff.example',
  'root\t@staff.example',
  '@staff.example',
]

for (const email of NO_ADDRESSES)
  test(`refuses the malformed email claim ${JSON.stringify(email)}`, async () => {
    provider.user = { sub: `no address ${email}`, email, email_verified: true }
    const browser = new Browser(api.url)
    assert.match(await goThrough(browser), /error=email_not_verified/)
    assert.equal((await browser.json<Session>('/internal/session')).user, null)
  })

let people = 0
async function knownPerson(): Promise<string> {
  const email = `known-${++people}@staff.example`
  await addPerson(api.database, { email, organizationId: api.other.organizationId, role: 'owner' })
  return email
}

const linksOf = (email: string) =>
  api.database.queries
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.user_id')
    .select(['account_id', 'access_token', 'refresh_token', 'id_token'])
    .where('users.email', '=', email)
    .where('provider_id', '=', 'sso')
    .execute()

test('an identity is linked only from a recently proved session of the account, and only once', async () => {
  const email = await knownPerson()
  provider.user = { sub: 'evil', email, name: 'Evil', email_verified: true }
  const stranger = new Browser(api.url)
  assert.match(await goThrough(stranger), /error=account_not_linked/)
  assert.equal((await stranger.json<Session>('/internal/session')).user, null)
  const somebodyElse = await signedIn(api.url, { email: await knownPerson() })
  assert.match(await goThrough(somebodyElse), /error=account_not_linked/)
  const own = await signedIn(api.url, { email })
  await api.database.pool.query(
    `UPDATE sessions SET proved_at = now() - interval '16 minutes'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  )
  assert.match(await goThrough(own), /error=account_not_linked/, 'proved too long ago')
  const connect = (browser: Browser) =>
    browser.ask('/auth/sign-in/social', { method: 'POST', body: { link: true, callbackURL: '/account' } })
  assert.deepEqual([(await connect(own)).status, (await connect(new Browser(api.url))).status], [403, 401])
  await own.post('/auth/verify-password', { password: PASSWORD })
  provider.user = { sub: 'first', email, name: 'Own', email_verified: true }
  assert.equal(await goThrough(own), '/')
  const none = { access_token: null, refresh_token: null, id_token: null }
  assert.deepEqual(await linksOf(email), [{ account_id: 'first', ...none }])
  // From now on this identity opens the account, and another one with the same address does not.
  const again = new Browser(api.url)
  assert.equal(await goThrough(again), '/')
  assert.equal((await again.json<Session>('/internal/session')).user?.email, email)
  provider.user = { sub: 'second', email, name: 'Evil', email_verified: true }
  assert.match(await goThrough(new Browser(api.url)), /error=account_not_linked/)
  assert.match(await goThrough(await signedIn(api.url, { email })), /error=other_identity_linked/)
  assert.deepEqual(await linksOf(email), [{ account_id: 'first', ...none }])
})

test('single sign-on asks for the codes of the account unless the provider asks for a second factor itself', async () => {
  const email = await knownPerson()
  const own = await signedIn(api.url, { email })
  const { totpURI } = await own.post<{ totpURI: string }>('/auth/two-factor/enable', { password: PASSWORD })
  const withoutCodes = await signedIn(api.url, { email })
  await own.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  provider.user = { sub: 'codes', email, name: 'Codes', email_verified: true }
  await withoutCodes.post('/auth/verify-password', { password: PASSWORD })
  assert.match(await goThrough(withoutCodes), /error=account_not_linked/, 'no code was shown in this session')
  assert.equal(await goThrough(own), '/sign-in?code=1&to=%2F')
  assert.equal((await linksOf(email)).length, 1)
  const browser = new Browser(api.url)
  assert.equal(await goThrough(browser), '/sign-in?code=1&to=%2F')
  assert.equal((await browser.json<Session>('/internal/session')).user, null)
  await browser.post('/auth/two-factor/verify-totp', { code: nextCode(totpURI) })
  assert.equal((await browser.json<Session>('/internal/session')).user?.email, email)
  await using counting = await startApi({
    beside: api,
    singleSignOn: { ...operatorsProvider(), asksSecondFactor: true },
  })
  redirects.push(`${counting.url}/auth/callback/sso`)
  const there = new Browser(counting.url)
  assert.equal(await goThrough(there), '/')
  assert.equal((await there.json<Session>('/internal/session')).user?.email, email)
})

test('a missing email_verified claim is accepted for the provider domains where the operator allows it', async () => {
  await using vouched = await startApi({
    beside: api,
    singleSignOn: { ...operatorsProvider(), vouchesForDomains: true },
  })
  redirects.push(`${vouched.url}/auth/callback/sso`)
  const come = (email: string, claim?: unknown) => {
    provider.user = { sub: `vouched ${email}`, email, email_verified: claim }
    return goThrough(new Browser(vouched.url))
  }
  assert.equal(await come('vouched@staff.example'), '/')
  for (const claim of [false, null, 0, 'False'])
    assert.match(await come('vouched@staff.example', claim), /error=email_not_verified/)
  assert.match(await come('boss@elsewhere.example'), /error=email_not_verified/)
  assert.match(await come(await knownPerson()), /error=account_not_linked/)
})

for (const spoil of ['signature', 'audience', 'nonce', 'expiry', 'token'] as const) {
  test(`rejects a provider response with an invalid ${spoil}`, async () => {
    provider.user = { sub: `s-${spoil}`, email: `${spoil}@staff.example`, email_verified: true }
    provider.spoil = spoil
    const browser = new Browser(api.url)
    assert.match(await goThrough(browser), /\/sign-in\?.*error=/)
    assert.equal((await browser.json<Session>('/internal/session')).user, null)
    provider.spoil = null
    await goThrough(browser)
    assert.equal((await browser.json<Session>('/internal/session')).user?.email, provider.user.email)
  })
}

test('a provider response requested by another browser does not sign in', async () => {
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

test('rejects a callbackURL on another site', async () => {
  const response = await new Browser(api.url).ask('/auth/sign-in/social', {
    method: 'POST',
    body: { provider: 'sso', callbackURL: 'https://evil.example/' },
  })
  assert.equal(response.status, 403)
})

test('an unavailable provider returns 503 until it is back, and password sign-in keeps working', async () => {
  const reserved = await startOidcProvider(() => [])
  const { issuer, clientId, clientSecret } = reserved
  await reserved[Symbol.asyncDispose]()
  await using alone = await startApi({
    beside: api,
    singleSignOn: {
      ...{ issuer, clientId, clientSecret, name: 'Away' },
      ...{ domains: [], role: 'viewer', organizationId: null },
      ...{ id: SSO_PROVIDER, vouchesForDomains: false, asksSecondFactor: false },
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
