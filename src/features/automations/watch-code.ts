/**
 * Checks automations that follow a code repository. A check takes a while and calls other servers, so instead
 * of locking rows, it takes a lease by postponing the next check. Its result is written in one transaction
 * unless another check was faster. A stopped process returns its leases; those of a killed process expire.
 */
import { sql } from 'kysely'
import type { Log } from '../../base/log.ts'
import { createOrganizationPoller, repeatConcurrently } from '../../base/organization-poller.ts'
import type { Database, Tx } from '../../database/database.ts'
import { type CodeComparison, type CompareCodeDeps, compareCode } from '../statements/compare-code.ts'
import { type Cause, emptyCause } from './cause.ts'
import { type CodeTrigger, codeTopic, describeCodeChange } from './code-push.ts'
import { type RunCauseDeps, recordSkip, runCause } from './run.ts'
import { type AutomationRow, isAtWork, type RunRow } from './store.ts'

export interface WatchCodeDeps extends RunCauseDeps {
  database: Database
  log: Log
  code: CompareCodeDeps
}

const POLL_INTERVAL_MS = 5000
/** Longer than any check. */
const LEASE_SECONDS = 3600
/** Interval of checks for repositories without a webhook that reports pushes. */
const CHECK_INTERVAL_SECONDS = 3600

/** Runs separately from checks of other automations, because calls to other servers may be slow. */
export function watchCode(deps: WatchCodeDeps): AsyncDisposable {
  return repeatConcurrently({
    work: createCodeChecks(deps),
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'automations.look_failed'),
  })
}

export function createCodeChecks(deps: WatchCodeDeps): (signal: AbortSignal) => Promise<void> {
  return createOrganizationPoller({
    leaseNext: (atWork) => deps.database.transaction((tx) => claimDue(tx, atWork)),
    processRow: (row, signal) =>
      checkOne(deps, row, signal).finally(() =>
        signal.aborted ? releaseLease(deps.database, row) : undefined,
      ),
  })
}

/** Makes an automation leased by this process due, so that a restart does not delay a push by an hour. */
async function releaseLease({ queries }: Database, { id, look_at: leasedTo }: AutomationRow): Promise<void> {
  await queries
    .updateTable('automations')
    .set({ look_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('look_at', '=', leasedTo)
    .execute()
}

async function claimDue(tx: Tx, atWork: readonly string[]): Promise<AutomationRow | null> {
  const dueRow = await tx
    .selectFrom('automations')
    .select('id')
    .where('kind', '=', 'code_push')
    .where('paused_at', 'is', null)
    .where('look_at', '<=', sql<Date>`clock_timestamp()`)
    .where(isAtWork)
    .$if(atWork.length > 0, (query) => query.where('organization_id', 'not in', atWork))
    .orderBy('look_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (dueRow === undefined) return null
  return await tx
    .updateTable('automations')
    .set({ look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})` })
    .where('id', '=', dueRow.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function checkOne(deps: WatchCodeDeps, row: AutomationRow, signal: AbortSignal): Promise<void> {
  const found = await compare(deps, row, signal)
  signal.throwIfAborted()
  try {
    await deps.database.transaction((tx) => storeFindings(deps, tx, row, found))
  } catch (error) {
    deps.log.warn({ automationId: row.id, error: (error as Error).message }, 'automation.look_failed')
  }
}

async function compare(
  deps: WatchCodeDeps,
  row: AutomationRow,
  signal: AbortSignal,
): Promise<CodeComparison> {
  const { repository, files = [] } = row.trigger as CodeTrigger
  const { project_id: projectId, seen_code: seen } = row
  try {
    return await compareCode(deps.code, { projectId, repository, seen, files }, signal)
  } catch (error) {
    signal.throwIfAborted()
    const { message } = error as Error
    deps.log.warn({ automationId: row.id, error: message }, 'automation.look_failed')
    return { kind: 'unread', seen: null, why: 'The check failed and will be repeated.' }
  }
}

async function storeFindings(
  deps: WatchCodeDeps,
  tx: Tx,
  before: AutomationRow,
  found: CodeComparison,
): Promise<void> {
  const row = await tx
    .selectFrom('automations')
    .selectAll()
    .where('id', '=', before.id)
    .where('paused_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || !isUnchanged(row, before)) return
  const run = await runFindings(deps, tx, row, found)
  const isLater = run !== null && run.reason !== null && !SEEN_REASONS.has(run.reason)
  await tx
    .updateTable('automations')
    .set({
      ...(!isLater && found.seen !== null && { seen_code: JSON.stringify(found.seen) }),
      // A push during the check may have set an earlier time.
      look_at: sql<Date>`CASE WHEN look_at < ${before.look_at} THEN look_at
        ELSE clock_timestamp() + make_interval(secs => ${CHECK_INTERVAL_SECONDS}) END`,
    })
    .where('id', '=', row.id)
    .execute()
}

/** Returns false if another check was faster or the trigger has changed. */
function isUnchanged(row: AutomationRow, before: AutomationRow): boolean {
  const comparedState = ({ seen_code: seen, trigger }: AutomationRow) => JSON.stringify([seen, trigger])
  return comparedState(row) === comparedState(before)
}

/** Reasons of runs after which the commits count as seen. With any other reason, the next check finds them again. */
const SEEN_REASONS: ReadonlySet<RunRow['reason']> = new Set(['dry_run', 'no_change', 'not_compared'])

async function runFindings(
  deps: WatchCodeDeps,
  tx: Tx,
  row: AutomationRow,
  found: CodeComparison,
): Promise<RunRow | null> {
  const trigger = row.trigger as CodeTrigger
  const options = { cause: row.kind }
  if (found.kind === 'unread') {
    if (await isKnownToFail(tx, row)) return null
    const cause: Cause = {
      ...emptyCause(codeTopic(trigger)),
      externalTexts: [{ what: `the code repository ${trigger.repository}`, text: found.why }],
    }
    return await recordSkip(tx, row, cause, 'not_compared', options)
  }
  if (found.kind === 'seen' || found.total === 0) return null
  const { cause, hasPages } = describeCodeChange(trigger, found)
  if (!hasPages) return await recordSkip(tx, row, cause, 'no_change', options)
  return await runCause(deps, tx, row, cause, options)
}

/** Prevents every check from recording the same failure again. */
async function isKnownToFail(tx: Tx, { id }: AutomationRow): Promise<boolean> {
  const newest = await tx
    .selectFrom('automation_runs')
    .select('reason')
    .where('automation_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.reason === 'not_compared'
}
