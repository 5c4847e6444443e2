/**
 * Runs exports, deployments, agent jobs and deletions on a small store while a sweeping process is killed repeatedly.
 * At the end the store holds every object that rows need and almost nothing else.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { mapBounded } from '../../src/base/bounded.ts'
import { sha256 } from '../../src/base/hash.ts'
import { bundleKey } from '../../src/features/export/make-bundle.ts'
import { type ObjectStoreOptions, openObjectStore } from '../kit/open-store.ts'
import { openStorageScene, type SceneProject, type StorageScene, someArchive } from './storage-scene.ts'
import type { SweeperTask } from './sweeper-process.ts'

export interface Churn {
  store: ObjectStoreOptions
  actions: number
  kills: number
}

/** Longer than any action takes, even on a busy machine. */
const GRACE_SECONDS = 8
const AT_ONCE = 8
const ARCHIVES = Array.from({ length: 60 }, () => someArchive(20_000))
/** Maximum bytes stored beyond the needed ones at the end, as a fraction of those. */
const MOST_SURPLUS = 0.1
const SETTLED_MS = 240_000

/** Returns the number of objects deleted by sweeps, and the bytes stored and needed at the end. */
export async function churn({ store, actions, kills }: Churn): Promise<Left & { deleted: number }> {
  await using stored = await openObjectStore(store)
  await using scene = await openStorageScene(stored)
  const projects = await Promise.all(['one', 'two', 'three'].map(scene.addProject))
  await using sweeper = startSweeping({ databaseUrl: scene.database.url, store, graceSeconds: GRACE_SECONDS })
  let left = actions
  const killing = (async () => {
    for (let kill = 0; kill < kills; kill++) {
      await pause(200 + Math.random() * 1300)
      await sweeper.kill()
    }
  })()
  const acting = mapBounded(Array.from({ length: AT_ONCE }), AT_ONCE, async () => {
    while (left-- > 0) await act(scene, projects[Math.floor(Math.random() * projects.length)] as SceneProject)
  })
  await Promise.all([acting, killing])
  await settled(scene)
  await sweeper[Symbol.asyncDispose]()
  assert.ok(sweeper.deleted() > 0, 'the sweeps have deleted something')
  return { deleted: sweeper.deleted(), ...(await checkStore(scene)) }
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item

/** Generates files from a small set of texts, so that versions share some of them. */
function someFiles(): Record<string, string> {
  const names = Array.from({ length: 4 }, () => Math.floor(Math.random() * 200))
  return Object.fromEntries(names.map((name) => [`page-${name}.html`, `${name} `.repeat(500)]))
}

const ACTIONS: ((scene: StorageScene, project: SceneProject) => Promise<unknown>)[] = [
  (scene, project) => scene.addExport(project, pick(ARCHIVES)),
  (scene, project) => scene.addExport(project, someArchive(20_000)),
  (scene, project) => scene.publish(project, someFiles()),
  (scene, project) => scene.addAgentJob(project, someFiles()),
  // A worker that dies before it writes its row.
  async (scene) => {
    const archive = someArchive(20_000)
    await scene.objects.put(bundleKey(sha256(archive)), archive)
  },
  (scene) => deleteSome(scene, 'static_exports', 4),
  (scene) => deleteSome(scene, 'agent_jobs', 2),
  (scene) => deleteSome(scene, 'deployments', 2),
]

async function act(scene: StorageScene, project: SceneProject): Promise<void> {
  await pick(ACTIONS)(scene, project)
}

/** Deletes ended rows at random, except deployments that a site shows. */
async function deleteSome({ database }: StorageScene, table: string, count: number): Promise<void> {
  const except = table === 'deployments' ? 'AND id NOT IN (SELECT deployment_id FROM published_sites)' : ''
  await database.pool.query(
    `DELETE FROM ${table} WHERE id IN (
       SELECT id FROM ${table} WHERE status IN ('completed', 'published', 'failed') ${except} ORDER BY random() LIMIT ${count} FOR UPDATE SKIP LOCKED)`,
  )
}

/** Waits until no object is scheduled for deletion. */
async function settled({ database }: StorageScene): Promise<void> {
  const since = performance.now()
  // Leftovers of the last action are scheduled only by a sweep that starts after this.
  const { rows } = await database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  for (;;) {
    assert.ok(performance.now() - since < SETTLED_MS, 'the sweeps never come to an end')
    const state = await database.pool.query<{ waiting: number; swept: boolean }>(
      `SELECT (SELECT count(*)::integer FROM condemned_objects) AS waiting,
         EXISTS (SELECT FROM storage_sweeps WHERE started_at > $1 AND ended_at IS NOT NULL) AS swept`,
      [rows[0]?.now],
    )
    if (state.rows[0]?.swept && state.rows[0].waiting === 0) return
    await pause(100)
  }
}

interface Left {
  stored: number
  wanted: number
}

async function checkStore(scene: StorageScene): Promise<Left> {
  const needed = await scene.neededKeys()
  let stored = 0
  let wanted = 0
  const found = new Set<string>()
  for await (const { key, sizeBytes } of scene.served.list('')) {
    found.add(key)
    stored += sizeBytes
    if (needed.has(key)) wanted += sizeBytes
  }
  const missing = [...needed].filter((key) => !found.has(key))
  assert.deepEqual(missing, [], 'nothing that a row needs is missing')
  assert.ok(stored <= wanted * (1 + MOST_SURPLUS), `${stored} bytes are stored, ${wanted} needed`)
  for (const key of needed) assert.equal(await scene.served.check(key), 'whole', key)
  return { stored, wanted }
}

export function startSweeping(task: SweeperTask) {
  let deleted = 0
  let isOver = false
  let child = start()
  function start(): ChildProcess {
    const started = fork(join(import.meta.dirname, 'sweeper-process.ts'), [JSON.stringify(task)])
    started.on('message', ({ objects }: { objects: number }) => {
      deleted += objects
    })
    started.on('exit', () => {
      if (!isOver) child = start()
    })
    return started
  }
  const kill = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    kill,
    deleted: () => deleted,
    async [Symbol.asyncDispose]() {
      if (isOver) return
      isOver = true
      await kill()
    },
  }
}
