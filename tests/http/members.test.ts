/** First owner, invitations, members and one-time links. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Role } from '../../src/base/api/roles.ts'
import type {
  CreatedInvitation,
  InvitationList,
  Member,
  MemberList,
  OpenInvitation,
  Session,
} from '../../src/features/accounts/operations/people.ts'
import { createPasswordToken, createSetupToken } from '../../src/features/accounts/people/setup.ts'
import { addPerson, Browser, PASSWORD, signedIn } from '../kit/people.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

let api: ApiUnderTest
let count = 0

before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

async function member(role: Role, organizationId = api.acme.organizationId) {
  const email = `member-${++count}@example.com`
  const user = await addPerson(api.database, { email, organizationId, role })
  return { email, user, browser: await signedIn(api.url, { email, organizationId }) }
}

function tokenOf(link: string): string {
  return link.slice(link.indexOf('#token=') + '#token='.length)
}

async function statusAndSentence(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { error: string }).error}`
}

test('the setup link creates one owner of every organization and works once under concurrent use', async () => {
  const first = (await createSetupToken(api.database)) as string
  const token = (await createSetupToken(api.database)) as string
  const body = (name: string, with_: string) => ({
    token: with_,
    name,
    email: `${name}@example.com`,
    password: PASSWORD,
  })
  const visitor = new Browser(api.url)
  const setUp = (name: string, with_ = token) =>
    visitor.ask('/internal/setup', { method: 'POST', body: body(name, with_) })
  assert.equal((await setUp('too-late', first)).status, 409) // A newer link was made.
  const weak = await visitor.ask('/internal/setup', {
    method: 'POST',
    body: { ...body('weak', token), password: 'password1234' },
  })
  assert.equal(weak.status, 400) // And the link still works.
  assert.equal((await visitor.json<Session>('/internal/session')).isSetUp, false)
  const answers = await Promise.all(['ada', 'bea', 'cleo', 'dora'].map((name) => setUp(name)))
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409, 409])
  const owners = await api.database.queries
    .selectFrom('members')
    .select(['organization_id', 'role'])
    .execute()
  assert.equal(owners.length, 2)
  assert.ok(owners.every((owner) => owner.role === 'owner'))
  assert.equal((await visitor.json<Session>('/internal/session')).isSetUp, true)
  assert.equal(await createSetupToken(api.database), null)
  assert.match(await statusAndSentence(await setUp('late')), /409 This installation already has an owner/)
})

test('an invited person looks up the invitation, accepts it once and signs in', async () => {
  const { browser: admin } = await member('admin')
  const email = 'invited@example.com'
  const made = await admin.post<CreatedInvitation>('/internal/invitations', { email, role: 'editor' })
  assert.ok(made.link.startsWith(`${api.url}/invitation#token=`))
  const token = tokenOf(made.link)
  const visitor = new Browser(api.url)
  const open = await visitor.post<OpenInvitation>('/internal/invitation/look-up', { token })
  assert.deepEqual(
    {
      email: open.email,
      role: open.role,
      organizationName: open.organizationName,
      hasAccount: open.hasAccount,
    },
    { email, role: 'editor', organizationName: 'acme', hasAccount: false },
  )
  const accept = () =>
    visitor.ask('/internal/invitation/accept', {
      method: 'POST',
      body: { token, name: 'Grace', password: PASSWORD },
    })
  const statuses = (await Promise.all([accept(), accept(), accept()])).map((answer) => answer.status)
  assert.deepEqual(statuses.sort(), [201, 409, 409])
  const browser = await signedIn(api.url, { email, organizationId: api.acme.organizationId })
  const session = await browser.json<Session>('/internal/session')
  assert.deepEqual(
    session.organizations.map(({ role }) => role),
    ['editor'],
  )
})

test('an existing account accepts an invitation only when signed in with the invited address', async () => {
  const { browser: owner } = await member('owner')
  const guest = await member('viewer', api.other.organizationId)
  const stranger = await member('viewer', api.other.organizationId)
  const made = await owner.post<CreatedInvitation>('/internal/invitations', {
    email: guest.email,
    role: 'viewer',
  })
  const body = { token: tokenOf(made.link), name: 'Somebody', password: PASSWORD }
  const asStranger = await stranger.browser.ask('/internal/invitation/accept', { method: 'POST', body })
  assert.match(await statusAndSentence(asStranger), /409 The invitation is for a different email address/)
  const asNobody = await new Browser(api.url).ask('/internal/invitation/accept', { method: 'POST', body })
  assert.match(await statusAndSentence(asNobody), /409 There is already an account/)
  await guest.browser.post('/internal/invitation/accept', { token: body.token })
  const { organizations } = await guest.browser.json<Session>('/internal/session')
  assert.equal(organizations.length, 2)
})

test('a revoked, replaced or expired invitation is refused', async () => {
  const { browser: owner } = await member('owner')
  const email = 'perhaps@example.com'
  const invite = () => owner.post<CreatedInvitation>('/internal/invitations', { email, role: 'viewer' })
  const [first, second] = [await invite(), await invite()]
  const look = async (made: CreatedInvitation) =>
    (
      await new Browser(api.url).ask('/internal/invitation/look-up', {
        method: 'POST',
        body: { token: tokenOf(made.link) },
      })
    ).status
  assert.equal(await look(first), 409)
  assert.equal(await look(second), 200)
  const { invitations } = await owner.json<InvitationList>('/internal/invitations')
  assert.deepEqual(
    invitations.filter((open) => open.email === email).map((open) => open.invitationId),
    [second.invitationId],
  )
  await owner.json(`/internal/invitations/${second.invitationId}`, { method: 'DELETE' })
  assert.equal(await look(second), 409)
  const third = await invite()
  await api.database.pool.query(`UPDATE invitations SET expires_at = now() WHERE id = $1`, [
    third.invitationId,
  ])
  assert.equal(await look(third), 409)
})

test('an admin can change roles but cannot grant or take away the owner role', async () => {
  const { browser: admin } = await member('admin')
  const owner = await member('owner')
  const viewer = await member('viewer')
  const change = (userId: string, role: Role) =>
    admin.ask(`/internal/members/${userId}`, { method: 'PATCH', body: { role } })
  assert.equal((await change(viewer.user.id, 'editor')).status, 200)
  assert.match(await statusAndSentence(await change(viewer.user.id, 'owner')), /403 Only owners/)
  assert.match(await statusAndSentence(await change(owner.user.id, 'viewer')), /403 Only owners/)
  const removed = await admin.ask(`/internal/members/${owner.user.id}`, { method: 'DELETE' })
  assert.match(await statusAndSentence(removed), /403 Only owners/)
  const invited = await admin.ask('/internal/invitations', {
    method: 'POST',
    body: { email: 'boss@example.com', role: 'owner' },
  })
  assert.match(await statusAndSentence(invited), /403 Only owners/)
})

test('the last owner cannot leave or be demoted, even when two owners leave concurrently', async () => {
  const organization = await api.database.transaction(async (tx) => {
    const { createOrganization } = await import('../../src/features/accounts/organizations/organizations.ts')
    return createOrganization(tx, { name: 'small', actor: 'test' })
  })
  const [one, two] = [await member('owner', organization.id), await member('owner', organization.id)]
  const leave = (who: typeof one) => who.browser.ask(`/internal/members/${who.user.id}`, { method: 'DELETE' })
  const answers = await Promise.all([leave(one), leave(two)])
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409])
  const stays = answers[0]?.status === 409 ? one : two
  const demoted = await stays.browser.ask(`/internal/members/${stays.user.id}`, {
    method: 'PATCH',
    body: { role: 'viewer' },
  })
  assert.match(await statusAndSentence(demoted), /409 An organization needs at least one owner/)
})

test('a viewer can list members and leave, but cannot remove others', async () => {
  const viewer = await member('viewer')
  const other = await member('editor')
  const { members } = await viewer.browser.json<MemberList>('/internal/members')
  assert.ok(members.some((one: Member) => one.userId === other.user.id))
  const removed = await viewer.browser.ask(`/internal/members/${other.user.id}`, { method: 'DELETE' })
  assert.equal(removed.status, 403)
  assert.equal(
    (await viewer.browser.ask(`/internal/members/${viewer.user.id}`, { method: 'DELETE' })).status,
    200,
  )
  assert.equal((await viewer.browser.ask('/internal/members')).status, 403)
})

test('a password reset link from the operator works once and ends every session', async () => {
  const { email, user, browser } = await member('editor')
  const token = await api.database.transaction((tx) => createPasswordToken(tx, user.id))
  const visitor = new Browser(api.url)
  const reset = (password: string) =>
    visitor.ask('/internal/password-reset', { method: 'POST', body: { token, password } })
  assert.equal((await reset('aaaaaaaaaaaaaaa')).status, 400)
  const password = 'the tide comes in at nine'
  assert.equal((await reset(password)).status, 200)
  assert.equal((await reset(password)).status, 409)
  assert.equal((await browser.json<Session>('/internal/session')).user, null)
  await signedIn(api.url, { email, password })
})

test('member changes are recorded in the audit log without tokens', async () => {
  const rows = await api.database.queries.selectFrom('audit_rows').select(['action', 'details']).execute()
  const actions = new Set(rows.map((row) => row.action))
  for (const action of [
    'member.joined',
    'member.invited',
    'invitation.revoked',
    'member.role_changed',
    'member.left',
    'member.password_reset',
    'member.signed_in',
  ])
    assert.ok(actions.has(action), action)
  assert.doesNotMatch(JSON.stringify(rows), /[A-Za-z0-9_-]{43}/)
})

test('replays an invitation with the same Idempotency-Key without storing its link in plain text', async () => {
  const { browser } = await member('admin')
  const invite = () =>
    browser.ask('/internal/invitations', {
      method: 'POST',
      body: { email: 'twice@example.com', role: 'viewer' },
      headers: { 'Idempotency-Key': 'invite-twice' },
    })
  const [first, second] = [await invite(), await invite()]
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  const made = (await first.json()) as CreatedInvitation
  assert.deepEqual(await second.json(), made)
  const answers = await api.database.queries.selectFrom('idempotent_answers').select('body').execute()
  assert.ok(answers.length > 0)
  assert.ok(answers.every(({ body }) => !body.includes('invitation#token')))
})
