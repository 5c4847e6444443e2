/**
 * Checks due automations periodically. A check is one transaction that locks the automation's row, so its
 * seen state, runs and jobs commit together. Several nodes share the work.
 */
import { sql } from 'kysely'
import type { AutomationKind } from '../../base/api/form-choices.ts'
import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeat.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { Causes } from './cause.ts'
import { findCauses } from './find-causes.ts'
import { type RunCauseDeps, runCause, skipRun } from './run.ts'
import { nextTime } from './schedule.ts'
import { type AutomationRow, isAtWork, type RunRow } from './store.ts'

export interface WatchDeps extends RunCauseDeps {
  database: Database
  log: Log
  onRound?: () => void
}

const POLL_INTERVAL_MS = 5000
/** Maximum number of checks per interval, to leave time for other work. */
const MAX_CHECKS = 100

/**
 * Seconds between checks, by trigger. A deployment makes the automations that it triggers due immediately; messages
 * start runs directly.
 */
const CHECK_INTERVALS: Record<Exclude<AutomationKind, 'schedule'>, number> = {
  feedback: 60,
  search: 900,
  push: 21_600,
  broken_link: 21_600,
  alarm: 21_600,
  translation: 21_600,
  webhook: 86_400,
  comment: 86_400,
  pull_request: 86_400,
  code_push: 3600,
}
/** Seconds until the next check if a run was skipped for a reason that will last. */
const RETRY_SECONDS = 3600

export function watchAutomations(deps: WatchDeps): AsyncDisposable {
  return repeat({
    work: (signal) => checkAutomations(deps, signal),
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'automations.look_failed'),
    ...(deps.onRound === undefined ? {} : { onRound: deps.onRound }),
  })
}

export async function checkAutomations(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  for (let checks = 0; checks < MAX_CHECKS; checks++) {
    signal.throwIfAborted()
    if (!(await checkNext(deps))) return
  }
}

/** Returns false if no automation is due. Postpones a failing automation so that others can run. */
async function checkNext(deps: WatchDeps): Promise<boolean> {
  let id: string | null = null
  try {
    return await deps.database.transaction(async (tx) => {
      const row = await claimDue(tx)
      if (row === undefined) return false
      id = row.id
      await check(deps, tx, row)
      return true
    })
  } catch (error) {
    if (id === null) throw error
    deps.log.warn({ automationId: id, error: (error as Error).message }, 'automation.look_failed')
    await postpone(deps.database, id)
    return true
  }
}

async function claimDue(tx: Tx): Promise<AutomationRow | undefined> {
  return await tx
    .selectFrom('automations')
    .selectAll()
    .where('paused_at', 'is', null)
    // watch-code.ts handles this kind.
    .where('kind', '!=', 'code_push')
    .where('look_at', '<=', sql<Date>`clock_timestamp()`)
    .where(isAtWork)
    .orderBy('look_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

async function check(deps: WatchDeps, tx: Tx, row: AutomationRow): Promise<void> {
  const found = await findCauses(tx, row, false)
  const runs: RunRow[] = []
  for (const cause of found.causes) {
    runs.push(await runCause(deps, tx, row, cause, { cause: row.kind }))
    if (isLater(runs)) break
  }
  if (found.isOwnChange) await skipRun(tx, row, found, { cause: row.kind })
  await tx
    .updateTable('automations')
    .set({ look_at: nextCheckTime(row, runs), ...seenUpdate(found, runs) })
    .where('id', '=', row.id)
    .execute()
}

/** Findings without a run stay unseen so that the next check finds them again. */
function seenUpdate({ seenDeployment }: Causes, runs: readonly RunRow[]): { seen_deployment?: number } {
  return seenDeployment === null || isLater(runs) ? {} : { seen_deployment: seenDeployment }
}

function isLater(runs: readonly RunRow[]): boolean {
  return runs.some(({ reason }) => reason !== null && reason !== 'dry_run')
}

function nextCheckTime(row: AutomationRow, runs: readonly RunRow[]) {
  // The row is due by the database's clock, and the local clock may be behind.
  if (row.trigger.kind === 'schedule')
    return nextTime(row.trigger, new Date(Math.max(Date.now(), row.look_at.getTime())))
  return inSeconds(isLater(runs) ? RETRY_SECONDS : CHECK_INTERVALS[row.trigger.kind])
}

async function postpone({ queries }: Database, id: string): Promise<void> {
  await queries
    .updateTable('automations')
    .set({ look_at: inSeconds(RETRY_SECONDS) })
    .where('id', '=', id)
    .where('look_at', '<=', sql<Date>`clock_timestamp()`)
    .execute()
}

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
}
