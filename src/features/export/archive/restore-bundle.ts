/**
 * export.restore: rebuilds a missing or damaged archive of a completed export. The row stays `completed`; the
 * archive's hash and size change only if another version of Octavo rebuilds it.
 */

import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { Log } from '../../../base/log.ts'
import type { Queries } from '../../../database/database.ts'
import { isFinal } from '../../../git/project-source.ts'
import type { JobContext } from '../../../queue/job-handler.ts'
import type { Jobs } from '../../../queue/job-settings.ts'
import { MAX_ATTEMPTS } from '../../../queue/job-settings.ts'
import type { Queue } from '../../../queue/queue.ts'
import { bundleKey, type MakeBundleDeps, makeBundle } from '../make-bundle.ts'
import { type CompletedRow, findCompleted, markBundleLost, replaceBundle } from '../store.ts'

export interface QueueBundleRestoreDeps {
  queue: Pick<Queue, 'enqueue'>
  database: { queries: Queries }
  log: Log
}

/**
 * Queues the rebuild without waiting for it, because the transaction of the request that needs it still holds a
 * connection. If queuing fails, the next request tries again.
 */
export function queueBundleRestore(
  { queue, database, log }: QueueBundleRestoreDeps,
  row: CompletedRow,
): void {
  const { id: exportId, organization_id: organizationId, project_id: projectId } = row
  const options = { organizationId, projectId, singletonKey: exportId }
  queue
    .enqueue(database.queries, 'export.restore', { exportId }, options)
    .catch((err: unknown) => log.warn({ exportId, err }, 'export.restore_not_queued'))
}

/** Throws errors that a later attempt may resolve; records permanent errors in the row. */
export async function restoreBundle(
  deps: MakeBundleDeps,
  { exportId }: Jobs['export.restore'],
  { attempt, log, signal, slot }: JobContext,
): Promise<void> {
  const { queries } = deps.database
  const job = await findCompleted(queries, exportId)
  if (job === undefined) return
  if ((await deps.objects.check(bundleKey(job.bundle_sha256))) === 'whole') return
  try {
    const { bundle } = await makeBundle(deps, job, {
      log,
      slot,
      onRevision: async (revision) => checkRevision(job.revision, revision),
      report: () => undefined,
      signal,
    })
    await replaceBundle(queries, exportId, bundle)
    log.info({ exportId, ...bundle }, 'export.restored')
  } catch (error) {
    if (signal.aborted || !isFinal(error, attempt >= MAX_ATTEMPTS)) throw error
    await markBundleLost(queries, exportId, error.message)
    log.warn({ exportId, reason: error.message }, 'export.lost')
  }
}

function checkRevision(expected: string | null, found: string): void {
  if (expected !== null && expected !== found)
    throw new PermanentError(
      'source_unreadable',
      'The source has changed since, and the files of the bundle no longer exist.',
    )
}
