/**
 * Statistics about the feedback of a period. Each statement reads one index range and its rows, which are stored in the
 * same order; counting open entries stops at a limit. For a project with millions of entries in the period, this takes
 * about a second. `createOverviews` reuses such slow results, so that computing takes at most a tenth of the time.
 */
import { CompiledQuery } from 'kysely'
import type { OverviewDays } from '../../base/api/form-choices.ts'
import type { Queries } from '../../database/database.ts'
import type { Overview } from '../dashboard/operations/overview.ts'
import { createValues, SOURCES_WITH_TEXT, stateConditions } from './filters.ts'
import { checkProject } from './list-feedback.ts'
import type { FeedbackSource, FeedbackStatus } from './operations/feedback.ts'
import { FEEDBACK_SOURCES, FEEDBACK_STATUSES } from './operations/feedback.ts'
import type { ProjectScope } from './page-sql.ts'

export type WorstPage = Omit<Overview['worstPages'][number], 'title'>

export type FeedbackOverview = Pick<Overview, 'days' | 'from' | 'to' | 'votes' | 'series' | 'open'> & {
  worstPages: WorstPage[]
}

export interface FeedbackOverviews {
  get(scope: ProjectScope, days: OverviewDays): Promise<CachedOverview>
}

export interface CachedOverview extends FeedbackOverview {
  /** Milliseconds until newer statistics are available; null if these were computed for this call. */
  newerInMs: number | null
}

const DAY_MS = 86_400_000
const MAX_WORST_PAGES = 10
const MAX_COUNTED_OPEN_ENTRIES = 10_000
/** An overview that takes longer than this to compute is reused for REUSE_FACTOR times its computing time. */
const EXPENSIVE_OVERVIEW_MS = 100
const REUSE_FACTOR = 10
const MAX_CACHED_OVERVIEWS = 200

interface CacheEntry {
  at: number
  reuseMs: number
  answer: Promise<FeedbackOverview>
}

/** Computes at most one overview at a time per project and period, shared by concurrent callers. */
export function createOverviews(queries: Queries, now: () => number = Date.now): FeedbackOverviews {
  const cached = new Map<string, CacheEntry>()
  return {
    async get(scope, days) {
      await checkProject(queries, scope)
      const key = `${scope.projectId}:${days}`
      const known = cached.get(key)
      if (known !== undefined && now() < known.at + known.reuseMs) {
        const answer = await known.answer
        return { ...answer, newerInMs: Math.max(0, known.at + known.reuseMs - now()) }
      }
      const at = now()
      const entry: CacheEntry = {
        at,
        reuseMs: Number.POSITIVE_INFINITY,
        answer: readOverview(queries, scope.projectId, days, at),
      }
      cached.delete(key)
      cached.set(key, entry)
      entry.answer.then(
        () => {
          const took = now() - at
          entry.reuseMs = took < EXPENSIVE_OVERVIEW_MS ? 0 : took * (1 + REUSE_FACTOR)
        },
        () => cached.delete(key),
      )
      for (const oldest of cached.keys()) {
        if (cached.size <= MAX_CACHED_OVERVIEWS) break
        cached.delete(oldest)
      }
      return { ...(await entry.answer), newerInMs: null }
    },
  }
}

/** The period ends with the current, incomplete UTC day. */
export async function readOverview(
  queries: Queries,
  projectId: string,
  days: OverviewDays,
  nowMs: number,
): Promise<FeedbackOverview> {
  const to = Math.floor(nowMs / DAY_MS) * DAY_MS + DAY_MS
  const from = to - days * DAY_MS
  const before = from - days * DAY_MS
  const [daily, votesBefore, worstPages, open] = await Promise.all([
    countByDay(queries, projectId, from, to),
    countVotes(queries, projectId, before, from),
    selectWorstPages(queries, projectId, from, to),
    countOpen(queries, projectId),
  ])
  const series = toSeries(daily, from, days)
  return {
    days,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    votes: { now: summarizeVotes(daily), before: withRate(votesBefore) },
    series,
    worstPages,
    open,
  }
}

interface DayCount {
  /** Days since `from`. */
  day: number
  source: FeedbackSource
  status: FeedbackStatus
  helpful: boolean | null
  count: number
}

/** Matches the column order of the index, so that only the period is scanned. */
const PERIOD_CONDITION = 'project_id = $1 AND sort_at >= $2::timestamptz(3) AND sort_at < $3::timestamptz(3)'
const IS_VOTE = `source IN ('contextual', 'thumbs_only')`

function run<Row>(queries: Queries, text: string, values: readonly unknown[]) {
  return queries.executeQuery<Row>(CompiledQuery.raw(text, [...values])).then(({ rows }) => rows)
}

function countByDay(queries: Queries, projectId: string, from: number, to: number): Promise<DayCount[]> {
  const text = `
    SELECT (sort_at AT TIME ZONE 'UTC')::date - ($2::timestamptz(3) AT TIME ZONE 'UTC')::date AS day, source, status,
      helpful, count(*) AS count
    FROM feedback WHERE ${PERIOD_CONDITION} GROUP BY 1, 2, 3, 4`
  return run<DayCount>(queries, text, [projectId, new Date(from), new Date(to)])
}

interface VoteCount {
  thumbsUp: number
  thumbsDown: number
  total: number
}

async function countVotes(queries: Queries, projectId: string, from: number, to: number): Promise<VoteCount> {
  const text = `
    SELECT count(*) FILTER (WHERE helpful AND ${IS_VOTE}) AS "thumbsUp",
      count(*) FILTER (WHERE NOT helpful AND ${IS_VOTE}) AS "thumbsDown", count(*) AS total
    FROM feedback WHERE ${PERIOD_CONDITION}`
  const rows = await run<VoteCount>(queries, text, [projectId, new Date(from), new Date(to)])
  return rows[0] ?? { thumbsUp: 0, thumbsDown: 0, total: 0 }
}

/** Orders pages by most negative votes, then by fewest positive votes. */
function selectWorstPages(
  queries: Queries,
  projectId: string,
  from: number,
  to: number,
): Promise<WorstPage[]> {
  const text = `
    SELECT path, count(*) FILTER (WHERE helpful AND ${IS_VOTE}) AS "thumbsUp",
      count(*) FILTER (WHERE NOT helpful AND ${IS_VOTE}) AS "thumbsDown",
      count(*) FILTER (WHERE status IN ('pending', 'in_progress') AND source <> 'thumbs_only') AS open,
      count(*) AS total
    FROM feedback WHERE ${PERIOD_CONDITION} GROUP BY path
    HAVING count(*) FILTER (WHERE NOT helpful AND ${IS_VOTE}) > 0
    ORDER BY 3 DESC, 2, path LIMIT ${MAX_WORST_PAGES}`
  return run<WorstPage>(queries, text, [projectId, new Date(from), new Date(to)])
}

/** Excludes votes without text, which need no work. */
async function countOpen(queries: Queries, projectId: string): Promise<Overview['open']> {
  const values = createValues()
  const project = values.add(projectId)
  const counted = (status: FeedbackStatus) => {
    const conditions = stateConditions(project, { sources: SOURCES_WITH_TEXT, statuses: [status] }, values)
    return `(SELECT count(*) FROM (
      SELECT FROM feedback WHERE project_id = ${project} AND ${conditions.join(' AND ')}
      LIMIT ${MAX_COUNTED_OPEN_ENTRIES + 1}) AS counted)`
  }
  const text = `SELECT ${counted('pending')} AS pending, ${counted('in_progress')} AS "inProgress"`
  const [row] = await run<{ pending: number; inProgress: number }>(queries, text, values.list)
  const { pending = 0, inProgress = 0 } = row ?? {}
  return {
    pending: Math.min(pending, MAX_COUNTED_OPEN_ENTRIES),
    inProgress: Math.min(inProgress, MAX_COUNTED_OPEN_ENTRIES),
    isMore: Math.max(pending, inProgress) > MAX_COUNTED_OPEN_ENTRIES,
  }
}

function toSeries(counts: readonly DayCount[], from: number, days: number): Overview['series'] {
  const series = Array.from({ length: days }, (_, day) => ({
    date: new Date(from + day * DAY_MS).toISOString().slice(0, 10),
    thumbsUp: 0,
    thumbsDown: 0,
    bySource: zeros(FEEDBACK_SOURCES),
    byStatus: zeros(FEEDBACK_STATUSES),
  }))
  for (const { day, source, status, helpful, count } of counts) {
    const point = series[day]
    if (point === undefined) continue
    point.bySource[source] += count
    point.byStatus[status] += count
    if (isVote(source) && helpful === true) point.thumbsUp += count
    if (isVote(source) && helpful === false) point.thumbsDown += count
  }
  return series
}

function zeros<Word extends string>(words: readonly Word[]): Record<Word, number> {
  return Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>
}

function isVote(source: FeedbackSource): boolean {
  return source === 'contextual' || source === 'thumbs_only'
}

function summarizeVotes(counts: readonly DayCount[]): Overview['votes']['now'] {
  const sum = (isCounted: (count: DayCount) => boolean) =>
    counts.filter(isCounted).reduce((total, { count }) => total + count, 0)
  return withRate({
    thumbsUp: sum(({ source, helpful }) => isVote(source) && helpful === true),
    thumbsDown: sum(({ source, helpful }) => isVote(source) && helpful === false),
    total: sum(() => true),
  })
}

function withRate(votes: VoteCount): Overview['votes']['now'] {
  const { thumbsUp, thumbsDown } = votes
  const all = thumbsUp + thumbsDown
  return { ...votes, rate: all === 0 ? null : thumbsUp / all }
}
