import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import { deleteProject } from '../../src/features/projects/lifecycle/delete-project.ts'
import { PROJECT_DATA } from '../../src/features/projects/lifecycle/project-data.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { until } from '../kit/until.ts'
import { faultRounds } from '../kit/whole-run.ts'
import { startSweeping } from './churn.ts'
import { fillProject } from './project-fill.ts'
import { openStorageScene, type SceneProject } from './storage-scene.ts'

test('a project is purged completely, however often the purging process is killed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-delete-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const store = { kind: 'disk', folder, publicUrl: 'http://localhost', secret: 'sixteen characters' } as const
  await using stored = await openObjectStore(store)
  await using scene = await openStorageScene(stored)
  const { database } = scene
  const other = await scene.addProject('other')
  await fillProject(scene, other, 'other')
  // Build caches do not count: the sweeps of this test delete them.
  const storedBefore = [...(await scene.storedKeys())].filter((key) => !key.startsWith('cache/'))
  const objectsBefore = new Set(storedBefore)

  const rounds = faultRounds(3)
  const projects: SceneProject[] = []
  for (let round = 0; round < rounds; round++) {
    const project = await scene.addProject(`gone${round}`)
    await fillProject(scene, project, `gone${round}`)
    await database.pool.query(
      `INSERT INTO feedback (id, project_id, source, path)
       SELECT 'fb_' || $2 || '_' || n, $1, 'agent', '/' FROM generate_series(1, 12000) AS n`,
      [project.projectId, round],
    )
    projects.push(project)
  }
  await using sweeper = startSweeping({ databaseUrl: database.url, store, graceSeconds: 0 })
  let kills = 0
  for (const [round, project] of projects.entries()) {
    await database.transaction((tx) =>
      deleteProject(tx, DEFAULT_RETENTION, { ...project, actor: 'test', name: `gone${round}` }),
    )
    await database.pool.query('UPDATE all_projects SET purge_at = now() WHERE id = $1', [project.projectId])
    while (await holds(project, 'all_projects')) {
      // The pause grows with the kills, so that a purge can finish even on a busy machine.
      await pause(Math.random() * 600 * (1 + kills / 4))
      await sweeper.kill()
      kills += 1
    }
  }
  t.diagnostic(`${kills} kills for ${rounds} projects`)
  for (const project of projects)
    for (const { table } of PROJECT_DATA) assert.equal(await holds(project, table), false, table)
  for (const { table } of PROJECT_DATA) assert.equal(await holds(other, table), true, table)
  await until(async () => (await scene.storedKeys()).size === objectsBefore.size)
  assert.deepEqual(await scene.storedKeys(), objectsBefore)

  async function holds({ projectId }: SceneProject, name: string): Promise<boolean> {
    const { where } = PROJECT_DATA.find(({ table }) => table === name) ?? {}
    const { rowCount } = await database.pool.query(`SELECT FROM ${name} WHERE ${where} LIMIT 1`, [projectId])
    return rowCount === 1
  }
})
