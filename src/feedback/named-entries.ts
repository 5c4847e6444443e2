/** Entries of feedback that a request names by their ids. */
import { AppError } from '../contract/errors.ts'
import type { FeedbackEntry } from '../contract/feedback.ts'
import type { Queries } from '../database/database.ts'
import { toEntry } from './entry.ts'

/**
 * The entries with their votes and reasons, in the order of the ids. Throws AppError `request.invalid` with one sentence
 * for each id that is no feedback of this project; `pointer` is where the ids stand in the body.
 */
export async function readNamedEntries(
  queries: Queries,
  projectId: string,
  ids: readonly string[],
  pointer = '/feedbackIds',
): Promise<FeedbackEntry[]> {
  if (ids.length === 0) return []
  const rows = await queries
    .selectFrom('feedback')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', 'in', [...ids])
    .execute()
  const found = new Map(rows.map((row) => [row.id, toEntry(row, ['vote', 'reason'])]))
  const details = ids.flatMap((id, index) =>
    found.has(id) ? [] : [`\`${pointer}/${index}\` is no feedback of this project: ${id}`],
  )
  if (details.length > 0) throw new AppError('request.invalid', { details })
  return ids.flatMap((id) => found.get(id) ?? [])
}
