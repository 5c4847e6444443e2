import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '../../src/base/errors/errors.ts'
import { moveProject, planTransfer } from '../../src/features/projects/lifecycle/move-project.ts'
import { PROJECT_DATA } from '../../src/features/projects/lifecycle/project-data.ts'
import type { TRANSFER_LOSSES } from '../../src/features/projects/operations/transfer.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { fillProject } from './project-fill.ts'
import { openStorageScene, type SceneProject, type StorageScene } from './storage-scene.ts'

let scene: StorageScene
before(async () => {
  scene = await openStorageScene(openMemoryStore())
})
after(() => scene[Symbol.asyncDispose]())

/** Returns the tables that have this column, from the system catalog. */
async function tablesWith(column: string): Promise<string[]> {
  const { rows } = await scene.database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
       AND attname = $1 AND NOT attisdropped ORDER BY relname`,
    [column],
  )
  return rows.map(({ name }) => name)
}

const move = (project: SceneProject, to: string, isOperator = false) =>
  scene.database.transaction((tx) =>
    moveProject(tx, {
      ...{ projectId: project.projectId, from: project.organizationId, to },
      ...{ actor: 'test', isOperator },
    }),
  )

async function held(table: string, projectId: string): Promise<{ organization_id?: string }[]> {
  const where = PROJECT_DATA.find((data) => data.table === table)?.where
  return (await scene.database.pool.query(`SELECT * FROM ${table} WHERE ${where}`, [projectId])).rows
}

/** Ends the running jobs of a filled project. */
async function rest({ projectId }: SceneProject): Promise<void> {
  for (const [table, status] of [
    ['deployments', 'failed'],
    ['static_exports', 'failed'],
    ['agent_jobs', 'failed'],
  ])
    await scene.database.pool.query(
      `UPDATE ${table} SET status = $2, error = 'x', error_code = 'cancelled'
       WHERE project_id = $1 AND status IN ('queued', 'running', 'active')`,
      [projectId, status],
    )
}

test('every table with an organization and a project follows a transfer by foreign key or is emptied', async () => {
  const withProject = await tablesWith('project_id')
  const both = (await tablesWith('organization_id')).filter((table) => withProject.includes(table))
  assert.ok(both.length > 8, 'the catalogue is read')
  const { rows } = await scene.database.pool.query<{ name: string }>(
    `SELECT conrelid::regclass::text AS name FROM pg_constraint
     WHERE contype = 'f' AND confrelid = 'all_projects'::regclass AND confupdtype = 'c' AND cardinality(conkey) = 2`,
  )
  const follows = new Set(rows.map(({ name }) => name))
  const project = await scene.addProject('catalogue')
  const other = await scene.addProject('catalogue-to')
  await fillProject(scene, project, 'catalogue')
  await rest(project)
  await move(project, other.organizationId)
  for (const table of both) {
    const left = await held(table, project.projectId)
    assert.ok(
      follows.has(table) || left.length === 0,
      `${table} names an organization: let it follow (src/database/migrations/0060), or leave its rows behind (src/features/projects/lifecycle/move-project.ts)`,
    )
  }
})

test('a transferred project has no row of the old organization and keeps its own data', async () => {
  const [acme, other] = [await scene.addProject('acme'), await scene.addProject('other')]
  await fillProject(scene, acme, 'acme')
  await rest(acme)
  const { pool } = scene.database
  await pool.query(
    `INSERT INTO api_keys (id, organization_id, name, hash, last_four, scopes, allow_list, project_ids)
     VALUES ('key_only', $1, 'only', '\\x01', 'aaaa', '{read}', '{}', ARRAY[$2]),
       ('key_both', $1, 'both', '\\x02', 'bbbb', '{read}', '{}', ARRAY[$2, 'prj_x'])`,
    [acme.organizationId, acme.projectId],
  )
  await pool.query('UPDATE feedback SET assignee_id = $2 WHERE project_id = $1', [acme.projectId, 'usr_x'])
  await pool.query('UPDATE project_publishing SET hook_secret = $2 WHERE project_id = $1', [
    acme.projectId,
    Buffer.alloc(8),
  ])
  const plan = await planTransfer(scene.database.queries, {
    projectId: acme.projectId,
    to: other.organizationId,
  })
  const lost = new Map(plan.losses.map(({ what, count }) => [what, count]))
  for (const [what, count] of Object.entries({
    webhooks: 1,
    push_secret: 1,
    commit_key: 1,
    automations: 1,
    assignees: 1,
    views: 1,
    notifications: 1,
    keys: 2,
    passes: 1,
  }))
    assert.equal(lost.get(what as keyof typeof TRANSFER_LOSSES), count, what)
  const counts = Object.fromEntries(
    await Promise.all(
      PROJECT_DATA.map(async ({ table }) => [table, (await held(table, acme.projectId)).length] as const),
    ),
  )
  await move(acme, other.organizationId)
  const gone = [
    ...['webhook_deliveries', 'webhook_endpoints', 'webhook_events', 'feedback_views', 'project_transfers'],
    ...['notifications', 'notification_events', 'notification_choices', 'idempotent_answers'],
    'site_passes',
    'commit_keys',
  ]
  for (const { table } of PROJECT_DATA) {
    const rows = await held(table, acme.projectId)
    assert.equal(
      rows.length,
      gone.includes(table) ? 0 : (counts[table] ?? 0) + (table === 'feedback_changes' ? 1 : 0),
      table,
    )
    for (const row of rows)
      if (row.organization_id !== undefined) assert.equal(row.organization_id, other.organizationId, table)
  }
  const { rows: unassigned } = await pool.query(
    `SELECT assignee_id, from_assignee, to_assignee, actor FROM feedback
     JOIN feedback_changes ON feedback_id = feedback.id AND from_assignee = 'usr_x' WHERE project_id = $1`,
    [acme.projectId],
  )
  assert.deepEqual(unassigned, [
    { assignee_id: null, from_assignee: 'usr_x', to_assignee: null, actor: 'system' },
  ])
  const keys = await pool.query(
    'SELECT id, project_ids, revoked_at IS NULL AS valid FROM api_keys ORDER BY id',
  )
  assert.deepEqual(
    keys.rows.map(({ id, project_ids, valid }) => [id, project_ids, valid]),
    [
      ['key_both', ['prj_x'], true],
      ['key_only', [acme.projectId], false],
    ],
  )
  const { rows: jobs } = await pool.query('SELECT link_salt FROM agent_jobs WHERE project_id = $1', [
    acme.projectId,
  ])
  assert.ok(jobs.every(({ link_salt }) => link_salt.length > 20))
  const { rows: automations } = await pool.query(
    'SELECT paused_at IS NULL AS runs, made_by FROM automations WHERE project_id = $1',
    [acme.projectId],
  )
  assert.deepEqual(automations, [{ runs: false, made_by: null }])
  const audit = await pool.query(
    `SELECT organization_id FROM audit_rows WHERE subject = $1 AND action = 'project.transferred'`,
    [acme.projectId],
  )
  assert.deepEqual(
    new Set(audit.rows.map((row) => row.organization_id)),
    new Set([acme.organizationId, other.organizationId]),
  )
  // Work started under the previous organization is rejected and not written.
  await assert.rejects(
    pool.query(`INSERT INTO deployments (id, organization_id, project_id) VALUES ('dep_late', $1, $2)`, [
      acme.organizationId,
      acme.projectId,
    ]),
    /deployments_follow_project/,
  )
})

test('rejects the transfer of a project with a running job or a domain the new organization claims', async () => {
  const [from, to] = [await scene.addProject('from'), await scene.addProject('to')]
  const code = (wanted: string) => (error: unknown) => error instanceof AppError && error.code === wanted
  await scene.database.pool.query(
    `INSERT INTO deployments (id, organization_id, project_id) VALUES ('dep_work', $1, $2)`,
    [from.organizationId, from.projectId],
  )
  await assert.rejects(move(from, to.organizationId), code('project_at_work'))
  await rest(from)
  await scene.database.pool.query(
    `INSERT INTO project_domains (project_id, domain, state, unproved_since, check_at) VALUES
      ($1, 'same.example.com', 'served', now() - interval '6 days', now()),
      ($2, 'same.example.com', 'pending', NULL, NULL)`,
    [from.projectId, to.projectId],
  )
  await assert.rejects(move(from, to.organizationId), code('domain_taken'))
  await scene.database.pool.query('DELETE FROM project_domains WHERE project_id = $1', [to.projectId])
  await assert.rejects(move(from, 'org_nobody'), code('not_found'))
  await move(from, to.organizationId)
  const [domain] = await held('project_domains', from.projectId)
  const { state, unproved_since: since } = domain as { state?: string; unproved_since?: Date | null }
  assert.equal(state, 'served', 'its host names stay its own')
  assert.ok(since && since < new Date(Date.now() - 5 * 86_400_000), 'days without a proof go on')
  await assert.rejects(move(from, to.organizationId), code('not_found'), 'it is not theirs any more')
})
