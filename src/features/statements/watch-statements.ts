/**
 * Checks the statements of published docs against the project's code repositories, and finds statements that open
 * pull requests of the code would make false. A check reads repositories, so instead of locking a row, it takes a
 * lease by postponing the next check. All files are read in the process that reads the docs.
 */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { createOrganizationPoller, repeatConcurrently } from '../../base/organization-poller.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { SeenCommit } from '../../database/schema/automations.ts'
import { withoutCredentials } from '../../git/git-error.ts'
import { readSource } from '../agent/store.ts'
import {
  type CodeSource,
  callStatementWork,
  isShared,
  openSource,
  type ProjectTreesDeps,
} from './project-trees.ts'
import { findModelName, type ReadByModelDeps, readByModel } from './read-by-model.ts'
import { confirmByReaction, type ReportAlarmsDeps, reportPullRequest } from './report-alarms.ts'
import { forgetChecks, forgetStatements } from './schedule-checks.ts'
import type { CheckRequest, CheckResult, KnownAlarm, Readings } from './statement-work.ts'
import { type CheckRow, storeCheck, updateCheck } from './store-check.ts'

export interface WatchStatementsDeps extends ReportAlarmsDeps, ProjectTreesDeps, ReadByModelDeps {
  /** Makes automations that follow alarms due. */
  scheduleForAlarms(tx: Tx, projectId: string): Promise<void>
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
/** Key of the model that has read the pages; missing if it has not read all. */
const MODEL = 'model'

export function watchStatements(deps: WatchStatementsDeps): AsyncDisposable {
  return repeatConcurrently({
    work: createStatementChecks(deps),
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'statements.check_failed'),
  })
}

export function createStatementChecks(deps: WatchStatementsDeps): (signal: AbortSignal) => Promise<void> {
  return createOrganizationPoller({
    leaseNext: (busy) => claimDue(deps.database, busy),
    processRow: (row, signal) => checkOne(deps, row, signal),
  })
}

async function claimDue({ queries }: Database, busy: readonly string[]): Promise<CheckRow | null> {
  const { rows } = await sql<CheckRow>`
    UPDATE statement_checks SET look_at = ${inSeconds(LEASE_SECONDS)} WHERE ctid = (
      SELECT ctid FROM statement_checks
      WHERE look_at <= clock_timestamp() AND organization_id <> ALL (${busy})
        AND EXISTS (SELECT FROM projects WHERE projects.id = project_id AND archived_at IS NULL)
      ORDER BY look_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(queries)
  return rows[0] ?? null
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

/** Returns the message for members about a pull request that could not be reported, or null. */
async function check(deps: WatchStatementsDeps, row: CheckRow, signal: AbortSignal): Promise<string | null> {
  const { project_id: projectId } = row
  const sources = await findSources(deps, row, signal)
  const target = sources.find(({ id }) => id === row.repository_id)
  if (sources.length === 0 || (row.pull_request > 0 && target === undefined)) {
    await deps.database.transaction(async (tx) => {
      if (sources.length === 0) await forgetStatements(tx, projectId)
      else await forgetChecks(tx, { projectId, repositoryId: row.repository_id }, [row.pull_request])
    })
    return null
  }
  if (target !== undefined) await confirmByReaction(deps, row, target.row, signal)
  const docs = await findDocs(deps, row, target)
  const model = await findModelName(deps, deps.database.queries, projectId)
  const seen: Record<string, SeenCommit> = Object.fromEntries([
    [DOCS, { commit: docs.revision ?? '', of: docs.row.repository }],
    [MODEL, { commit: model ?? '', of: '' }],
    ...sources.map((source) => [source.id, source.seen] as const),
  ])
  if (docs.revision === null || !isDeepStrictEqual(row.seen, seen)) {
    const known = target === undefined ? await findKnownAlarms(deps, projectId) : []
    const readings = model === null ? null : await findReadings(deps, projectId)
    const request: CheckRequest = { repositories: sources.map(({ name }) => name), known, readings }
    const call = { method: 'check', request } as const
    const result = await callStatementWork<CheckResult>(deps, { docs, sources }, call, signal)
    // The next check continues where the reading has stopped.
    if (target === undefined && readings !== null && model !== null)
      if (!(await readByModel(deps, { row, model, readings, result }, signal))) delete seen[MODEL]
    await deps.database.transaction(async (tx) => {
      await storeCheck(tx, row, { sources, result, seen })
      if (target === undefined && result.alarms.length > 0) await deps.scheduleForAlarms(tx, projectId)
    })
  }
  if (target === undefined) return null
  return await reportPullRequest(deps, row, { source: target.row, commit: target.seen.commit }, signal)
}

async function findSources(
  { database, git }: WatchStatementsDeps,
  row: CheckRow,
  signal: AbortSignal,
): Promise<CodeSource[]> {
  const all = await database.queries
    .selectFrom('code_repositories')
    .selectAll()
    .where('project_id', '=', row.project_id)
    .orderBy('name')
    .execute()
  return await Promise.all(
    all.map(async (stored) => {
      const ref = stored.id === row.repository_id ? row.ref : null
      const last = row.pull_request > 0 ? null : (row.seen[stored.id] ?? null)
      const source = await openSource(git, stored, { ref, last }, signal)
      if (ref !== null) source.before = await source.repository.findMergeBase(ref, signal)
      return source
    }),
  )
}

/** Returns the published version, or the pull request's own version if the docs are in the same repository. */
async function findDocs(
  { database }: WatchStatementsDeps,
  { project_id }: CheckRow,
  target: CodeSource | undefined,
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

async function findKnownAlarms({ database }: WatchStatementsDeps, projectId: string): Promise<KnownAlarm[]> {
  return await database.queries
    .selectFrom('statement_alarms as alarm')
    .innerJoin('code_repositories as code', 'code.id', 'repository_id')
    .select(['name as repository', 'statement', 'found'])
    .select(sql<string>`repository_id || ' ' || statement`.as('key'))
    .where('alarm.project_id', '=', projectId)
    .where('pull_request', '=', 0)
    .execute()
}

async function findReadings({ database }: WatchStatementsDeps, projectId: string): Promise<Readings> {
  const rows = await database.queries
    .selectFrom('statements')
    .select(['id', 'bindings'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`bindings @? '$[*].quote'`)
    .execute()
  return Object.fromEntries(rows.map(({ id, bindings }) => [id, bindings]))
}

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
}
