/**
 * Servers that readers of customer-hosted bundles may call through the platform. For each set of reader groups, these
 * are the servers listed in the newest bundle. A bundle of selected pages adds its servers to those of the previous
 * full bundle.
 */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { readPlaygroundServers } from '../../render/outputs/version-files.ts'
import type { SiteManifest } from '../../render/versions/manifest.ts'
import { CALL_LIMITS } from '../reader/operations/playground.ts'

const MAX_EXPORTS = 200
const MAX_SERVERS = 1000

/**
 * Reads the servers listed in a new bundle. Filters the list, because it comes from a process that handles
 * untrusted text.
 */
export async function readBundleServers(
  objects: Pick<ObjectStore, 'read'>,
  manifest: SiteManifest,
): Promise<string[]> {
  const named = await readPlaygroundServers(objects, manifest)
  return named
    .filter((one) => one.length <= CALL_LIMITS.url && one.isWellFormed() && !one.includes('\0'))
    .slice(0, MAX_SERVERS)
}

export async function listBundleServers(queries: Queries, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ server: string }>`
    WITH newest AS (
      SELECT created_at, id, groups, paths, call_servers FROM static_exports
      WHERE project_id = ${projectId} AND deployment = 'client-hosted' AND status = 'completed'
      ORDER BY created_at DESC, id DESC LIMIT ${MAX_EXPORTS}
    ), placed AS (
      SELECT call_servers, count(*) FILTER (WHERE paths IS NULL) OVER (
        PARTITION BY groups ORDER BY created_at DESC, id DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS later_wholes FROM newest
    )
    SELECT DISTINCT server FROM placed, unnest(call_servers) AS server
    WHERE later_wholes = 0 LIMIT ${MAX_SERVERS}`.execute(queries)
  return rows.map(({ server }) => server)
}
