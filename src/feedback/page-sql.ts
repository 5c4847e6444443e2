/**
 * The statement behind every list of entries. A page is a range of one index, or a merge of a few such ranges: with a
 * list of statuses, an index that begins with the status is walked once for each of them, and PostgreSQL merges the walks
 * as far as the page reaches. So a page deep in ten million entries costs what the first one does.
 *
 *   filters            index                 ranges
 *   none               feedback_newest       1
 *   status             feedback_by_status    one for each status
 *   source             feedback_by_source    one for each of the four statuses
 *   source, status     feedback_by_source    one for each status
 *   path (and others)  feedback_by_path      1; source and status are looked at row by row
 */
import { FEEDBACK_STATUSES } from '../contract/feedback.ts'
import { createValues, dateConditions, type Filters, type Values } from './filters.ts'

/** Where the last entry that was seen stands. */
export interface Position {
  /** Milliseconds; null for an entry without a time. */
  createdAt: number | null
  id: string
}

export interface Statement {
  text: string
  values: unknown[]
}

const COLUMNS =
  'id, path, source, status, created_at, helpful, reason, comment, contact, code, filename, lang'

/** `sort_at` as a value: entries without a time stand at -infinity. */
export const sortTime = (createdAt: number | null): Date | string =>
  createdAt === null ? '-infinity' : new Date(createdAt)

/** Newest first; entries without a time last; ids break ties. */
export function pageStatement(
  projectId: string,
  filters: Filters,
  page: { after: Position | null; limit: number },
): Statement {
  const values = createValues()
  const project = `project_id = ${values.add(projectId)}`
  const shared = [...dateConditions(filters, values), ...afterCondition(page.after, values)]
  const branches = branchConditions(filters, values).map(
    (own) => `SELECT ${COLUMNS}, sort_at FROM feedback WHERE ${[project, ...own, ...shared].join(' AND ')}`,
  )
  const text = `${branches.join('\nUNION ALL\n')}\nORDER BY sort_at DESC, id DESC LIMIT ${values.add(page.limit)}`
  return { text, values: values.list }
}

function afterCondition(after: Position | null, values: Values): string[] {
  if (after === null) return []
  return [
    `(sort_at, id) < (${values.add(sortTime(after.createdAt))}::timestamptz(3), ${values.add(after.id)})`,
  ]
}

/** What is asked of each range beside the project, the dates and the cursor. */
function branchConditions({ path, source, statuses }: Filters, values: Values): string[][] {
  const isSource = source === null ? [] : [`source = ${values.add(source)}`]
  if (path !== null) {
    const isStatus = statuses === null ? [] : [`status = ANY(${values.add(statuses)})`]
    return [[`path = ${values.add(path)}`, ...isSource, ...isStatus]]
  }
  if (source === null && statuses === null) return [[]]
  return (statuses ?? FEEDBACK_STATUSES).map((status) => [...isSource, `status = ${values.add(status)}`])
}
