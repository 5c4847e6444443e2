import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { createSecretBox } from '../../src/base/secret-box.ts'
import {
  changeNotificationMail,
  readNotificationMail,
} from '../../src/features/notifications/mail/mail-choices.ts'
import type { MailSource } from '../../src/features/notifications/mail/mail-setup.ts'
import { sendDueMails } from '../../src/features/notifications/mail/send-mails.ts'
import { createUnsubscribeTokens, turnOffMails } from '../../src/features/notifications/mail/unsubscribe.ts'
import { readAllNotifications } from '../../src/features/notifications/read-notifications.ts'
import { listedGuard } from '../kit/git.ts'
import { type MailServer, startMailServer, type TakenMail } from '../kit/mail-server.ts'
import { type NotificationScene, openNotificationScene } from '../notifications/notification-scene.ts'

let server: MailServer
let scene: NotificationScene
let source: MailSource
const { signal } = new AbortController()

before(async () => {
  server = await startMailServer()
  scene = await openNotificationScene()
  source = {
    environmentMail: {
      choice: {
        host: '127.0.0.1',
        port: server.port,
        tls: 'starttls',
        user: null,
        from: 'docs@acme.example.com',
      },
      password: null,
      variables: [],
    },
    instanceSecrets: createSecretBox('the tests', 'instance settings'),
    linkSecrets: createSecretBox('the tests', 'links of mails'),
    unsubscribe: createUnsubscribeTokens('the tests'),
    authorities: readFileSync(server.caFile, 'utf8'),
    guard: listedGuard,
  }
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await send()
  await scene.database.pool.query(
    'DELETE FROM notifications; DELETE FROM mails; DELETE FROM mail_people; DELETE FROM mail_choices',
  )
  server.taken.length = 0
})

const run = (given: MailSource = source) =>
  sendDueMails(
    {
      database: scene.database,
      source: given,
      publicUrl: () => 'https://octavo.example.com',
      environmentSignIn: { provider: null, variables: [] },
      log: silentLog,
    },
    signal,
  )

/** Distributes new notifications, then sends waiting emails as if they were due. */
async function send(): Promise<TakenMail[]> {
  const before = server.taken.length
  await scene.spread()
  await run()
  await scene.database.pool.query(`UPDATE mails SET due_at = now() WHERE status = 'waiting'`)
  await run()
  return server.taken.slice(before)
}

async function mailRows() {
  const { rows } = await scene.database.pool.query('SELECT kind, status, error FROM mails ORDER BY id')
  return rows
}

test('a personal notification is emailed once and only to its recipient', async () => {
  const { editor } = scene.people
  await scene.tell({
    kind: 'feedback_assigned',
    owner: editor.userId,
    subject: 'fb_1',
    facts: { entries: 1 },
  })
  const [mail, ...others] = await send()
  assert.deepEqual([mail?.to, others.length], [['editor@acme.example.com'], 0])
  assert.match(mail?.headers.subject ?? '', /^\[.+\] A feedback entry was assigned to you$/)
  assert.ok(mail?.text.includes(`https://octavo.example.com/p/${scene.projectId}/feedback?entry=fb_1`))
  const unsubscribe = source.unsubscribe.sign(editor)
  assert.equal(mail?.headers['list-unsubscribe'], `<https://octavo.example.com/unsubscribe/${unsubscribe}>`)
  assert.equal(mail?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  // Added to the unread notification, which was already emailed.
  await scene.tell({
    kind: 'feedback_assigned',
    owner: editor.userId,
    subject: 'fb_2',
    facts: { entries: 1 },
  })
  assert.deepEqual(await send(), [])
})

test('notifications of the same moment become one email, and the rest come in a daily digest', async () => {
  await scene.tell({ kind: 'domain_lost', facts: { name: 'a.example.com' } })
  await scene.tell({ kind: 'deployment_failed', subject: 'dep_1', facts: { reason: 'The tide is out.' } })
  await scene.tell({ kind: 'automation_stopped', facts: { name: 'Weekly' } })
  const mails = (await send()).filter(({ to }) => to[0] === 'owner@acme.example.com')
  const bySubject = new Map(mails.map(({ headers, text }) => [headers.subject, text]))
  // Both are sent at the same time, so either may arrive first.
  assert.deepEqual([...bySubject.keys()].sort(), [
    '[Acme] 2 new notifications',
    '[acme.example.com] The automation “Weekly” did not run',
  ])
  const text = bySubject.get('[Acme] 2 new notifications') ?? ''
  for (const line of [/a\.example\.com moved to another project/, /The tide is out/]) assert.match(text, line)
})

test('notifications already read or no longer permitted are not emailed', async () => {
  const { owner, admin } = scene.people
  await scene.tell({ kind: 'domain_lost', facts: { name: 'b.example.com' } })
  await scene.spread()
  await run()
  await scene.database.transaction((tx) =>
    readAllNotifications(tx, owner, new Date(Date.now() + 60_000).toISOString()),
  )
  const setRole = (role: string) =>
    scene.database.pool.query('UPDATE members SET role = $1 WHERE user_id = $2', [role, admin.userId])
  await setRole('viewer')
  assert.deepEqual(await send(), [])
  assert.deepEqual(
    (await mailRows()).map(({ status, error }) => [status, error]),
    [
      ['dropped', 'All of it has been read.'],
      ['dropped', 'All of it has been read.'],
    ],
  )
  await setRole('admin')
})

test('a person gets no email for a kind that is switched off or after unsubscribing', async () => {
  const { owner, admin } = scene.people
  const { transaction, queries } = scene.database
  await transaction((tx) => changeNotificationMail(tx, owner, { kind: 'domain_lost', pace: 'off' }))
  await transaction((tx) => turnOffMails(tx, admin, true))
  await scene.tell({ kind: 'domain_lost', facts: { name: 'c.example.com' } })
  assert.deepEqual(await send(), [])
  const chosen = await readNotificationMail(queries, owner)
  assert.deepEqual(
    chosen.paces.filter(({ pace }) => pace === 'off').map(({ kind }) => kind),
    ['deployment_recovered', 'domain_lost'],
  )
})

test('the daily digest is due at the chosen hour in the time zone of the person', async () => {
  const { owner } = scene.people
  const { transaction, pool } = scene.database
  await scene.tell({ kind: 'automation_stopped', facts: { name: 'Weekly' } })
  await scene.spread()
  await run()
  for (const [digestHour, timeZone] of [
    [7, 'Asia/Kathmandu'],
    [23, 'America/St_Johns'],
    [0, 'Pacific/Kiritimati'],
  ] as const) {
    await transaction((tx) => changeNotificationMail(tx, owner, { digestHour, timeZone }))
    const { rows } = await pool.query(
      `SELECT to_char(due_at AT TIME ZONE $1, 'HH24:MI') AS at, due_at > now() AND due_at <= now() + interval '25 hours' AS is_next
       FROM mails WHERE kind = 'digest' AND user_id = $2`,
      [timeZone, owner.userId],
    )
    assert.deepEqual(rows, [{ at: `${String(digestHour).padStart(2, '0')}:00`, is_next: true }])
  }
  await assert.rejects(
    transaction((tx) => changeNotificationMail(tx, owner, { timeZone: "Mars/Olympus'; --" })),
    { code: 'invalid_request' },
  )
})

test('after ten emails within an hour, the next one waits for the hourly limit', async () => {
  const { owner } = scene.people
  await scene.database.pool.query(
    `INSERT INTO mails (id, kind, organization_id, user_id, address, subject, status, due_at, give_up_at, ended_at)
     SELECT 'mail_0' || n, 'notifications', $1, $2, 'owner@acme.example.com', '', 'sent', now(), now(), now() - n * interval '1 minute'
     FROM generate_series(0, 9) AS n`,
    [scene.organizationId, owner.userId],
  )
  await scene.tell({ kind: 'domain_lost', facts: { name: 'd.example.com' } })
  await scene.spread()
  await run()
  const { rows } = await scene.database.pool.query(
    `SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM mails
     WHERE status = 'waiting' AND user_id = $1`,
    [owner.userId],
  )
  assert.deepEqual(rows, [{ minutes: 51 }])
})

test('setting up a mail server later does not send earlier notifications', async () => {
  await scene.tell({ kind: 'domain_lost', facts: { name: 'e.example.com' } })
  await scene.spread()
  const choice = { host: null, port: null, tls: 'starttls', user: null, from: null } as const
  await run({ ...source, environmentMail: { choice, password: null, variables: [] } })
  assert.deepEqual(await send(), [])
  assert.deepEqual(await mailRows(), [])
})

test('an email past its deadline fails and is not sent afterwards', async () => {
  await scene.tell({ kind: 'domain_lost', facts: { name: 'late.example.com' } })
  await scene.spread()
  await run()
  await scene.database.pool.query(
    `UPDATE mails SET due_at = now() - interval '3 days', give_up_at = now(), sealed = 'a link'`,
  )
  const choice = { host: null, port: null, tls: 'starttls', user: null, from: null } as const
  await run({ ...source, environmentMail: { choice, password: null, variables: [] } })
  assert.deepEqual(await send(), [])
  const { rows } = await scene.database.pool.query('SELECT DISTINCT status, error, sealed FROM mails')
  assert.deepEqual(rows, [{ status: 'failed', error: 'It could not be sent in its time.', sealed: null }])
})

test('after a temporary refusal each recipient gets one email, with the Message-ID of its row', async () => {
  server.misbehaves = { refusesMail: 451 }
  await scene.tell({ kind: 'domain_lost', facts: { name: 'f.example.com' } })
  await send()
  server.misbehaves = {}
  const ids = server.taken.map(({ headers }) => headers['message-id'])
  assert.deepEqual(ids, [])
  await scene.tell({ kind: 'domain_lost', subject: 'y', facts: { name: 'g.example.com' } })
  const mails = await send()
  assert.deepEqual(mails.map(({ to }) => to[0]).sort(), ['admin@acme.example.com', 'owner@acme.example.com'])
  const { rows } = await scene.database.pool.query(`SELECT id FROM mails WHERE status = 'sent' ORDER BY id`)
  assert.deepEqual(
    mails.map(({ headers }) => headers['message-id']).sort(),
    rows.map(({ id }) => `<${id}@acme.example.com>`),
  )
})

test('removing members deletes their queued emails and mail settings', async () => {
  const other = await scene.addTenant('Gone')
  await scene.tell({ kind: 'domain_lost', projectId: other.projectId, facts: { name: 'h.example.com' } })
  await scene.spread()
  await run()
  await scene.database.transaction((tx) => changeNotificationMail(tx, other.people.owner, { digestHour: 9 }))
  await scene.database.pool.query('DELETE FROM members WHERE user_id = $1', [other.people.admin.userId])
  await scene.database.pool.query('DELETE FROM members WHERE user_id = $1', [other.people.owner.userId])
  assert.deepEqual(await mailRows(), [])
  const { rows } = await scene.database.pool.query('SELECT FROM mail_people')
  assert.equal(rows.length, 0)
})
