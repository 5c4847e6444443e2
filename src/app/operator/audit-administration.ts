/** Audit log commands: verify the log and remove old entries. */
import {
  type AuditAnchor,
  type AuditVerdict,
  pruneAudit,
  verifyAudit,
} from '../../features/accounts/audit/audit-chain.ts'
import { ACTOR, type Administration, chooseOrganization, listAllOrganizations } from './administration.ts'

/** Verifies the audit log of one organization, or of all. */
export async function verifyAuditLogs(
  context: Administration,
  id: string | undefined,
  anchor: AuditAnchor | null,
): Promise<(AuditVerdict & { organizationId: string })[]> {
  const verdicts = []
  for (const organizationId of await named(context, id)) {
    const verdict = await verifyAudit(context.database.queries, organizationId, anchor)
    verdicts.push({ organizationId, ...verdict })
  }
  return verdicts
}

export async function pruneAuditLogs(
  context: Administration,
  id: string | undefined,
  before: Date,
): Promise<{ organizationId: string; rows: number }[]> {
  const pruned = []
  for (const organizationId of await named(context, id)) {
    const rows = await context.database.transaction((tx) =>
      pruneAudit(tx, { organizationId, before, actor: ACTOR }),
    )
    pruned.push({ organizationId, rows })
  }
  return pruned
}

async function named(context: Administration, id: string | undefined): Promise<string[]> {
  if (id !== undefined) return [(await chooseOrganization(context, id)).id]
  return (await listAllOrganizations(context)).map((organization) => organization.id)
}
