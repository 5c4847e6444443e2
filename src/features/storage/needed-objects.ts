/**
 * Collects the keys of the objects that rows need, and the organizations that need them. Stores the keys in a
 * table, because they may not fit in memory and an interrupted collection must be able to continue. Versions
 * need the files listed in their manifests. Other objects stored by renders are not needed by rows, but are
 * retained while renders use them.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Holder, Retention } from '../../base/api/retention.ts'
import { mapBounded } from '../../base/bounded.ts'
import { createId } from '../../base/ids.ts'
import type { Queries } from '../../database/database.ts'
import { isPastRetention } from '../../database/retention.ts'
import { ObjectMissingError, type ObjectStore } from '../../objects/object-store.ts'
import { blobKey, type ManifestFile, type SiteManifest } from '../../render/versions/manifest.ts'
import { readManifest } from '../../render/versions/site-versions.ts'
import { bundleKey } from '../export/make-bundle.ts'

export interface Need {
  /** Empty if several organizations need the object. */
  organizationId: string
  holder: Holder
}

export interface NeededObjects {
  /**
   * Maps those of the `keys` that rows need to their needs; omits other keys. Rejects if another collection has begun
   * or the table was emptied.
   */
  needsOf(keys: readonly string[]): Promise<ReadonlyMap<string, Need>>
  missing: string[]
}

interface Version {
  key: string
  /** Organizations and holders whose rows need the version, and for which the version has not been read yet. */
  needs: Need[]
}

const NAMES_PER_BATCH = 5000
const VERSIONS_PER_BATCH = 50
/** Number of manifests in memory; each has at most 32 MB. */
const MAX_CONCURRENT_READS = 2

/**
 * Requires that no other collection is running. `isContinued` keeps the keys of an interrupted collection:
 * manifests never change, and a key that is no longer needed only delays a deletion until the next sweep.
 */
export async function findNeededObjects(
  { queries, objects }: { queries: Queries; objects: ObjectStore },
  retention: Retention,
  { isContinued, signal }: { isContinued: boolean; signal: AbortSignal },
): Promise<NeededObjects> {
  if (!isContinued) await clearNeededObjects(queries)
  const id = createId('req')
  await sql`
    INSERT INTO needed_objects (key, organization_id, holder) VALUES ('', ${id}, '')
    ON CONFLICT (key) DO UPDATE SET organization_id = excluded.organization_id`.execute(queries)
  await sql`DELETE FROM needed_versions WHERE is_missing`.execute(queries)
  await addObjects(queries, bundleRows(retention))
  await addVersions(queries, versionRows(retention))
  for (;;) {
    const versions = await readUnreadVersions(queries)
    if (versions.length === 0) break
    await mapBounded(versions, MAX_CONCURRENT_READS, async (version) => {
      signal.throwIfAborted()
      await addFiles({ queries, objects, id }, version)
    })
  }
  const { rows } = await sql<{ key: string }>`
    SELECT DISTINCT key FROM needed_versions WHERE is_missing ORDER BY key`.execute(queries)
  return { needsOf: (keys) => readNeeds(queries, id, keys), missing: rows.map(({ key }) => key) }
}

export async function clearNeededObjects(queries: Queries): Promise<void> {
  await sql`TRUNCATE needed_objects, needed_versions`.execute(queries)
}

async function readNeeds(
  queries: Queries,
  id: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Need>> {
  const { rows } = await sql<Need & { key: string }>`
    SELECT key, organization_id AS "organizationId", holder FROM needed_objects
    WHERE key = ANY(${['', ...keys]}::text[])`.execute(queries)
  const needs = new Map(rows.map(({ key, organizationId, holder }) => [key, { organizationId, holder }]))
  if (needs.get('')?.organizationId !== id) throw neededObjectsLostError()
  needs.delete('')
  return needs
}

type NeedRows = RawBuilder<{ key: string; organization_id: string; holder: Holder }>

/**
 * Writes only changes. `deployments` takes precedence over `agentWork`. Writes in the order of the keys, so
 * that processes that collect keys at the same time cannot deadlock.
 */
async function addObjects(queries: Queries, rows: NeedRows): Promise<void> {
  await sql`
    INSERT INTO needed_objects AS known (key, organization_id, holder)
    SELECT * FROM (
      SELECT key, CASE WHEN min(organization_id) = max(organization_id) THEN min(organization_id) ELSE '' END
        AS organization_id, max(holder) AS holder
      FROM (${rows}) AS needed GROUP BY key
    ) AS merged
    WHERE NOT EXISTS (SELECT FROM needed_objects WHERE key = merged.key
      AND organization_id IN ('', merged.organization_id) AND holder >= merged.holder)
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET holder = greatest(known.holder, excluded.holder), organization_id =
      CASE WHEN known.organization_id = excluded.organization_id THEN known.organization_id ELSE '' END`.execute(
    queries,
  )
}

async function addVersions(queries: Queries, rows: NeedRows): Promise<void> {
  await sql`
    INSERT INTO needed_versions (key, organization_id, holder)
    SELECT key, organization_id, holder FROM (${rows}) AS needed ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING`.execute(queries)
}

async function readUnreadVersions(queries: Queries): Promise<Version[]> {
  const { rows } = await sql<Version>`
    SELECT key, json_agg(json_build_object('organizationId', organization_id, 'holder', holder)) AS needs
    FROM needed_versions WHERE NOT is_read GROUP BY key ORDER BY key LIMIT ${VERSIONS_PER_BATCH}`.execute(
    queries,
  )
  return rows
}

/**
 * Adds the manifest, its files, and the versions of the same revision for other groups of readers. Then marks the
 * version as read, unless another collection has begun in the meantime: that collection may have emptied the tables.
 */
async function addFiles(
  { queries, objects, id }: { queries: Queries; objects: ObjectStore; id: string },
  { key, needs }: Version,
): Promise<void> {
  const manifest = await readVersion(objects, key)
  await addObjects(queries, selectNeedRows([key], needs))
  for (const names of namesOf(manifest)) await addObjects(queries, selectNeedRows(names, needs))
  const audiences = manifest?.audiences?.map(({ manifestKey }) => manifestKey) ?? []
  await addVersions(queries, selectNeedRows(audiences, needs))
  const { numAffectedRows } = await sql`
    UPDATE needed_versions AS version SET is_read = true, is_missing = ${manifest === null}
    FROM (${selectNeedRows([key], needs)}) AS need
    WHERE version.key = need.key AND version.organization_id = need.organization_id AND version.holder = need.holder
      AND EXISTS (SELECT FROM needed_objects WHERE key = '' AND organization_id = ${id})`.execute(queries)
  if (numAffectedRows !== BigInt(needs.length)) throw neededObjectsLostError()
}

function neededObjectsLostError(): Error {
  return new Error('The names of needed objects are gone: another sweep began, or the database crashed.')
}

function selectNeedRows(keys: readonly string[], needs: readonly Need[]): NeedRows {
  return sql`
    SELECT key, organization_id, holder FROM unnest(${keys}::text[]) AS key,
      unnest(${needs.map(({ organizationId }) => organizationId)}::text[], ${needs.map(({ holder }) => holder)}::text[])
        AS need (organization_id, holder)`
}

function* namesOf(manifest: SiteManifest | null): Generator<string[]> {
  let names: string[] = []
  for (const path in manifest?.files) {
    names.push(blobKey((manifest.files[path] as ManifestFile).sha256))
    if (names.length < NAMES_PER_BATCH) continue
    yield names
    names = []
  }
  if (names.length > 0) yield names
}

function bundleRows(retention: Retention): NeedRows {
  const since = sql`greatest(export.updated_at, export.bundle_needed_until)`
  const [before, after] = bundleKey('|').split('|')
  return sql`
    SELECT ${before} || export.bundle_sha256 || ${after} AS key, export.organization_id, 'exports' AS holder
    FROM static_exports AS export JOIN organizations AS organization ON organization.id = export.organization_id
    WHERE export.status = 'completed'
      AND (export.bundle_needed_until > now() OR NOT ${isPastRetention('exports', retention, since)})`
}

function versionRows(retention: Retention): NeedRows {
  return sql`
    SELECT deployment.organization_id, site.manifest_key AS key, 'deployments' AS holder
    FROM published_sites AS site JOIN deployments AS deployment ON deployment.id = site.deployment_id
    UNION
    SELECT organization_id, manifest_key, 'deployments' FROM previews WHERE manifest_key IS NOT NULL
    UNION
    SELECT deployment.organization_id, deployment.manifest_key, 'deployments'
    FROM deployments AS deployment JOIN organizations AS organization ON organization.id = deployment.organization_id
    WHERE deployment.manifest_key IS NOT NULL
      AND NOT ${isPastRetention('deployments', retention, sql`deployment.updated_at`)}
    UNION
    SELECT job.organization_id, manifest.key, 'agentWork'
    FROM agent_jobs AS job JOIN organizations AS organization ON organization.id = job.organization_id,
      LATERAL (VALUES (job.before_manifest), (job.after_manifest)) AS manifest(key)
    WHERE manifest.key IS NOT NULL
      AND (job.status <> 'archived' OR NOT ${isPastRetention('agentWork', retention, sql`job.updated_at`)})`
}

async function readVersion(objects: ObjectStore, key: string): Promise<SiteManifest | null> {
  try {
    return await readManifest(objects, key)
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}
