/** What readers are served, chosen by people: a kept version is put in front and held there, or let go of. */
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { recordNoChange } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import { openPassages } from '../../../render/outputs/open-passages.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import { hostedCorpus, keepPassages } from '../../assistant/keep-passages.ts'
import type { SitePointer } from '../operations/deployments.ts'
import { type DeploymentRow, deploymentRows, lockPointer, noteLeft, toPointer } from './store.ts'

interface Place {
  organizationId: string
  projectId: string
}

/**
 * What is published from then on waits behind it. The pointer moves, and the passages of the assistant with it, of which
 * only those are written that differ.
 * Throws AppError `not_found`, `version_not_kept`.
 */
export async function promoteDeployment(
  { objects }: { objects: ObjectStore },
  tx: Tx,
  place: Place & { actor: string },
  deploymentId: string,
): Promise<SitePointer> {
  const row = await deploymentRows.get(tx, place, deploymentId, { lock: true })
  // A preview is of another branch.
  if (row.preview_id !== null) throw new AppError('not_found')
  const manifest = await requireKept(objects, row)
  const pointer = await point(tx, place, row, place.actor)
  const passages = await openPassages(objects, manifest)
  await keepPassages(tx, hostedCorpus(place.projectId, manifest.assistantInstructions ?? null), passages)
  return pointer
}

/** Throws AppError `not_found`, `nothing_published`. Without anything held in front nothing changes. */
export async function releaseSite(
  { objects }: { objects: ObjectStore },
  tx: Tx,
  place: Place,
): Promise<SitePointer> {
  await requireProject(tx, place)
  const pointer = await lockPointer(tx, place.projectId)
  if (pointer === undefined) throw new AppError('nothing_published')
  if (pointer.pinned_at === null) recordNoChange(tx)
  const newest = await tx
    .selectFrom('deployments')
    .selectAll()
    .where('project_id', '=', place.projectId)
    .where('preview_id', 'is', null)
    .where('status', '=', 'published')
    .where('manifest_key', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (newest === undefined) throw new AppError('nothing_published')
  const released = await point(tx, place, newest, null)
  const { passages, instructions } = await answeredFrom(objects, newest)
  await keepPassages(tx, hostedCorpus(place.projectId, instructions), passages)
  return released
}

/** `pinnedBy` null: it is held by nobody. */
async function point(
  tx: Tx,
  { projectId }: Place,
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
  // Both lists and the time for which files are kept go by the last change of a row.
  for (const id of new Set([row.id, before?.deployment_id ?? row.id])) await noteLeft(tx, id)
  return toPointer(pointer)
}

/** Nothing of a version whose files are lost, as of one without any: then nothing is answered. */
async function answeredFrom(
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

async function requireKept(objects: ObjectStore, row: DeploymentRow): Promise<SiteManifest> {
  if (row.manifest_key === null) throw new AppError('version_not_kept')
  try {
    return await readManifest(objects, row.manifest_key)
  } catch (cause) {
    if (cause instanceof ObjectMissingError) throw new AppError('version_not_kept', { cause })
    throw cause
  }
}

async function requireProject(tx: Tx, { organizationId, projectId }: Place): Promise<void> {
  const found = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (found === undefined) throw new AppError('not_found')
}
