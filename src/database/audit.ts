/**
 * Who changed what: a row for each change, written in the transaction of the change. The path that all changes of the API
 * take completes what a domain has not written itself, so that no operation can forget its row. It lives here, below all
 * who change something. At the commit the database chains the rows of an organization (migration `audit_chain`).
 */

import type { AuditAction } from '../base/api/audit-actions.ts'
import { createId } from '../base/ids.ts'
import type { Queries, Tx } from './database.ts'

/** Who did what nobody asked for: the end of a job. */
export const SYSTEM_ACTOR = 'system'

export interface AuditEntry {
  organizationId: string
  /** `cli`, `system`, or the id of the key or member who did it. */
  actor: string
  action: AuditAction
  /** The id or host name of what was changed. */
  subject: string
  /** Never a secret. */
  details?: Record<string, unknown>
}

export interface AuditRow extends Required<AuditEntry> {
  id: string
  at: Date
}

/** Those for whom a transaction has a row, or has found nothing to change. */
const spokenFor = new WeakMap<Tx, Set<string>>()
const ANYBODY = '*'

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
  speakFor(tx, entry.actor)
}

/** For who was asked for a change and found that everything is so already: the call leaves no row. */
export function recordNoChange(tx: Tx): void {
  speakFor(tx, ANYBODY)
}

/** The row of an operation, unless its domain has said more about it, or that there is nothing to say. */
export async function completeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const spoken = spokenFor.get(tx)
  if (spoken?.has(entry.actor) || spoken?.has(ANYBODY)) return
  await recordAudit(tx, entry)
}

function speakFor(tx: Tx, actor: string): void {
  const spoken = spokenFor.get(tx) ?? new Set()
  spokenFor.set(tx, spoken.add(actor))
}

/** Newest first. */
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
