/** Who changed what: a row for each change, written in the transaction of the change. */
import { createId } from '../base/ids.ts'
import type { Queries, Tx } from '../database/database.ts'

export interface AuditEntry {
  organizationId: string
  /** `cli`, `system`, or the id of the key or member who did it. */
  actor: string
  /** What was done, dotted: `api_key.created`. */
  action: string
  /** The id or host name of what was changed. */
  subject: string
  /** Never a secret. */
  details?: Record<string, unknown>
}

export interface AuditRow extends Required<AuditEntry> {
  id: string
  at: Date
}

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
}

/** Newest first. */
export async function listAudit(
  db: Queries,
  { organizationId, limit }: { organizationId: string; limit: number },
): Promise<AuditRow[]> {
  const rows = await db
    .selectFrom('audit_rows')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ organization_id, ...row }) => ({ organizationId: organization_id, ...row }))
}
