/** Paginated responses of the analytics endpoints: counts by page, by day and by name. */

import type { Queries } from '../../database/database.ts'
import { checkProject } from '../feedback/list-feedback.ts'
import type { ProjectScope } from '../feedback/page-sql.ts'
import type { AnalyticsQuery, AudienceCounts } from './operations/analytics.ts'
import type { Range } from './range.ts'
import { type CountSum, type Group, type Reading, readCounts } from './read-counts.ts'

const DEFAULT_PAGE_SIZE = 50

export type Report = 'views' | 'visitors' | 'searches' | 'referrers' | 'countries'

export type By = 'page' | 'day' | 'query' | 'referrer' | 'country' | 'pageAndReferrer'

interface ReportRow {
  views: AudienceCounts
  visitors: Omit<AudienceCounts, 'bots'>
  searches: { hits: number; withoutResults: number }
  referrers: { views: number }
  countries: { views: number }
}

const FIGURES: { [Name in Report]: (sum: CountSum) => ReportRow[Name] } = {
  views: ({ human, ai, bots }) => ({ human, ai, bots, total: human + ai }),
  visitors: ({ humanVisitors: human, aiVisitors: ai }) => ({ human, ai, total: human + ai }),
  searches: ({ human, ai, empty }) => ({ hits: human + ai, withoutResults: empty }),
  referrers: ({ human }) => ({ views: human }),
  countries: ({ human }) => ({ views: human }),
}

/** Fields that name a row, for each grouping. */
const NAMES = {
  page: (sum: CountSum, report: Report) => ({ path: isOfPages(report) ? sum.key : sum.page }),
  day: ({ day }: CountSum) => ({ date: day }),
  query: ({ key }: CountSum) => ({ searchQuery: key }),
  referrer: ({ key }: CountSum) => ({ referrer: emptyToNull(key) }),
  country: ({ key }: CountSum) => ({ country: emptyToNull(key) }),
  pageAndReferrer: ({ key, page }: CountSum) => ({ path: page, referrer: emptyToNull(key) }),
}

/** Views and visitors are keyed by page; searches and referrers by name, with the page as a field. */
function isOfPages(report: Report): report is 'views' | 'visitors' {
  return report === 'views' || report === 'visitors'
}

function emptyToNull(key: string): string | null {
  return key === '' ? null : key
}

export async function readReport<Name extends Report, Way extends By>(
  queries: Queries,
  scope: ProjectScope,
  { report, by, range }: { report: Name; by: Way; range: Range },
  { limit = DEFAULT_PAGE_SIZE, offset = 0 }: Pick<AnalyticsQuery, 'limit' | 'offset'>,
) {
  await checkProject(queries, scope)
  const [sums, [all]] = await Promise.all([
    readCounts(queries, scope.projectId, { ...toCountQuery(report, by, range), limit: limit + 1, offset }),
    readCounts(queries, scope.projectId, totalQuery(report, by, range)),
  ])
  const rows = sums.slice(0, limit).map((sum) => toReportRow(report, by, sum))
  return {
    totals: FIGURES[report](all as CountSum),
    [report]: rows,
    hasMore: sums.length > limit,
  } as { totals: ReportRow[Name]; hasMore: boolean } & {
    [Key in Name]: ReturnType<typeof toReportRow<Name, Way>>[]
  }
}

export function toReportRow<Name extends Report, Way extends By>(report: Name, by: Way, sum: CountSum) {
  const names = NAMES[by](sum, report) as ReturnType<(typeof NAMES)[Way]>
  return { ...names, ...FIGURES[report](sum) }
}

export function toCountQuery(report: Report, by: By, range: Range): Reading {
  const order = report === 'visitors' ? 'visitors' : 'views'
  const { path } = range
  if (isOfPages(report))
    return {
      ...{ range, order },
      dimension: by === 'day' && path === null ? 'site' : 'page',
      by: [by === 'day' ? 'day' : 'key'],
      ...(path === null ? {} : { key: path }),
    }
  return {
    ...{ range, order },
    dimension: DIMENSION_BY_REPORT[report],
    by: REPORT_GROUPS[by],
    ...(path === null ? {} : { page: path }),
    ...(report === 'referrers' && by === 'day' ? { isNamed: true } : {}),
  }
}

const DIMENSION_BY_REPORT = { searches: 'search', referrers: 'referrer', countries: 'country' } as const

const REPORT_GROUPS: Record<By, readonly Group[]> = {
  page: ['page'],
  day: ['day'],
  query: ['key'],
  referrer: ['key'],
  country: ['key'],
  pageAndReferrer: ['page', 'key'],
}

/** Reads the total of visitors from the counts of the whole site, because one visitor may view several pages. */
function totalQuery(report: Report, by: By, range: Range): Reading {
  const countQuery = toCountQuery(report, by, range)
  const isOfSite = isOfPages(report) && range.path === null
  return { ...countQuery, by: [], ...(isOfSite ? { dimension: 'site' } : {}) }
}
