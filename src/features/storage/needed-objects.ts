/**
 * Determines which objects rows need, and for which organizations. Files of a site are needed by the versions whose
 * manifests list them. All other objects stored by renders are not needed by rows, and stay as long as renders use
 * them.
 */
import { sql } from 'kysely'
import type { Holder, Retention } from '../../base/api/retention.ts'
import { createYielder } from '../../base/text/yielder.ts'
import type { Queries } from '../../database/database.ts'
import { isPastRetention } from '../../database/retention.ts'
import { ObjectMissingError, type ObjectStore } from '../../objects/object-store.ts'
import { blobKey, type ManifestFile, type SiteManifest } from '../../render/versions/manifest.ts'
import { readManifest } from '../../render/versions/site-versions.ts'
import { bundleKey } from '../export/make-bundle.ts'

export interface Need {
  /** Empty if several organizations need it. */
  organizationId: string
  holder: Holder
}

export interface NeededObjects {
  /** Undefined if no row needs it. */
  needOf(key: string): Need | undefined
  /** Keys that rows need but that cannot be read. */
  missing: string[]
}

interface Lease {
  organization_id: string
  key: string
  holder: Holder
}

/** Reads manifests one at a time. The set of all their file names takes up the memory. */
export async function findNeeded(
  deps: { queries: Queries; objects: ObjectStore },
  retention: Retention,
): Promise<NeededObjects> {
  const needs = new Map<string, Need>()
  const missing: string[] = []
  const known = new Map<string, Need>()
  // Share one object per holder, so that a million names only cost a million references.
  const needFor = (organizationId: string, holder: Holder): Need => {
    const name = `${organizationId} ${holder}`
    const need = known.get(name) ?? { organizationId, holder }
    known.set(name, need)
    return need
  }
  const add = (key: string, { organization_id, holder }: Lease) => {
    const before = needs.get(key)
    if (before === undefined) needs.set(key, needFor(organization_id, holder))
    else if (before.organizationId !== organization_id) needs.set(key, needFor('', before.holder))
  }
  for (const row of await bundleRows(deps.queries, retention)) add(row.key, row)
  const versions = new Map<string, Lease[]>()
  for (const row of await versionRows(deps.queries, retention)) {
    add(row.key, row)
    versions.set(row.key, [...(versions.get(row.key) ?? []), row])
  }
  const breaks = createYielder()
  for (const [key, rows] of versions) {
    const manifest = await readVersion(deps.objects, key)
    if (manifest === null) missing.push(key)
    // Versions of the same revision for other audiences. Iterating over a Map includes entries added meanwhile.
    for (const { manifestKey } of manifest?.audiences ?? []) {
      for (const row of rows) add(manifestKey, row)
      if (!versions.has(manifestKey)) versions.set(manifestKey, rows)
    }
    for (const name in manifest?.files) {
      const blob = blobKey((manifest.files[name] as ManifestFile).sha256)
      for (const row of rows) add(blob, row)
      if (breaks.isDue()) await breaks.yieldNow()
    }
  }
  return { needOf: (key) => needs.get(key), missing }
}

async function bundleRows(queries: Queries, retention: Retention): Promise<Lease[]> {
  const since = sql`greatest(export.updated_at, export.bundle_needed_until)`
  const { rows } = await sql<{ organization_id: string; bundle_sha256: string }>`
    SELECT DISTINCT export.organization_id, export.bundle_sha256
    FROM static_exports AS export JOIN organizations AS organization ON organization.id = export.organization_id
    WHERE export.status = 'completed'
      AND (export.bundle_needed_until > now() OR NOT ${isPastRetention('exports', retention, since)})`.execute(
    queries,
  )
  return rows.map((row) => ({
    organization_id: row.organization_id,
    key: bundleKey(row.bundle_sha256),
    holder: 'exports',
  }))
}

async function versionRows(queries: Queries, retention: Retention): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
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
      AND (job.status <> 'archived' OR NOT ${isPastRetention('agentWork', retention, sql`job.updated_at`)})`.execute(
    queries,
  )
  return rows
}

/** Returns null when the manifest is missing. */
async function readVersion(objects: ObjectStore, key: string): Promise<SiteManifest | null> {
  try {
    return await readManifest(objects, key)
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}
