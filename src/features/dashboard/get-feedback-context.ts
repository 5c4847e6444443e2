/** GET /internal/projects/{projectId}/feedback/{feedbackId}/context: all data related to a feedback entry. */

import { AppError } from '../../base/errors/errors.ts'
import type { CallOf, ResponseOf } from '../../routing/handler.ts'
import { listJobsAbout } from '../agent/find-jobs.ts'
import { findDuplicates } from '../feedback/groups.ts'
import { canonicalPagePath } from '../feedback/intake/page-path.ts'
import type { INBOX_OPERATIONS } from '../feedback/operations/inbox.ts'
import { findCodeBlock } from '../hosting/serve/code-blocks.ts'
import type { PageLibrary } from '../hosting/serve/page-library.ts'
import { findPublished } from '../hosting/serve/published-site.ts'
import { siteOrigin } from '../hosting/serve/site-origin.ts'

type Op = typeof INBOX_OPERATIONS.getFeedbackContext

export interface GetFeedbackContextDeps {
  library: PageLibrary
  publicUrl: () => string
}

const MAX_MARKDOWN_CHARACTERS = 40_000
const MAX_SHOWN_JOBS = 10

export async function getFeedbackContext(
  { library, publicUrl }: GetFeedbackContextDeps,
  { db, caller: { organizationId }, params }: CallOf<Op>,
): ResponseOf<Op> {
  const scope = { organizationId, projectId: params.projectId }
  const { domain, manifestKey } = await findPublished(db, scope)
  const entry = await db
    .selectFrom('feedback')
    .select(['id', 'path', 'code', 'same_hash'])
    .where('id', '=', params.feedbackId)
    .where('project_id', '=', params.projectId)
    .executeTakeFirst()
  if (entry === undefined) throw new AppError('not_found')
  const route = canonicalPagePath(entry.path) ?? entry.path
  const [page, titles, duplicates, agentJobs] = await Promise.all([
    manifestKey === null ? null : library.markdown(manifestKey, route),
    manifestKey === null ? new Map<string, string>() : library.titles(manifestKey),
    findDuplicates(db, params.projectId, entry),
    listJobsAbout(db, scope, { feedbackId: entry.id }, MAX_SHOWN_JOBS),
  ])
  const isPublished = domain !== null && titles.has(route)
  return {
    body: {
      page: {
        path: entry.path,
        title: page?.title ?? titles.get(route) ?? null,
        url: isPublished ? `${siteOrigin(publicUrl(), domain)}${encodeURI(route)}` : null,
        markdown: page?.text.slice(0, MAX_MARKDOWN_CHARACTERS) ?? null,
      },
      code: page === null || entry.code === null ? null : findCodeBlock(page.text, entry.code),
      duplicates,
      agentJobs,
    },
  }
}
