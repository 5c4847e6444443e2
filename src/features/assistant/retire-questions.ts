/** Retention of questions, and of the assistant's usage in past months. */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'
import { isPastRetention } from '../../database/retention.ts'

export async function retireQuestions(queries: Queries, retention: Retention): Promise<void> {
  await sql`DELETE FROM assistant_questions AS old USING projects AS project
    JOIN organizations AS organization ON organization.id = project.organization_id
    WHERE project.id = old.project_id AND ${isPastRetention('assistantQuestions', retention, sql`at`)}`.execute(
    queries,
  )
  await sql`DELETE FROM assistant_months WHERE month < now() - interval '13 months'`.execute(queries)
}
