/**
 * Rows of automations and their runs. Changing the seen state of an automation or recording a run requires a
 * lock on its row, so that its runs are serialized and the seen state commits together with the job that it
 * starts.
 */
import { type Selectable, sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { AutomationRunTable, AutomationTable } from '../../database/schema/automations.ts'
import type { Automation, AutomationRun } from './operations/automations.ts'

export type AutomationRow = Selectable<AutomationTable>
export type RunRow = Selectable<AutomationRunTable>

export interface AutomationRef {
  organizationId: string
  projectId: string
  automationId: string
}

/** Throws AppError `not_found`, also for an automation of another organization or project. */
export async function getRow(queries: Queries, ref: AutomationRef): Promise<AutomationRow> {
  return requireRow(await selectRow(queries, ref).executeTakeFirst())
}

/** Like `getRow`, but locks the row until the transaction ends. */
export async function lockRow(tx: Tx, ref: AutomationRef): Promise<AutomationRow> {
  return requireRow(await selectRow(tx, ref).forUpdate().executeTakeFirst())
}

function selectRow(queries: Queries, { organizationId, projectId, automationId }: AutomationRef) {
  return queries
    .selectFrom('automations')
    .selectAll()
    .where('id', '=', automationId)
    .where('project_id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .where(isOfProject)
}

/** Excludes automations of deleted projects, because their rows exist until the project is purged. */
export const isOfProject = sql<boolean>`EXISTS (SELECT FROM projects WHERE projects.id = automations.project_id)`

/** Excludes archived projects, whose automations are visible but do not run. */
export const isAtWork = sql<boolean>`EXISTS (
  SELECT FROM projects WHERE projects.id = automations.project_id AND archived_at IS NULL)`

function requireRow(row: AutomationRow | undefined): AutomationRow {
  if (row === undefined) throw new AppError('not_found')
  return row
}

export function toAutomation(row: AutomationRow): Automation {
  const isPaused = row.paused_at !== null
  return {
    automationId: row.id,
    projectId: row.project_id,
    name: row.name,
    trigger: row.trigger,
    prompt: row.prompt,
    scope: row.scope,
    budget: row.budget,
    model: row.model,
    dryRun: row.is_dry_run,
    paused: isPaused,
    madeBy: row.made_by,
    nextRunAt: row.kind === 'schedule' && !isPaused ? row.look_at.toISOString() : null,
    lastRunAt: row.last_run_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function toRun(row: RunRow): AutomationRun {
  return {
    runId: row.id,
    automationId: row.automation_id,
    cause: row.cause,
    topic: row.topic,
    state: row.state,
    reason: row.reason,
    jobId: row.job_id,
    asked: row.asked,
    createdAt: row.created_at.toISOString(),
  }
}
