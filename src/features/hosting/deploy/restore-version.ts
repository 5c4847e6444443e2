/** deployment.restore: rebuilds the missing files of a published version from the same revision. */

import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { Log } from '../../../base/log.ts'
import type { Database } from '../../../database/database.ts'
import { isFinal } from '../../../git/project-source.ts'
import type { JobContext } from '../../../queue/job-handler.ts'
import type { Jobs } from '../../../queue/job-settings.ts'
import { MAX_ATTEMPTS } from '../../../queue/job-settings.ts'
import type { Queue } from '../../../queue/queue.ts'
import { type MakeVersionDeps, makeVersion } from './make-version.ts'
import { findPublishedDeployment, replaceVersion } from './store.ts'

export interface VersionRestorerDeps {
  database: Database
  queue: Pick<Queue, 'enqueue'>
  log: Log
}

/** Minimum time between restores of a version, because readers request missing files repeatedly. */
const MIN_RESTORE_INTERVAL_MS = 5000
const MAX_REMEMBERED_VERSIONS = 1000

/** Returns a callback that queues a restore for each site that serves the given version, whose files are missing. */
export function createVersionRestorer(deps: VersionRestorerDeps): (manifestKey: string) => void {
  const queuedAt = new Map<string, number>()
  return (manifestKey) => {
    const now = performance.now()
    if (now - (queuedAt.get(manifestKey) ?? Number.NEGATIVE_INFINITY) < MIN_RESTORE_INTERVAL_MS) return
    if (queuedAt.size >= MAX_REMEMBERED_VERSIONS) queuedAt.clear()
    queuedAt.set(manifestKey, now)
    deps.log.error({ manifestKey }, 'site.files_missing')
    queueVersionRestore(deps, manifestKey).catch((err: unknown) =>
      deps.log.warn({ manifestKey, err }, 'deployment.restore_not_queued'),
    )
  }
}

async function queueVersionRestore(
  { database, queue }: VersionRestorerDeps,
  manifestKey: string,
): Promise<void> {
  const rows = await database.queries
    .selectFrom('deployments')
    .select(['id', 'organization_id', 'project_id'])
    .where(({ eb, or, selectFrom }) =>
      or(
        (['published_sites', 'previews'] as const).map((shown) =>
          eb('id', 'in', selectFrom(shown).select('deployment_id').where('manifest_key', '=', manifestKey)),
        ),
      ),
    )
    .execute()
  for (const { id: deploymentId, organization_id: organizationId, project_id: projectId } of rows) {
    const options = { organizationId, projectId, singletonKey: deploymentId }
    await queue.enqueue(database.queries, 'deployment.restore', { deploymentId }, options)
  }
}

/** Throws errors that a later attempt may resolve. */
export async function restoreVersion(
  deps: MakeVersionDeps,
  { deploymentId }: Jobs['deployment.restore'],
  { attempt, log, signal, slot }: JobContext,
): Promise<void> {
  const deployment = await findPublishedDeployment(deps.database.queries, deploymentId)
  if (deployment === undefined) return
  try {
    const { manifestKey } = await makeVersion(deps, deployment, {
      log,
      slot,
      onRevision: async (revision) => {
        if (revision !== deployment.revision)
          throw new PermanentError(
            'source_unreadable',
            'The source has changed since the site was published. Publish it again.',
          )
      },
      report: () => undefined,
      signal,
    })
    await deps.database.transaction((tx) => replaceVersion(tx, deploymentId, manifestKey))
    log.info({ deploymentId, manifestKey }, 'deployment.restored')
  } catch (error) {
    if (signal.aborted || !isFinal(error, attempt >= MAX_ATTEMPTS)) throw error
    log.error({ deploymentId, reason: error.message }, 'deployment.restore_failed')
  }
}
