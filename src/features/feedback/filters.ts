/** Filters of lists, counts, exports and bulk changes: parsed from a query and compiled to SQL. */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readMoment } from '../../base/api/dates.ts'
import { type Fault, faultAt, type Parsed } from '../../base/errors/fault.ts'
import { canonicalPagePath } from './intake/page-path.ts'
import {
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
  type FeedbackSource,
  type FeedbackStatus,
} from './operations/feedback.ts'

/** Excludes votes without text, which need no work. */
export const SOURCES_WITH_TEXT = FEEDBACK_SOURCES.filter((source) => source !== 'thumbs_only')

export interface Filters {
  /** Milliseconds since the epoch; inclusive. */
  dateFrom: number | null
  /** Milliseconds since the epoch; exclusive. */
  dateTo: number | null
  /** In the order of the API contract, without duplicates; null for all. */
  sources: readonly FeedbackSource[] | null
  /** In the order of the API contract, without duplicates; null for all. */
  statuses: readonly FeedbackStatus[] | null
  path: string | null
  /** User ids, or `none` for unassigned entries. An entry must match one of them; null for all. */
  assignees: readonly string[] | null
  /** Label ids, or `none` for entries without labels. An entry must match one of them; null for all. */
  labels: readonly string[] | null
}

export type RawFilters = Readonly<Record<string, unknown>>

const DATES_FAULT = faultAt('dateFrom', 'dates_reversed')

export function parseFilters(given: RawFilters): Parsed<Filters> {
  const faults: Fault[] = []
  const dateFrom = readDate('dateFrom', given.dateFrom, faults)
  const dateTo = readDate('dateTo', given.dateTo, faults)
  if (dateFrom !== null && dateTo !== null && dateFrom >= dateTo) faults.push(DATES_FAULT)
  const named = readList('status', given.status, FEEDBACK_STATUSES, faults)
  const filters = {
    dateFrom,
    dateTo,
    sources: parseSources(given, faults),
    statuses: named === null || named.length === FEEDBACK_STATUSES.length ? null : named,
    path: typeof given.path === 'string' ? (canonicalPagePath(given.path) ?? given.path) : null,
    assignees: readIds('assignee', given.assignee, faults),
    labels: readIds('label', given.label, faults),
  }
  return { value: filters, faults }
}

function parseSources({ source, sources }: RawFilters, faults: Fault[]): readonly FeedbackSource[] | null {
  const one = FEEDBACK_SOURCES.filter((known) => known === source)
  const listed = readList('sources', sources, FEEDBACK_SOURCES, faults)
  if (one.length === 1) return listed === null ? one : one.filter((known) => listed.includes(known))
  return listed === null || listed.length === FEEDBACK_SOURCES.length ? null : listed
}

function readDate(name: string, value: unknown, faults: Fault[]): number | null {
  if (typeof value !== 'string') return null
  const moment = readMoment(value)
  if (moment === null) faults.push(faultAt(name, 'invalid_moment', { value: value.slice(0, 80) }))
  return moment
}

/** Parses a comma-separated list of known words, in the order of `known`. Returns null for an absent list. */
export function readList<Word extends string>(
  name: string,
  value: unknown,
  known: readonly Word[],
  faults: Fault[],
): Word[] | null {
  if (typeof value !== 'string') return null
  const items = value.split(',')
  if (items.includes('')) faults.push(faultAt(name, 'empty_list_item', { values: known }))
  const unknown = items.filter((item) => item !== '' && !known.some((word) => word === item))
  for (const item of [...new Set(unknown)].slice(0, 10))
    faults.push(faultAt(name, 'unknown_list_item', { values: known, value: item.slice(0, 80) }))
  return known.filter((word) => items.includes(word))
}

/** Selects entries without an assignee or without labels. */
export const NONE = 'none'
const MAX_IDS = 50

/** Parses comma-separated ids, which may include `none`. Returns them sorted and without duplicates, or null for an absent list. */
function readIds(name: string, value: unknown, faults: Fault[]): string[] | null {
  if (typeof value !== 'string') return null
  const items = [...new Set(value.split(','))].toSorted()
  if (items.includes('')) faults.push(faultAt(name, 'empty_id'))
  if (items.length > MAX_IDS) faults.push(faultAt(name, 'too_many_ids', { max: MAX_IDS }))
  return items.slice(0, MAX_IDS)
}

/** Scope that binds a cursor to one list. Different spellings of the same time result in the same scope. */
export function listScope(
  kind: 'feedback' | 'feedback-by-page',
  projectId: string,
  filters: Filters,
): string {
  const { dateFrom, dateTo, sources, statuses, path, assignees, labels } = filters
  // A single source is not written as a list, so that cursors issued before lists were supported remain valid.
  const source = sources?.length === 1 ? sources[0] : sources
  const work = assignees === null && labels === null ? [] : [assignees, labels]
  return `${kind}:${projectId}:${JSON.stringify([dateFrom, dateTo, source, statuses, path, ...work])}`
}

export interface Values {
  readonly list: unknown[]
  add(value: unknown): string
}

export function createValues(): Values {
  const list: unknown[] = []
  return { list, add: (value) => `$${list.push(value)}` }
}

/**
 * Conditions for the date range. Entries without a time are stored with -infinity and match no range, not even a range
 * without a start. `hasNearerEnd` means that another condition ends the range before `dateTo`.
 */
export function dateConditions(
  { dateFrom, dateTo }: Filters,
  values: Values,
  hasNearerEnd = false,
): string[] {
  const conditions: string[] = []
  if (dateFrom !== null) conditions.push(`sort_at >= ${values.add(new Date(dateFrom))}`)
  if (dateTo !== null && !hasNearerEnd) conditions.push(`sort_at < ${values.add(new Date(dateTo))}`)
  if (dateTo !== null && dateFrom === null) conditions.push(`sort_at > '-infinity'`)
  return conditions
}

/** Entries must match one of the assignees and one of the labels. */
export function workConditions({ assignees, labels }: Filters, values: Values): string[] {
  const conditions: string[] = []
  if (assignees !== null) {
    const people = assignees.filter((id) => id !== NONE)
    const any = [
      ...(people.length > 0 ? [`assignee_id = ANY(${values.add(people)}::text[])`] : []),
      ...(assignees.includes(NONE) ? ['assignee_id IS NULL'] : []),
    ]
    conditions.push(`(${any.join(' OR ')})`)
  }
  if (labels !== null) {
    const ids = labels.filter((id) => id !== NONE)
    const any = [
      ...(ids.length > 0 ? [`(label_ids && ${values.add(ids)}::text[] AND label_ids <> '{}')`] : []),
      ...(labels.includes(NONE) ? [`label_ids = '{}'`] : []),
    ]
    conditions.push(`(${any.join(' OR ')})`)
  }
  return conditions
}

/**
 * The keys of two indexes are hashes, which are a quarter as long as the columns. Queries also compare the columns,
 * because hashes may collide. Arguments are columns or placeholders; the migrations must spell the keys the same way.
 */
export function stateKey(project: string, source: string, status: string): string {
  return `hashtextextended(${project} || ' ' || ${source} || ' ' || ${status}, 0)`
}
function pageKey(project: string, path: string): string {
  return `hashtextextended(${project} || ' ' || ${path}, 0)`
}

export function pathConditions(project: string, path: string | null, values: Values): string[] {
  if (path === null) return []
  const wanted = values.add(path)
  return [`path = ${wanted}`, `${pageKey('project_id', 'path')} = ${pageKey(project, wanted)}`]
}

/** Matching combinations of source and status; null for all. */
export function listSourceStatuses({ sources, statuses }: Pick<Filters, 'sources' | 'statuses'>) {
  if (sources === null && statuses === null) return null
  return (sources ?? FEEDBACK_SOURCES).flatMap((source) =>
    (statuses ?? FEEDBACK_STATUSES).map((status) => ({ source, status })),
  )
}

export function stateConditions(
  project: string,
  { sources, statuses }: Pick<Filters, 'sources' | 'statuses'>,
  values: Values,
): string[] {
  const keys = listSourceStatuses({ sources, statuses })?.map(({ source, status }) =>
    stateKey(project, `'${source}'`, `'${status}'`),
  )
  return [
    ...(sources === null ? [] : [`source = ANY(${values.add(sources)})`]),
    ...(statuses === null ? [] : [`status = ANY(${values.add(statuses)})`]),
    ...(keys === undefined
      ? []
      : [`${stateKey('project_id', 'source', 'status')} = ANY(ARRAY[${keys}]::bigint[])`]),
  ]
}

export function isPendingText(projectId: string): RawBuilder<SqlBool> {
  const states = SOURCES_WITH_TEXT.map((source) => `${projectId} ${source} pending`)
  return sql<SqlBool>`
    project_id = ${projectId} AND status = 'pending' AND source <> 'thumbs_only'
    AND ${sql.raw(stateKey('project_id', 'source', 'status'))} IN (
      ${sql.join(states.map((state) => sql`hashtextextended(${state}, 0)`))})`
}

/** Combines all filters for a single scan, in queries that read every match anyway. */
export function allConditions(projectId: string, filters: Filters, values: Values): string[] {
  const project = values.add(projectId)
  return [
    `project_id = ${project}`,
    ...pathConditions(project, filters.path, values),
    ...stateConditions(project, filters, values),
    ...dateConditions(filters, values),
    ...workConditions(filters, values),
  ]
}
