/** Required second factors, recent proofs and allowed email domains, by role and under concurrent requests. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Role } from '../../src/base/api/roles.ts'
import { createId } from '../../src/base/ids.ts'
import type { AuditList } from '../../src/features/accounts/operations/organization.ts'
import type { OrganizationSecurityBody } from '../../src/features/accounts/operations/organization-security.ts'
import type { MemberList, Session } from '../../src/features/accounts/operations/people.ts'
import { createPasswordToken } from '../../src/features/accounts/people/setup.ts'
import { addPerson, Browser, PASSWORD, signedIn } from '../kit/people.ts'
import { nextCode, totpCode } from '../kit/totp.ts'
import { type ApiUnderTest, makeTenant, startApi, type Tenant } from './api-under-test.ts'

const SECURITY = '/internal/organization/security'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { signIns: { count: 1000, seconds: 60 } } })
})
after(() => api[Symbol.asyncDispose]())

let count = 0
async function member(tenant: Tenant, role: Role): Promise<{ browser: Browser; id: string; email: string }> {
  const email = `rule-${++count}@example.com`
  const { id } = await addPerson(api.database, { email, organizationId: tenant.organizationId, role })
  const browser = await signedIn(api.url, { email, organizationId: tenant.organizationId })
  return { browser, id, email }
}

const tenant = () => makeTenant(api.database, { name: createId('prj').slice(4), plan: 'enterprise' })

/** Sets up TOTP codes, as the account page does, and returns their URI. */
async function enroll(browser: Browser): Promise<string> {
  const { totpURI } = await browser.post<{ totpURI: string }>('/auth/two-factor/enable', {
    password: PASSWORD,
  })
  await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  return totpURI
}

async function givePasskey(userId: string): Promise<string> {
  const id = createId('crd')
  await api.database.queries
    .insertInto('passkeys')
    .values({
      id,
      user_id: userId,
      ...{ name: null, public_key: 'x', credential_id: id, counter: 0, device_type: 'singleDevice' },
      ...{ backed_up: false, transports: null, aaguid: null },
    })
    .execute()
  return id
}

const change = (browser: Browser, body: OrganizationSecurityBody) =>
  browser.ask(SECURITY, { method: 'PATCH', body })
const required = { secondFactor: { days: 0, providerCounts: false } }

async function codeOf(response: Response): Promise<string> {
  if (response.ok) return String(response.status)
  return ((await response.json()) as { code: string }).code
}

/** Backdates the last proof of the user's sessions. */
async function age(userId: string, minutes: number): Promise<void> {
  await api.database.pool.query(
    'UPDATE sessions SET proved_at = now() - make_interval(mins => $2) WHERE user_id = $1',
    [userId, minutes],
  )
}

const audited = async (browser: Browser) =>
  (await browser.json<AuditList>('/internal/audit')).rows.map(({ action }) => action)

test('a required second factor blocks members without one until they set it up', async () => {
  const here = await tenant()
  const owner = await member(here, 'owner')
  assert.equal(await codeOf(await change(owner.browser, required)), 'own_factor_first')
  await enroll(owner.browser)
  const others = await Promise.all((['admin', 'editor', 'viewer'] as const).map((role) => member(here, role)))
  assert.equal(await codeOf(await change(owner.browser, required)), '200')
  assert.equal((await owner.browser.ask('/internal/members')).status, 200)
  const asked: [string, string][] = [
    ['GET', '/internal/members'],
    ['GET', '/internal/projects'],
    ['GET', `/v1/static-export/jobs`],
    ['POST', '/internal/api-keys'],
    ['GET', '/internal/instance/sign-in'],
  ]
  for (const { browser } of others)
    for (const [method, path] of asked)
      assert.equal(
        await codeOf(await browser.ask(path, { method, body: { name: 'x' } })),
        'second_factor_required',
        path,
      )
  // API keys still work, and so does everything needed to set up a factor.
  const byKey = await fetch(`${api.url}/v1/static-export/jobs`, {
    headers: { Authorization: `Bearer ${here.key}` },
  })
  assert.equal(byKey.status, 200)
  const [admin, editor] = others as [(typeof others)[number], (typeof others)[number]]
  const session = await admin.browser.json<Session>('/internal/session')
  assert.ok(Date.parse(session.organizations[0]?.secondFactorDueAt ?? '') <= Date.now())
  await enroll(admin.browser)
  assert.equal((await admin.browser.ask('/internal/members')).status, 200)
  // Other organizations do not require it.
  await api.database.queries
    .insertInto('members')
    .values({ organization_id: api.other.organizationId, user_id: editor.id, role: 'editor' })
    .execute()
  editor.browser.organizationId = api.other.organizationId
  assert.equal((await editor.browser.ask('/internal/members')).status, 200)
  const { members } = await owner.browser.json<MemberList>('/internal/members')
  assert.deepEqual(members.map(({ role, twoFactorEnabled }) => [role, twoFactorEnabled]).sort(), [
    ['admin', true],
    ['editor', false],
    ['owner', true],
    ['viewer', false],
  ])
  assert.ok((await audited(owner.browser)).includes('organization.security_changed'))
})

test('the grace period for a second factor runs from the rule and from joining, and then expires', async () => {
  const here = await tenant()
  const owner = await member(here, 'owner')
  await enroll(owner.browser)
  const viewer = await member(here, 'viewer')
  assert.equal(
    await codeOf(await change(owner.browser, { secondFactor: { days: 3, providerCounts: false } })),
    '200',
  )
  assert.equal((await viewer.browser.ask('/internal/members')).status, 200)
  const back = (days: number) =>
    api.database.pool.query(
      `UPDATE organizations SET second_factor_since = now() - make_interval(days => $2) WHERE id = $1`,
      [here.organizationId, days],
    )
  await back(10)
  assert.equal((await viewer.browser.ask('/internal/members')).status, 200, 'who has just joined has time')
  await api.database.pool.query(
    "UPDATE members SET created_at = now() - interval '4 days' WHERE user_id = $1",
    [viewer.id],
  )
  assert.equal(await codeOf(await viewer.browser.ask('/internal/members')), 'second_factor_required')
})

test('a passkey that was not used in the session does not satisfy a required second factor', async () => {
  const here = await tenant()
  const owner = await member(here, 'owner')
  await enroll(owner.browser)
  const thief = await member(here, 'admin')
  await givePasskey(thief.id)
  await change(owner.browser, required)
  assert.equal(await codeOf(await thief.browser.ask('/internal/members')), 'second_factor_required')
  // A thief with only the password cannot add another factor to the existing one.
  const added = await thief.browser.ask('/auth/two-factor/enable', {
    method: 'POST',
    body: { password: PASSWORD },
  })
  assert.equal(await codeOf(added), 'second_factor_required')
  const passkey = await thief.browser.ask('/auth/passkey/generate-register-options')
  assert.equal(await codeOf(passkey), 'second_factor_required')
})

test('the last required second factor cannot be removed, even by two concurrent removals', async () => {
  const here = await tenant()
  const { browser, id } = await member(here, 'owner')
  await enroll(browser)
  const passkey = await givePasskey(id)
  await change(browser, required)
  const attempts = await Promise.all([
    browser.ask('/auth/two-factor/disable', { method: 'POST', body: { password: PASSWORD } }),
    browser.ask('/auth/passkey/delete-passkey', { method: 'POST', body: { id: passkey } }),
  ])
  assert.deepEqual((await Promise.all(attempts.map(codeOf))).sort(), ['200', 'second_factor_required'])
  const { rows } = await api.database.pool.query(
    `SELECT two_factor_enabled::int + (SELECT count(*)::int FROM passkeys WHERE user_id = users.id) AS factors
     FROM users WHERE id = $1`,
    [id],
  )
  assert.equal(rows[0]?.factors, 1)
  await change(browser, { secondFactor: null })
})

test('a removed second factor no longer counts as proved in the session', async () => {
  const here = await tenant()
  const { browser } = await member(here, 'owner')
  await enroll(browser)
  const off = await browser.ask('/auth/two-factor/disable', { method: 'POST', body: { password: PASSWORD } })
  assert.equal(await codeOf(off), '200')
  assert.equal(await codeOf(await change(browser, required)), 'own_factor_first')
})

test('destructive operations require a recent proof by the password or a code of the session owner', async () => {
  const here = await tenant()
  const owner = await member(here, 'owner')
  const viewer = await member(here, 'viewer')
  await age(owner.id, 16)
  const remove = () => owner.browser.ask(`/internal/members/${viewer.id}`, { method: 'DELETE' })
  const { projectId } = here
  const refused: [string, string, unknown][] = [
    ['DELETE', `/internal/members/${viewer.id}`, undefined],
    ['PATCH', `/internal/members/${viewer.id}`, { role: 'owner' }],
    ['POST', '/internal/api-keys', { name: 'wide' }],
    ['PATCH', SECURITY, { mailDomains: [] }],
    ['DELETE', `/v1/projects/${projectId}`, { name: 'x' }],
  ]
  for (const [method, path, body] of refused)
    assert.equal(await codeOf(await owner.browser.ask(path, { method, body })), 'session_not_fresh', path)
  const narrow = { name: 'narrow', scopes: ['read'], projectIds: [projectId] }
  assert.equal((await owner.browser.ask('/internal/api-keys', { method: 'POST', body: narrow })).status, 201)
  const prove = (password: string) =>
    owner.browser.ask('/auth/verify-password', { method: 'POST', body: { password } })
  assert.equal(await codeOf(await prove('not the password it is')), 'wrong_password')
  assert.equal(await codeOf(await remove()), 'session_not_fresh')
  assert.equal((await prove(PASSWORD)).status, 200)
  assert.equal((await remove()).status, 200)
  const actions = await audited(owner.browser)
  assert.ok(actions.includes('session.proof_failed') && actions.includes('session.proved'))
  const uri = await enroll(owner.browser)
  await age(owner.id, 16)
  assert.equal(
    await codeOf(await owner.browser.ask('/auth/passkey/generate-register-options')),
    'session_not_fresh',
  )
  await owner.browser.post('/auth/two-factor/verify-totp', { code: nextCode(uri) })
  assert.equal((await owner.browser.ask('/auth/passkey/generate-register-options')).status, 200)
  assert.equal((await owner.browser.json<Session>('/internal/session')).user?.twoFactorEnabled, true)
})

test('password guesses in an open session are rate limited, and codes cannot be switched off without the password', async () => {
  await using strict = await startApi({ beside: api, limits: { signIns: { count: 4, seconds: 3600 } } })
  const here = await tenant()
  const { email } = await member(here, 'owner')
  const browser = await signedIn(strict.url, { email, organizationId: here.organizationId })
  await enroll(browser)
  const statuses: number[] = []
  for (let guess = 0; guess < 6; guess++)
    statuses.push(
      (await browser.ask('/auth/verify-password', { method: 'POST', body: { password: `guess ${guess}` } }))
        .status,
    )
  assert.equal(statuses.at(-1), 429)
  const off = await browser.ask('/auth/two-factor/disable', { method: 'POST', body: {} })
  assert.notEqual(off.status, 200)
  assert.equal((await browser.json<Session>('/internal/session')).user?.twoFactorEnabled, true)
})

test('only addresses of the allowed mail domains can be invited and join', async () => {
  const here = await tenant()
  const owner = await member(here, 'owner')
  const invite = (email: string) =>
    owner.browser.ask('/internal/invitations', { method: 'POST', body: { email, role: 'viewer' } })
  const early = await invite('early@elsewhere.example')
  const { link } = (await early.json()) as { link: string }
  assert.equal(
    await codeOf(await change(owner.browser, { mailDomains: ['@Staff.example', 'staff.example'] })),
    '200',
  )
  assert.equal(await codeOf(await change(owner.browser, { mailDomains: ['com'] })), 'invalid_request')
  assert.equal(await codeOf(await invite('ada@notstaff.example')), 'mail_domain_refused')
  assert.equal(await codeOf(await invite('ada@sub.staff.example')), 'mail_domain_refused')
  assert.equal((await invite('Ada@STAFF.example')).status, 201)
  const token = link.slice(link.indexOf('=') + 1)
  const accepted = await owner.browser.ask('/internal/invitation/accept', {
    method: 'POST',
    body: { token, name: 'Early', password: PASSWORD },
  })
  assert.notEqual(accepted.status, 201)
  assert.equal((await owner.browser.ask('/internal/members')).status, 200, 'who is a member stays')
})

test('the first password reset by link removes existing passkeys, and later ones keep them', async () => {
  // Anyone with the invitation could have created the account; the owner of the address comes later, with a reset link.
  const { id: userId } = await member(await tenant(), 'viewer')
  const first = await givePasskey(userId)
  const passkeys = () =>
    api.database.queries.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute()
  const reset = async (password: string) => {
    const token = await api.database.transaction((tx) => createPasswordToken(tx, userId))
    const answer = await new Browser(api.url).ask('/internal/password-reset', {
      method: 'POST',
      body: { token, password },
    })
    assert.equal(answer.status, 200)
  }
  assert.deepEqual(await passkeys(), [{ id: first }])
  await reset('the tide comes in at nine')
  assert.deepEqual(await passkeys(), [])
  const second = await givePasskey(userId)
  await reset('the tide goes out at three')
  assert.deepEqual(await passkeys(), [{ id: second }])
})
