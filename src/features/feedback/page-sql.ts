/**
 * The statement behind every list of entries. A page is a range of one index, or a merge of a few such ranges, each cut
 * off after one page: with a list of statuses, an index that begins with the status is walked once for each of them. So a
 * page deep in ten million entries costs what the first one does.
 *
 *   filters            index                 ranges
 *   none               feedback_newest       1
 *   status             feedback_by_status    one for each status
 *   sources            feedback_by_source    one for each of them and of the four statuses
 *   sources, status    feedback_by_source    one for each of both
 *   path (and others)  feedback_by_path      1; source and status are looked at row by row
 *   assignee, label    by these, sorted      1; or the newest, where many have them: as the planner knows
 */

import { createValues, dateConditions, type Filters, type Values, workConditions } from './filters.ts'
import { FEEDBACK_STATUSES } from './operations/feedback.ts'

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

const COLUMNS = [
  ...['id', 'path', 'source', 'status', 'created_at', 'helpful', 'reason', 'comment', 'contact'],
  ...['code', 'filename', 'lang', 'assignee_id', 'label_ids'],
].join(', ')

/** Whose feedback: an organization sees its own projects only. */
export interface ProjectPlace {
  organizationId: string
  projectId: string
}

/**
 * Newest first; entries without a time, which stand at -infinity, last; ids break ties. No rows for a project of another
 * organization: that is looked at in the same statement, so that a page costs one. With `isPlaced` the rows have their
 * `sort_at` too, for who goes on with them in that order.
 */
export function pageStatement(
  { organizationId, projectId }: ProjectPlace,
  filters: Filters,
  page: { after: Position | null; limit: number; isPlaced?: boolean },
): Statement {
  const values = createValues()
  const { path, sources, statuses } = filters
  const project = values.add(projectId)
  const conditions = [
    `project_id = ${project}`,
    `EXISTS (SELECT FROM projects WHERE id = ${project} AND organization_id = ${values.add(organizationId)})`,
    ...(path === null ? [] : [`path = ${values.add(path)}`]),
    ...placeConditions(filters, page.after, values),
    ...workConditions(filters, values),
  ]
  const order = `ORDER BY sort_at DESC, id DESC LIMIT ${values.add(page.limit)}`
  const isPlaced = page.isPlaced === true
  const ranges = rangesOf(filters)
  const isOfWork = filters.assignees !== null || filters.labels !== null
  if (path !== null || isOfWork || ranges.length === 1) {
    if (sources !== null) conditions.push(`source = ANY(${values.add(sources)})`)
    if (statuses !== null) conditions.push(`status = ANY(${values.add(statuses)})`)
    const columns = isPlaced ? `${COLUMNS}, sort_at` : COLUMNS
    const text = `SELECT ${columns} FROM feedback WHERE ${conditions.join(' AND ')} ${order}`
    return { text, values: values.list }
  }
  if (sources !== null) conditions.push('source = wanted_source')
  const wanted = {
    statuses: values.add(ranges.map(([, status]) => status)),
    sources: values.add(ranges.map(([source]) => source)),
  }
  const text = mergeRanges(conditions.join(' AND '), order, wanted, isPlaced)
  return { text, values: values.list }
}

/** Of the index that is walked: a status each, and with sources one of each pair. Null stands for all. */
function rangesOf({ sources, statuses }: Filters): (readonly [string | null, string | null])[] {
  if (sources === null) return (statuses ?? [null]).map((status) => [null, status])
  return sources.flatMap((source) =>
    (statuses ?? FEEDBACK_STATUSES).map((status) => [source, status] as const),
  )
}

/** Each range gives keys out of its index alone; rows are read for the page that is merged from them. */
function mergeRanges(
  conditions: string,
  order: string,
  wanted: { statuses: string; sources: string },
  isPlaced: boolean,
): string {
  return `
    SELECT ${COLUMNS}${isPlaced ? ', page.place AS sort_at' : ''} FROM (
      SELECT range.id AS key, range.sort_at AS place
      FROM unnest(${wanted.statuses}::text[], ${wanted.sources}::text[]) AS wanted (wanted_status, wanted_source),
      LATERAL (
        SELECT id, sort_at FROM feedback WHERE ${conditions} AND status = wanted_status ${order}
      ) AS range
      ${order}
    ) AS page JOIN feedback ON feedback.id = page.key
    ORDER BY page.place DESC, page.key DESC`
}

/** The stretch of time, and in it what lies behind the last entry that was seen. */
function placeConditions(filters: Filters, after: Position | null, values: Values): string[] {
  if (after === null) return dateConditions(filters, values)
  const { createdAt, id } = after
  // With both bounds the index would be walked from `dateTo` on, and the cursor is the nearer one.
  const isNearer = filters.dateTo !== null && createdAt !== null && createdAt < filters.dateTo
  const place = createdAt === null ? '-infinity' : new Date(createdAt)
  return [
    ...dateConditions(filters, values, isNearer),
    `(sort_at, id) < (${values.add(place)}::timestamptz(3), ${values.add(id)})`,
  ]
}
