/**
 * Creates a presigned link to the archive of a completed export, after checking that it exists and is intact. Links
 * that have expired or were altered are handled by http/service/get-object.ts.
 */
import { AppError } from '../../base/errors/errors.ts'
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
 * Throws AppError `not_found`; `export_not_completed` while there is no archive; `bundle_rebuilding` when the archive
 * must be rebuilt, which is then started; and `bundle_lost` when it cannot be rebuilt.
 */
export async function createBundleLink(
  deps: BundleLinkDeps,
  tx: Tx,
  organizationId: string,
  jobId: string,
): Promise<ExportBundle> {
  const row = await exportRows.get(tx, { organizationId }, jobId)
  if (!isCompleted(row))
    throw new AppError('export_not_completed', {
      sentence:
        row.status === 'failed'
          ? 'The export is failed and has no bundle. Start a new one.'
          : `The export is ${row.status}. Its bundle exists once it is completed.`,
    })
  const key = bundleKey(row.bundle_sha256)
  await retainBundle(tx, row.id, deps.bundleLinkSeconds)
  await unscheduleObjects(tx, [key])
  const state = await deps.objects.check(key)
  if (state !== 'whole') throw missingBundleError(deps, row, state)
  const link = await deps.objects.presign(key, {
    lifetimeSeconds: deps.bundleLinkSeconds,
    filename: 'bundle.tar.gz',
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
      sentence: `The bundle is gone and cannot be built again. ${row.bundle_lost} Start a new export.`,
    })
  queueBundleRestore(deps, row)
  const why = state === 'damaged' ? 'was damaged' : 'is not in storage any more'
  return new AppError('bundle_rebuilding', {
    sentence: `The bundle ${why} and is being built again. Ask again after the seconds in Retry-After.`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  })
}
