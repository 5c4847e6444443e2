/** A transfer whose connection ends at any moment leaves the whole project with one of the two organizations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { moveProject } from '../../src/features/projects/lifecycle/move-project.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { sampleOf } from '../kit/whole-run.ts'
import { fillProject } from './project-fill.ts'
import { openStorageScene } from './storage-scene.ts'

const FOLLOWING = [
  'deployments',
  'previews',
  'static_exports',
  'agent_jobs',
  'automations',
  'code_repositories',
] as const
/** Milliseconds after the start of the transaction, denser at first because a fast machine finishes early. */
const MOMENTS = Array.from({ length: 40 }, (_, index) => index ** 2 / 10)

test('a project whose transfer is interrupted belongs to one organization with all its rows', async (t) => {
  await using scene = await openStorageScene(openMemoryStore())
  const { database } = scene
  const [first, second] = [await scene.addProject('first'), await scene.addProject('second')]
  await fillProject(scene, first, 'first')
  const { projectId } = first
  // Not from the pool, whose connections may be the ones terminated.
  await using looker = await openLooker(database.url)
  await looker.query(
    `UPDATE deployments SET status = 'failed', error = 'x', error_code = 'cancelled'
     WHERE project_id = $1 AND status IN ('queued', 'running')`,
    [projectId],
  )
  const sides = [first.organizationId, second.organizationId]
  const owner = async () =>
    (
      await looker.query<{ id: string }>('SELECT organization_id AS id FROM all_projects WHERE id = $1', [
        projectId,
      ])
    ).rows[0]?.id ?? ''
  let cut = 0
  for (const moment of [...sampleOf(MOMENTS, 4), null]) {
    const from = await owner()
    const to = sides.find((side) => side !== from) ?? ''
    const begun = Promise.withResolvers<number>()
    const work = database
      .transaction(async (tx) => {
        const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
        begun.resolve(rows[0]?.pid ?? 0)
        await moveProject(tx, { projectId, from, to, actor: 'test', isOperator: false })
      })
      .then(() => true)
      .catch(() => false)
      .finally(() => begun.resolve(0))
    const pid = await begun.promise
    if (moment !== null) {
      await pause(moment)
      // Only while its transaction is open: afterwards the pool may have given the connection to the next one.
      await looker.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND xact_start IS NOT NULL',
        [pid],
      )
    }
    const isMoved = await work
    if (!isMoved) cut += 1
    const now = await owner()
    if (isMoved) assert.equal(now, to)
    for (const table of FOLLOWING) {
      const { rows } = await looker.query<{ organization_id: string }>(
        `SELECT DISTINCT organization_id FROM ${table} WHERE project_id = $1`,
        [projectId],
      )
      assert.deepEqual(rows, [{ organization_id: now }], table)
    }
    const told = await looker.query(
      `SELECT count(*)::int AS count FROM audit_rows WHERE subject = $1 AND action = 'project.transferred'
       GROUP BY organization_id`,
      [projectId],
    )
    assert.equal(new Set(told.rows.map(({ count }) => count)).size <= 1, true, 'both sides know the same')
  }
  t.diagnostic(`${cut} were cut short`)
  assert.ok(cut > 0)
})

async function openLooker(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
