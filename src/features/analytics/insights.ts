/** Overview of a site's readership: metrics of a period and the preceding one, top rows of each list. */

import type { InsightAudience, OverviewDays } from '../../base/api/form-choices.ts'
import type { Queries } from '../../database/database.ts'
import { checkProject } from '../feedback/list-feedback.ts'
import type { ProjectScope } from '../feedback/page-sql.ts'
import { type Period, type RowsQuery, readInsightLists, readInsightRows } from './insight-rows.ts'
import type { InsightRow, InsightRowsQuery, Insights } from './operations/insights.ts'
import { DAY_MS, type Range } from './range.ts'
import { type CountSum, readCounts } from './read-counts.ts'

type Row = Omit<InsightRow, 'title'>
type ListName = keyof Insights['lists']

export type CountedInsights = Omit<Insights, 'counting' | 'troubled' | 'lists'> & {
  lists: Record<ListName, Row[]>
}

const MAX_INSIGHT_ROWS = 8
const DEFAULT_ROW_LIMIT = 50
export const DEFAULT_DAYS: OverviewDays = 30

export function recentPeriod(days: number, now: number = Date.now()): Period {
  const to = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS
  const from = to - days * DAY_MS
  return { now: { from, to, path: null }, before: { from: from - days * DAY_MS, to: from, path: null } }
}

export async function readInsights(
  queries: Queries,
  projectScope: ProjectScope,
  { days, audience }: { days: number; audience: InsightAudience },
): Promise<CountedInsights> {
  await checkProject(queries, projectScope)
  const { projectId } = projectScope
  const period = recentPeriod(days)
  const { now, before } = period
  const read = (dimension: 'site' | 'search', range: Range) => readSum(queries, projectId, dimension, range)
  const [site, siteBefore, search, searchBefore, series, hasAny, lists] = await Promise.all([
    read('site', now),
    read('site', before),
    read('search', now),
    read('search', before),
    readSeries(queries, projectId, now, audience),
    hasCounts(queries, projectId),
    readInsightLists(queries, projectId, period, LIST_NAMES, { audience, limit: MAX_INSIGHT_ROWS }),
  ])
  const figure = (of: (sum: CountSum) => number, [one, other]: readonly [CountSum, CountSum]) => ({
    ...{ now: of(one), before: of(other) },
  })
  const [sites, searches] = [[site, siteBefore] as const, [search, searchBefore] as const]
  const [viewsOf, visitorsOf] = [VIEWS_BY_AUDIENCE[audience], VISITORS_BY_AUDIENCE[audience]]
  return {
    ...{ days, audience, hasAny, series },
    from: new Date(now.from).toISOString(),
    to: new Date(now.to).toISOString(),
    views: figure(viewsOf, sites),
    visitors: visitorsOf && figure(visitorsOf, sites),
    searches: figure(viewsOf, searches),
    unfound: figure(({ empty }) => empty, searches),
    aiViews: figure(({ ai }) => ai, sites),
    allViews: figure(({ human, ai }) => human + ai, sites),
    lists: Object.fromEntries(
      LIST_NAMES.map((name) => [name, lists.get(name) ?? []]),
    ) as CountedInsights['lists'],
  }
}

const LIST_NAMES = [
  'pages',
  'rising',
  'falling',
  'referrers',
  'devices',
  'countries',
  'searches',
  'unfound',
  'agents',
  'outbound',
  'copies',
] as const satisfies readonly ListName[]

const VIEWS_BY_AUDIENCE: Record<InsightAudience, (sum: CountSum) => number> = {
  all: ({ human, ai }) => human + ai,
  human: ({ human }) => human,
  ai: ({ ai }) => ai,
  bot: ({ bots }) => bots,
}

/** Functions that return the visitors of a sum; null for `bot`, whose visitors are not counted. */
const VISITORS_BY_AUDIENCE: Record<InsightAudience, ((sum: CountSum) => number) | null> = {
  all: ({ humanVisitors, aiVisitors }) => humanVisitors + aiVisitors,
  human: ({ humanVisitors }) => humanVisitors,
  ai: ({ aiVisitors }) => aiVisitors,
  bot: null,
}

async function readSum(
  queries: Queries,
  projectId: string,
  dimension: 'site' | 'search',
  range: Range,
): Promise<CountSum> {
  const [sum] = await readCounts(queries, projectId, { dimension, range, by: [] })
  return sum as CountSum
}

async function readSeries(
  queries: Queries,
  projectId: string,
  range: Range,
  audience: InsightAudience,
): Promise<Insights['series']> {
  const sums = await readCounts(queries, projectId, { dimension: 'site', range, by: ['day'] })
  const byDay = new Map(sums.map((sum) => [sum.day, sum]))
  const visitorsOf = VISITORS_BY_AUDIENCE[audience]
  return Array.from({ length: (range.to - range.from) / DAY_MS }, (_, index) => {
    const date = new Date(range.from + index * DAY_MS).toISOString().slice(0, 10)
    const sum = byDay.get(date)
    if (sum === undefined) return { date, human: 0, ai: 0, bots: 0, visitors: 0 }
    const { human, ai, bots } = sum
    return { date, human, ai, bots, visitors: visitorsOf?.(sum) ?? 0 }
  })
}

async function hasCounts(queries: Queries, projectId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('analytics_counts')
    .select('dimension')
    .where('project_id', '=', projectId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function readPageViews(
  queries: Queries,
  projectId: string,
  days: number,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (paths.length === 0) return new Map()
  const asked = { list: 'pages', audience: 'all', names: paths, limit: paths.length } as const
  const rows = await readInsightRows(queries, projectId, recentPeriod(days), asked)
  return new Map(rows.map(({ name, now }) => [name, now]))
}

export async function listInsightRows(
  queries: Queries,
  projectScope: ProjectScope,
  { days = DEFAULT_DAYS, audience = 'all', limit = DEFAULT_ROW_LIMIT, ...rest }: InsightRowsQuery,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  await checkProject(queries, projectScope)
  const asked: RowsQuery = { ...rest, audience, limit: limit + 1 }
  const rows = await readInsightRows(queries, projectScope.projectId, recentPeriod(days), asked)
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}
