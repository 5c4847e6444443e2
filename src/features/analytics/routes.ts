/** Web analytics routes of a project: views, visitors, searches and referrers. */

import { AppError } from '../../base/errors/errors.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import { type Handlers, parsing, type StreamResponse } from '../../routing/handler.ts'
import type { ParseRequest } from '../../routing/request-shape.ts'
import { type CountExport, exportCounts } from './export-counts.ts'
import type { Countries } from './intake/countries.ts'
import type { ANALYTICS_OPERATIONS, AnalyticsQuery } from './operations/analytics.ts'
import { parseRange, type Range } from './range.ts'
import { type By, type Report, readReport } from './reports.ts'
import { listSearches, parseSearches } from './searches.ts'

interface AnalyticsDeps {
  cursors: CursorCodec
  countries: Countries | null
}

interface ReportCall {
  db: Queries
  caller: { organizationId: string }
  params: { projectId: string }
}

export function analyticsHandlers(deps: AnalyticsDeps): Handlers<typeof ANALYTICS_OPERATIONS> {
  return {
    getViews: report('views', 'page'),
    getViewsByDay: report('views', 'day'),
    exportViews: csv('views', 'page'),
    getVisitors: report('visitors', 'page'),
    getVisitorsByDay: report('visitors', 'day'),
    exportVisitors: csv('visitors', 'page'),
    getSearches: parsing(
      ({ params: { projectId = '' }, query }) => parseSearches(deps, projectId, query),
      async ({ db, caller: { organizationId }, params, query }, asked) => ({
        body: await listSearches(deps, db, { organizationId, ...params }, asked, query.limit),
      }),
    ),
    getSearchesByPage: report('searches', 'page'),
    getSearchesByDay: report('searches', 'day'),
    exportSearches: csv('searches', 'query'),
    getReferrers: report('referrers', 'referrer'),
    getReferrersByPage: report('referrers', 'pageAndReferrer'),
    getReferrersByDay: report('referrers', 'day'),
    exportReferrers: csv('referrers', 'referrer'),
    getCountries: withCountriesEnabled(deps, report('countries', 'country')),
    getCountriesByDay: withCountriesEnabled(deps, report('countries', 'day')),
    exportCountries: withCountriesEnabled(deps, csv('countries', 'country')),
  }
}

function withCountriesEnabled<Call, Value, Result>(
  { countries }: AnalyticsDeps,
  { parse, handle }: { parse: ParseRequest<Value>; handle(call: Call, value: Value): Promise<Result> },
) {
  return parsing(parse, async (call: Call, value: Value) => {
    if (countries === null) throw new AppError('not_found', { params: { reason: 'countries' } })
    return handle(call, value)
  })
}

function report<Name extends Report, Way extends By>(name: Name, by: Way) {
  return parsing(
    ({ query }) => parseRange(query),
    async (call: ReportCall & { query: AnalyticsQuery }, range: Range) => {
      const { db, caller, params, query } = call
      const scope = { organizationId: caller.organizationId, ...params }
      return { body: await readReport(db, scope, { report: name, by, range }, query) }
    },
  )
}

function csv(name: Report, first: By) {
  return parsing(
    ({ query }) => parseRange(query),
    async (
      {
        db,
        caller,
        params,
        query,
      }: ReportCall & { query: { by?: 'page' | 'day' | 'query' | 'referrer' | 'country' } },
      range: Range,
    ): Promise<StreamResponse> => {
      const asked = query.by ?? first
      const by = name === 'referrers' && asked === 'page' ? 'pageAndReferrer' : asked
      const scope = { organizationId: caller.organizationId, ...params }
      return csvResponse(await exportCounts(db, scope, { report: name, by, range }))
    },
  )
}

function csvResponse({ filename, lines }: CountExport): StreamResponse {
  return {
    contentType: 'text/csv',
    body: lines,
    headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
  }
}
