/** Converts events to increments of the counts: one row per dimension value and period. */
import type { Audience } from '../operations/analytics-events.ts'
import type { StoredEvent } from './inbox.ts'

/** Dimensions of the counts, with the meaning of `key` and `page`; columns not listed are empty. */
export const DIMENSIONS = [
  'site', // the whole site
  'page', // path
  'referrer', // host, empty for none; path
  'device', // device type
  'country', // country code, empty if unknown; people only
  'agent', // agent name; path
  'search', // query; path of the page with the search
  'click', // query; path of the opened result
  'copy', // path
  'outbound', // host; path
  'event', // kind; only by day, limits the individually stored events
] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** Dimensions counted per page and also in total (empty page), so that queries for the total read a single row. */
const DIMENSIONS_WITH_PAGES: ReadonlySet<Dimension> = new Set([
  'referrer',
  'agent',
  'search',
  'click',
  'outbound',
])

export function hasPages(dimension: Dimension): boolean {
  return DIMENSIONS_WITH_PAGES.has(dimension)
}

/** A week is one of four parts of a month (from day 1, 9, 17, 25), so months consist of whole weeks. */
export type Period = 'hour' | 'day' | 'week' | 'month'

export interface ProjectEvent extends StoredEvent {
  projectId: string
}

export interface CountRow {
  projectId: string
  dimension: Dimension
  period: Period
  /** Milliseconds since the epoch. */
  startsAt: number
  key: string
  page: string
  human: number
  ai: number
  bots: number
  humanVisitors: number
  aiVisitors: number
  empty: number
  /** Milliseconds since the epoch; for searches only. */
  lastAt: number | null
}

/** Visit of a page, or of the whole site (empty path), by one visitor on one day. */
export interface Visit {
  /** Start of the day in milliseconds since the epoch. */
  day: number
  projectId: string
  path: string
  visitor: string
  audience: Audience
}

export interface Tally {
  rows(): CountRow[]
  visits(): Visit[]
  countVisitor(visit: Visit): void
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export function startOf(period: Period, at: number): number {
  if (period === 'hour') return Math.floor(at / HOUR_MS) * HOUR_MS
  if (period === 'day') return Math.floor(at / DAY_MS) * DAY_MS
  const date = new Date(at)
  const day = period === 'week' ? ((date.getUTCDate() - 1) & ~7) + 1 : 1
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)
}

export function tally(events: readonly ProjectEvent[]): Tally {
  const rows = new Map<string, CountRow>()
  const visits = new Map<string, Visit>()

  function rowsOf(
    event: Pick<ProjectEvent, 'projectId' | 'at'>,
    dimension: Dimension,
    key: string,
    page = '',
  ) {
    return listPeriods(dimension).map((period) => {
      const startsAt = startOf(period, event.at)
      const name = [event.projectId, dimension, period, startsAt, key, page].join('\0')
      const row =
        rows.get(name) ?? emptyRow({ projectId: event.projectId, dimension, period, startsAt, key, page })
      rows.set(name, row)
      return row
    })
  }

  function count(event: ProjectEvent, dimension: Dimension, key: string, page = ''): CountRow[] {
    const pages = hasPages(dimension) ? [page, ''] : [page]
    const counted = pages.flatMap((at) => rowsOf(event, dimension, key, at))
    for (const row of counted) row[COUNTERS[event.audience]] += 1
    return counted
  }

  for (const event of events) {
    count(event, 'event', event.kind)
    if (event.kind === 'view') {
      countView(event, count)
      for (const visit of toVisits(event)) visits.set(visitKey(visit), visit)
    } else if (event.kind === 'search') countSearch(event, count)
    else if (event.kind === 'copy') count(event, 'copy', event.path)
    else count(event, 'outbound', event.subject ?? '', event.path)
  }
  return {
    rows: () => [...rows.values()],
    visits: () => [...visits.values()],
    countVisitor({ projectId, day, path, audience }) {
      const counter = audience === 'ai' ? 'aiVisitors' : 'humanVisitors'
      for (const row of rowsOf({ projectId, at: day }, path === '' ? 'site' : 'page', path))
        if (row.period !== 'hour') row[counter] += 1
    },
  }
}

type Count = (event: ProjectEvent, dimension: Dimension, key: string, page?: string) => CountRow[]

function countView(event: ProjectEvent, count: Count): void {
  const { audience, path } = event
  count(event, 'site', '')
  count(event, 'page', path)
  if (audience === 'ai') count(event, 'agent', event.detail ?? '', path)
  if (audience !== 'human') return
  count(event, 'referrer', event.subject ?? '', path)
  if (event.device !== null) count(event, 'device', event.device)
  if (event.country !== undefined) count(event, 'country', event.country)
}

function countSearch(event: ProjectEvent, count: Count): void {
  const words = event.subject ?? ''
  for (const row of count(event, 'search', words, event.path)) {
    row.lastAt = Math.max(row.lastAt ?? 0, event.at)
    if (event.results === 0) row.empty += 1
  }
  if (event.detail !== null) count(event, 'click', words, event.detail)
}

function toVisits(event: ProjectEvent): Visit[] {
  const { projectId, audience, visitor, at } = event
  if (visitor === null) return []
  return ['', event.path].map((path) => ({ projectId, audience, visitor, path, day: startOf('day', at) }))
}

export function visitKey({ day, projectId, path, visitor }: Omit<Visit, 'audience'>): string {
  return [day, projectId, path, visitor].join('\0')
}

/** Hourly counts exist only for the whole site; per page, they would outnumber all other rows. */
function listPeriods(dimension: Dimension): readonly Period[] {
  if (dimension === 'event') return ['day']
  return dimension === 'site' ? ['hour', 'day', 'week', 'month'] : ['day', 'week', 'month']
}

const COUNTERS = { human: 'human', ai: 'ai', bot: 'bots' } as const

function emptyRow(
  rowKey: Pick<CountRow, 'projectId' | 'dimension' | 'period' | 'startsAt' | 'key' | 'page'>,
): CountRow {
  const counters = { human: 0, ai: 0, bots: 0, humanVisitors: 0, aiVisitors: 0, empty: 0 }
  return { ...rowKey, ...counters, lastAt: null }
}
