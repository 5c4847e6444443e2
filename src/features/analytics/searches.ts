/** Readers' searches: how often they were made, how often they succeeded, and which results were opened. */
import { CompiledQuery } from 'kysely'
import type { Parsed } from '../../base/errors/fault.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import { createValues } from '../feedback/filters.ts'
import { CURSOR_FAULT, checkProject } from '../feedback/list-feedback.ts'
import type { ProjectScope } from '../feedback/page-sql.ts'
import type { Search, Searches, SearchesQuery } from './operations/analytics.ts'
import { parseRange, type Range } from './range.ts'
import { type CountSum, countSource, readCounts } from './read-counts.ts'

const DEFAULT_PAGE_SIZE = 50

export interface SearchesRequest {
  range: Range
  order: 'views' | 'empty'
  offset: number
}

export async function listSearches(
  { cursors }: { cursors: CursorCodec },
  queries: Queries,
  projectScope: ProjectScope,
  request: SearchesRequest,
  limit = DEFAULT_PAGE_SIZE,
): Promise<Searches> {
  await checkProject(queries, projectScope)
  const { projectId } = projectScope
  const { range, order, offset } = request
  const page = range.path === null ? {} : { page: range.path }
  const countQuery = { dimension: 'search', range, ...page } as const
  const [sums, [all]] = await Promise.all([
    readCounts(queries, projectId, { ...countQuery, by: ['key'], order, limit: limit + 1, offset }),
    readCounts(queries, projectId, { ...countQuery, by: [] }),
  ])
  const shown = sums.slice(0, limit)
  const nextOffset = offset + shown.length
  return {
    searches: await withClicks(queries, projectId, range, shown),
    totalSearches: all?.human ?? 0,
    nextCursor: sums.length > limit ? cursors.encode(cursorScope(projectId, request), [nextOffset]) : null,
  }
}

export function parseSearches(
  { cursors }: { cursors: CursorCodec },
  projectId: string,
  query: Readonly<Record<string, unknown>>,
): Parsed<SearchesRequest> {
  const { value: range, faults } = parseRange(query)
  const order = query.results === ('none' satisfies SearchesQuery['results']) ? 'empty' : 'views'
  const request = { range, order, offset: 0 } as const
  if (typeof query.cursor !== 'string' || query.cursor === '') return { value: request, faults }
  const position = cursors.decode(cursorScope(projectId, request), query.cursor)
  return {
    value: { ...request, offset: Number(position?.[0] ?? 0) },
    faults: position === null ? [...faults, CURSOR_FAULT] : faults,
  }
}

function cursorScope(projectId: string, { range, order }: Omit<SearchesRequest, 'offset'>): string {
  return `searches:${projectId}:${JSON.stringify([range.from, range.to, range.path, order])}`
}

export async function withClicks(
  queries: Queries,
  projectId: string,
  range: Range,
  sums: readonly CountSum[],
): Promise<Search[]> {
  const values = createValues()
  const words = values.add(sums.map(({ key }) => key))
  const source = countSource(projectId, { dimension: 'click', range, by: ['key', 'page'] }, values)
  const { rows } = await queries.executeQuery<{ key: string; page: string; clicks: number }>(
    CompiledQuery.raw(
      `SELECT key, page, sum(human + ai)::bigint AS clicks FROM (${source}) AS clicked
        WHERE key = ANY(${words}::text[]) GROUP BY key, page ORDER BY key, clicks DESC, page`,
      values.list,
    ),
  )
  const byWords = Map.groupBy(rows, ({ key }) => key)
  return sums.map(({ key, human, ai, empty, lastAt }) => {
    const followed = byWords.get(key) ?? []
    const clicks = followed.reduce((sum, row) => sum + row.clicks, 0)
    const hits = human + ai
    return {
      searchQuery: key,
      hits,
      withoutResults: empty,
      ctr: hits === 0 ? 0 : clicks / hits,
      // A page filter does not apply to the opened result.
      topClickedPage: followed[0]?.page ?? null,
      lastSearchedAt: lastAt.toISOString(),
    }
  })
}
