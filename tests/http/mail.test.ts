/** Email of a whole node: server settings, invitations, password resets and notifications. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AuditList } from '../../src/features/accounts/operations/organization.ts'
import type { CreatedInvitation, Session } from '../../src/features/accounts/operations/people.ts'
import { findUserByEmail } from '../../src/features/accounts/people/users.ts'
import { mailPasswordLink } from '../../src/features/notifications/mail/links.ts'
import type {
  InstanceMail,
  InstanceMailBody,
  MailTrial,
} from '../../src/features/notifications/operations/mail.ts'
import type { NotificationSettings } from '../../src/features/notifications/operations/notifications.ts'
import { recordNotification } from '../../src/features/notifications/record-notification.ts'
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMailServer } from '../kit/mail-server.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { runOctavo } from '../kit/octavo-command.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { until } from '../kit/until.ts'

const MAIL = '/internal/instance/mail'
const NOTHING: InstanceMailBody = { host: null, port: null, tls: 'starttls', user: null, from: null }
const FROM = 'Acme Docs <docs@acme.example.com>'

let server: MailServer
let octavo: TestNode
let operator: Browser

before(async () => {
  server = await startMailServer({ asksLogin: true })
  octavo = await startTestNode({ OCTAVO_MAIL_CA_FILE: server.caFile, OCTAVO_MAIL_PRIVATE_HOSTS: '127.0.0.1' })
  operator = await enter('operator@example.com', true)
})
after(async () => {
  await octavo[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function enter(email: string, isOperator: boolean): Promise<Browser> {
  const { database } = octavo.node.context
  const { organizationId } = octavo
  const { id } = await addPerson(database, { email, organizationId, role: 'owner' })
  if (isOperator)
    await database.queries.insertInto('operators').values({ user_id: id, made_by: 'cli' }).execute()
  return await signedIn(octavo.url, { email, organizationId })
}

const chosen = (more: Partial<InstanceMailBody> = {}): InstanceMailBody => ({
  host: '127.0.0.1',
  port: server.port,
  tls: 'starttls',
  user: MAIL_USER,
  from: FROM,
  ...more,
})
const change = (body: InstanceMailBody) => operator.json<InstanceMail>(MAIL, { method: 'PATCH', body })
const trial = (body: InstanceMailBody) => operator.post<MailTrial>(`${MAIL}/test`, body)

async function refusal(body: InstanceMailBody) {
  const response = await operator.ask(MAIL, { method: 'PATCH', body })
  const { code, details = [] } = (await response.json()) as { code: string; details?: { field: string }[] }
  return [response.status, code, details.map(({ field }) => field)]
}

const mailTo = (address: string, count = 1) =>
  until(() => server.taken.filter(({ to }) => to.includes(address))[count - 1])

test('an operator tests and saves a mail server, and its password appears in no response or row', async () => {
  const wrong = await trial(chosen({ password: 'not-this-one' }))
  assert.match(wrong.failure?.sentence ?? '', /rejected the sign-in: 535/)
  const right = await trial(chosen({ password: MAIL_PASSWORD }))
  assert.deepEqual([right.failure, right.to], [null, 'operator@example.com'])
  assert.match(right.said ?? '', /Taken by the harbour/)
  assert.match((await mailTo('operator@example.com')).text, /Mail works/)
  const saved = await change(chosen({ password: MAIL_PASSWORD }))
  assert.deepEqual(
    [saved.source, saved.host, saved.password?.isUsable, saved.changedBy],
    ['dashboard', '127.0.0.1', true, 'Ada Lovelace'],
  )
  // Without a password in the body the saved one is used, but only for the same server and user.
  assert.equal((await trial(chosen())).failure, null)
  assert.deepEqual(await refusal(chosen({ user: 'eve' })), [400, 'invalid_request', ['/password']])
  assert.deepEqual(await refusal(chosen({ host: 'localhost' })), [400, 'invalid_request', ['/password']])
  const { rows } = await octavo.node.context.database.pool.query(
    "SELECT coalesce(value, '') || coalesce(encode(sealed, 'escape'), '') AS text FROM instance_settings",
  )
  const audit = await (await operator.ask('/internal/audit')).text()
  for (const answer of [await (await operator.ask(MAIL)).text(), audit, JSON.stringify(rows)])
    assert.ok(!answer.includes(MAIL_PASSWORD))
  const actions = (JSON.parse(audit) as AuditList).rows.map(({ action }) => action)
  assert.ok(actions.includes('instance.mail_changed') && actions.includes('instance.mail_tested'))
})

test('reports each invalid mail setting at its field', async () => {
  const cases: [Partial<InstanceMailBody>, string][] = [
    [{ host: 'smtp.example.com:587' }, '/host'],
    [{ host: 'a b' }, '/host'],
    [{ port: 0 }, '/port'],
    [{ from: 'nobody' }, '/from'],
    [{ from: null }, '/from'],
    [{ from: 'a@example.com, b@example.com' }, '/from'],
    [{ from: 'Ada\r\nBcc: eve@example.com <a@example.com>' }, '/from'],
    [{ host: 'smtp.example.com', tls: 'none', password: 'x' }, '/tls'],
    [{ user: null, password: 'x' }, '/user'],
    [{ host: null }, '/user'],
    [{ password: 'two\nlines' }, '/password'],
  ]
  for (const [body, field] of cases) {
    const [status, code, fields] = await refusal(chosen(body))
    assert.deepEqual([status, code], [400, 'invalid_request'], JSON.stringify(body))
    assert.ok((fields as string[]).includes(field), `${JSON.stringify(body)} ${fields}`)
  }
})

test('an open invitation is emailed once, and its link is stored sealed and then deleted', async () => {
  await change(chosen({ password: MAIL_PASSWORD }))
  assert.equal((await operator.json<Session>('/internal/session')).sendsMail, true)
  server.misbehaves = { refusesConnection: 421 }
  const invite = (email: string) =>
    operator.post<CreatedInvitation>('/internal/invitations', { email, role: 'editor' })
  const replaced = await invite('grace@example.com')
  const { pool } = octavo.node.context.database
  // Waits until at least one attempt has been rejected.
  await until(async () => {
    const { rows } = await pool.query("SELECT FROM mails WHERE kind = 'invitation' AND error IS NOT NULL")
    return rows.length > 0 ? true : undefined
  })
  const { rows: kept } = await pool.query('SELECT sealed::text, error FROM mails WHERE sealed IS NOT NULL')
  assert.ok(!JSON.stringify(kept).includes(replaced.link.split('=')[1] ?? ''))
  const open = await invite('grace@example.com')
  assert.deepEqual([replaced.isMailed, open.isMailed], [true, true])
  server.misbehaves = {}
  await pool.query("UPDATE mails SET due_at = now() WHERE status = 'waiting'")
  const mail = await mailTo('grace@example.com')
  assert.ok(mail.text.includes(open.link) && mail.html.includes(open.link))
  assert.ok(!mail.raw.includes(replaced.link))
  assert.match(mail.headers.subject ?? '', /^Invitation to Test on Octavo$/)
  const ended = await until(async () => {
    const { rows } = await pool.query('SELECT status, sealed FROM mails WHERE kind = $1 ORDER BY id', [
      'invitation',
    ])
    return rows.every(({ status }) => status !== 'waiting') ? rows : undefined
  })
  assert.deepEqual(ended, [
    { status: 'dropped', sealed: null },
    { status: 'sent', sealed: null },
  ])
  // At most five emails a day go to one address; the link can still be copied.
  const more: boolean[] = []
  for (let n = 0; n < 4; n++) more.push((await invite('grace@example.com')).isMailed)
  assert.deepEqual(more, [true, true, true, false])
})

test('an invitation from the command line is emailed, and the output says so', async () => {
  const { databaseUrl, dataFolder } = octavo
  const invite = (email: string, env: Record<string, string> = {}) =>
    runOctavo(['members', 'invite', '--email', email, '--role', 'editor', '--json'], {
      cwd: dataFolder,
      env: {
        ...{ DATABASE_URL: databaseUrl, OCTAVO_DATA: dataFolder, OCTAVO_ALLOW_FSYNC_OFF: 'true' },
        ...{ OCTAVO_PUBLIC_URL: 'https://docs.acme.example.com', ...env },
      },
    })
  await change(NOTHING)
  const byHand = await invite('mary@example.com')
  assert.equal((JSON.parse(byHand.stdout) as CreatedInvitation).isMailed, false, byHand.stderr)
  assert.match(byHand.stderr, /No email is sent. Send the link yourself/)
  await change(chosen({ password: MAIL_PASSWORD }))
  const mailed = await invite('mary@example.com')
  const { isMailed, link } = JSON.parse(mailed.stdout) as CreatedInvitation
  assert.equal(isMailed, true)
  assert.match(mailed.stderr, /The link is also sent by email/)
  assert.match(link, /^https:\/\/docs\.acme\.example\.com\/invitation#token=/)
  assert.ok((await mailTo('mary@example.com')).text.includes(link))
  // A message sealed with another secret could be neither sent nor opened.
  const elsewhere = await invite('mary@example.com', { OCTAVO_SECRET: 'x'.repeat(40) })
  assert.deepEqual([elsewhere.code, elsewhere.stdout], [1, ''])
  assert.match(elsewhere.stderr, /^OCTAVO_SECRET differs/)
})

test('a forgotten password request emails a reset link and does not reveal whether the account exists', async () => {
  await enter('edsger@example.com', false)
  const visitor = await fetch(`${octavo.url}/internal/password-request`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'Edsger@example.com' }),
  })
  const unknown = await operator.post('/internal/password-request', { email: 'nobody@example.com' })
  assert.deepEqual(await visitor.json(), unknown)
  const mail = await mailTo('edsger@example.com')
  const [, token] = /\/reset-password#token=([\w-]{43})/.exec(mail.text) ?? []
  const password = 'the lighthouse keeps its own hours'
  const reset = await operator.post<{ email: string }>('/internal/password-reset', { token, password })
  assert.equal(reset.email, 'edsger@example.com')
  const { pool } = octavo.node.context.database
  await until(async () => {
    const { rows } = await pool.query("SELECT status FROM mails WHERE address = 'nobody@example.com'")
    return rows[0]?.status === 'dropped' ? true : undefined
  })
  assert.ok(!server.taken.some(({ to }) => to.includes('nobody@example.com')))
})

test('concurrent password requests for one address send no more emails than sequential ones', async () => {
  const { database, mailSource } = octavo.node.context
  const ask = () => database.transaction((tx) => mailPasswordLink(tx, mailSource, 'bombed@example.com'))
  await Promise.all(Array.from({ length: 8 }, ask))
  const { rows } = await database.pool.query("SELECT FROM mails WHERE address = 'bombed@example.com'")
  assert.equal(rows.length, 3)
})

test('a permanently rejected email fails with a reason that operators can read', async () => {
  server.misbehaves = { refusesRecipient: 550 }
  await operator.post('/internal/invitations', { email: 'gone@example.com', role: 'viewer' })
  const view = await until(async () => {
    const now = await operator.json<InstanceMail>(MAIL)
    return now.queue.failed > 0 ? now : undefined
  })
  assert.match(view.queue.lastError ?? '', /rejected the recipient: 550/)
  server.misbehaves = {}
})

test('a member sets notification emails and unsubscribes by a link without signing in', async () => {
  const settings = '/internal/notification-settings'
  const { mail } = await operator.json<NotificationSettings>(settings)
  assert.deepEqual([mail?.address, mail?.isOff, mail?.timeZone], ['operator@example.com', false, null])
  const body = { kind: 'export_ready', pace: 'off', digestHour: 6, timeZone: 'Europe/Berlin' }
  const changed = await operator.json<NotificationSettings>(`${settings}/mail`, { method: 'PATCH', body })
  assert.deepEqual(
    [
      changed.mail?.digestHour,
      changed.mail?.timeZone,
      changed.mail?.paces.find(({ kind }) => kind === 'export_ready'),
    ],
    [6, 'Europe/Berlin', { kind: 'export_ready', pace: 'off' }],
  )
  const { projectId } = await octavo.addSite('mail.example.com', { 'index.mdx': '# Harbour' })
  const { database } = octavo.node.context
  const { id: userId } = (await findUserByEmail(database.queries, 'operator@example.com')) ?? { id: '' }
  const subject = 'fb_1'
  await database.transaction((tx) =>
    recordNotification(tx, {
      kind: 'feedback_assigned',
      projectId,
      subject,
      owner: userId,
      facts: { entries: 1 },
    }),
  )
  await until(async () => {
    const { rowCount } = await database.pool.query(
      "UPDATE mails SET due_at = now() WHERE kind = 'notifications'",
    )
    return rowCount === 1 ? true : undefined
  })
  const told = await mailTo('operator@example.com', 3)
  const [, address = ''] = /<(.+)>/.exec(told.headers['list-unsubscribe'] ?? '') ?? []
  const isOff = async () => (await operator.json<NotificationSettings>(settings)).mail?.isOff
  // Programs that prefetch links must not change anything.
  const asked = await fetch(address)
  assert.deepEqual([asked.status, await isOff()], [200, false])
  assert.match(await asked.text(), /Unsubscribe from these emails\?/)
  const post = (to: string) =>
    fetch(to, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  const stopped = await post(address)
  assert.match(
    await stopped.text(),
    /operator@example\.com no longer gets emails about notifications of Test/,
  )
  assert.deepEqual([stopped.status, await isOff()], [200, true])
  assert.match(await (await post(`${address}?again`)).text(), /Emails turned back on/)
  assert.equal(await isOff(), false)
  for (const wrong of [
    `${address}x`,
    address.replace(/usr_./, 'usr_z'),
    `${octavo.url}/unsubscribe/${'a'.repeat(5000)}`,
  ]) {
    const refused = await post(wrong)
    assert.ok([400, 404, 414, 431].includes(refused.status), `${refused.status}`)
  }
  assert.equal(await isOff(), false)
})

test('without a mail server nothing is sent or queued, and invitations are not marked as mailed', async () => {
  await change(NOTHING)
  assert.equal((await operator.json<Session>('/internal/session')).sendsMail, false)
  assert.equal((await operator.json<NotificationSettings>('/internal/notification-settings')).mail, null)
  const body = { email: 'barbara@example.com', role: 'viewer' }
  assert.equal((await operator.post<CreatedInvitation>('/internal/invitations', body)).isMailed, false)
  const { rows } = await octavo.node.context.database.pool.query(
    "SELECT FROM mails WHERE address = 'barbara@example.com'",
  )
  assert.equal(rows.length, 0)
})

test('mail settings from the environment are shown and cannot be changed', async () => {
  await using given = await startTestNode({
    DATABASE_URL: octavo.databaseUrl,
    OCTAVO_DATA: octavo.dataFolder,
    OCTAVO_MAIL_HOST: '127.0.0.1',
    OCTAVO_MAIL_PORT: String(server.port),
    OCTAVO_MAIL_USER: MAIL_USER,
    OCTAVO_MAIL_PASSWORD: MAIL_PASSWORD,
    OCTAVO_MAIL_FROM: FROM,
    OCTAVO_MAIL_CA_FILE: server.caFile,
  })
  const { organizationId } = octavo
  const there = await signedIn(given.url, { email: 'operator@example.com', organizationId })
  const view = await there.json<InstanceMail>(MAIL)
  assert.deepEqual(
    [view.source, view.port, view.password?.source],
    ['environment', server.port, 'environment'],
  )
  const response = await there.ask(MAIL, { method: 'PATCH', body: NOTHING })
  assert.equal(response.status, 409)
  assert.equal((await there.json<Session>('/internal/session')).sendsMail, true)
})
