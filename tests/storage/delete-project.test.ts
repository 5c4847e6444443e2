import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import { AppError } from '../../src/base/errors/errors.ts'
import { silentLog } from '../../src/base/log.ts'
import { skipUnobservedTime } from '../../src/database/clock.ts'
import { type DeletionCriteria, deleteFeedback } from '../../src/features/feedback/delete-feedback.ts'
import {
  deleteProject,
  listDeleted,
  projectHoldings,
  restoreProject,
} from '../../src/features/projects/lifecycle/delete-project.ts'
import { PROJECT_DATA } from '../../src/features/projects/lifecycle/project-data.ts'
import { purgeProjects } from '../../src/features/projects/lifecycle/purge-projects.ts'
import { sweep } from '../../src/features/storage/sweep.ts'
import type { TestDatabase } from '../kit/database.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { fillProject } from './project-fill.ts'
import { openStorageScene, type SceneProject, type StorageScene } from './storage-scene.ts'

const { signal } = new AbortController()

test('every table that holds project data is listed in PROJECT_DATA', async () => {
  await using scene = await openStorageScene(openMemoryStore())
  const { rows } = await scene.database.pool.query<{ name: string }>(`
    WITH RECURSIVE tables AS (
      SELECT oid, relname AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
    ), held AS (
      SELECT oid, name FROM tables
      WHERE name = 'all_projects' OR EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = tables.oid AND attname = 'project_id' AND NOT attisdropped)
      UNION
      SELECT tables.oid, tables.name FROM held
      JOIN pg_constraint ON confrelid = held.oid AND contype = 'f' JOIN tables ON tables.oid = conrelid
    )
    SELECT name FROM held ORDER BY name`)
  const known: string[] = PROJECT_DATA.map(({ table }) => table)
  assert.ok(rows.length > 25, 'the catalogue is read')
  for (const { name } of rows)
    assert.ok(
      known.includes(name),
      `${name} holds something of projects: give it a row in src/features/projects/lifecycle/project-data.ts`,
    )
  assert.equal(known.at(-1), 'all_projects')
})

/** Counts the rows of each table, except tables that record past actions. */
async function countRows({ pool }: TestDatabase): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND relname NOT IN ('audit_rows', 'condemned_objects', 'storage_use', 'storage_sweeps', 'clock') ORDER BY relname`)
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const counted = await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${name}`)
    counts[name] = counted.rows[0]?.count ?? 0
  }
  return counts
}

async function countObjects(scene: StorageScene): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const key of await scene.storedKeys()) {
    const prefix = key.split('/', 1)[0] as string
    counts[prefix] = (counts[prefix] ?? 0) + 1
  }
  return counts
}

async function remove(scene: StorageScene, project: SceneProject, name: string) {
  return scene.database.transaction((tx) =>
    deleteProject(tx, DEFAULT_RETENTION, { ...project, actor: 'test', name }),
  )
}

async function endGrace(scene: StorageScene, { projectId }: SceneProject): Promise<void> {
  await scene.database.pool.query(`UPDATE all_projects SET purge_at = now() WHERE id = $1`, [projectId])
}

test('a deleted project is restored in full or purged with all rows and objects, and others keep theirs', async () => {
  await using scene = await openStorageScene(openMemoryStore())
  const other = await scene.addProject('other')
  await fillProject(scene, other, 'other')
  const rowsBefore = await countRows(scene.database)
  const objectsBefore = await countObjects(scene)

  const acme = await scene.addProject('acme')
  await fillProject(scene, acme, 'acme')
  const full = await countRows(scene.database)
  for (const { table, where } of PROJECT_DATA) {
    const held = await scene.database.pool.query(`SELECT FROM ${table} WHERE ${where}`, [acme.projectId])
    assert.ok(held.rowCount, `the filled project has a row in ${table}`)
  }
  const deps = { objects: scene.served, retention: () => DEFAULT_RETENTION }
  const holdings = await projectHoldings(deps, scene.database.queries, acme)
  const { feedback, deployments, exports, agentJobs, webhooks, passes, questions } = holdings
  assert.deepEqual(
    [feedback, deployments, exports, agentJobs, webhooks, passes, questions],
    [1, 2, 1, 1, 1, 1, 1],
  )
  // An archive, a build cache entry, three manifests, three pages of its own and the shared one.
  assert.equal(holdings.objects, 9)
  assert.ok(holdings.bytes > 4000)

  await assert.rejects(remove(scene, acme, 'other'), (error) => error instanceof AppError)
  const deleted = await remove(scene, acme, 'acme')
  const days = (Date.parse(String(deleted.removedFrom)) - Date.parse(deleted.deletedAt)) / 86_400_000
  assert.equal(Math.round(days), DEFAULT_RETENTION.deletedProjects)
  assert.equal((await listDeleted(scene.database.queries, acme.organizationId)).length, 1)
  await assert.rejects(projectHoldings(deps, scene.database.queries, acme), /Not found/)

  await sweep(scene.sweepDeps(), signal)
  assert.deepEqual(await countRows(scene.database), full, 'a sweep within the grace removes nothing')
  await scene.database.transaction((tx) => restoreProject(tx, { ...acme, actor: 'test' }))
  assert.deepEqual(await projectHoldings(deps, scene.database.queries, acme), holdings)

  await remove(scene, acme, 'acme')
  await endGrace(scene, acme)
  await sweep(scene.sweepDeps({}, 3600), signal)
  const afterRows = await countRows(scene.database)
  // The organization of the project and its member outlive it.
  const { organizations, audit_chains, members } = rowsBefore
  assert.deepEqual({ ...afterRows, organizations, audit_chains, members }, rowsBefore)
  assert.notDeepEqual(await countObjects(scene), objectsBefore, 'objects wait for jobs that may use them')
  await scene.database.pool.query(`UPDATE condemned_objects SET since = since - interval '2 hours'`)
  await sweep(scene.sweepDeps({}, 3600), signal)
  assert.deepEqual(await countObjects(scene), objectsBefore)

  const audit = await scene.database.pool.query<{ action: string; details: unknown }>(
    `SELECT action, details FROM audit_rows WHERE subject = $1 AND action LIKE 'project.%' ORDER BY id`,
    [acme.projectId],
  )
  assert.deepEqual(
    audit.rows.map(({ action }) => action),
    ['project.deleted', 'project.restored', 'project.deleted', 'project.purged'],
  )
  await assert.rejects(
    scene.database.transaction((tx) => restoreProject(tx, { ...acme, actor: 'test' })),
    (error) => error instanceof AppError && error.code === 'not_found',
  )
})

test('only unobserved time after the deletion extends the grace period', async () => {
  await using scene = await openStorageScene(openMemoryStore())
  const [long, just] = [await scene.addProject('long'), await scene.addProject('just')]
  for (const [project, name] of [
    [long, 'long'],
    [just, 'just'],
  ] as const)
    await remove(scene, project, name)
  const { pool } = scene.database
  await pool.query(
    `UPDATE all_projects SET deleted_at = deleted_at - interval '1 day', purge_at = purge_at - interval '1 day'
     WHERE id = $1`,
    [long.projectId],
  )
  await pool.query(`UPDATE clock SET seen = now() - interval '1 hour'`)
  await scene.database.transaction(skipUnobservedTime)
  const { rows } = await pool.query<{ name: string; minutes: number }>(
    `SELECT name, round(extract(epoch FROM purge_at - deleted_at - make_interval(days => $1)) / 60)::int AS minutes
     FROM all_projects WHERE deleted_at IS NOT NULL ORDER BY name`,
    [DEFAULT_RETENTION.deletedProjects],
  )
  assert.deepEqual(rows, [
    { name: 'just', minutes: 0 },
    { name: 'long', minutes: 60 },
  ])
})

test('an interrupted purge cannot be undone by a restore, and resumes', async () => {
  const log = silentLog
  await using scene = await openStorageScene(openMemoryStore(), undefined, log)
  const acme = await scene.addProject('acme')
  await fillProject(scene, acme, 'acme')
  await remove(scene, acme, 'acme')
  await endGrace(scene, acme)
  const deps = { database: scene.database, objects: scene.served }
  let cuts = 0
  for (let allowed = 1; ; allowed += 3) {
    const stop = new AbortController()
    let steps = 0
    const counted = new Proxy(stop.signal, {
      get(target, name) {
        if (name === 'throwIfAborted')
          return () => {
            steps += 1
            if (steps > allowed) throw new Error('killed')
          }
        return Reflect.get(target, name)
      },
    })
    try {
      await purgeProjects(deps, counted, 1)
      break
    } catch (error) {
      assert.equal((error as Error).message, 'killed')
      cuts += 1
      await assert.rejects(scene.database.transaction((tx) => restoreProject(tx, { ...acme, actor: 'test' })))
    }
  }
  assert.ok(cuts > 5)
  for (const { table, where } of PROJECT_DATA) {
    const held = await scene.database.pool.query(`SELECT FROM ${table} WHERE ${where}`, [acme.projectId])
    assert.equal(held.rowCount, 0, table)
  }
  await scene.database.pool.query(`UPDATE condemned_objects SET since = since - interval '2 hours'`)
  await sweep(scene.sweepDeps({}, 3600), signal)
  assert.deepEqual(await countObjects(scene), {})
})

test('deletes feedback by id, contact or age with its copies, and no other feedback', async () => {
  await using scene = await openStorageScene(openMemoryStore())
  const [acme, other] = [await scene.addProject('acme'), await scene.addProject('other')]
  await fillProject(scene, acme, 'acme')
  await fillProject(scene, other, 'other')
  const { pool } = scene.database
  await pool.query(
    `INSERT INTO feedback (id, project_id, source, path, helpful, contact, created_at)
     VALUES ('fb_young', $1, 'contextual', '/', true, 'eve@example.com', now()),
       ('fb_timeless', $1, 'contextual', '/', true, null, null)`,
    [acme.projectId],
  )
  const nobody = { ids: null, contact: null, before: null }
  const call = (meant: Partial<DeletionCriteria>, isDryRun = false) =>
    scene.database.transaction((tx) => deleteFeedback(tx, acme, { ...nobody, ...meant }, isDryRun))
  const before = Date.parse('2021-01-01')
  assert.deepEqual(await call({ before }, true), { matched: 1, deleted: 0, hasMore: false })
  assert.deepEqual(await call({ contact: 'eve@example.com', before }), {
    matched: 0,
    deleted: 0,
    hasMore: false,
  })
  assert.deepEqual(await call({ contact: 'ADA@example.com' }), { matched: 1, deleted: 1, hasMore: false })
  const left = await pool.query<{ id: string }>('SELECT id FROM feedback ORDER BY id')
  assert.deepEqual(
    left.rows.map(({ id }) => id),
    ['fb_other', 'fb_timeless', 'fb_young'],
  )
  const copies = await pool.query<{ text: string }>(
    `
    SELECT feedback::text AS text FROM agent_job_prompts JOIN agent_jobs AS job ON job.id = job_id
      WHERE job.project_id = $1
    UNION ALL SELECT data::text FROM webhook_events WHERE project_id = $1
    UNION ALL SELECT body FROM idempotent_answers WHERE position($1 IN path) > 0
    UNION ALL SELECT feedback_id FROM agent_job_feedback JOIN agent_jobs AS job ON job.id = job_id
      WHERE job.project_id = $1`,
    [acme.projectId],
  )
  assert.deepEqual(copies.rows, [{ text: '[{"id": "fb_other"}]' }])
  const ids = ['fb_timeless', 'fb_other', 'fb_nobody']
  assert.deepEqual(await call({ ids }), { matched: 1, deleted: 1, hasMore: false }, 'of this project alone')
  await assert.rejects(
    scene.database.transaction((tx) =>
      deleteFeedback(
        tx,
        { organizationId: other.organizationId, projectId: acme.projectId },
        { ...nobody, contact: 'x' },
        false,
      ),
    ),
    (error) => error instanceof AppError && error.code === 'not_found',
  )
})
