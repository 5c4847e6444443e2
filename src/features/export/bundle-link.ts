/**
 * Creates a presigned link to the archive of a completed export after checking that the archive exists and is
 * intact. http/service/get-object.ts handles links that have expired or were altered.
 */

import { AppError } from '../../base/errors/errors.ts'
import { bundleFilename } from '../../base/files/bundle-filename.ts'
import type { Tx } from '../../database/database.ts'
import { unscheduleObjects } from '../../database/unschedule-objects.ts'
import type { CheckedStore, ObjectState } from '../../objects/checked-store.ts'
import { type QueueBundleRestoreDeps, queueBundleRestore } from './archive/restore-bundle.ts'
import { bundleKey } from './make-bundle.ts'
import type { ExportBundle } from './operations/static-export.ts'
import { type CompletedRow, exportRows, isCompleted, retainBundle } from './store.ts'

export interface BundleLinkDeps extends QueueBundleRestoreDeps {
  objects: Pick<CheckedStore, 'presign' | 'check'>
  bundleLinkSeconds: number
}

const RETRY_AFTER_SECONDS = '5'

/**
 * Throws AppError `not_found`, `export_not_completed`, `bundle_rebuilding` if the archive must be rebuilt (this call
 * starts the rebuild), and `bundle_lost` if it cannot be rebuilt.
 */
export async function createBundleLink(
  deps: BundleLinkDeps,
  tx: Tx,
  organizationId: string,
  jobId: string,
): Promise<ExportBundle> {
  const row = await exportRows.get(tx, { organizationId }, jobId)
  if (!isCompleted(row)) throw new AppError('export_not_completed', { params: { status: row.status } })
  const key = bundleKey(row.bundle_sha256)
  await retainBundle(tx, row.id, deps.bundleLinkSeconds)
  await unscheduleObjects(tx, [key])
  const state = await deps.objects.check(key)
  if (state !== 'whole') throw missingBundleError(deps, row, state)
  const link = await deps.objects.presign(key, {
    lifetimeSeconds: deps.bundleLinkSeconds,
    filename: bundleFilename({ ...row, createdAt: row.created_at.toISOString() }),
  })
  return {
    jobId: row.id,
    bundleUrl: link.url,
    sizeBytes: row.bundle_size_bytes,
    sha256: row.bundle_sha256,
    expiresAt: link.expiresAt.toISOString(),
  }
}

function missingBundleError(deps: BundleLinkDeps, row: CompletedRow, state: ObjectState): AppError {
  if (row.bundle_lost !== null)
    return new AppError('bundle_lost', {
      details: [{ message: row.bundle_lost, code: 'source_unreadable' }],
    })
  queueBundleRestore(deps, row)
  return new AppError('bundle_rebuilding', {
    params: { reason: state },
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  })
}
