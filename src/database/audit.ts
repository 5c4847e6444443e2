/**
 * The audit log: one row per change, written in the same transaction as the change. If the module that makes a change
 * has not written a row, the common code path of all API changes adds one, so that every operation has a row. Every
 * module that changes data depends on this module. At commit, the database chains the rows of an organization
 * (migration `audit_chain`).
 */

import { createId } from '../base/ids.ts'
import type { AuditAction } from '../features/audit-actions.ts'
import type { Queries, Tx } from './database.ts'

/** Actor of changes that no caller requested, such as the end of a job. */
export const SYSTEM_ACTOR = 'system'
export const OPERATOR_ACTOR = 'cli'

export interface AuditEntry {
  organizationId: string
  /** `cli`, `system`, or the id of the key or member that made the change. */
  actor: string
  action: AuditAction
  /** Id or host name of the changed object. */
  subject: string
  /** Must never contain a secret. */
  details?: Record<string, unknown>
}

export interface AuditRow extends Required<AuditEntry> {
  id: string
  at: Date
}

/** By transaction: actors that need no further audit row, because one was written or nothing has changed. */
const recordedActors = new WeakMap<Tx, Set<string>>()
const ANY_ACTOR = '*'

export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_rows')
    .values({
      id: createId('aud'),
      organization_id: entry.organizationId,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
  markRecorded(tx, entry.actor)
}

/** Marks the transaction as having changed nothing, so that the call leaves no audit row. */
export function recordNoChange(tx: Tx): void {
  markRecorded(tx, ANY_ACTOR)
}

/**
 * Writes the audit row of an operation, unless the module that made the change has already written one or found nothing
 * to change.
 */
export async function completeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const recorded = recordedActors.get(tx)
  if (recorded?.has(entry.actor) || recorded?.has(ANY_ACTOR)) return
  await recordAudit(tx, entry)
}

function markRecorded(tx: Tx, actor: string): void {
  const recorded = recordedActors.get(tx) ?? new Set()
  recordedActors.set(tx, recorded.add(actor))
}

export async function listAudit(
  db: Queries,
  { organizationId, limit }: { organizationId: string; limit: number },
): Promise<AuditRow[]> {
  const rows = await db
    .selectFrom('audit_rows')
    .select(['id', 'organization_id', 'actor', 'action', 'subject', 'details', 'at'])
    .where('organization_id', '=', organizationId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ organization_id, action, ...row }) => ({
    organizationId: organization_id,
    action: action as AuditAction,
    ...row,
  }))
}
