/**
 * Searches feedback by text or vote. Scans entries newest first, in batches, until a page is full or the
 * limit of a call is reached. This finds parts of words in every script without an index that every vote
 * would have to update.
 */
import { CompiledQuery } from 'kysely'
import { createFault, faultAt, type Parsed } from '../../base/errors/fault.ts'
import type { Queries } from '../../database/database.ts'
import { type EntryRow, toEntry } from './entry.ts'
import { type Filters, listScope, parseFilters, type RawFilters, readList } from './filters.ts'
import { CURSOR_FAULT, checkProject, positionOf, type QueryDeps } from './list-feedback.ts'
import { FEEDBACK_EXTRAS, type FeedbackExtra } from './operations/feedback.ts'
import type { SearchedFeedback } from './operations/inbox.ts'
import { type Position, type ProjectScope, pageStatement } from './page-sql.ts'
import { readWorkNames } from './work-names.ts'

const DEFAULT_PAGE_SIZE = 50
/** Number of entries scanned per statement (ROWS_PER_SCAN), and of statements per call (MAX_SCANS). */
const ROWS_PER_SCAN = 5000
const MAX_SCANS = 2

export interface FeedbackSearch {
  filters: Filters
  include: FeedbackExtra[]
  /** Text to search for; null matches all entries. */
  q: string | null
  isHelpful: boolean | null
  after: Position | null
  scope: string
}

export function parseSearchQuery(
  deps: QueryDeps,
  projectId: string,
  query: RawFilters,
): Parsed<FeedbackSearch> {
  const { value: filters, faults } = parseFilters(query)
  const include = readList('include', query.include, FEEDBACK_EXTRAS, faults) ?? []
  const q = typeof query.q === 'string' ? query.q.trim() : null
  if (q === '') faults.push(faultAt('q', 'blank'))
  if (query.q === undefined && query.vote === undefined)
    faults.push(createFault('one_of_required', { fields: ['q', 'vote'] }))
  const scope = cursorScope(projectId, filters, query)
  const { cursor } = query
  const hasCursor = typeof cursor === 'string' && cursor !== ''
  const after = hasCursor ? toPosition(deps.cursors.decode(scope, cursor)) : null
  if (hasCursor && after === null) faults.push(CURSOR_FAULT)
  const isHelpful = query.vote === undefined ? null : query.vote === 'up'
  return { value: { filters, include, q, isHelpful, after, scope }, faults }
}

export async function searchFeedback(
  deps: QueryDeps,
  queries: Queries,
  projectScope: ProjectScope,
  search: FeedbackSearch,
  limit = DEFAULT_PAGE_SIZE,
): Promise<SearchedFeedback> {
  await checkProject(queries, projectScope)
  const { filters, include, q, isHelpful, scope } = search

  const found: EntryRow[] = []
  let { after } = search
  let isAtEnd = false
  for (let scan = 0; scan < MAX_SCANS && found.length < limit && !isAtEnd; scan++) {
    const seen = await scanEntries(queries, projectScope, filters, {
      q,
      isHelpful,
      after,
      limit: limit - found.length,
    })
    found.push(...seen.matches)
    isAtEnd = seen.isAtEnd
    after = seen.last ?? after
  }
  const names = await readWorkNames(queries, projectScope.projectId, found, include)
  return {
    feedback: found.map((row) => toEntry(row, include, names)),
    nextCursor: isAtEnd || after === null ? null : deps.cursors.encode(scope, [after.createdAt, after.id]),
    hasMore: !isAtEnd && after !== null,
    searchedTo: isAtEnd || after?.createdAt == null ? null : new Date(after.createdAt).toISOString(),
  }
}

function cursorScope(projectId: string, filters: Filters, { q, vote }: RawFilters): string {
  return `search:${listScope('feedback', projectId, filters)}:${vote ?? ''}:${String(q ?? '').trim()}`
}

function toPosition(position: (string | number | null)[] | null): Position | null {
  if (position === null) return null
  const [createdAt, id] = position
  return { createdAt: createdAt as number | null, id: String(id) }
}

interface Scan {
  matches: EntryRow[]
  /** The last scanned entry, after which the next scan continues. */
  last: Position | null
  isAtEnd: boolean
}

/** Columns that are searched, lowercased with the database's default collation instead of their own. */
const WORDS = ['comment', 'code', 'filename', 'contact', 'path', 'reason']
/** Compares ids only with text in this form, to save work: half of the entries have no other text to compare. */
const ID = /^fb_[0-9a-z]+$/i

/**
 * Scans entries in index order without buffering and stops when the page is full. Always returns the last
 * entry of a full batch, even if it does not match, because the next batch begins after it. Reads one row
 * more than the page to find out whether there are more.
 */
async function scanEntries(
  queries: Queries,
  projectScope: ProjectScope,
  filters: Filters,
  page: { q: string | null; isHelpful: boolean | null; after: Position | null; limit: number },
): Promise<Scan> {
  const { text, values } = pageStatement(projectScope, filters, {
    after: page.after,
    limit: ROWS_PER_SCAN,
    hasSortTime: true,
  })
  const wanted: string[] = []
  if (page.isHelpful !== null) wanted.push(`helpful = $${values.push(page.isHelpful)}`)
  if (page.q !== null) wanted.push(searchTextCondition(page.q, values))
  const statement = `
    SELECT * FROM (
      SELECT listed.*, row_number() OVER () AS number, coalesce(${wanted.join(' AND ')}, false) AS is_match
      FROM (${text}) AS listed
    ) AS looked WHERE is_match OR number = ${ROWS_PER_SCAN}
    ORDER BY sort_at DESC, id DESC LIMIT $${values.push(page.limit + 1)}`
  const { rows } = await queries.executeQuery<EntryRow & { is_match: boolean; number: number }>(
    CompiledQuery.raw(statement, values),
  )
  const matches = rows.filter((row) => row.is_match).slice(0, page.limit)
  const end =
    matches.length === page.limit ? matches.at(-1) : rows.find(({ number }) => number === ROWS_PER_SCAN)
  return {
    matches,
    last: end === undefined ? null : positionOf(end),
    isAtEnd: rows.length <= page.limit && !rows.some(({ number }) => number === ROWS_PER_SCAN),
  }
}

function searchTextCondition(q: string, values: unknown[]): string {
  const pattern = (like: string) => `$${values.push(like.replace(/[\\%_]/g, '\\$&'))}`
  const part = `lower('%' || ${pattern(q)}::text || '%')`
  const columnConditions = WORDS.map((column) => `lower(${column} COLLATE "default") LIKE ${part}`)
  // A column that is null does not affect the result if another column matches.
  const all = ID.test(q)
    ? [...columnConditions, `id LIKE ${pattern(q.toLowerCase())} || '%'`]
    : columnConditions
  return `(${all.join(' OR ')})`
}
