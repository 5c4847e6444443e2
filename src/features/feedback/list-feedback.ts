/** Paginated entries, newest first, as returned by `GET …/feedback`. */
import { CompiledQuery } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { faultAt, type Parsed } from '../../base/errors/fault.ts'
import { type CursorCodec, pageOf } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import { type EntryRow, toEntry } from './entry.ts'
import { type Filters, listScope, parseFilters, type RawFilters, readList } from './filters.ts'
import type { FeedbackExtra, FeedbackList } from './operations/feedback.ts'
import { type Position, type ProjectScope, pageStatement } from './page-sql.ts'
import { readWorkNames } from './work-names.ts'

export interface QueryDeps {
  cursors: CursorCodec
}

const DEFAULT_PAGE_SIZE = 50

/** Throws AppError `not_found` for a project of another organization. */
export async function listFeedback(
  deps: QueryDeps,
  queries: Queries,
  projectScope: ProjectScope,
  { filters, after, include }: ListQuery<FeedbackExtra>,
  limit = DEFAULT_PAGE_SIZE,
): Promise<FeedbackList> {
  const rows = await selectPage(queries, projectScope, filters, { after, limit: limit + 1 })
  if (rows.length === 0) await checkProject(queries, projectScope)
  const scope = listScope('feedback', projectScope.projectId, filters)
  const { shown, paging } = pageOf(rows, limit, (last) => encodeListCursor(deps, scope, last))
  const names = await readWorkNames(queries, projectScope.projectId, shown, include)
  return {
    feedback: shown.map((row) => toEntry(row, include, names)),
    ...paging,
  }
}

export const CURSOR_FAULT = faultAt('cursor', 'invalid_cursor')

export interface ListQuery<Extra extends string> {
  filters: Filters
  after: Position | null
  include: Extra[]
}

export function parseListQuery<Extra extends string>(
  deps: QueryDeps,
  projectId: string,
  query: RawFilters,
  extras: readonly Extra[],
): Parsed<ListQuery<Extra>> {
  const { value: filters, faults } = parseFilters(query)
  const include = readList('include', query.include, extras, faults) ?? []
  const { cursor } = query
  if (typeof cursor !== 'string' || cursor === '') return { value: { filters, after: null, include }, faults }
  const after = decodeListCursor(deps, listScope('feedback', projectId, filters), cursor)
  return { value: { filters, after, include }, faults: after === null ? [...faults, CURSOR_FAULT] : faults }
}

export async function selectPage(
  queries: Queries,
  projectScope: ProjectScope,
  filters: Filters,
  page: { after: Position | null; limit: number },
): Promise<readonly EntryRow[]> {
  const { text, values } = pageStatement(projectScope, filters, page)
  return (await queries.executeQuery<EntryRow>(CompiledQuery.raw(text, values))).rows
}

/** Throws AppError `not_found`, also for a project of another organization. */
export async function checkProject(
  queries: Queries,
  { organizationId, projectId }: ProjectScope,
): Promise<void> {
  const project = await queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
}

export function positionOf(row: Pick<EntryRow, 'id' | 'created_at'>): Position {
  return { createdAt: row.created_at?.getTime() ?? null, id: row.id }
}

export function encodeListCursor(
  deps: QueryDeps,
  scope: string,
  row: Pick<EntryRow, 'id' | 'created_at'>,
): string {
  const { createdAt, id } = positionOf(row)
  return deps.cursors.encode(scope, [createdAt, id])
}

function decodeListCursor(deps: QueryDeps, scope: string, cursor: string): Position | null {
  const position = deps.cursors.decode(scope, cursor)
  if (position === null) return null
  const [createdAt, id] = position
  return { createdAt: createdAt as number | null, id: String(id) }
}
