/** Inbox filters in the URL, and the matching API query. */

import { OVERVIEW_DAYS } from '../../../../../src/base/api/form-choices.ts'
import type {
  FeedbackEntry,
  FeedbackQuery,
  FeedbackSource,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import { OPEN_STATUSES, SOURCE_NAMES, STATUSES, TEXT_SOURCES } from './labels.ts'

type QueryParameters = Readonly<Record<string, string | undefined>>

export interface InboxFilters {
  /** Null means all. */
  statuses: readonly FeedbackStatus[] | null
  /** Null means all. */
  sources: readonly FeedbackSource[] | null
  path: string | null
  /** Search text, matched as a substring. */
  q: string | null
  helpful: boolean | null
  /** First day, `2026-11-01`. */
  from: string | null
  /** Day after the last day of the period (exclusive). */
  to: string | null
  /** Member ids, or `none` for unassigned entries; null for all. */
  assignees: readonly string[] | null
  /** Label ids, or `none` for unlabelled entries; null for all. */
  labels: readonly string[] | null
}

/** Query parameters that act as filters; `entry` and `grouped` only affect the presentation. */
export const FILTER_PARAMETERS = [
  ...(['status', 'source', 'vote', 'path', 'q', 'since', 'from', 'to'] as const),
  ...(['assignee', 'label'] as const),
] as const

/** Choices of `since`, in days including today. */
export const PERIODS = [1, ...OVERVIEW_DAYS] as const

const DAY = /^\d{4}-\d{2}-\d{2}$/
const ID = /^[\w-]{1,64}$/
const DAY_MS = 86_400_000

/**
 * Reads the filters from the URL. Invalid values are ignored, so that old links still work. Without `status`,
 * open entries are shown; without `source`, all but bare votes, which need no action. `me` is the user id
 * that replaces the value `me`.
 */
export function parseFilters(words: QueryParameters, now: number, me: string | null = null): InboxFilters {
  const since = PERIODS.find((days) => String(days) === words.since)
  const from = since === undefined ? parseDay(words.from) : formatDay(now - (since - 1) * DAY_MS)
  const last = since === undefined ? parseDay(words.to) : null
  const to = last === null ? null : formatDay(Date.parse(last) + DAY_MS)
  const isTurned = from !== null && to !== null && from >= to
  return {
    statuses: parseStatuses(words.status),
    sources: parseSources(words.source),
    path: words.path ? words.path.slice(0, 2048) : null,
    q: words.q?.trim() ? words.q.trim().slice(0, 200) : null,
    helpful: words.vote === 'up' ? true : words.vote === 'down' ? false : null,
    from,
    to: isTurned ? null : to,
    assignees: parseIds(words.assignee?.replace(/\bme\b/, me ?? '')),
    labels: parseIds(words.label),
  }
}

function parseStatuses(word: string | undefined): readonly FeedbackStatus[] | null {
  if (word === undefined || word === 'open') return OPEN_STATUSES
  const named = new Set(word.split(','))
  const known = STATUSES.map(({ status }) => status).filter((status) => named.has(status))
  return known.length === 0 || known.length === STATUSES.length ? null : known
}

function parseSources(word: string | undefined): readonly FeedbackSource[] | null {
  if (word === undefined) return TEXT_SOURCES
  const named = new Set(word.split(','))
  const known = SOURCE_NAMES.filter((source) => named.has(source))
  return known.length === 0 || known.length === SOURCE_NAMES.length ? null : known
}

function parseIds(word: string | undefined): readonly string[] | null {
  const ids = [...new Set(word?.split(','))].filter((id) => ID.test(id)).slice(0, 50)
  return ids.length === 0 ? null : ids.toSorted()
}

function parseDay(word: string | undefined): string | null {
  return word !== undefined && DAY.test(word) && formatDay(Date.parse(word)) === word ? word : null
}

/** Returns the UTC date; empty for an invalid time. */
export function formatDay(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10)
}

/** Returns whether any filter is set; if so, a link to the unfiltered inbox is shown. */
export function isFiltered(words: QueryParameters): boolean {
  return FILTER_PARAMETERS.some((word) => words[word] !== undefined && words[word] !== '')
}

/** Converts filters to the query that all lists, exports and bulk changes of the API accept. */
export function toQuery(
  filters: InboxFilters,
): Pick<FeedbackQuery, 'status' | 'sources' | 'path' | 'dateFrom' | 'dateTo' | 'assignee' | 'label'> {
  const { statuses, sources, path, from, to, assignees, labels } = filters
  return {
    ...(statuses === null ? {} : { status: statuses.join(',') }),
    ...(sources === null ? {} : { sources: sources.join(',') }),
    ...(path === null ? {} : { path }),
    ...(from === null ? {} : { dateFrom: from }),
    ...(to === null ? {} : { dateTo: to }),
    ...(assignees === null ? {} : { assignee: assignees.join(',') }),
    ...(labels === null ? {} : { label: labels.join(',') }),
  }
}

/** Returns whether an entry from a live event matches the filters, except for the status, which the list checks. */
export function matchesFilters(filters: InboxFilters, entry: FeedbackEntry): boolean {
  const { sources, path, helpful, from, to, q, assignees, labels } = filters
  if (sources !== null && !sources.includes(entry.source)) return false
  if (path !== null && entry.path !== path) return false
  if (helpful !== null && entry.helpful !== helpful) return false
  if (from !== null && (entry.createdAt ?? '') < from) return false
  if (to !== null && (entry.createdAt === null || entry.createdAt >= to)) return false
  if (assignees !== null && !assignees.includes(entry.assignee?.id ?? 'none')) return false
  if (labels !== null && !listLabelIds(entry).some((id) => labels.includes(id))) return false
  return (
    q === null ||
    listSearchableTexts(entry).some((text) => text?.toLowerCase().includes(q.toLowerCase()) === true)
  )
}

function listLabelIds({ labels }: FeedbackEntry): readonly string[] {
  return labels === undefined || labels.length === 0 ? ['none'] : labels.map(({ id }) => id)
}

function listSearchableTexts(entry: FeedbackEntry): (string | null | undefined)[] {
  const texts = [entry.comment, entry.path, entry.reason, entry.id]
  if (entry.source === 'contextual') texts.push(entry.contact)
  if (entry.source === 'code_snippet') texts.push(entry.code, entry.filename)
  return texts
}

/** Returns the query string of the filters in a fixed order; identifies a list and is stored in saved views. */
export function serializeFilters(words: QueryParameters): string {
  const presentFilters = FILTER_PARAMETERS.flatMap((word) => {
    const value = words[word]
    return value === undefined || value === '' ? [] : [[word, value]]
  })
  return new URLSearchParams(presentFilters).toString()
}
