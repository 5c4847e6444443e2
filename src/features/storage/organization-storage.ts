/** Storage usage and retention of an organization for the dashboard. */

import { ORGANIZATION_RETENTION_KINDS, type Retention } from '../../base/api/retention.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { Queries } from '../../database/database.ts'
import type { OrganizationStorage } from '../accounts/operations/organization.ts'
import { readStorageUse } from './storage-use.ts'

/** `operatorRetention` is the default. Throws AppError `not_found`. */
export async function organizationStorage(
  queries: Queries,
  organizationId: string,
  operatorRetention: Retention,
): Promise<OrganizationStorage> {
  const found = await queries
    .selectFrom('organizations')
    .select('retention')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (found === undefined) throw new AppError('not_found')
  const { endedAt, use } = await readStorageUse(queries, organizationId)
  return {
    measuredAt: endedAt?.toISOString() ?? null,
    use: use.map(({ holder, objects, bytes }) => ({ holder, objects, bytes })),
    retention: ORGANIZATION_RETENTION_KINDS.map((kind) => ({
      kind,
      days: found.retention[kind] ?? null,
      usualDays: operatorRetention[kind],
    })),
  }
}
