/** Counts entries by source and by status, for display next to the inbox filters. The other filters apply. */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { allConditions, createValues, type Filters } from './filters.ts'
import { checkProject } from './list-feedback.ts'
import { type FeedbackCounts, MAX_COUNTED_ENTRIES } from './operations/inbox.ts'
import type { ProjectScope } from './page-sql.ts'

/** Counts the newest entries, up to a limit. Throws AppError `not_found`. */
export async function countFeedback(
  queries: Queries,
  scope: ProjectScope,
  filters: Filters,
): Promise<FeedbackCounts> {
  await checkProject(queries, scope)
  const values = createValues()
  const conditions = allConditions(scope.projectId, filters, values).join(' AND ')
  const text = `
    SELECT source, status, count(*)::integer AS count FROM (
      SELECT source, status FROM feedback WHERE ${conditions}
      ORDER BY sort_at DESC, id DESC LIMIT ${MAX_COUNTED_ENTRIES + 1}
    ) AS newest GROUP BY source, status ORDER BY source, status`
  const { rows: counts } = await queries.executeQuery<FeedbackCounts['counts'][number]>(
    CompiledQuery.raw(text, values.list),
  )
  return { counts, isMore: counts.reduce((sum, { count }) => sum + count, 0) > MAX_COUNTED_ENTRIES }
}
