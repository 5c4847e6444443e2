/** Reads the notification events that were recorded for a project. */
import type { TestDatabase } from './database.ts'

export interface Told {
  kind: string
  subject: string
  owner: string | null
  facts: Record<string, unknown>
}

/** Returns the events of a project, oldest first. */
export async function toldOf({ pool }: Pick<TestDatabase, 'pool'>, projectId: string): Promise<Told[]> {
  const { rows } = await pool.query<Told>(
    `SELECT kind, subject, owner_id AS owner, facts FROM notification_events WHERE project_id = $1 ORDER BY id`,
    [projectId],
  )
  return rows
}
