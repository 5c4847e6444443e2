/** Counts feedback by page, starting with the page that has the most entries. */

import { CompiledQuery, sql } from 'kysely'
import type { Parsed } from '../../base/errors/fault.ts'
import { pageOf } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import {
  allConditions,
  createValues,
  type Filters,
  listScope,
  parseFilters,
  type RawFilters,
} from './filters.ts'
import { CURSOR_FAULT, checkProject, type QueryDeps } from './list-feedback.ts'
import type { PageFeedback, PageFeedbackList } from './operations/feedback.ts'
import type { ProjectScope } from './page-sql.ts'

const DEFAULT_PAGE_SIZE = 10

/** Cursor of a list of pages. Entries after `asOf` are not counted, so that pages keep their order. */
interface PagePosition {
  /** Milliseconds. */
  asOf: number
  total: number
  path: string
}

export async function countFeedbackByPage(
  deps: QueryDeps,
  queries: Queries,
  projectScope: ProjectScope,
  { filters, after }: PageQuery,
  limit = DEFAULT_PAGE_SIZE,
): Promise<PageFeedbackList> {
  await checkProject(queries, projectScope)

  const scope = listScope('feedback-by-page', projectScope.projectId, filters)
  const asOf = after?.asOf ?? (await readDatabaseTime(queries))
  const pages = await selectCounts(queries, projectScope.projectId, filters, {
    asOf,
    after,
    limit: limit + 1,
  })
  const { shown, paging } = pageOf(pages, limit, ({ total, path }) =>
    deps.cursors.encode(scope, [asOf, total, path]),
  )
  return { feedback: shown, ...paging }
}

export interface PageQuery {
  filters: Filters
  after: PagePosition | null
}

export function parsePageQuery(deps: QueryDeps, projectId: string, query: RawFilters): Parsed<PageQuery> {
  const { value: filters, faults } = parseFilters(query)
  const { cursor } = query
  if (typeof cursor !== 'string' || cursor === '') return { value: { filters, after: null }, faults }
  const after = decodeCursor(deps, listScope('feedback-by-page', projectId, filters), cursor)
  return { value: { filters, after }, faults: after === null ? [...faults, CURSOR_FAULT] : faults }
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

/** Returns the database's time, which also sets the times of entries. */
async function readDatabaseTime(queries: Queries): Promise<number> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(queries)
  return (rows[0]?.now ?? new Date()).getTime()
}

function decodeCursor(deps: QueryDeps, scope: string, cursor: string): PagePosition | null {
  const position = deps.cursors.decode(scope, cursor)
  if (position === null) return null
  const [asOf, total, path] = position
  return { asOf: Number(asOf), total: Number(total), path: String(path) }
}
