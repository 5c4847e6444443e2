/**
 * The pointer to the version that is served to readers. A finished deployment moves it forward. A user can
 * promote an earlier version, which pins the pointer, and release the pin.
 */
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { type Problem, toWarnings } from '../../../base/errors/problem.ts'
import { recordNoChange } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import { recordEvent } from '../../../database/outbox.ts'
import type { ChangesRow } from '../../../database/schema/hosting.ts'
import { warningColumns } from '../../../database/warnings.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import type { RowLease } from '../../../queue/leased-rows.ts'
import { openPassages } from '../../../render/outputs/version-files.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import { hostedCorpus, storePassages } from '../../assistant/store-passages.ts'
import { scheduleForPublish } from '../../automations/wake-automations.ts'
import { scheduleStatementCheck } from '../../statements/schedule-checks.ts'
import type { SitePointer } from '../operations/deployments.ts'
import type { DeploymentRecord } from './deployment-record.ts'
import { storeSiteProblems } from './site-problems.ts'
import { type DeploymentRow, deploymentRows, toPointer, toState } from './store.ts'

interface ProjectScope {
  organizationId: string
  projectId: string
}

/**
 * Promotes a deployment and pins it, so that later deployments do not replace it. Moves the pointer and the
 * assistant's passages together, writing only changed passages. Throws AppError `not_found`,
 * `version_not_kept`.
 */
export async function promoteDeployment(
  { objects }: { objects: ObjectStore },
  tx: Tx,
  scope: ProjectScope & { actor: string },
  deploymentId: string,
): Promise<SitePointer> {
  const row = await deploymentRows.get(tx, scope, deploymentId, { lock: true })
  // A preview belongs to another branch.
  if (row.preview_id !== null) throw new AppError('not_found')
  const manifest = await requireManifest(objects, row)
  const pointer = await setPointer(tx, scope, row, scope.actor)
  const passages = await openPassages(objects, manifest)
  await storePassages(tx, hostedCorpus(scope.projectId, manifest.assistantInstructions ?? null), passages)
  return pointer
}

/** Releases the pin and moves to the newest version. Throws AppError `not_found`, `nothing_published`. */
export async function releaseSite(
  { objects }: { objects: ObjectStore },
  tx: Tx,
  scope: ProjectScope,
): Promise<SitePointer> {
  await requireProject(tx, scope)
  const pointer = await lockPointer(tx, scope.projectId)
  if (pointer === undefined) throw new AppError('nothing_published')
  if (pointer.pinned_at === null) recordNoChange(tx)
  const newest = await tx
    .selectFrom('deployments')
    .selectAll()
    .where('project_id', '=', scope.projectId)
    .where('preview_id', 'is', null)
    .where('status', '=', 'published')
    .where('manifest_key', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (newest === undefined) throw new AppError('nothing_published')
  const released = await setPointer(tx, scope, newest, null)
  const { passages, instructions } = await readAssistantContent(objects, newest)
  await storePassages(tx, hostedCorpus(scope.projectId, instructions), passages)
  return released
}

/** `pinnedBy` null removes the pin. */
async function setPointer(
  tx: Tx,
  { projectId }: ProjectScope,
  row: DeploymentRow,
  pinnedBy: string | null,
): Promise<SitePointer> {
  const before = await lockPointer(tx, projectId)
  const moved = {
    deployment_id: row.id,
    manifest_key: row.manifest_key as string,
    published_at: sql<Date>`clock_timestamp()`,
    pinned_at: pinnedBy === null ? null : sql<Date>`clock_timestamp()`,
    pinned_by: pinnedBy,
  }
  const pointer = await tx
    .insertInto('published_sites')
    .values({ project_id: projectId, ...moved })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(moved))
    .returningAll()
    .executeTakeFirstOrThrow()
  // Lists and the retention of files depend on the time of the row's last change.
  for (const id of new Set([row.id, before?.deployment_id ?? row.id])) await touchDeployment(tx, id)
  return toPointer(pointer)
}

/** Returns nulls for a version without passages or with lost files; the assistant then gives no answers. */
async function readAssistantContent(
  objects: ObjectStore,
  { manifest_key }: DeploymentRow,
): Promise<{ passages: Readable | null; instructions: string | null }> {
  try {
    const manifest = await readManifest(objects, manifest_key as string)
    const passages = await openPassages(objects, manifest)
    return { passages, instructions: manifest.assistantInstructions ?? null }
  } catch (error) {
    if (error instanceof ObjectMissingError) return { passages: null, instructions: null }
    throw error
  }
}

async function requireManifest(objects: ObjectStore, row: DeploymentRow): Promise<SiteManifest> {
  if (row.manifest_key === null) throw new AppError('version_not_kept')
  try {
    return await readManifest(objects, row.manifest_key)
  } catch (cause) {
    if (cause instanceof ObjectMissingError) throw new AppError('version_not_kept', { cause })
    throw cause
  }
}

async function requireProject(tx: Tx, { organizationId, projectId }: ProjectScope): Promise<void> {
  const found = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (found === undefined) throw new AppError('not_found')
}

export interface PublishedVersion {
  projectId: string
  revision: string
  manifestKey: string
  pageCount: number
  problems: readonly Problem[]
  changes?: ChangesRow | null
  record?: DeploymentRecord
}

/**
 * `running → published`. Also moves the pointer, unless it is pinned or points to a deployment that was started later:
 * a slow deployment never replaces a newer version. Returns null if the row no longer belongs to this attempt. Records
 * the event `deployment.published` in the same transaction.
 */
export async function publishVersion(
  tx: Tx,
  rowLease: RowLease,
  version: PublishedVersion,
): Promise<{ isLive: boolean } | null> {
  // Locks the preview before its deployments, in the same order as the removal of a preview.
  await sql`SELECT FROM previews
    WHERE id = (SELECT preview_id FROM deployments WHERE id = ${rowLease.id}) FOR NO KEY UPDATE`.execute(tx)
  const row = await deploymentRows.complete(tx, rowLease, {
    revision: version.revision,
    manifest_key: version.manifestKey,
    page_count: version.pageCount,
    total_pages: version.pageCount,
    changes: version.changes ? JSON.stringify(version.changes) : null,
    ...version.record?.finalColumns(),
    ...warningColumns(toWarnings(version.problems)),
  })
  if (!row) return null
  if (row.preview_id !== null) {
    await movePreview(tx, { ...row, preview_id: row.preview_id }, version.manifestKey)
    return { isLive: false }
  }
  const isLive = await movePointer(tx, row, version.manifestKey)
  await storeSiteProblems(tx, row, version.problems)
  if (isLive) {
    await scheduleForPublish(tx, row.project_id)
    await scheduleStatementCheck(tx, row.project_id)
  }
  await recordEvent(tx, {
    type: 'deployment.published',
    organizationId: row.organization_id,
    data: { projectId: row.project_id, deployment: toState(row, isLive) },
  })
  return { isLive }
}

/** Moves the pointer only to a deployment that was started later. Returns true if it moved. */
async function movePointer(tx: Tx, row: DeploymentRow, manifestKey: string): Promise<boolean> {
  const before = await lockPointer(tx, row.project_id)
  const pointer = await tx
    .insertInto('published_sites')
    .values({ project_id: row.project_id, deployment_id: row.id, manifest_key: manifestKey })
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet({
          deployment_id: row.id,
          manifest_key: manifestKey,
          published_at: sql`clock_timestamp()`,
        })
        // A deployment that no longer exists counts as older than any other.
        .where(
          sql<boolean>`published_sites.pinned_at IS NULL
            AND coalesce((SELECT number FROM deployments WHERE id = published_sites.deployment_id), 0) < ${row.number}`,
        ),
    )
    .returning('deployment_id')
    .executeTakeFirst()
  if (pointer === undefined) return false
  if (before !== undefined) await touchDeployment(tx, before.deployment_id)
  return true
}

/** Moves only forward, like `movePointer`. Releases the files of earlier versions. */
async function movePreview(
  tx: Tx,
  row: DeploymentRow & { preview_id: string },
  manifestKey: string,
): Promise<void> {
  await tx
    .updateTable('previews')
    .set({ deployment_id: row.id, manifest_key: manifestKey, updated_at: sql`clock_timestamp()` })
    .where('id', '=', row.preview_id)
    .where('removed_at', 'is', null)
    .where(
      sql<boolean>`coalesce((SELECT number FROM deployments WHERE id = previews.deployment_id), 0) < ${row.number}`,
    )
    .execute()
  await tx
    .updateTable('deployments')
    .set({ manifest_key: null })
    .where('preview_id', '=', row.preview_id)
    .where('manifest_key', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('previews').select('id').whereRef('deployment_id', '=', 'deployments.id')),
      ),
    )
    .execute()
}

export function lockPointer(tx: Tx, projectId: string) {
  return tx
    .selectFrom('published_sites')
    .selectAll()
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
}

/** Records when the deployment was last live, which starts the retention of its files. */
export async function touchDeployment(tx: Tx, deploymentId: string): Promise<void> {
  await tx
    .updateTable('deployments')
    .set({ updated_at: sql`clock_timestamp()` })
    .where('id', '=', deploymentId)
    .execute()
}
