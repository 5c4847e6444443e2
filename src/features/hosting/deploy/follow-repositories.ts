/** Polls the repositories of projects and deploys unpublished commits. */
import { sql } from 'kysely'
import type { Log } from '../../../base/log.ts'
import { createOrganizationPoller, repeatConcurrently } from '../../../base/organization-poller.ts'
import { SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Database } from '../../../database/database.ts'
import { openProjectRepository } from '../../../git/project-repository.ts'
import {
  PROJECT_SOURCE_COLUMNS,
  type ProjectSourceDeps,
  type ProjectSourceRow,
} from '../../../git/project-source.ts'
import { type StartDeploymentDeps, startDeployment } from './start-deployment.ts'

export interface FollowDeps extends StartDeploymentDeps {
  database: Database
  git: ProjectSourceDeps
  log: Log
  onRound?: () => void
}

const POLL_INTERVAL_MS = 5000
const CHECK_INTERVAL_SECONDS = 60
/** Timeout of the check of one repository. Checks of the organization's other repositories wait for it. */
const CHECK_TIMEOUT_MS = 30_000

/** Several nodes share the work. */
export function followRepositories(deps: FollowDeps): AsyncDisposable {
  return repeatConcurrently({
    work: createOrganizationPoller({
      leaseNext: (atWork) => claimDue(deps, atWork),
      processRow: (row, signal) => tryCheck(deps, row, signal),
    }),
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'publishing.look_failed'),
    ...(deps.onRound === undefined ? {} : { onRound: deps.onRound }),
  })
}

async function tryCheck(deps: FollowDeps, row: ProjectSourceRow, signal: AbortSignal): Promise<void> {
  try {
    await checkForCommits(deps, row, AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]))
  } catch (error) {
    signal.throwIfAborted()
    deps.log.info({ projectId: row.id, error: (error as Error).message }, 'publishing.source_away')
  }
}

async function checkForCommits(deps: FollowDeps, row: ProjectSourceRow, signal: AbortSignal): Promise<void> {
  const { commit } = await openProjectRepository(deps.git, row).fetchTarget(signal)
  await deps.database.transaction(async (tx) => {
    const newest = await tx
      .selectFrom('deployments')
      .select(['revision', 'status'])
      .where('project_id', '=', row.id)
      .where('preview_id', 'is', null)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    // A queued deployment will read this commit anyway, and a failed deployment of this commit would fail again.
    if (newest?.revision === commit || newest?.status === 'queued') return
    const wanted = { organizationId: row.organization_id, projectId: row.id, actor: SYSTEM_ACTOR }
    await startDeployment(deps, tx, { ...wanted, trigger: 'poll' })
  })
}

/**
 * Sets the time of the next poll before polling, so that an unreachable forge is not retried immediately and no other
 * node polls the same repository.
 */
async function claimDue(
  { database }: FollowDeps,
  atWork: readonly string[],
): Promise<ProjectSourceRow | null> {
  const claimed = await database.queries
    .updateTable('project_publishing')
    .set({ look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${CHECK_INTERVAL_SECONDS})` })
    .where('project_id', '=', (query) =>
      query
        .selectFrom('project_publishing')
        .innerJoin('projects', 'projects.id', 'project_publishing.project_id')
        .select('project_id')
        .where('follows', '=', true)
        .where('archived_at', 'is', null)
        .where('source_kind', '=', 'git')
        .where('look_at', '<=', sql<Date>`clock_timestamp()`)
        .$if(atWork.length > 0, (due) => due.where('organization_id', 'not in', atWork))
        .orderBy('look_at')
        .limit(1)
        .forUpdate('project_publishing')
        .skipLocked(),
    )
    .returning('project_id')
    .executeTakeFirst()
  if (claimed === undefined) return null
  const source = database.queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE_COLUMNS)
    .where('id', '=', claimed.project_id)
  return (await source.executeTakeFirst()) ?? null
}
