/** What was recorded for people to be told of. */
import type { TestDatabase } from './database.ts'

export interface Told {
  kind: string
  subject: string
  owner: string | null
  facts: Record<string, unknown>
}

/** Of a project, oldest first. */
export async function toldOf({ pool }: Pick<TestDatabase, 'pool'>, projectId: string): Promise<Told[]> {
  const { rows } = await pool.query<Told>(
    `SELECT kind, subject, owner_id AS owner, facts FROM notification_events WHERE project_id = $1 ORDER BY id`,
    [projectId],
  )
  return rows
}
