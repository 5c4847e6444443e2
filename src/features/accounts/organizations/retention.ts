/** Retention that an organization chooses instead of leaving it to the operator. */
import { sql } from 'kysely'
import type { OrganizationRetention, RetentionChoice, RetentionKind } from '../../../base/api/retention.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { recordAudit, recordNoChange } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'

/**
 * Null reverts a kind to the operator's setting; kinds that are not named stay unchanged. Throws AppError
 * `not_found`.
 */
export async function chooseRetention(
  tx: Tx,
  { organizationId, choice, actor }: { organizationId: string; choice: RetentionChoice; actor: string },
): Promise<void> {
  const found = await tx
    .selectFrom('organizations')
    .select('retention')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw new AppError('not_found')
  const before = found.retention
  const after = { ...before }
  for (const [kind, days] of Object.entries(choice) as [RetentionKind, number | null][]) {
    if (days === null) delete after[kind]
    else after[kind] = days
  }
  const changed = diffRetention(before, after)
  if (Object.keys(changed).length === 0) return recordNoChange(tx)
  await tx
    .updateTable('organizations')
    .set({ retention: JSON.stringify(after), updated_at: sql<Date>`now()` })
    .where('id', '=', organizationId)
    .execute()
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'organization.retention_changed',
    subject: organizationId,
    details: changed,
  })
}

function diffRetention(
  before: OrganizationRetention,
  after: OrganizationRetention,
): Record<string, { from: number | null; to: number | null }> {
  const kinds = new Set([...Object.keys(before), ...Object.keys(after)] as RetentionKind[])
  const changed = [...kinds].filter((kind) => before[kind] !== after[kind])
  return Object.fromEntries(
    changed.map((kind) => [kind, { from: before[kind] ?? null, to: after[kind] ?? null }]),
  )
}
