/**
 * Objects of a project in object storage: archives of exports, versions of the site, and caches of builds.
 */
import { sql } from 'kysely'
import { createYielder } from '../../../base/text/yielder.ts'
import type { Queries } from '../../../database/database.ts'
import { cachePrefix } from '../../../objects/object-cache.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import { blobKey } from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import { bundleKey } from '../../export/make-bundle.ts'

export interface ProjectObject {
  key: string
  kind: 'bundles' | 'manifests' | 'blobs' | 'cache'
  /** Uncompressed size. */
  bytes: number
}

interface Deps {
  queries: Queries
  objects: ObjectStore
}

/** Yields each object once, from at most `maxVersions` of the newest versions. */
export async function* projectObjects(
  { queries, objects }: Deps,
  projectId: string,
  maxVersions: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ProjectObject> {
  const { rows } = await sql<{ sha256: string; bytes: number }>`
    SELECT DISTINCT bundle_sha256 AS sha256, coalesce(bundle_size_bytes, 0)::float8 AS bytes FROM static_exports
    WHERE project_id = ${projectId} AND bundle_sha256 IS NOT NULL`.execute(queries)
  for await (const { key, sizeBytes } of objects.list(cachePrefix(projectId)))
    yield { key, kind: 'cache', bytes: sizeBytes }
  for (const { sha256, bytes } of rows) yield { key: bundleKey(sha256), kind: 'bundles', bytes }
  const breaks = createYielder()
  const versions = new Set((await versionKeys(queries, projectId)).slice(0, maxVersions))
  const seen = new Set<string>()
  // The loop includes elements added to the Set during iteration.
  for (const key of versions) {
    const manifest = await readManifest(objects, key).catch((error) => {
      if (error instanceof ObjectMissingError) return null
      throw error
    })
    yield { key, kind: 'manifests', bytes: 0 }
    for (const { manifestKey } of manifest?.audiences ?? []) versions.add(manifestKey)
    for (const { sha256, sizeBytes } of Object.values(manifest?.files ?? {})) {
      if (seen.has(sha256)) continue
      seen.add(sha256)
      yield { key: blobKey(sha256), kind: 'blobs', bytes: sizeBytes }
      if (breaks.isDue()) await breaks.yieldNow()
    }
  }
}

async function versionKeys(queries: Queries, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM (
      SELECT manifest_key AS key, published_at AS at FROM published_sites WHERE project_id = ${projectId}
      UNION ALL
      SELECT manifest_key, created_at FROM deployments WHERE project_id = ${projectId}
      UNION ALL
      SELECT manifest_key, updated_at FROM previews WHERE project_id = ${projectId}
      UNION ALL
      SELECT manifest.key, created_at FROM agent_jobs,
        LATERAL (VALUES (before_manifest), (after_manifest)) AS manifest(key)
      WHERE project_id = ${projectId}
    ) AS version WHERE key IS NOT NULL GROUP BY key ORDER BY max(at) DESC`.execute(queries)
  return rows.map(({ key }) => key)
}
