/** GET /internal/projects/{projectId}/search: a few hits of each kind, for search as you type. */

import type { CallOf, ResponseOf } from '../../routing/handler.ts'
import { findAgentJobs } from '../agent/find-jobs.ts'
import { findExports } from '../export/find-exports.ts'
import type { QueryDeps } from '../feedback/list-feedback.ts'
import type { FeedbackEntry } from '../feedback/operations/feedback.ts'
import type { INBOX_OPERATIONS, SearchHit } from '../feedback/operations/inbox.ts'
import { parseSearchQuery, searchFeedback } from '../feedback/search.ts'
import type { PageLibrary } from '../hosting/serve/page-library.ts'
import { findPublished } from '../hosting/serve/published-site.ts'

type Op = typeof INBOX_OPERATIONS.search

export interface SearchDeps extends QueryDeps {
  library: PageLibrary
}

const MAX_HITS_PER_KIND = 6
/** Number of feedback entries read before votes without text are removed. */
const MAX_SCANNED_FEEDBACK = 30
const MAX_HIT_TITLE_CHARACTERS = 160

export async function search(
  deps: SearchDeps,
  { db, caller: { organizationId }, params, query }: CallOf<Op>,
): ResponseOf<Op> {
  const scope = { organizationId, ...params }
  const q = query.q.trim()
  const { manifestKey } = await findPublished(db, scope)
  if (q === '') return { body: { hits: [] } }
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const [titles, feedback, jobs, exports] = await Promise.all([
    manifestKey === null ? new Map<string, string>() : deps.library.titles(manifestKey),
    searchFeedback(
      deps,
      db,
      scope,
      parseSearchQuery(deps, params.projectId, { q }).value,
      MAX_SCANNED_FEEDBACK,
    ),
    findAgentJobs(db, scope, pattern, MAX_HITS_PER_KIND),
    findExports(db, scope, pattern, MAX_HITS_PER_KIND),
  ])
  return {
    body: {
      hits: [
        ...pageHits(titles, q),
        ...jobs.map(
          ({ job, prompt }): SearchHit => ({
            kind: 'agent_job',
            id: job.id,
            title: oneLine(job.title ?? prompt ?? job.id),
            detail: job.status,
            at: job.createdAt,
          }),
        ),
        ...exports.map(
          (job): SearchHit => ({
            kind: 'export',
            id: job.jobId,
            title: oneLine(job.version ?? job.domain),
            detail: job.status,
            at: job.createdAt,
          }),
        ),
        ...feedback.feedback
          .filter((entry) => textOfEntry(entry) !== null || entry.id.startsWith(q.toLowerCase()))
          .slice(0, MAX_HITS_PER_KIND)
          .map(toFeedbackHit),
      ],
    },
  }
}

function toFeedbackHit(entry: FeedbackEntry): SearchHit {
  const title = oneLine(textOfEntry(entry) ?? entry.path)
  return { kind: 'feedback', id: entry.id, title, detail: entry.path, at: entry.createdAt }
}

/** Returns null for a vote without text, because its page is found separately. */
function textOfEntry(entry: FeedbackEntry): string | null {
  return entry.comment ?? ('code' in entry ? entry.code : null)
}

/** Ranks titles that start with the query first, then titles and then paths that contain it. */
function pageHits(titles: ReadonlyMap<string, string | null>, q: string): SearchHit[] {
  const needle = q.toLocaleLowerCase()
  const ranked: { rank: number; path: string; title: string | null }[] = []
  for (const [path, title] of titles) {
    const at = title === null ? -1 : title.toLocaleLowerCase().indexOf(needle)
    const rank = at === 0 ? 0 : at > 0 ? 1 : path.toLocaleLowerCase().includes(needle) ? 2 : null
    if (rank !== null) ranked.push({ rank, path, title })
  }
  ranked.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
  return ranked.slice(0, MAX_HITS_PER_KIND).map(({ path, title }) => ({
    kind: 'page',
    id: path,
    title: oneLine(title ?? path),
    detail: path,
    at: null,
  }))
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_HIT_TITLE_CHARACTERS ? line : `${line.slice(0, MAX_HIT_TITLE_CHARACTERS - 1)}…`
}
