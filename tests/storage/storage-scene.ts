/** Organizations, projects and rows that need objects, as a sweep sees them, without a rendered site. */
import { randomBytes } from 'node:crypto'
import { DEFAULT_RETENTION, type Retention } from '../../src/base/api/retention.ts'
import { sha256 } from '../../src/base/hash.ts'
import { createId } from '../../src/base/ids.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { unscheduleObjects } from '../../src/database/unschedule-objects.ts'
import { createOrganization } from '../../src/features/accounts/organizations/organizations.ts'
import { bundleKey } from '../../src/features/export/make-bundle.ts'
import { completeExport, exportRows, insertExport } from '../../src/features/export/store.ts'
import { publishVersion } from '../../src/features/hosting/deploy/promote.ts'
import { deploymentRows, insertDeployment } from '../../src/features/hosting/deploy/store.ts'
import { createRetainer, openRetainingStore } from '../../src/features/storage/retaining-store.ts'
import type { SweepDeps } from '../../src/features/storage/sweep.ts'
import { openCheckedStore } from '../../src/objects/checked-store.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { putBlob } from '../../src/render/versions/blobs.ts'
import { blobKey, type SiteManifest } from '../../src/render/versions/manifest.ts'
import { readManifest, saveManifest } from '../../src/render/versions/site-versions.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

export type StorageScene = Awaited<ReturnType<typeof openStorageScene>>

export interface SceneProject {
  organizationId: string
  projectId: string
}

/** `stored` is disposed by the caller. */
export async function openStorageScene(stored: ObjectStore, database?: TestDatabase, log: Log = silentLog) {
  const known = database ?? (await openTestDatabase())
  return { ...sceneOn(stored, known, log), [Symbol.asyncDispose]: () => known[Symbol.asyncDispose]() }
}

function sceneOn(stored: ObjectStore, database: TestDatabase, log: Log) {
  const { queries } = database
  const served = openCheckedStore(stored, log)
  const objects = openRetainingStore(
    served,
    createRetainer((keys) => unscheduleObjects(queries, keys)),
  )

  return {
    database,
    objects,
    served,
    /** Returns the dependencies of a sweep. `retention` is in days. */
    sweepDeps: (retention: Partial<Retention> = {}, graceSeconds = 0): SweepDeps => ({
      database,
      objects: served,
      log,
      retention: { ...DEFAULT_RETENTION, ...retention },
      graceSeconds,
      cacheSeconds: 14 * 86_400,
    }),

    async addProject(name: string): Promise<SceneProject> {
      return database.transaction(async (tx) => {
        const { id: organizationId } = await createOrganization(tx, {
          name,
          plan: 'enterprise',
          actor: 'test',
        })
        const projectId = createId('prj')
        await tx
          .insertInto('projects')
          .values({
            id: projectId,
            site_id: createId('site'),
            organization_id: organizationId,
            name,
            source_kind: 'folder',
            repository: '/nowhere',
            ref: null,
          })
          .execute()
        return { organizationId, projectId }
      })
    },

    /** Writes in the order of a worker: first the archive, then the row. */
    async addExport(project: SceneProject, archive: Uint8Array): Promise<string> {
      const id = createId('se')
      await insertExport(queries, {
        id,
        ...project,
        domain: 'docs.example.com',
        deployment: 'client-hosted',
        features: {} as never,
        widgets: {},
        paths: null,
        version: null,
        startedBy: 'test',
      })
      await exportRows.claim(queries, { id, attempt: 1 })
      const bundle = { sha256: sha256(archive), sizeBytes: archive.byteLength }
      if ((await objects.check(bundleKey(bundle.sha256))) !== 'whole')
        await objects.put(bundleKey(bundle.sha256), archive)
      await database.transaction((tx) =>
        completeExport(tx, { id, attempt: 1 }, { ...bundle, pageCount: 1, warnings: [], callServers: [] }),
      )
      return id
    },

    /** `files` are texts by path. Returns the id of the deployment. */
    async publish(project: SceneProject, files: Readonly<Record<string, string>>): Promise<string> {
      const { id } = await insertDeployment(queries, { id: createId('dep'), ...project })
      const held = { id, attempt: 1 }
      await deploymentRows.claim(queries, held)
      const manifestKey = await saveManifest(objects, await makeManifest(objects, files))
      await database.transaction((tx) =>
        publishVersion(tx, held, {
          projectId: project.projectId,
          revision: 'content:0',
          manifestKey,
          pageCount: 1,
          problems: [],
        }),
      )
      return id
    },

    /** Adds a completed job with rendered pages and a conversation. */
    async addAgentJob(project: SceneProject, files: Readonly<Record<string, string>>): Promise<string> {
      const id = createId('aj')
      const manifestKey = await saveManifest(objects, await makeManifest(objects, files))
      await database.pool.query(
        `WITH job AS (
           INSERT INTO agent_jobs (id, organization_id, project_id, status, repository, ref, model, after_manifest)
           VALUES ($1, $2, $3, 'completed', 'local', 'main', 'test:model', $4) RETURNING id)
         INSERT INTO agent_job_messages (job_id, number, message) SELECT id, 1, '{}' FROM job`,
        [id, project.organizationId, project.projectId, manifestKey],
      )
      return id
    },

    /** Returns the keys of all objects that rows need, computed from the rows independently of a sweep. */
    async neededKeys(): Promise<Set<string>> {
      const keys = new Set<string>()
      const exports = await queries
        .selectFrom('static_exports')
        .select('bundle_sha256')
        .where('status', '=', 'completed')
        .execute()
      for (const { bundle_sha256 } of exports) keys.add(bundleKey(String(bundle_sha256)))
      const versions = await database.pool.query<{ key: string }>(
        `SELECT manifest_key AS key FROM published_sites
         UNION SELECT manifest_key FROM deployments WHERE status = 'published'
         UNION SELECT after_manifest FROM agent_jobs WHERE after_manifest IS NOT NULL`,
      )
      for (const { key } of versions.rows) {
        keys.add(key)
        const { files } = await readManifest(served, key)
        for (const file of Object.values(files)) keys.add(blobKey(file.sha256))
      }
      return keys
    },

    async storedKeys(): Promise<Set<string>> {
      return new Set((await Array.fromAsync(stored.list(''))).map(({ key }) => key))
    },
  }
}

async function makeManifest(
  objects: ObjectStore,
  files: Readonly<Record<string, string>>,
): Promise<SiteManifest> {
  const written: SiteManifest['files'] = {}
  for (const [path, text] of Object.entries(files)) written[path] = await putBlob(objects, path, text)
  return {
    format: 1,
    octavo: '0.0.0',
    revision: 'content:0',
    deployment: 'cloud',
    features: {} as never,
    pageCount: 1,
    files: written,
    redirects: [],
  }
}

export function someArchive(bytes = 4000): Uint8Array {
  return randomBytes(bytes)
}
