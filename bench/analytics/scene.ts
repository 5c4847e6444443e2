/** Creates the projects of the analytics benchmarks in the database of the feedback benchmarks. */
import type { Pool } from 'pg'
import { ORGANIZATION } from '../feedback/scene.ts'

export async function makeProjects(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query(
    `INSERT INTO organizations (id, name, plan) VALUES ($1, 'Bench', 'enterprise') ON CONFLICT DO NOTHING`,
    [ORGANIZATION],
  )
  await pool.query(
    `INSERT INTO projects (id, site_id, organization_id, name, source_kind, repository)
      SELECT id, 'site_' || id, $1, id, 'folder', '/nowhere' FROM unnest($2::text[]) AS wanted (id)
      ON CONFLICT DO NOTHING`,
    [ORGANIZATION, ids],
  )
}
