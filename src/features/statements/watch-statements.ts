/**
 * Checks the statements of published docs against the project's code repositories, and finds statements that open
 * pull requests of the code would make false. A check reads repositories, so instead of locking a row, it takes a
 * lease by postponing the next check. All files are read in the process that reads the docs.
 */
import { sql } from 'kysely'
import type { Log } from '../../base/log.ts'
import { createOrganizationPoller, repeatConcurrently } from '../../base/organization-poller.ts'
import type { Tx } from '../../database/database.ts'
import type { SeenCode } from '../../database/schema/automations.ts'
import { openCodeRepository } from '../../git/code-repository.ts'
import { withoutCredentials } from '../../git/git-error.ts'
import { toProjectSource } from '../agent/code/code-reader.ts'
import { readSource } from '../agent/store.ts'
import { type CodeSource, callStatementWork, isShared, type ProjectTreesDeps } from './project-trees.ts'
import { confirmByReaction, type ReportAlarmsDeps, reportPullRequest } from './report-alarms.ts'
import { forgetChecks, forgetStatements } from './schedule-checks.ts'
import type { CheckRequest, CheckResult, KnownAlarm } from './statement-work.ts'
import {
  type CheckRow,
  type ScheduleForAlarms,
  storePullRequest,
  storeStatements,
  updateCheck,
} from './store-check.ts'

export interface WatchStatementsDeps extends ReportAlarmsDeps, ProjectTreesDeps {
  log: Log
  scheduleForAlarms: ScheduleForAlarms
}

const POLL_INTERVAL_MS = 5000
/** Longer than any check. */
const LEASE_SECONDS = 3600
/** Interval between checks of the published site if no webhook message arrives. */
const CHECK_INTERVAL_SECONDS = 3600
const RETRY_SECONDS = 600
/** Interval of checks of a pull request whose comment lists alarms. */
const REACTION_INTERVAL_SECONDS = 900
const FULL_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** Key of the docs in `seen`, which maps code repositories to commits. */
const DOCS = 'docs'

export function watchStatements(deps: WatchStatementsDeps): AsyncDisposable {
  return repeatConcurrently({
    work: createStatementChecks(deps),
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'statements.check_failed'),
  })
}

export function createStatementChecks(deps: WatchStatementsDeps): (signal: AbortSignal) => Promise<void> {
  return createOrganizationPoller({
    leaseNext: (busy) => deps.database.transaction((tx) => claimDue(tx, busy)),
    processRow: (row, signal) => checkOne(deps, row, signal),
  })
}

async function claimDue(tx: Tx, busy: readonly string[]): Promise<CheckRow | null> {
  const due = await tx
    .selectFrom('statement_checks')
    .selectAll()
    .where('look_at', '<=', sql<Date>`clock_timestamp()`)
    .where(sql<boolean>`EXISTS (SELECT FROM projects WHERE projects.id = project_id AND archived_at IS NULL)`)
    .$if(busy.length > 0, (query) => query.where('organization_id', 'not in', busy))
    .orderBy('look_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (due === undefined) return null
  return { ...due, ...(await updateCheck(tx, due, { look_at: inSeconds(LEASE_SECONDS) })) }
}

async function checkOne(deps: WatchStatementsDeps, row: CheckRow, signal: AbortSignal): Promise<void> {
  let outcome: { error: string | null; seconds: number }
  try {
    outcome = { error: await check(deps, row, signal), seconds: CHECK_INTERVAL_SECONDS }
  } catch (error) {
    const { message } = error as Error
    if (!signal.aborted)
      deps.log.warn({ projectId: row.project_id, error: message }, 'statements.check_failed')
    outcome = { error: withoutCredentials(message), seconds: signal.aborted ? 0 : RETRY_SECONDS }
  }
  // Polls for reactions, because only some forges report them through webhooks.
  const next =
    outcome.error === null && row.pull_request > 0
      ? sql<Date>`CASE WHEN jsonb_array_length(comment -> 'listed') > 0
          THEN ${inSeconds(REACTION_INTERVAL_SECONDS)} ELSE 'infinity' END`
      : inSeconds(outcome.seconds)
  // A push during the check may have set an earlier time.
  const look_at = sql<Date>`CASE WHEN look_at < ${row.look_at} THEN look_at ELSE ${next} END`
  await updateCheck(deps.database.queries, row, { error: outcome.error, look_at })
}

interface Source extends CodeSource {
  id: string
  name: string
  seen: SeenCode
}

/** Returns the message for members about a pull request that could not be reported, or null. */
async function check(deps: WatchStatementsDeps, row: CheckRow, signal: AbortSignal): Promise<string | null> {
  const sources = await findSources(deps, row, signal)
  const target = sources.find(({ id }) => id === row.repository_id)
  if (sources.length === 0 || (row.pull_request > 0 && target === undefined)) {
    await deps.database.transaction(async (tx) => {
      if (sources.length === 0) await forgetStatements(tx, row.project_id)
      else await forgetChecks(tx, row.project_id, row.repository_id, [row.pull_request])
    })
    return null
  }
  if (target !== undefined) await confirmByReaction(deps, row, target.row, signal)
  const docs = await findDocs(deps, row, target)
  const seen = Object.fromEntries([
    [DOCS, { commit: docs.revision ?? '', of: docs.row.repository }],
    ...sources.map((source) => [source.id, source.seen] as const),
  ])
  if (docs.revision === null || JSON.stringify(seen) !== JSON.stringify(sortKeysLike(row.seen, seen))) {
    const known = await findKnown(deps, row, sources)
    const request: CheckRequest = { repositories: sources.map(({ name }) => name), known }
    const result = await callStatementWork(
      deps,
      { docs, sources },
      (worker) => worker.call<CheckResult>('check', request),
      signal,
    )
    await deps.database.transaction(async (tx) => {
      if (target === undefined)
        await storeStatements(tx, row, { sources, known, result, seen }, deps.scheduleForAlarms)
      else await storePullRequest(tx, row, { sources, result, seen })
    })
  }
  if (target === undefined) return null
  return await reportPullRequest(deps, row, { source: target.row, commit: target.seen.commit }, signal)
}

/** Restores the order of keys, which jsonb does not preserve. */
function sortKeysLike<T>(value: Record<string, T>, like: object): object {
  return Object.fromEntries(Object.keys(like).map((key) => [key, value[key]]))
}

async function findSources(
  { database, git }: WatchStatementsDeps,
  row: CheckRow,
  signal: AbortSignal,
): Promise<Source[]> {
  const stored = await database.queries
    .selectFrom('code_repositories')
    .selectAll()
    .where('project_id', '=', row.project_id)
    .orderBy('name')
    .execute()
  return await Promise.all(
    stored.map(async (code) => {
      const source = toProjectSource(code)
      const repository = openCodeRepository(git, source)
      const ref = code.id === row.repository_id ? row.ref : null
      const commit = await repository.fetchCommit(ref, signal)
      const of = `${code.repository} ${ref ?? code.ref ?? ''}`
      const last = row.seen[code.id]
      const isMoved = last !== undefined && last.of === of && last.commit !== commit
      const before =
        ref !== null
          ? await repository.findMergeBase(ref, signal)
          : row.pull_request === 0 && isMoved
            ? last.commit
            : null
      return { id: code.id, name: code.name, row: source, repository, commit, seen: { commit, of }, before }
    }),
  )
}

/** Returns the published version, or the pull request's own version if the docs are in the same repository. */
async function findDocs(
  { database }: WatchStatementsDeps,
  { project_id }: CheckRow,
  target: Source | undefined,
) {
  const row = await readSource(database.queries, project_id)
  if (target !== undefined && isShared(target.row, row)) return { row, revision: target.seen.commit }
  const published = await database.queries
    .selectFrom('published_sites')
    .innerJoin('deployments', 'deployments.id', 'deployment_id')
    .select('revision')
    .where('published_sites.project_id', '=', project_id)
    .executeTakeFirst()
  const revision = published?.revision ?? null
  return { row, revision: revision !== null && FULL_COMMIT.test(revision) ? revision : null }
}

async function findKnown({ database }: WatchStatementsDeps, row: CheckRow, sources: readonly Source[]) {
  if (row.pull_request > 0) return []
  const rows = await database.queries
    .selectFrom('statement_alarms')
    .select(['repository_id', 'statement', 'found'])
    .where('project_id', '=', row.project_id)
    .where('pull_request', '=', 0)
    .execute()
  return rows.flatMap(({ repository_id, statement, found: { reason, before } }): KnownAlarm[] => {
    const repository = sources.findIndex(({ id }) => id === repository_id)
    return repository < 0 ? [] : [{ repository, statement, reason, before }]
  })
}

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
}
