/** The one place where a change that came over HTTP gets its row in the audit log, by the row of its operation. */

import type { Operation } from '../base/api/operation.ts'
import { completeAudit } from '../database/audit.ts'
import type { Tx } from '../database/database.ts'
import type { Caller, Visitor } from '../routing/caller.ts'
import type { AuditDetails } from '../routing/handler.ts'

/**
 * In the transaction of the change. What a domain has written for the caller stands; a visitor acts for no organization,
 * so their domains write to each that is concerned.
 */
export async function recordOperation(
  tx: Tx,
  { audit: action }: Operation,
  caller: Caller | Visitor,
  params: Readonly<Record<string, string>>,
  { subject, details }: AuditDetails = {},
): Promise<void> {
  if (typeof action !== 'string' || caller.kind === 'visitor') return
  const { organizationId, id: actor } = caller
  const named = Object.values(params).at(-1)
  const { projectId } = params
  await completeAudit(tx, {
    organizationId,
    actor,
    action,
    subject: subject ?? named ?? organizationId,
    details: { ...(projectId === undefined ? {} : { projectId }), ...details },
  })
}
