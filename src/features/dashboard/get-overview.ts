/** GET /internal/projects/{projectId}/overview: queries all domains in parallel. */

import type { OverviewDays } from '../../base/api/form-choices.ts'
import type { CallOf, ResponseOf } from '../../routing/handler.ts'
import { listRecentAgentJobs } from '../agent/find-jobs.ts'
import { findRecentExports } from '../export/find-exports.ts'
import type { FeedbackOverviews } from '../feedback/overview.ts'
import type { PageLibrary } from '../hosting/serve/page-library.ts'
import { findPublished, readSiteState, toPublishedState } from '../hosting/serve/published-site.ts'
import type { OVERVIEW_OPERATIONS } from './operations/overview.ts'

type Op = typeof OVERVIEW_OPERATIONS.getOverview

export interface GetOverviewDeps {
  overviews: FeedbackOverviews
  library: PageLibrary
}

const DEFAULT_DAYS = 30
const MAX_SHOWN_JOBS = 5

export async function getOverview(
  { overviews, library }: GetOverviewDeps,
  { db, caller: { organizationId }, params, query }: CallOf<Op>,
): ResponseOf<Op> {
  const scope = { organizationId, ...params }
  const { manifestKey } = await findPublished(db, scope)
  const [feedback, agent, exports, site, titles] = await Promise.all([
    overviews.get(scope, (query.days ?? DEFAULT_DAYS) as OverviewDays),
    listRecentAgentJobs(db, scope, MAX_SHOWN_JOBS),
    findRecentExports(db, scope, MAX_SHOWN_JOBS),
    readSiteState(db, scope),
    manifestKey === null ? new Map<string, string>() : library.titles(manifestKey),
  ])
  const { published, current, last } = site
  return {
    body: {
      ...feedback,
      worstPages: feedback.worstPages.map((page) => ({ ...page, title: titles.get(page.path) ?? null })),
      agent,
      exports,
      site: { published, lastDeployment: current ?? (last === null ? null : toPublishedState(last)) },
    },
  }
}
