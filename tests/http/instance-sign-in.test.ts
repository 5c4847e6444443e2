/** Sign-in settings, set and tested by operators over HTTP on two nodes, with working and faulty providers. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { connectOperator } from '../../src/cli/api-client.ts'
import type { AuditList } from '../../src/features/accounts/operations/organization.ts'
import type { Session } from '../../src/features/accounts/operations/people.ts'
import type {
  InstanceProviderBody,
  InstanceSignIn,
  OrganizationProviderBody,
  ProviderConnectionTest,
} from '../../src/features/accounts/operations/sign-in-settings.ts'
import { SSO_PROVIDER } from '../../src/features/accounts/sign-in/sso-provider.ts'
import { type OidcProvider, startOidcProvider } from '../kit/oidc-provider.ts'
import { addPerson, Browser, PASSWORD, signedIn } from '../kit/people.ts'
import { type ApiUnderTest, SECRET, startApi } from './api-under-test.ts'

const PATH = '/internal/instance/sign-in'
const limits = { signIns: { count: 1000, seconds: 60 } }

let api: ApiUnderTest
let other: ApiUnderTest
let provider: OidcProvider
let operator: Browser

before(async () => {
  api = await startApi({ limits })
  other = await startApi({ beside: api, limits })
  provider = await startOidcProvider(() => [api, other].map(({ url }) => `${url}/auth/callback/sso`))
  const { organizationId } = api.acme
  const { id } = await addPerson(api.database, { email: 'operator@example.com', organizationId })
  await api.database.queries.insertInto('operators').values({ user_id: id, made_by: 'cli' }).execute()
  operator = await signedIn(api.url, { email: 'operator@example.com', organizationId })
})
after(async () => {
  await other[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => api.database.queries.deleteFrom('instance_settings').execute())

const wanted = (change: Partial<InstanceProviderBody> = {}): InstanceProviderBody => ({
  issuer: provider.issuer,
  clientId: provider.clientId,
  secret: provider.clientSecret,
  name: 'Harbour',
  domains: [],
  role: 'viewer',
  organizationId: null,
  ...change,
})
const change = (body: Partial<InstanceProviderBody> = {}) =>
  operator.json<InstanceSignIn>(`${PATH}/provider`, { method: 'PATCH', body: wanted(body) })
const trial = (body: Partial<InstanceProviderBody> = {}) =>
  operator.post<ProviderConnectionTest>(`${PATH}/provider/test`, wanted(body))

async function refusal(path: string, method: string, body: unknown) {
  const response = await operator.ask(path, { method, body })
  const { code, details = [] } = (await response.json()) as { code: string; details?: { field: string }[] }
  return [response.status, code, ...details.map(({ field }) => field)]
}

async function goThrough(browser: Browser): Promise<string> {
  const { url } = await browser.post<{ url: string }>('/auth/sign-in/social', {
    callbackURL: '/',
    errorCallbackURL: '/sign-in',
  })
  const at = await fetch(url, { redirect: 'manual' })
  const back = await browser.ask(at.headers.get('location') ?? '', {
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  })
  return back.headers.get('location') ?? ''
}

test('a provider set by an operator works on every node at once, and its secret is never shown', async () => {
  const saved = await change({ domains: ['@Staff.Example'], role: 'editor', organizationId: null })
  assert.deepEqual(
    [saved.source, saved.issuer, saved.domains, saved.secret?.lastFour, saved.changedBy],
    ['dashboard', provider.issuer, ['staff.example'], 'ient', 'Ada Lovelace'],
  )
  assert.equal(saved.redirectUrl, `${api.url}/auth/callback/sso`)
  const browser = new Browser(other.url)
  assert.deepEqual((await browser.json<Session>('/internal/session')).signIn.sso, { name: 'Harbour' })
  provider.user = { sub: 'new', email: 'new@staff.example', name: 'New', email_verified: true }
  assert.equal(await goThrough(browser), '/')
  const { organizations } = await browser.json<Session>('/internal/session')
  assert.deepEqual(
    organizations.map(({ id, role }) => [id, role]),
    [[api.acme.organizationId, 'editor']],
  )
  const answers = [
    await (await operator.ask(PATH)).text(),
    await (await operator.ask('/internal/audit')).text(),
  ]
  const { rows } = await api.database.pool.query(
    "SELECT coalesce(value, '') || coalesce(encode(sealed, 'escape'), '') AS text FROM instance_settings",
  )
  for (const answer of [...answers, JSON.stringify(rows)]) assert.ok(!answer.includes(provider.clientSecret))
  const audit = (JSON.parse(answers[1] ?? '') as AuditList).rows
  const row = audit.find(({ action }) => action === 'instance.provider_changed')
  assert.equal((row?.details as { secret?: string } | undefined)?.secret, 'set')
  await change({ issuer: null, clientId: null })
  assert.equal((await browser.json<Session>('/internal/session')).signIn.sso, null)
  assert.equal((await browser.ask('/auth/sign-in/social', { method: 'POST', body: {} })).status, 404)
})

test('a stored secret is used only with the issuer that it was set for', async () => {
  await change()
  const { secret: _secret, ...without } = wanted()
  assert.equal((await operator.ask(`${PATH}/provider`, { method: 'PATCH', body: without })).status, 200)
  const moved = { ...without, issuer: 'https://elsewhere.example' }
  for (const [path, method] of [
    [`${PATH}/provider`, 'PATCH'],
    [`${PATH}/provider/test`, 'POST'],
  ] as const)
    assert.deepEqual(await refusal(path, method, moved), [400, 'invalid_request', '/secret'])
})

test('rejects invalid provider settings with their field', async () => {
  const cases: [Partial<InstanceProviderBody>, string][] = [
    [{ issuer: 'login.example.com' }, '/issuer'],
    [{ issuer: 'file:///etc/passwd' }, '/issuer'],
    [{ issuer: 'https://user:secret@login.example.com' }, '/issuer'],
    [{ clientId: null }, '/clientId'],
    [{ domains: ['example.com', 'com'] }, '/domains/1'],
    [{ domains: ['a@b.example'] }, '/domains/0'],
    [{ organizationId: api.other.organizationId }, '/organizationId'],
    [{ role: 'owner' as 'admin' }, '/role'],
    [{ name: 'x'.repeat(61) }, '/name'],
  ]
  for (const [body, field] of cases)
    assert.deepEqual(
      await refusal(`${PATH}/provider`, 'PATCH', wanted(body)),
      [400, 'invalid_request', field],
      JSON.stringify(body),
    )
})

test('a connection test reports all faults at once', async () => {
  assert.deepEqual(await trial(), { faults: [], notes: [] })
  assert.match(
    (await trial({ secret: 'wrong' })).faults.map(({ sentence }) => sentence).join(),
    /client ID and secret/i,
  )
  assert.match(
    (await trial({ issuer: 'http://127.0.0.1:9' })).faults.map(({ sentence }) => sentence).join(),
    /cannot be reached/,
  )
  await using bad = await answering({
    issuer: 'https://somebody.else.example',
    token_endpoint: 'ftp://x',
    code_challenge_methods_supported: ['plain'],
    id_token_signing_alg_values_supported: ['HS256', 'none'],
    response_types_supported: ['token'],
    scopes_supported: ['openid'],
  })
  const { faults } = await trial({ issuer: bad.issuer })
  const expected = [
    /identifies itself as “https:\/\/somebody\.else\.example”/,
    /not define authorization_endpoint/,
    /not define token_endpoint/,
    /not define jwks_uri/,
    /S256/,
    /authorization code flow/,
    /public key/,
    /scope “email”/,
  ]
  assert.equal(faults.length, expected.length, JSON.stringify(faults))
  for (const [index, pattern] of expected.entries()) assert.match(faults[index]?.sentence ?? '', pattern)
  await using large = await answering({ padding: 'x'.repeat(300_000) })
  assert.match(
    (await trial({ issuer: large.issuer })).faults.map(({ sentence }) => sentence).join(),
    /256 KiB/,
  )
  await using page = await answering('<!doctype html>')
  assert.match((await trial({ issuer: page.issuer })).faults.map(({ sentence }) => sentence).join(), /JSON/)
  await using elsewhere = await answering('', 302)
  assert.match(
    (await trial({ issuer: elsewhere.issuer })).faults.map(({ sentence }) => sentence).join(),
    /status 302/,
  )
})

test('the same subject at another issuer is a different account', async () => {
  const email = 'victim@example.com'
  const victim = await addPerson(api.database, { email, organizationId: api.acme.organizationId })
  await change()
  provider.user = { sub: '1', email, name: 'Victim', email_verified: true }
  assert.equal(await goThrough(await signedIn(api.url, { email })), '/')
  await using second = await startOidcProvider(() => [`${api.url}/auth/callback/sso`])
  await change({ issuer: second.issuer, secret: second.clientSecret })
  second.user = { sub: '1', email: 'attacker@elsewhere.example', name: 'X', email_verified: true }
  const attacker = new Browser(api.url)
  assert.match(await goThrough(attacker), /error=not_invited/)
  assert.equal((await attacker.json<Session>('/internal/session')).user, null)
  second.user = { sub: '2', email, name: 'Victim', email_verified: true }
  assert.match(await goThrough(new Browser(api.url)), /error=account_not_linked/)
  const own = await signedIn(api.url, { email })
  assert.equal(await goThrough(own), '/')
  assert.equal((await own.json<Session>('/internal/session')).user?.id, victim.id)
})

test('passwords are turned off only by an operator with another sign-in, and back on from the command line', async () => {
  const off = { passwords: false }
  assert.deepEqual(await refusal(PATH, 'PATCH', off), [409, 'other_way_needed'])
  await change()
  assert.deepEqual(await refusal(PATH, 'PATCH', off), [409, 'other_way_needed'])
  provider.user = { sub: 'op', email: 'operator@example.com', email_verified: true }
  assert.equal(await goThrough(await signedIn(api.url, { email: 'operator@example.com' })), '/')
  await operator.json(PATH, { method: 'PATCH', body: off })
  const guess = (url: string) =>
    new Browser(url).ask('/auth/sign-in/email', {
      method: 'POST',
      body: { email: 'operator@example.com', password: PASSWORD },
    })
  for (const { url } of [api, other]) {
    const refused = await guess(url)
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { code: string }).code],
      [403, 'password_sign_in_off'],
    )
    assert.equal((await new Browser(url).json<Session>('/internal/session')).signIn.password, false)
  }
  assert.equal(await goThrough(new Browser(other.url)), '/')
  await connectOperator({ url: api.url, key: SECRET, publicUrl: null, hasAddress: true }).call('resetSignIn')
  assert.equal((await guess(other.url)).status, 200)
  await operator.json(PATH, { method: 'PATCH', body: off })
  // Password sign-in works again without a provider, or with one that has not been used yet.
  await change({ clientId: 'another' })
  assert.equal((await guess(api.url)).status, 200)
})

test('settings from the environment cannot be changed on the dashboard', async () => {
  await using given = await startApi({
    beside: api,
    limits,
    singleSignOn: {
      ...{ issuer: provider.issuer, clientId: 'octavo', clientSecret: 'of the environment' },
      ...{ name: 'Given', domains: [], role: 'viewer', organizationId: null },
      ...{ id: SSO_PROVIDER, vouchesForDomains: false, asksSecondFactor: false },
    },
  })
  const there = await signedIn(given.url, {
    email: 'operator@example.com',
    organizationId: api.acme.organizationId,
  })
  assert.equal((await there.json<InstanceSignIn>(PATH)).source, 'environment')
  const response = await there.ask(`${PATH}/provider`, { method: 'PATCH', body: wanted() })
  assert.equal(((await response.json()) as { code: string }).code, 'set_by_environment')
})

/** Starts a server that gives every request this response. */
async function answering(body: unknown, status = 200) {
  const server = createServer((_, response) => {
    response.writeHead(status, { location: '/elsewhere' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Starts a provider for an organization and prepares its settings, with the domain `own.example`. */
async function ofOrganization(organizationId: string, change: Partial<OrganizationProviderBody>) {
  const own = await startOidcProvider(() =>
    [api, other].map(({ url }) => `${url}/auth/callback/${organizationId}`),
  )
  const { issuer, clientId, clientSecret: secret } = own
  const body: OrganizationProviderBody = {
    organizationId,
    ...{ issuer, clientId, secret, name: 'Own', domains: ['own.example'], role: 'editor' },
    ...change,
  }
  const path = `${PATH}/organizations`
  const write = (changed: Partial<OrganizationProviderBody> = {}) =>
    operator.ask(path, { method: 'PATCH', body: { ...body, ...changed } })
  return { own, path, body, write }
}

async function comeTo(browser: Browser, email: string): Promise<string> {
  const { url } = await browser.post<{ url: string }>('/auth/sign-in/social', {
    ...{ email, callbackURL: '/', errorCallbackURL: '/sign-in' },
  })
  const at = await fetch(url, { redirect: 'manual' })
  return (await comeBack(browser, at.headers.get('location') ?? '')).headers.get('location') ?? ''
}

const comeBack = (browser: Browser, url: string) =>
  browser.ask(url, { headers: { 'Sec-Fetch-Site': 'cross-site' } })

async function askFor(email: string): Promise<number> {
  return (await new Browser(api.url).ask('/auth/sign-in/social', { method: 'POST', body: { email } })).status
}

test("an organization's provider works for its domains and signs in to that organization only", async () => {
  const { organizationId } = api.other
  const { own, path, body, write } = await ofOrganization(organizationId, {})
  await using _own = own
  assert.deepEqual((await operator.post<ProviderConnectionTest>(`${path}/test`, body)).faults, [])
  assert.equal((await write()).status, 200)
  const { organizations } = await operator.json<InstanceSignIn>(PATH)
  assert.deepEqual(
    organizations.map(({ organizationId: id, domains, redirectUrl, secret }) => [
      id,
      domains,
      redirectUrl,
      secret?.lastFour,
    ]),
    [[organizationId, ['own.example'], `${api.url}/auth/callback/${organizationId}`, 'ient']],
  )
  const browser = new Browser(other.url)
  const { signIn } = await browser.json<Session>('/internal/session')
  assert.deepEqual(signIn.sso, { name: 'Single sign-on', byEmail: true })
  await addPerson(api.database, { email: 'host@example.com', organizationId: api.acme.organizationId })
  const host = await signedIn(api.url, { email: 'host@example.com', organizationId: api.acme.organizationId })
  await host.post('/internal/invitations', { email: 'new@own.example', role: 'admin' })
  own.user = { sub: 'new', email: 'new@own.example', name: 'New\u0007\nName', email_verified: true }
  assert.equal(await comeTo(browser, 'new@own.example'), '/')
  const session = await browser.json<Session>('/internal/session')
  assert.deepEqual(
    [session.user?.name, session.organizations.map(({ id, role }) => [id, role])],
    ['New Name', [[organizationId, 'editor']]],
    'another organization’s invitation is not accepted by it',
  )
  // Only the address entered at sign-in selects the provider.
  assert.equal(await askFor('a@elsewhere.example'), 404)
  own.user = { sub: 'x', email: 'boss@elsewhere.example', email_verified: true }
  assert.match(await comeTo(new Browser(api.url), 'a@own.example'), /error=other_domain/)
  for (const [user, word] of [
    [{ sub: 'y', email: 'operator@example.com', email_verified: true }, 'other_domain'],
    [{ sub: 'z', email: 'z@own.example' }, 'email_not_verified'],
  ] as const) {
    own.user = user
    assert.match(await comeTo(new Browser(api.url), 'a@own.example'), new RegExp(`error=${word}`))
  }
  // The same subject at another issuer is a different account.
  own.user = { sub: 'new', email: 'new@own.example', email_verified: true }
  await using second = (await ofOrganization(organizationId, {})).own
  second.user = { sub: 'new', email: 'evil@own.example', email_verified: true }
  assert.equal((await write({ issuer: second.issuer, secret: second.clientSecret })).status, 200)
  const evil = new Browser(api.url)
  await comeTo(evil, 'new@own.example')
  assert.equal((await evil.json<Session>('/internal/session')).user?.email, 'evil@own.example')
  assert.equal((await write({ issuer: null, clientId: null })).status, 200)
  assert.deepEqual((await operator.json<InstanceSignIn>(PATH)).organizations, [])
  assert.equal(await askFor('a@own.example'), 404)
})

test('a callback counts only for the provider that was asked, and no other one gets the code', async () => {
  const { own, write } = await ofOrganization(api.other.organizationId, {})
  await using _own = own
  const there = await ofOrganization(api.acme.organizationId, { domains: ['there.example'] })
  await using _there = there.own
  assert.equal((await write()).status, 200)
  assert.equal((await there.write()).status, 200)
  own.user = { sub: 'mixed', email: 'mixed@own.example', email_verified: true }
  const browser = new Browser(api.url)
  const { url } = await browser.post<{ url: string }>('/auth/sign-in/social', {
    ...{ email: 'mixed@own.example', callbackURL: '/', errorCallbackURL: '/sign-in' },
  })
  const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
  const elsewhere = back.replace(api.other.organizationId, api.acme.organizationId)
  const answer = await comeBack(browser, elsewhere)
  assert.match(answer.headers.get('location') ?? '', /\/sign-in\?error=state_mismatch$/)
  assert.equal(there.own.exchanges, 0)
  await comeBack(browser, back)
  assert.equal((await browser.json<Session>('/internal/session')).user?.email, 'mixed@own.example')
  for (const change of [write, there.write])
    assert.equal((await change({ issuer: null, clientId: null })).status, 200)
})

test('a domain belongs to one provider, and organization members cannot set one', async () => {
  const { own, write } = await ofOrganization(api.other.organizationId, {})
  await using _own = own
  assert.equal((await write()).status, 200)
  const second = await ofOrganization(api.acme.organizationId, {})
  await using _second = second.own
  assert.deepEqual(await refusal(second.path, 'PATCH', second.body), [400, 'invalid_request', '/domains/0'])
  assert.deepEqual(await refusal(second.path, 'PATCH', { ...second.body, domains: [] }), [
    ...[400, 'invalid_request', '/domains'],
  ])
  assert.equal(
    (await refusal(second.path, 'PATCH', { ...second.body, organizationId: 'org_nobody' }))[0],
    404,
  )
  await addPerson(api.database, { email: 'owner@own.example', organizationId: api.acme.organizationId })
  const owner = await signedIn(api.url, {
    email: 'owner@own.example',
    organizationId: api.acme.organizationId,
  })
  assert.equal((await owner.ask(second.path, { method: 'PATCH', body: second.body })).status, 403)
  assert.equal((await write({ issuer: null, clientId: null })).status, 200)
})
