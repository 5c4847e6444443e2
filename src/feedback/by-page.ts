/** Counts of feedback by page, the page with the most first. */
import { CompiledQuery, sql } from 'kysely'
import { refuseFaults } from '../contract/errors.ts'
import type { Fault } from '../contract/fault.ts'
import type { FeedbackByPageQuery, PageFeedback, PageFeedbackList } from '../contract/feedback.ts'
import type { Queries } from '../database/database.ts'
import {
  allConditions,
  createValues,
  type Filters,
  type GivenFilters,
  listScope,
  readFilters,
} from './filters.ts'
import type { ProjectPlace } from './page-sql.ts'
import { CURSOR_FAULT, checkProject, type QueryDeps } from './query.ts'

const DEFAULT_PAGE = 10

/** Where a list of pages goes on. It counts what was there when it began, so that later entries move no page. */
interface PagePosition {
  /** Milliseconds. */
  asOf: number
  total: number
  path: string
}

/** Throws AppError `not_found`, `invalid_request`. */
export async function countFeedbackByPage(
  deps: QueryDeps,
  queries: Queries,
  place: ProjectPlace,
  query: FeedbackByPageQuery,
): Promise<PageFeedbackList> {
  const details = byPageQueryFaults(deps, place.projectId, query)
  refuseFaults(details)
  const { filters } = readFilters(query)
  await checkProject(queries, place)

  const scope = listScope('feedback-by-page', place.projectId, filters)
  const after = query.cursor === undefined ? null : decode(deps, scope, query.cursor)
  const asOf = after?.asOf ?? (await databaseTime(queries))
  const limit = query.limit ?? DEFAULT_PAGE
  const pages = await selectCounts(queries, place.projectId, filters, { asOf, after, limit: limit + 1 })
  const shown = pages.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = pages.length > limit && last !== undefined
  return {
    feedback: shown,
    nextCursor: hasMore ? deps.cursors.encode(scope, [asOf, last.total, last.path]) : null,
    hasMore,
  }
}

export function byPageQueryFaults(deps: QueryDeps, projectId: string, query: GivenFilters): Fault[] {
  const { filters, faults } = readFilters(query)
  if (typeof query.cursor !== 'string' || query.cursor === '') return faults
  const isRight = decode(deps, listScope('feedback-by-page', projectId, filters), query.cursor) !== null
  return isRight ? faults : [...faults, CURSOR_FAULT]
}

async function selectCounts(
  queries: Queries,
  projectId: string,
  filters: Filters,
  page: { asOf: number; after: PagePosition | null; limit: number },
): Promise<PageFeedback[]> {
  const values = createValues()
  const conditions = [
    ...allConditions(projectId, filters, values),
    `sort_at <= ${values.add(new Date(page.asOf))}::timestamptz(3)`,
  ]
  const { after } = page
  const behind =
    after === null
      ? ''
      : `WHERE (-total, path) > (-${values.add(after.total)}::bigint, ${values.add(after.path)} COLLATE "C")`
  const text = `
    SELECT * FROM (
      SELECT path,
        count(*) FILTER (WHERE helpful AND ${IS_VOTE}) AS "thumbsUp",
        count(*) FILTER (WHERE NOT helpful AND ${IS_VOTE}) AS "thumbsDown",
        count(*) FILTER (WHERE source = 'code_snippet') AS code,
        count(*) FILTER (WHERE has_comment) AS comments,
        count(*) AS total
      FROM feedback WHERE ${conditions.join(' AND ')} GROUP BY path
    ) AS pages ${behind}
    ORDER BY total DESC, path LIMIT ${values.add(page.limit)}`
  const { rows } = await queries.executeQuery<PageFeedback>(CompiledQuery.raw(text, values.list))
  return rows
}

const IS_VOTE = `source IN ('contextual', 'thumbs_only')`

/** The database's own: entries carry its time. */
async function databaseTime(queries: Queries): Promise<number> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(queries)
  return (rows[0]?.now ?? new Date()).getTime()
}

function decode(deps: QueryDeps, scope: string, cursor: string): PagePosition | null {
  const position = deps.cursors.decode(scope, cursor)
  if (position === null) return null
  const [asOf, total, path] = position
  return { asOf: Number(asOf), total: Number(total), path: String(path) }
}
