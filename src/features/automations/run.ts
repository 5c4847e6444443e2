/**
 * Performs a run: starts a job, sends a message to the open job of the topic, or skips. Records the outcome.
 */
import { sql } from 'kysely'
import { createId } from '../../base/ids.ts'
import { toStorableText } from '../../base/text/storable.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../database/audit.ts'
import type { Tx } from '../../database/database.ts'
import { type StartJobDeps, startAgentJob } from '../agent/start-job.ts'
import { findTopicJob, messageTopicJob } from '../agent/topic-job.ts'
import { recordNotification } from '../notifications/record-notification.ts'
import { type Cause, type Causes, emptyCause } from './cause.ts'
import { MAX_RUNS_PER_DAY, type RunReason } from './operations/automations.ts'
import type { AutomationRow, RunRow } from './store.ts'

export type RunCauseDeps = StartJobDeps

export interface RunOptions {
  cause: RunRow['cause']
  delivery?: string | null
}

const MAX_PROMPT_LENGTH = 20_000
const MAX_SKIPPED_LENGTH = 500
const FOUND_ONLY: ReadonlySet<RunRow['reason']> = new Set(['no_change', 'not_compared'])

/** Requires a lock on the automation's row in this transaction. */
export async function runCause(
  deps: RunCauseDeps,
  tx: Tx,
  row: AutomationRow,
  cause: Cause,
  options: RunOptions,
): Promise<RunRow> {
  const outcome = (await findSkipOutcome(deps, tx, row)) ?? (await handToAgent(deps, tx, row, cause))
  if (outcome.reason === null || outcome.reason === 'dry_run') await markSeen(tx, row.id, cause.items)
  return await writeRun(tx, row, cause, { ...options, ...outcome })
}

export async function recordSkip(
  tx: Tx,
  row: AutomationRow,
  cause: Cause,
  reason: RunReason,
  options: RunOptions,
): Promise<RunRow> {
  return await writeRun(tx, row, cause, { ...options, ...skipped(reason) })
}

export async function skipRun(
  tx: Tx,
  row: AutomationRow,
  found: Pick<Causes, 'isOwnChange'>,
  options: RunOptions,
): Promise<RunRow> {
  const reason: RunReason = found.isOwnChange ? 'own_change' : 'no_change'
  return await recordSkip(tx, row, emptyCause(row.kind), reason, options)
}

type Outcome = Pick<RunRow, 'state' | 'reason' | 'job_id'>

function skipped(reason: RunReason): Outcome {
  return { state: 'skipped', reason, job_id: null }
}

async function findSkipOutcome(
  deps: Pick<RunCauseDeps, 'agent'>,
  tx: Tx,
  row: AutomationRow,
): Promise<Outcome | null> {
  if (row.paused_at !== null) return skipped('paused')
  if ((await countRecentRuns(tx, row.id)) >= (row.budget.runsPerDay ?? MAX_RUNS_PER_DAY))
    return skipped('daily_limit')
  if (row.is_dry_run) return skipped('dry_run')
  return deps.agent.modelName === null ? skipped('model_unavailable') : null
}

/** Counts runs of the last 24 hours, including dry runs but not other skipped runs. */
async function countRecentRuns(tx: Tx, automationId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('automation_runs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('automation_id', '=', automationId)
    .where('created_at', '>', sql<Date>`clock_timestamp() - interval '1 day'`)
    .where(({ or, eb }) => or([eb('reason', 'is', null), eb('reason', '=', 'dry_run')]))
    .executeTakeFirstOrThrow()
  return count
}

async function handToAgent(
  deps: RunCauseDeps,
  tx: Tx,
  row: AutomationRow,
  { topic, externalTexts, feedbackIds }: Cause,
): Promise<Outcome> {
  const caller = { organizationId: row.organization_id, id: row.id }
  const open = await findTopicJob(tx, { automationId: row.id, topic })
  if (open !== undefined) {
    const isTaken = await messageTopicJob(deps, tx, caller, open, {
      prompt: row.prompt,
      externalTexts,
      feedbackIds,
    })
    return isTaken ? { state: 'added', reason: null, job_id: open.id } : skipped('job_full')
  }
  const { runsPerDay: _, ...budget } = row.budget
  const { scope, model } = row
  const body = { prompt: row.prompt, ...(feedbackIds.length > 0 && { feedbackIds }) }
  const origin = { automationId: row.id, topic, scope, budget, model, externalTexts }
  const job = await startAgentJob(deps, tx, caller, row.project_id, body, origin)
  await recordAudit(tx, {
    organizationId: row.organization_id,
    actor: SYSTEM_ACTOR,
    action: 'agent_job.created',
    subject: job.id,
    details: { projectId: row.project_id, automationId: row.id, topic },
  })
  return { state: 'started', reason: null, job_id: job.id }
}

async function markSeen(tx: Tx, automationId: string, items: readonly string[]): Promise<void> {
  if (items.length === 0) return
  await tx
    .insertInto('automation_seen')
    .values(items.map((item) => ({ automation_id: automationId, item })))
    .onConflict((conflict) =>
      conflict.columns(['automation_id', 'item']).doUpdateSet({ at: sql<Date>`clock_timestamp()` }),
    )
    .execute()
}

/** Reasons that users can resolve; each automation notifies at most once a day. */
const STOP_REASONS: Partial<Record<RunReason, string>> = {
  daily_limit: 'its daily limit of runs is reached',
  model_unavailable: 'this server has no model',
  job_full: 'its open job accepts no more messages',
  not_compared: 'the changes in the code could not be determined',
}

async function notifyStopped(tx: Tx, { id, name, project_id }: AutomationRow, why: RunReason): Promise<void> {
  const reason = STOP_REASONS[why]
  if (reason === undefined) return
  await recordNotification(tx, {
    kind: 'automation_stopped',
    projectId: project_id,
    subject: id,
    facts: { name, reason },
    onceInHours: 24,
  })
}

async function writeRun(
  tx: Tx,
  row: AutomationRow,
  { topic, externalTexts, feedbackIds, code = null }: Cause,
  { cause, delivery = null, ...outcome }: RunOptions & Outcome,
): Promise<RunRow> {
  if (outcome.reason !== null) await notifyStopped(tx, row, outcome.reason)
  const found = externalTexts.map(({ what, text }) => `${what}:\n${text}`)
  const isKept = outcome.reason === null || outcome.reason === 'dry_run'
  // No job was started, so the row contains the findings without the prompt.
  const isFoundOnly = externalTexts.length > 0 && FOUND_ONLY.has(outcome.reason)
  const parts = isFoundOnly ? found : [row.prompt, ...found]
  if (feedbackIds.length > 0) parts.push(`Feedback entries: ${feedbackIds.join(', ')}`)
  await tx
    .updateTable('automations')
    .set({ last_run_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', row.id)
    .execute()
  return await tx
    .insertInto('automation_runs')
    .values({
      id: createId('arn'),
      automation_id: row.id,
      topic: toStorableText(topic),
      asked: toStorableText(parts.join('\n\n').slice(0, isKept ? MAX_PROMPT_LENGTH : MAX_SKIPPED_LENGTH)),
      cause,
      delivery,
      code: code !== null && outcome.job_id !== null ? JSON.stringify(code) : null,
      ...outcome,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
