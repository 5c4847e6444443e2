/**
 * The filters of lists, counts, exports and bulk changes: parsed from a query with all faults, and compiled to SQL.
 */

import { readMoment } from '../../base/api/dates.ts'
import { type Fault, faultAt, type Parsed } from '../../base/errors/fault.ts'
import { canonicalPagePath } from './intake/page-path.ts'
import {
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
  type FeedbackSource,
  type FeedbackStatus,
} from './operations/feedback.ts'

export interface Filters {
  /** Milliseconds; inclusive. */
  dateFrom: number | null
  /** Milliseconds; exclusive. */
  dateTo: number | null
  /** In the order of the API contract, without duplicates; null for all. */
  sources: readonly FeedbackSource[] | null
  /** In the order of the API contract, without duplicates; null for all. */
  statuses: readonly FeedbackStatus[] | null
  path: string | null
  /** Ids of people, or `none` for unassigned entries. Entries match any of them; null for all. */
  assignees: readonly string[] | null
  /** Ids of labels, or `none` for entries without labels. Entries match any of them; null for all. */
  labels: readonly string[] | null
}

/** Each value is a string as in the query. Other names and types are rejected by the schema. */
export type RawFilters = Readonly<Record<string, unknown>>

const DATES_FAULT = faultAt('dateFrom', 'must be before `dateTo`, which is not part of the range')

/** Parses the valid filters and reports one fault for each invalid one. */
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

/** Combines `source` and `sources`. */
function parseSources({ source, sources }: RawFilters, faults: Fault[]): readonly FeedbackSource[] | null {
  const one = FEEDBACK_SOURCES.filter((known) => known === source)
  const listed = readList('sources', sources, FEEDBACK_SOURCES, faults)
  if (one.length === 1) return listed === null ? one : one.filter((known) => listed.includes(known))
  return listed === null || listed.length === FEEDBACK_SOURCES.length ? null : listed
}

function readDate(name: string, value: unknown, faults: Fault[]): number | null {
  if (typeof value !== 'string') return null
  const moment = readMoment(value)
  if (moment === null)
    faults.push(
      faultAt(
        name,
        `must be a date that exists, such as 2026-11-21 or 2026-11-21T09:30:00Z, not \`${value.slice(0, 80)}\``,
      ),
    )
  return moment
}

/** Parses a comma-separated list of known words, in the order of `known`. Returns null when it was not given. */
export function readList<Word extends string>(
  name: string,
  value: unknown,
  known: readonly Word[],
  faults: Fault[],
): Word[] | null {
  if (typeof value !== 'string') return null
  const items = value.split(',')
  const words = known.map((word) => `\`${word}\``).join(', ')
  if (items.includes('')) faults.push(faultAt(name, `has an empty item; list some of ${words}`))
  const unknown = items.filter((item) => item !== '' && !known.some((word) => word === item))
  for (const item of [...new Set(unknown)].slice(0, 10))
    faults.push(faultAt(name, `must be a list of ${words}; \`${item.slice(0, 80)}\` is none of them`))
  return known.filter((word) => items.includes(word))
}

/** Selects entries that are unassigned or carry no label. */
export const NONE = 'none'
/** Maximum number of ids in one list, more than a person would choose. */
const MAX_IDS = 50

/**
 * Parses a comma-separated list of ids and `none`, sorted, without duplicates. Returns null when it was not given.
 */
function readIds(name: string, value: unknown, faults: Fault[]): string[] | null {
  if (typeof value !== 'string') return null
  const items = [...new Set(value.split(','))].toSorted()
  if (items.includes('')) faults.push(faultAt(name, 'has an empty item; list ids, or `none`'))
  if (items.length > MAX_IDS) faults.push(faultAt(name, `must have at most ${MAX_IDS} ids`))
  return items.slice(0, MAX_IDS)
}

/** Scope that binds cursors to one list. Two spellings of the same moment denote the same list. */
export function listScope(
  kind: 'feedback' | 'feedback-by-page',
  projectId: string,
  filters: Filters,
): string {
  const { dateFrom, dateTo, sources, statuses, path, assignees, labels } = filters
  // Stays compatible with cursors issued before lists were supported.
  const source = sources?.length === 1 ? sources[0] : sources
  const work = assignees === null && labels === null ? [] : [assignees, labels]
  return `${kind}:${projectId}:${JSON.stringify([dateFrom, dateTo, source, statuses, path, ...work])}`
}

/** Collects the values of a statement and returns their placeholders. */
export interface Values {
  readonly list: unknown[]
  add(value: unknown): string
}

export function createValues(): Values {
  const list: unknown[] = []
  return { list, add: (value) => `$${list.push(value)}` }
}

/**
 * Conditions for the date range. Entries without a time have -infinity and are outside every range, even one that is
 * open towards the past. `hasNearerEnd`: another condition ends the range before `dateTo`.
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

/** Conditions for assignees and labels. Entries match any of the listed ones. */
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

/** All filters as conditions of a single scan, for queries that read every match anyway. */
export function allConditions(projectId: string, filters: Filters, values: Values): string[] {
  return [
    `project_id = ${values.add(projectId)}`,
    ...(filters.path === null ? [] : [`path = ${values.add(filters.path)}`]),
    ...(filters.sources === null ? [] : [`source = ANY(${values.add(filters.sources)})`]),
    ...(filters.statuses === null ? [] : [`status = ANY(${values.add(filters.statuses)})`]),
    ...dateConditions(filters, values),
    ...workConditions(filters, values),
  ]
}
