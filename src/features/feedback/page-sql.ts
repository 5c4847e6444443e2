/**
 * Builds the statement for lists of entries. A page is one range of an index, or a merge of several ranges, each
 * limited to one page: with a list of statuses, an index that begins with the status is scanned once per status. A
 * page deep within ten million entries therefore costs as much as the first.
 *
 *   filters            index                 ranges
 *   none               feedback_newest       1
 *   status             feedback_by_status    one per status
 *   sources            feedback_by_source    one per source and each of the four statuses
 *   sources, status    feedback_by_source    one per combination
 *   path (and others)  feedback_by_path      1; source and status are filtered row by row
 *   assignee, label    by these, sorted      1; or feedback_newest if many match, as the planner decides
 */

import { createValues, dateConditions, type Filters, type Values, workConditions } from './filters.ts'
import { FEEDBACK_STATUSES } from './operations/feedback.ts'

/** Position of the last entry seen. */
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

/** Project to read from. An organization only sees its own projects. */
export interface ProjectScope {
  organizationId: string
  projectId: string
}

/**
 * Returns entries newest first, those without a time (-infinity) last, and ties ordered by id. Returns no rows for a
 * project of another organization, which is checked in the same statement so that a page costs one. With `hasSortTime`,
 * rows include `sort_at`, for callers that continue in that order.
 */
export function pageStatement(
  { organizationId, projectId }: ProjectScope,
  filters: Filters,
  page: { after: Position | null; limit: number; hasSortTime?: boolean },
): Statement {
  const values = createValues()
  const { path, sources, statuses } = filters
  const project = values.add(projectId)
  const conditions = [
    `project_id = ${project}`,
    `EXISTS (SELECT FROM projects WHERE id = ${project} AND organization_id = ${values.add(organizationId)})`,
    ...(path === null ? [] : [`path = ${values.add(path)}`]),
    ...positionConditions(filters, page.after, values),
    ...workConditions(filters, values),
  ]
  const order = `ORDER BY sort_at DESC, id DESC LIMIT ${values.add(page.limit)}`
  const hasSortTime = page.hasSortTime === true
  const ranges = indexRanges(filters)
  const isOfWork = filters.assignees !== null || filters.labels !== null
  if (path !== null || isOfWork || ranges.length === 1) {
    if (sources !== null) conditions.push(`source = ANY(${values.add(sources)})`)
    if (statuses !== null) conditions.push(`status = ANY(${values.add(statuses)})`)
    const columns = hasSortTime ? `${COLUMNS}, sort_at` : COLUMNS
    const text = `SELECT ${columns} FROM feedback WHERE ${conditions.join(' AND ')} ${order}`
    return { text, values: values.list }
  }
  if (sources !== null) conditions.push('source = wanted_source')
  const wanted = {
    statuses: values.add(ranges.map(([, status]) => status)),
    sources: values.add(ranges.map(([source]) => source)),
  }
  const text = mergeRanges(conditions.join(' AND '), order, wanted, hasSortTime)
  return { text, values: values.list }
}

/**
 * Ranges of the index to scan, as pairs of source and status: one per status, or with sources one per combination.
 * Null means any.
 */
function indexRanges({ sources, statuses }: Filters): (readonly [string | null, string | null])[] {
  if (sources === null) return (statuses ?? [null]).map((status) => [null, status])
  return sources.flatMap((source) =>
    (statuses ?? FEEDBACK_STATUSES).map((status) => [source, status] as const),
  )
}

/** Reads keys from the index for each range, then reads rows only for the merged page. */
function mergeRanges(
  conditions: string,
  order: string,
  wanted: { statuses: string; sources: string },
  hasSortTime: boolean,
): string {
  return `
    SELECT ${COLUMNS}${hasSortTime ? ', page.place AS sort_at' : ''} FROM (
      SELECT range.id AS key, range.sort_at AS place
      FROM unnest(${wanted.statuses}::text[], ${wanted.sources}::text[]) AS wanted (wanted_status, wanted_source),
      LATERAL (
        SELECT id, sort_at FROM feedback WHERE ${conditions} AND status = wanted_status ${order}
      ) AS range
      ${order}
    ) AS page JOIN feedback ON feedback.id = page.key
    ORDER BY page.place DESC, page.key DESC`
}

/** Conditions for the date range and the position after the last entry seen. */
function positionConditions(filters: Filters, after: Position | null, values: Values): string[] {
  if (after === null) return dateConditions(filters, values)
  const { createdAt, id } = after
  // With both bounds, the index scan would start at `dateTo`, but the cursor is nearer.
  const isNearer = filters.dateTo !== null && createdAt !== null && createdAt < filters.dateTo
  const sortTime = createdAt === null ? '-infinity' : new Date(createdAt)
  return [
    ...dateConditions(filters, values, isNearer),
    `(sort_at, id) < (${values.add(sortTime)}::timestamptz(3), ${values.add(id)})`,
  ]
}
