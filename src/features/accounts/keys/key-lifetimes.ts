/** How long the keys of an organization may live: a bound that its owners set. */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { recordAudit, recordNoChange } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'

/**
 * Keys that would live longer end at the bound, counted from now, and stay cut when it is widened again. Throws AppError
 * `not_found`.
 */
export async function boundKeyLifetimes(
  tx: Tx,
  { organizationId, days, actor }: { organizationId: string; days: number | null; actor: string },
): Promise<void> {
  const before = await tx
    .selectFrom('organizations')
    .select('max_key_days')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) throw new AppError('not_found')
  if (before.max_key_days === days) return recordNoChange(tx)
  await tx
    .updateTable('organizations')
    .set({ max_key_days: days, updated_at: sql<Date>`now()` })
    .where('id', '=', organizationId)
    .execute()
  const shortened = days === null ? 0 : await shortenKeys(tx, organizationId, days)
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'api_key.lifetime_bounded',
    subject: organizationId,
    details: { from: before.max_key_days, to: days, shortened },
  })
}

async function shortenKeys(tx: Tx, organizationId: string, days: number): Promise<number> {
  const bound = sql<Date>`now() + make_interval(days => ${days})`
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ expires_at: bound })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', bound)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
