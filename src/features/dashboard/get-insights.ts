/** GET /internal/projects/{projectId}/insights: counts, together with feedback on the pages. */

import { resolveFeatures } from '../../base/api/features.ts'
import type { OverviewDays } from '../../base/api/form-choices.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { CallOf, ResponseOf } from '../../routing/handler.ts'
import { DEFAULT_DAYS, listInsightRows, readInsights, readPageViews } from '../analytics/insights.ts'
import type { INSIGHT_OPERATIONS, Insights } from '../analytics/operations/insights.ts'
import type { FeedbackOverviews } from '../feedback/overview.ts'
import { includesAnalytics } from '../hosting/serve/analytics-of-version.ts'
import type { PageLibrary } from '../hosting/serve/page-library.ts'
import { findPublished } from '../hosting/serve/published-site.ts'
import { findProject } from '../projects/projects.ts'

type Op = typeof INSIGHT_OPERATIONS.getInsights
type RowsOp = typeof INSIGHT_OPERATIONS.listInsightRows

export interface GetInsightsDeps {
  overviews: FeedbackOverviews
  library: PageLibrary
  countries: object | null
}

type Titles = ReadonlyMap<string, string | null>

export async function getInsights(
  deps: GetInsightsDeps,
  { db, caller: { organizationId }, params, query }: CallOf<Op>,
): ResponseOf<Op> {
  const scope = { organizationId, ...params }
  const days = (query.days ?? DEFAULT_DAYS) as OverviewDays
  const { manifestKey } = await findPublished(db, scope)
  const [counted, feedback, project, titles, hosted] = await Promise.all([
    readInsights(db, scope, { days, audience: query.audience ?? 'all' }),
    deps.overviews.get(scope, days),
    findProject(db, scope.projectId, organizationId),
    readTitles(deps, manifestKey),
    readHostedCountingState(deps, manifestKey),
  ])
  if (project === null) throw new AppError('not_found')
  const worst = feedback.worstPages
  const views = await readPageViews(
    db,
    scope.projectId,
    days,
    worst.map(({ path }) => path),
  )
  const bundles = resolveFeatures('client-hosted', project.features).analytics
  return {
    body: {
      ...counted,
      counting: { hosted, bundles, countries: deps.countries !== null },
      troubled: worst.map(({ path, thumbsUp, thumbsDown, open }) => ({
        ...{ path, thumbsUp, thumbsDown, open },
        title: titles.get(path) ?? null,
        views: views.get(path) ?? 0,
      })),
      lists: Object.fromEntries(
        Object.entries(counted.lists).map(([name, rows]) => [name, withTitles(rows, titles)]),
      ) as Insights['lists'],
    },
  }
}

export async function listRows(
  deps: GetInsightsDeps,
  { db, caller: { organizationId }, params, query }: CallOf<RowsOp>,
): ResponseOf<RowsOp> {
  const scope = { organizationId, ...params }
  const { rows, hasMore } = await listInsightRows(db, scope, query)
  const { manifestKey } = await findPublished(db, scope)
  return { body: { rows: withTitles(rows, await readTitles(deps, manifestKey)), hasMore } }
}

function withTitles<Row extends { name: string }>(rows: readonly Row[], titles: Titles) {
  return rows.map((row) => ({ ...row, title: titles.get(row.name) ?? null }))
}

async function readTitles({ library }: GetInsightsDeps, manifestKey: string | null): Promise<Titles> {
  return manifestKey === null ? new Map() : library.titles(manifestKey)
}

async function readHostedCountingState(
  { library }: GetInsightsDeps,
  manifestKey: string | null,
): Promise<Insights['counting']['hosted']> {
  const manifest = manifestKey === null ? null : await library.manifest(manifestKey)
  if (manifest === null) return 'unpublished'
  return includesAnalytics(manifest) ? 'on' : 'off'
}
