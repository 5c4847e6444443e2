/** A fresh presigned link to the archive of a completed export. */
import { AppError } from '../contract/errors.ts'
import type { ExportBundle } from '../contract/static-export.ts'
import type { Queries } from '../database/database.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { findExport } from './store.ts'

export interface BundleLinkDeps {
  objects: Pick<ObjectStore, 'presign'>
  bundleLinkSeconds: number
}

/** Key of an export's archive. */
export function bundleKey(exportId: string): string {
  return `exports/${exportId}/bundle.tar.gz`
}

/** Throws AppError `not_found`, and `export.not_completed` while there is no archive. */
export async function createBundleLink(
  deps: BundleLinkDeps,
  queries: Queries,
  organizationId: string,
  jobId: string,
): Promise<ExportBundle> {
  const row = await findExport(queries, organizationId, jobId)
  if (!row) throw new AppError('not_found')
  if (row.bundle_sha256 === null || row.bundle_size_bytes === null)
    throw new AppError('export.not_completed', {
      sentence:
        row.status === 'failed'
          ? 'The export is failed and has no bundle. Start a new one.'
          : `The export is ${row.status}. Its bundle exists once it is completed.`,
    })
  const link = await deps.objects.presign(bundleKey(row.id), {
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
