/** Retires old versions: their files may be deleted, but their rows stay. */
import { sql } from 'kysely'
import type { Retention } from '../../../base/api/retention.ts'
import type { Queries } from '../../../database/database.ts'
import { isPastRetention } from '../../../database/retention.ts'

/** Retired versions can no longer be promoted, so their files may be deleted. */
export async function retireVersions(queries: Queries, retention: Retention): Promise<void> {
  await sql`
    UPDATE deployments AS deployment SET manifest_key = NULL
    FROM organizations AS organization
    WHERE organization.id = deployment.organization_id AND deployment.manifest_key IS NOT NULL
      AND ${isPastRetention('deployments', retention, sql`deployment.updated_at`)}
      AND NOT EXISTS (SELECT FROM published_sites WHERE deployment_id = deployment.id)
      AND NOT EXISTS (SELECT FROM previews WHERE deployment_id = deployment.id)`.execute(queries)
}
