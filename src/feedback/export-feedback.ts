/** Everything that the filters match, as one stream: JSON lines or CSV, newest first, in constant memory. */

import { csvLine } from '../base/csv.ts'
import type { ExportExtra, FeedbackExportQuery } from '../contract/feedback.ts'
import type { Queries } from '../database/database.ts'
import { type EntryRow, toEntry } from './entry.ts'
import { type Filters, listScope } from './filters.ts'
import type { Position, ProjectPlace } from './page-sql.ts'
import { checkProject, encodeAfter, type ListQuery, positionOf, type QueryDeps, selectPage } from './query.ts'

export interface FeedbackExport {
  contentType: 'application/x-ndjson' | 'text/csv'
  filename: string
  /** Pieces of some hundred lines. Rejects when the database goes: the stream breaks, and a cursor takes it up again. */
  lines: AsyncIterable<string>
}

/** Rows of one read: enough to be fast, and few enough to be small (a row is at most about 20 KB). */
const BATCH_ROWS = 1000

/** Throws AppError `not_found`, before the first line. */
export async function exportFeedback(
  deps: QueryDeps,
  queries: Queries,
  place: ProjectPlace,
  { filters, after, include }: ListQuery<ExportExtra>,
  format: FeedbackExportQuery['format'],
): Promise<FeedbackExport> {
  await checkProject(queries, place)
  const scope = listScope('feedback', place.projectId, filters)
  const cursorOf = include.includes('cursor') ? (row: EntryRow) => encodeAfter(deps, scope, row) : null
  const batches = readBatches(queries, place, filters, after)
  const filename = `feedback-${place.projectId}`
  if (format === 'csv')
    return { contentType: 'text/csv', filename: `${filename}.csv`, lines: csvOf(batches, include, cursorOf) }
  return {
    contentType: 'application/x-ndjson',
    filename: `${filename}.jsonl`,
    lines: jsonLinesOf(batches, include, cursorOf),
  }
}

/**
 * Batch by batch behind the last entry, not under one open statement: a slow reader holds no transaction, and what
 * arrives or changes meanwhile neither repeats nor hides an entry. The next batch is read while this one is sent.
 */
async function* readBatches(
  queries: Queries,
  place: ProjectPlace,
  filters: Filters,
  after: Position | null,
): AsyncGenerator<EntryRow[]> {
  const read = (position: Position | null) =>
    selectPage(queries, place, filters, { after: position, limit: BATCH_ROWS })
  let rows = await read(after)
  while (true) {
    const last = rows.at(-1)
    if (last === undefined) return
    const next = rows.length < BATCH_ROWS ? Promise.resolve([]) : read(positionOf(last))
    next.catch(() => undefined) // Its failure is met below; nobody may be waiting when the reader has gone.
    yield rows
    rows = await next
  }
}

type CursorOf = ((row: EntryRow) => string) | null

async function* jsonLinesOf(
  batches: AsyncIterable<EntryRow[]>,
  include: readonly ExportExtra[],
  cursorOf: CursorOf,
): AsyncGenerator<string> {
  const extras = include.filter((extra) => extra !== 'cursor')
  for await (const rows of batches) {
    yield rows.map((row) => `${JSON.stringify(lineOf(row))}\n`).join('')
  }

  function lineOf(row: EntryRow): object {
    const entry = toEntry(row, extras)
    return cursorOf === null ? entry : { ...entry, cursor: cursorOf(row) }
  }
}

/** Every source has every column: what an entry does not have is empty. */
async function* csvOf(
  batches: AsyncIterable<EntryRow[]>,
  include: readonly ExportExtra[],
  cursorOf: CursorOf,
): AsyncGenerator<string> {
  const hasVote = include.includes('vote')
  const hasReason = include.includes('reason')
  yield csvLine([
    ...[
      'id',
      'createdAt',
      'source',
      'status',
      'path',
      'helpful',
      'comment',
      'contact',
      'code',
      'filename',
      'lang',
    ],
    ...(hasReason ? ['reason'] : []),
    ...(cursorOf === null ? [] : ['cursor']),
  ])
  for await (const rows of batches) yield rows.map(lineOf).join('')

  function lineOf(row: EntryRow): string {
    const { id, created_at, source, status, path, comment, contact, code, filename, lang } = row
    const helpful = hasVote || source === 'contextual' ? row.helpful : null
    const createdAt = created_at?.toISOString() ?? null
    return csvLine([
      ...[id, createdAt, source, status, path, helpful, comment, contact, code, filename, lang],
      ...(hasReason ? [row.reason] : []),
      ...(cursorOf === null ? [] : [cursorOf(row)]),
    ])
  }
}
