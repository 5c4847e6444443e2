/**
 * Background work on previews: reports them to forges, removes expired ones, and deletes the rows of removed
 * ones. follow-branches.ts removes previews of deleted branches and closed pull requests.
 */
import { sql } from 'kysely'
import { repeat } from '../../../base/repeat.ts'
import { removePreview } from './previews.ts'
import { type ReportPreviewsDeps, reportPreviews } from './report-previews.ts'

export interface WatchPreviewsDeps extends ReportPreviewsDeps {
  onRound?: () => void
}

const POLL_INTERVAL_MS = 1000
const BATCH_SIZE = 100
/** Retention of the row of a removed preview, for reporting the removal. Its files are deleted immediately. */
const DELETE_AFTER_DAYS = 1

/** Several nodes share the work. */
export function watchPreviews(deps: WatchPreviewsDeps): AsyncDisposable {
  return repeat({
    async work(signal) {
      await cleanUpPreviews(deps)
      await reportPreviews(deps, signal)
    },
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'previews.look_failed'),
    ...(deps.onRound === undefined ? {} : { onRound: deps.onRound }),
  })
}

export async function cleanUpPreviews(deps: Pick<WatchPreviewsDeps, 'database'>): Promise<void> {
  await removeExpired(deps)
  await deleteRemoved(deps)
}

async function removeExpired({ database }: Pick<WatchPreviewsDeps, 'database'>): Promise<void> {
  await database.transaction(async (tx) => {
    const expired = await tx
      .selectFrom('previews')
      .select(['id', 'organization_id', 'project_id'])
      .where('removed_at', 'is', null)
      .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
      .orderBy('expires_at')
      .limit(BATCH_SIZE)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, organization_id: organizationId, project_id: projectId } of expired)
      await removePreview(tx, { organizationId, projectId }, id, 'expired')
  })
}

/** Also deletes the deployments of the previews. */
async function deleteRemoved({ database }: Pick<WatchPreviewsDeps, 'database'>): Promise<void> {
  await database.queries
    .deleteFrom('previews')
    .where('id', 'in', (of) =>
      of
        .selectFrom('previews')
        .select('id')
        .where('removed_at', '<', sql<Date>`clock_timestamp() - make_interval(days => ${DELETE_AFTER_DAYS})`)
        .limit(BATCH_SIZE),
    )
    .execute()
}
