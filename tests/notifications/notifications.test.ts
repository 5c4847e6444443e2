import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import { ROLES, roleHasPermission } from '../../src/base/api/roles.ts'
import { createId } from '../../src/base/ids.ts'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import {
  completeJob,
  insertJob,
  type JobValues,
  jobRows,
  updateLeased,
} from '../../src/features/agent/store.ts'
import { completeExport, exportRows, insertExport } from '../../src/features/export/store.ts'
import { deploymentRows, insertDeployment } from '../../src/features/hosting/deploy/store.ts'
import { chooseNotifications, readNotificationSettings } from '../../src/features/notifications/choices.ts'
import {
  levelsOf,
  NOTIFICATION_KIND_NAMES,
  NOTIFICATION_KINDS,
  notificationText,
} from '../../src/features/notifications/operations/notification-kinds.ts'
import {
  countUnread,
  kindsForRole,
  listNotifications,
  markNotifications,
  readAllNotifications,
} from '../../src/features/notifications/read-notifications.ts'
import { recordNotification } from '../../src/features/notifications/record-notification.ts'
import { retireNotifications } from '../../src/features/notifications/retire-notifications.ts'
import { addKey, addProject } from '../kit/accounts.ts'
import { addPerson } from '../kit/people.ts'
import { type NotificationScene, openNotificationScene } from './notification-scene.ts'

let scene: NotificationScene
before(async () => {
  scene = await openNotificationScene()
})
after(() => scene[Symbol.asyncDispose]())

/** Returns the notification texts by role, then deletes all notifications. */
async function toldOf(): Promise<Record<string, string[]>> {
  await scene.spread()
  const told: Record<string, string[]> = {}
  for (const role of ROLES) {
    const lines = await scene.list(scene.people[role])
    if (lines.length > 0) told[role] = lines.map(({ text }) => text)
  }
  await forget()
  return told
}

async function forget(): Promise<void> {
  await scene.database.pool.query('DELETE FROM notifications')
  await scene.database.pool.query('DELETE FROM notification_events')
  await scene.database.pool.query('DELETE FROM notification_choices')
}

test('each kind is for the roles that can act on it, and has a sentence for one and for many', () => {
  for (const kind of NOTIFICATION_KIND_NAMES) {
    const { permission, usual } = NOTIFICATION_KINDS[kind]
    for (const role of ROLES)
      assert.equal(kindsForRole(role).includes(kind), roleHasPermission(role, permission))
    assert.ok(levelsOf(kind).includes(usual), kind)
    const texts = [
      notificationText({ kind, facts: {}, count: 1 }),
      notificationText({ kind, facts: { name: 'A', reason: 'B.' }, count: 1 }),
      notificationText({ kind, facts: {}, count: 3 }),
    ]
    for (const text of texts) assert.match(text, /^[A-Z0-9][^\n]*[^.\s]$/, kind)
  }
})

test('notifies who started the work, the maker of the key that did, or everyone with permission', async () => {
  const { editor, admin } = scene.people
  await scene.tell({ kind: 'export_ready', owner: editor.userId })
  assert.deepEqual(Object.keys(await toldOf()), ['editor'])
  const { database, organizationId } = scene
  const key = await addKey(database, organizationId, { makerId: admin.userId })
  await scene.tell({ kind: 'export_ready', owner: key.id })
  assert.deepEqual(Object.keys(await toldOf()), ['admin'])
  await scene.tell({ kind: 'export_ready', owner: (await addKey(database, organizationId)).id })
  assert.deepEqual(Object.keys(await toldOf()), ['editor', 'admin', 'owner'])
  await scene.tell({ kind: 'domain_lost', facts: { name: 'docs.example.com' } })
  assert.deepEqual(await toldOf(), {
    admin: ['The domain docs.example.com moved to another project'],
    owner: ['The domain docs.example.com moved to another project'],
  })
})

test('an assignment notifies only the assignee, and no one once the assignee is removed', async () => {
  const { viewer } = scene.people
  await scene.tell({ kind: 'feedback_assigned', owner: viewer.userId, facts: { entries: 3 } })
  assert.deepEqual(await toldOf(), { viewer: ['3 feedback entries were assigned to you'] })
  await scene.tell({ kind: 'feedback_assigned', owner: 'usr_gone', facts: { entries: 1 } })
  assert.deepEqual(await toldOf(), {})
})

test('a setting for one project overrides the one for all projects, which overrides the default', async () => {
  const { editor, admin, owner } = scene.people
  const choose = (who: typeof editor, projectId: string | null, level: 'off' | 'own' | 'all' | null) =>
    scene.database.transaction((tx) =>
      chooseNotifications(tx, who, { kind: 'export_ready', projectId, level }),
    )
  await choose(editor, null, 'off')
  await choose(admin, null, 'off')
  await choose(admin, scene.projectId, 'all')
  await choose(owner, null, 'all')
  const settings = await readNotificationSettings(scene.database.queries, admin)
  assert.deepEqual(
    settings.choices.map(({ projectId, level }) => [projectId, level]),
    [
      [scene.projectId, 'all'],
      [null, 'off'],
    ],
  )
  await scene.tell({ kind: 'export_ready', owner: editor.userId })
  await scene.spread()
  assert.deepEqual(
    (await Promise.all([editor, admin, owner].map(scene.list))).map(({ length }) => length),
    [0, 1, 1],
  )
  await choose(owner, null, null)
  assert.deepEqual((await readNotificationSettings(scene.database.queries, owner)).choices, [])
  const other = await scene.addTenant('Choices')
  await assert.rejects(choose(editor, other.projectId, 'off'), { code: 'not_found' })
  await assert.rejects(
    scene.database.transaction((tx) =>
      chooseNotifications(tx, editor, { kind: 'feedback_assigned', projectId: null, level: 'all' }),
    ),
    { code: 'invalid_request' },
  )
  await forget()
})

test('twenty exports in a minute share one notification, and a new one starts after it is read', async () => {
  const { editor } = scene.people
  const all = Array.from({ length: 20 }, (_, index) =>
    scene.tell({ kind: 'export_ready', subject: `se_${index}`, owner: editor.userId }),
  )
  await Promise.all(all)
  await scene.spread()
  await scene.tell({ kind: 'export_ready', subject: 'se_last', owner: editor.userId })
  await Promise.all([scene.spread(), scene.spread()])
  const [line, ...more] = await scene.list(editor)
  assert.deepEqual(more, [])
  assert.equal(line?.text, '21 exports are ready to download')
  assert.equal(line?.path, `/p/${scene.projectId}/exports`)
  const notificationIds = [line?.notificationId ?? '']
  await scene.database.transaction((tx) => markNotifications(tx, editor, { notificationIds, isRead: true }))
  await scene.tell({ kind: 'export_ready', subject: 'se_next', owner: editor.userId })
  await scene.spread()
  const after = await scene.list(editor)
  assert.deepEqual(
    after.map(({ text, isRead, path }) => [text, isRead, path]),
    [
      ['The export is ready to download', false, `/p/${scene.projectId}/exports/se_next`],
      ['21 exports are ready to download', true, `/p/${scene.projectId}/exports`],
    ],
  )
  assert.equal(await countUnread(scene.database.queries, editor), 1)
  await forget()
})

test('creating notifications does not wait for a reader marking them, and new ones stay unread', async () => {
  const { editor } = scene.people
  const { database } = scene
  await scene.tell({ kind: 'export_ready', owner: editor.userId })
  await scene.tell({ kind: 'job_failed', owner: editor.userId })
  await scene.spread()
  const [newest] = await scene.list(editor)
  const until = newest?.updatedAt ?? ''
  await assert.rejects(
    database.transaction((tx) => readAllNotifications(tx, editor, '2026-11-23T23:59:60Z')),
    { code: 'invalid_request' },
  )
  await database.transaction(async (tx) => {
    await readAllNotifications(tx, editor, until)
    await scene.tell({ kind: 'export_ready', owner: editor.userId })
    // Simulates an event that was created long ago and is committed only now.
    await database.pool.query(`UPDATE notification_events SET created_at = now() - interval '1 day'
      WHERE NOT is_spread`)
    await scene.spread()
  })
  await database.transaction((tx) => readAllNotifications(tx, editor, until))
  const lines = await scene.list(editor)
  assert.deepEqual(lines.map(({ kind, isRead }) => `${kind} ${isRead ? 'read' : 'unread'}`).sort(), [
    'export_ready read',
    'export_ready unread',
    'job_failed read',
  ])
  await forget()
})

test('users cannot receive, read or mark notifications of another organization', async () => {
  const other = await scene.addTenant('Umbrella')
  const { owner } = scene.people
  await scene.tell({ kind: 'domain_lost', facts: { name: 'a' } })
  await scene.spread()
  assert.deepEqual(await scene.list(other.people.owner), [])
  // A sufficient role, but in the other organization.
  assert.deepEqual(await scene.list({ ...other.people.owner, organizationId: scene.organizationId }), [])
  const [line] = await scene.list(owner)
  const notificationIds = [line?.notificationId ?? '']
  await scene.database.transaction((tx) =>
    markNotifications(tx, other.people.owner, { notificationIds, isRead: true }),
  )
  assert.equal(await countUnread(scene.database.queries, owner), 1)
  await forget()
})

test('losing the role, membership or project hides its notifications and stops pending ones', async () => {
  const { database, organizationId } = scene
  const { id: userId } = await addPerson(database, {
    email: 'leaving@example.com',
    organizationId,
    role: 'admin',
  })
  const leaving = { organizationId, userId, role: 'admin' as const }
  await scene.tell({ kind: 'domain_lost', facts: { name: 'a' } })
  await scene.spread()
  assert.equal((await scene.list(leaving)).length, 1)
  assert.deepEqual(await scene.list({ ...leaving, role: 'editor' }), [])
  await scene.tell({ kind: 'deployment_failed', facts: { reason: 'No docs.json.' } })
  await database.pool.query('DELETE FROM members WHERE user_id = $1', [userId])
  await scene.spread()
  const { rows } = await database.pool.query('SELECT FROM notifications WHERE user_id = $1', [userId])
  assert.equal(rows.length, 0)

  const { id: gone } = await addProject(database, organizationId, 'gone.example.com')
  await scene.tell({ kind: 'domain_lost', projectId: gone, facts: { name: 'b' } })
  await scene.spread()
  const before = await countUnread(database.queries, scene.people.owner)
  await scene.tell({ kind: 'deployment_failed', projectId: gone })
  await database.pool.query('UPDATE all_projects SET deleted_at = now(), purge_at = now() WHERE id = $1', [
    gone,
  ])
  await scene.tell({ kind: 'deployment_failed', projectId: gone })
  await scene.spread()
  assert.equal(await countUnread(database.queries, scene.people.owner), before - 1)
  assert.equal((await scene.list(scene.people.owner)).filter(({ projectId }) => projectId === gone).length, 0)
  await forget()
})

test('truncates facts to one line of text and deduplicates within onceInHours', async () => {
  const name = `<b>\u0000\u202e${'long '.repeat(100_000)}\n\n# end`
  const once = { kind: 'automation_stopped', subject: 'aut_1', facts: { name }, onceInHours: 24 } as const
  await scene.tell(once)
  await scene.tell(once)
  await scene.tell({ ...once, subject: 'aut_2' })
  const { rows } = await scene.database.pool.query<{ facts: { name: string } }>(
    'SELECT facts FROM notification_events',
  )
  assert.equal(rows.length, 2)
  assert.equal([...(rows[0]?.facts.name ?? '')].length, 200)
  assert.doesNotMatch(rows[0]?.facts.name ?? '', /[\p{Cc}\p{Cf}]/u)
  await forget()
})

test('a notification is rolled back with the transaction that recorded it', async () => {
  const { database, projectId } = scene
  await assert.rejects(
    database.transaction(async (tx) => {
      await recordNotification(tx, { kind: 'deployment_failed', projectId, subject: 'dep_1' })
      throw new Error('undone')
    }),
    /undone/,
  )
  assert.deepEqual(await toldOf(), {})
})

test('agent jobs notify of a change to review and of a failure, but not when cancelled', async () => {
  const { database, organizationId, projectId } = scene
  const { editor } = scene.people
  const startJob = async () => {
    const id = createId('aj')
    const place = {
      id,
      organizationId,
      projectId,
      repository: 'https://git.example.com/docs.git',
      ref: 'main',
    }
    await database.transaction((tx) =>
      insertJob(tx, { ...place, model: 'none', effort: null, startedBy: editor.userId }),
    )
    const held = { id, attempt: 1 }
    await jobRows.claim(database.queries, held)
    return held
  }
  const finish = async (values: JobValues) => {
    const held = await startJob()
    await database.transaction(async (tx) => {
      await updateLeased(tx, held, values)
      await completeJob(tx, held)
    })
  }
  await finish({ title: 'Name the flag', pull_request_state: 'open' })
  assert.deepEqual(await toldOf(), { editor: ['The agent’s change “Name the flag” is ready for review'] })
  await finish({ title: 'Nothing to do' })
  assert.deepEqual(await toldOf(), {})
  const failure = {
    error: 'The pages are wrong:\n- a.mdx leads nowhere\n- b.mdx too',
    code: 'internal' as const,
  }
  const failed = await startJob()
  await database.transaction((tx) => jobRows.fail(tx, failed, failure))
  assert.deepEqual(await toldOf(), { editor: ['The agent job failed: The pages are wrong'] })
  const cancelled = await startJob()
  const byHand = { error: 'Cancelled.', code: 'cancelled' as const }
  await database.transaction((tx) => jobRows.cancel(tx, { organizationId }, cancelled.id, byHand))
  assert.deepEqual(await toldOf(), {})
})

test('exports notify on success and failure, deployments on failure and recovery, cancelled exports never', async () => {
  const { database, organizationId, projectId } = scene
  const { editor } = scene.people
  const failure = { error: 'The folder has no docs.json.', code: 'internal' as const }
  const startExport = async () => {
    const id = createId('se')
    const { queries } = database
    const options = { deployment: 'air-gapped', features: {}, widgets: null, paths: null, version: null }
    const place = { id, organizationId, projectId, domain: 'acme.example.com', startedBy: editor.userId }
    await insertExport(queries, { ...place, ...options } as unknown as Parameters<typeof insertExport>[1])
    const held = { id, attempt: 1 }
    await exportRows.claim(queries, held)
    return held
  }
  const ready = await startExport()
  const bundle = { pageCount: 1, warnings: [], sha256: 'x', sizeBytes: 1, callServers: [] }
  assert.ok(await database.transaction((tx) => completeExport(tx, ready, bundle)))
  assert.deepEqual(await toldOf(), { editor: ['The export is ready to download'] })
  const failed = await startExport()
  await database.transaction((tx) => exportRows.fail(tx, failed, failure))
  assert.deepEqual(await toldOf(), { editor: ['The export failed: The folder has no docs.json'] })
  const cancelled = await startExport()
  const byHand = { error: 'Cancelled.', code: 'cancelled' as const }
  await database.transaction((tx) => exportRows.cancel(tx, { organizationId }, cancelled.id, byHand))
  assert.deepEqual(await toldOf(), {})

  const startDeployment = async () => {
    const id = createId('dep')
    await insertDeployment(database.queries, { id, organizationId, projectId })
    const held = { id, attempt: 1 }
    await deploymentRows.claim(database.queries, held)
    return held
  }
  const publish = async () => {
    const held = await startDeployment()
    await database.transaction((tx) => deploymentRows.complete(tx, held, {}))
  }
  await publish()
  assert.deepEqual(await toldOf(), {})
  const broken = await startDeployment()
  await database.transaction((tx) => deploymentRows.fail(tx, broken, failure))
  const said = 'The deployment failed: The folder has no docs.json'
  assert.deepEqual(await toldOf(), { editor: [said], admin: [said], owner: [said] })
  await publish()
  const well = 'Deployments are working again: the site was published'
  assert.deepEqual(await toldOf(), { editor: [well], admin: [well], owner: [well] })
  await publish()
  assert.deepEqual(await toldOf(), {})
})

test('pages the list, marks all as read up to the last one seen, and deletes expired notifications', async () => {
  const { owner } = scene.people
  const { pool, queries, transaction } = scene.database
  await pool.query(
    `INSERT INTO notifications (id, organization_id, user_id, project_id, kind, subject, facts, count,
       created_at, updated_at)
     SELECT 'ntf_' || lpad(n::text, 26, '0'), $1, $2, $3, 'domain_lost', 'x', '{"name": "a"}', 1, at, at
     FROM generate_series(1, 150) AS n, LATERAL (SELECT now() - n * interval '1 day' AS at) AS times`,
    [owner.organizationId, owner.userId, scene.projectId],
  )
  assert.equal(await countUnread(queries, owner), 100, 'more are not counted')
  const cursors = createCursorCodec('x')
  const ids = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await listNotifications({ cursors }, queries, owner, {
      limit: 40,
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const { notificationId } of page.notifications) ids.add(notificationId)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  assert.equal(ids.size, 150)
  const foreign = cursors.encode('another list', ['2026-01-01', 'x'])
  await assert.rejects(listNotifications({ cursors }, queries, owner, { cursor: foreign }), {
    code: 'invalid_request',
  })
  const seen = (await scene.list(owner))[9]?.updatedAt ?? ''
  await transaction((tx) => readAllNotifications(tx, owner, seen))
  assert.equal(await countUnread(queries, owner), 9)
  await retireNotifications(queries, DEFAULT_RETENTION)
  const left = await pool.query('SELECT FROM notifications')
  assert.equal(left.rows.length, DEFAULT_RETENTION.notifications - 1)
  await forget()
})
