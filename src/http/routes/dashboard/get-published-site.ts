/** GET /internal/projects/{projectId}/site */
import { type PublishedSiteDeps, getPublishedSite as read } from '../../../hosting/published-site.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function getPublishedSite(
  deps: PublishedSiteDeps,
  { db, caller: { organizationId }, params, query }: DashboardCallOf<'getPublishedSite'>,
): DashboardAnswerOf<'getPublishedSite'> {
  return { body: await read(deps, db, { organizationId, ...params }, query) }
}
