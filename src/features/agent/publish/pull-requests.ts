/** Polls open pull requests until they are merged or closed. */
import { sql } from 'kysely'
import { repeat } from '../../../base/repeat.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import type { Forge } from '../../../git/forges/forge.ts'
import { openProjectRepository } from '../../../git/project-repository.ts'
import type { ProjectSourceDeps, ProjectSourceRow } from '../../../git/project-source.ts'
import type { FeedbackAccess } from '../loop/feedback-access.ts'
import type { PullRequestState } from '../operations/agent.ts'
import { resolveAnsweredFeedback, settleAbandonedFeedback } from '../resolve-feedback.ts'
import { followReview, type ReviewDeps } from '../review/review-turn.ts'
import { addEvents, type JobRow, jobEvent, readJob, readSource } from '../store.ts'

export interface PullRequestDeps extends ReviewDeps {
  git: ProjectSourceDeps
  openForge: (row: ProjectSourceRow) => Promise<Forge>
  feedback: FeedbackAccess
  /** Runs in the transaction that records a merge; publishes the site again. */
  onMerged: (tx: Tx, project: { organizationId: string; projectId: string }) => Promise<void>
  onRound?: () => void
}

const POLL_INTERVAL_MS = 5000
const BATCH_SIZE = 10
/** Limits in seconds of the polling interval, which is a tenth of the pull request's age. */
const MIN_CHECK_SECONDS = 30
const MAX_CHECK_SECONDS = 900

/** Polls due pull requests until disposed. Several nodes share the work. */
export function watchPullRequests(deps: PullRequestDeps): AsyncDisposable {
  return repeat({
    async work(signal) {
      await checkDueRequests(deps, signal)
      await settleAbandonedFeedback(deps.feedback, deps.database)
    },
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'agent.watch_failed'),
    ...(deps.onRound === undefined ? {} : { onRound: deps.onRound }),
  })
}

/** Makes the open pull requests of a project due at the next poll. */
export async function scheduleRequestChecks(tx: Tx, projectId: string): Promise<void> {
  await tx
    .updateTable('agent_jobs')
    .set({ look_at: sql<Date>`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .where('pull_request_state', '=', 'open')
    .execute()
}

export async function checkDueRequests(deps: PullRequestDeps, signal: AbortSignal): Promise<void> {
  for (const job of await claimDueJobs(deps)) {
    try {
      const { state, forge } = await fetchRequestState(deps, job, signal)
      if (state !== 'open') await deps.database.transaction((tx) => recordForgeDecision(deps, tx, job, state))
      else if (forge !== null) await followReview(deps, job, forge, signal)
    } catch (error) {
      signal.throwIfAborted()
      deps.log.info({ jobId: job.id, error: (error as Error).message }, 'agent.look_failed')
    }
  }
}

type RequestDeps = Pick<PullRequestDeps, 'database' | 'git' | 'openForge'>

/**
 * Reads the state of the job's pull request, and records it when it was merged or closed. Runs before every push to
 * its branch.
 */
export async function syncRequestState(
  deps: RequestDeps & Pick<PullRequestDeps, 'feedback' | 'onMerged'>,
  job: JobRow,
  signal: AbortSignal,
): Promise<JobRow> {
  if (job.pull_request_state !== 'open') return job
  const { state } = await fetchRequestState(deps, job, signal)
  if (state === 'open') return job
  return await deps.database.transaction(async (tx) => {
    await recordForgeDecision(deps, tx, job, state)
    return await readJob(tx, job.id)
  })
}

async function recordForgeDecision(
  deps: Pick<PullRequestDeps, 'feedback' | 'onMerged'>,
  tx: Tx,
  job: JobRow,
  state: Exclude<PullRequestState, 'open'>,
): Promise<void> {
  const decided = await recordDecision(deps, tx, job, state, 'the forge')
  if (decided === null) return
  await recordAudit(tx, {
    organizationId: job.organization_id,
    actor: SYSTEM_ACTOR,
    action: state === 'merged' ? 'agent_job.merged' : 'agent_job.closed',
    subject: job.id,
    details: { projectId: job.project_id, prLink: job.current_link ?? job.pull_request_link },
  })
}

/** Sets the next poll first: a failing forge is not retried immediately, and no other node polls the same rows. */
async function claimDueJobs({ database }: PullRequestDeps): Promise<JobRow[]> {
  return await database.queries
    .updateTable('agent_jobs')
    .set({
      look_at: sql<Date>`clock_timestamp() + make_interval(secs => least(${MAX_CHECK_SECONDS}, greatest(${MIN_CHECK_SECONDS},
        extract(epoch from clock_timestamp() - updated_at) / 10)))`,
    })
    .where('id', 'in', (query) =>
      query
        .selectFrom('agent_jobs')
        .select('id')
        .where('pull_request_state', '=', 'open')
        .where('look_at', '<=', sql<Date>`clock_timestamp()`)
        .where('project_id', 'in', (of) =>
          of.selectFrom('projects').select('id').where('archived_at', 'is', null),
        )
        .orderBy('look_at')
        .limit(BATCH_SIZE)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

/** `forge` is null for a repository without a forge. */
async function fetchRequestState(
  deps: RequestDeps,
  job: JobRow,
  signal: AbortSignal,
): Promise<{ state: PullRequestState; forge: Forge | null }> {
  const source = await readSource(deps.database.queries, job.project_id)
  const repository = openProjectRepository(deps.git, source)
  const branch = job.branch ?? ''
  if (repository.isLocal) {
    const at = { branch, commit: job.pushed_commit ?? '', target: job.ref }
    return { state: await repository.stateOf(at, signal), forge: null }
  }
  const forge = await deps.openForge(source)
  const found = await forge.findPullRequest({ branch, target: job.ref }, signal)
  return { state: found?.state ?? 'closed', forge }
}

/**
 * Records `open → merged | closed`, once. A merge resolves the feedback that the job addresses and publishes the site
 * again; after a close the feedback stays in progress for a person to decide. `by` is the person who merged or closed.
 */
export async function recordDecision(
  deps: Pick<PullRequestDeps, 'feedback' | 'onMerged'>,
  tx: Tx,
  job: Pick<JobRow, 'id' | 'project_id' | 'organization_id' | 'pull_request_id'>,
  state: Exclude<PullRequestState, 'open'>,
  by: string,
): Promise<JobRow | null> {
  const row = await tx
    .updateTable('agent_jobs')
    .set({
      pull_request_state: state,
      look_at: null,
      updated_at: sql`clock_timestamp()`,
      ...(state === 'merged' && { merged_at: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', job.id)
    .where('pull_request_state', '=', 'open')
    // The job may have opened another pull request since this one was queried.
    .where('pull_request_id', 'is not distinct from', job.pull_request_id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  await addEvents(tx, row.id, [jobEvent(row)])
  if (state === 'merged') {
    await resolveAnsweredFeedback(deps.feedback, tx, row, by)
    await deps.onMerged(tx, { organizationId: job.organization_id, projectId: job.project_id })
  }
  return row
}
