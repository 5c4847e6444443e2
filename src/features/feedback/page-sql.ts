/**
 * Builds the statement for lists of entries. A page reads one index range or merges several ranges, each
 * limited to the page size, so a page deep within ten million entries costs as much as the first.
 *
 *   filters            index               ranges
 *   none               feedback_by_time    1
 *   sources, statuses  feedback_by_state   one per combination; all four values of an absent filter
 *   path (and others)  feedback_by_page    1; source and status are filtered row by row
 *   assignee, label    by these, sorted    1; or feedback_by_time if many match, as the planner decides
 */

import {
  createValues,
  dateConditions,
  type Filters,
  listSourceStatuses,
  pathConditions,
  stateKey,
  type Values,
  workConditions,
} from './filters.ts'

export interface Position {
  /** Milliseconds since the epoch; null for an entry without a time. */
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

/** A project and its organization; other organizations cannot read the project. */
export interface ProjectScope {
  organizationId: string
  projectId: string
}

/**
 * Returns entries newest first, entries without a time (-infinity) last, and ties ordered by id. Returns no
 * rows for a project of another organization, which the same statement checks to save a query. `hasSortTime`
 * adds `sort_at` to the rows for callers that continue in that order.
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
    ...pathConditions(project, path, values),
    ...positionConditions(filters, page.after, values),
    ...workConditions(filters, values),
  ]
  const order = `ORDER BY sort_at DESC, id DESC LIMIT ${values.add(page.limit)}`
  const hasSortTime = page.hasSortTime === true
  const states = listSourceStatuses(filters)
  const isOfWork = filters.assignees !== null || filters.labels !== null
  if (path !== null || isOfWork || states === null) {
    if (sources !== null) conditions.push(`source = ANY(${values.add(sources)})`)
    if (statuses !== null) conditions.push(`status = ANY(${values.add(statuses)})`)
    const columns = hasSortTime ? `${COLUMNS}, sort_at` : COLUMNS
    const text = `SELECT ${columns} FROM feedback WHERE ${conditions.join(' AND ')} ${order}`
    return { text, values: values.list }
  }
  const wanted = [states.map(({ source }) => source), states.map(({ status }) => status)].map(values.add)
  const isOfState = `source = wanted_source AND status = wanted_status
    AND ${stateKey('project_id', 'source', 'status')} = ${stateKey(project, 'wanted_source', 'wanted_status')}`
  const text = mergeRanges([...conditions, isOfState].join(' AND '), order, wanted, hasSortTime)
  return { text, values: values.list }
}

/** Reads a page of keys from each range, then the rows of the merged page. */
function mergeRanges(
  conditions: string,
  order: string,
  [sources, statuses]: readonly string[],
  hasSortTime: boolean,
): string {
  return `
    SELECT ${COLUMNS}${hasSortTime ? ', page.place AS sort_at' : ''} FROM (
      SELECT range.id AS key, range.sort_at AS place
      FROM unnest(${sources}::text[], ${statuses}::text[]) AS wanted (wanted_source, wanted_status),
      LATERAL (SELECT id, sort_at FROM feedback WHERE ${conditions} ${order}) AS range
      ${order}
    ) AS page JOIN feedback ON feedback.id = page.key
    ORDER BY page.place DESC, page.key DESC`
}

function positionConditions(filters: Filters, after: Position | null, values: Values): string[] {
  if (after === null) return dateConditions(filters, values)
  const { createdAt, id } = after
  // With both conditions, the index scan would start at `dateTo`, although the cursor is closer to the page.
  const isNearer = filters.dateTo !== null && createdAt !== null && createdAt < filters.dateTo
  const sortTime = createdAt === null ? '-infinity' : new Date(createdAt)
  return [
    ...dateConditions(filters, values, isNearer),
    `(sort_at, id) < (${values.add(sortTime)}::timestamptz(3), ${values.add(id)})`,
  ]
}
