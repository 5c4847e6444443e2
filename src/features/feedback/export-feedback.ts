/** Exports all matching entries as a stream: JSON lines or CSV, newest first, in constant memory. */

import { csvLine } from '../../base/text/csv.ts'
import type { Queries } from '../../database/database.ts'
import { assigneeOf, type EntryRow, labelsOf, toEntry, type WorkNames } from './entry.ts'
import { type Filters, listScope } from './filters.ts'
import {
  checkProject,
  encodeListCursor,
  type ListQuery,
  positionOf,
  type QueryDeps,
  selectPage,
} from './list-feedback.ts'
import type { ExportExtra, FeedbackExportQuery } from './operations/feedback.ts'
import type { Position, ProjectScope } from './page-sql.ts'
import { readWorkNames } from './work-names.ts'

export interface FeedbackExport {
  contentType: 'application/x-ndjson' | 'text/csv'
  filename: string
  /** Chunks of several hundred lines. Rejects if the database fails; a cursor can then resume the export. */
  lines: AsyncIterable<string>
}

/** Rows per query, limited because a row can have about 20 KB. */
const BATCH_ROWS = 1000

/** Throws AppError `not_found` before the first line. */
export async function exportFeedback(
  deps: QueryDeps,
  queries: Queries,
  projectScope: ProjectScope,
  { filters, after, include }: ListQuery<ExportExtra>,
  format: FeedbackExportQuery['format'],
): Promise<FeedbackExport> {
  await checkProject(queries, projectScope)
  const scope = listScope('feedback', projectScope.projectId, filters)
  const cursorOf = include.includes('cursor') ? (row: EntryRow) => encodeListCursor(deps, scope, row) : null
  const batches = namedBatches(
    queries,
    projectScope,
    include,
    readBatches(queries, projectScope, filters, after),
  )
  const filename = `feedback-${projectScope.projectId}`
  if (format === 'csv')
    return {
      contentType: 'text/csv',
      filename: `${filename}.csv`,
      lines: formatCsv(batches, include, cursorOf),
    }
  return {
    contentType: 'application/x-ndjson',
    filename: `${filename}.jsonl`,
    lines: formatJsonLines(batches, include, cursorOf),
  }
}

/**
 * Reads batches instead of keeping one statement open, so a slow client holds no transaction, and entries
 * that arrive or change in the meantime are neither repeated nor skipped. The next batch is read while the
 * current one is sent.
 */
async function* readBatches(
  queries: Queries,
  projectScope: ProjectScope,
  filters: Filters,
  after: Position | null,
): AsyncGenerator<readonly EntryRow[]> {
  const read = (position: Position | null) =>
    selectPage(queries, projectScope, filters, { after: position, limit: BATCH_ROWS })
  let rows = await read(after)
  while (true) {
    const last = rows.at(-1)
    if (last === undefined) return
    const next = rows.length < BATCH_ROWS ? Promise.resolve([]) : read(positionOf(last))
    next.catch(() => undefined) // Handled below; prevents an unhandled rejection after a disconnect.
    yield rows
    rows = await next
  }
}

interface Batch {
  rows: readonly EntryRow[]
  names: WorkNames
}

async function* namedBatches(
  queries: Queries,
  { projectId }: ProjectScope,
  include: readonly ExportExtra[],
  batches: AsyncIterable<readonly EntryRow[]>,
): AsyncGenerator<Batch> {
  for await (const rows of batches)
    yield { rows, names: await readWorkNames(queries, projectId, rows, include) }
}

type CursorOf = ((row: EntryRow) => string) | null

async function* formatJsonLines(
  batches: AsyncIterable<Batch>,
  include: readonly ExportExtra[],
  cursorOf: CursorOf,
): AsyncGenerator<string> {
  const extras = include.filter((extra) => extra !== 'cursor')
  for await (const { rows, names } of batches) {
    yield rows.map((row) => `${JSON.stringify(lineOf(row, names))}\n`).join('')
  }

  function lineOf(row: EntryRow, names: WorkNames): object {
    const entry = toEntry(row, extras, names)
    return cursorOf === null ? entry : { ...entry, cursor: cursorOf(row) }
  }
}

async function* formatCsv(
  batches: AsyncIterable<Batch>,
  include: readonly ExportExtra[],
  cursorOf: CursorOf,
): AsyncGenerator<string> {
  const hasVote = include.includes('vote')
  const hasReason = include.includes('reason')
  const hasAssignee = include.includes('assignee')
  const hasLabels = include.includes('labels')
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
    ...(hasAssignee ? ['assignee'] : []),
    ...(hasLabels ? ['labels'] : []),
    ...(cursorOf === null ? [] : ['cursor']),
  ])
  for await (const { rows, names } of batches) yield rows.map((row) => lineOf(row, names)).join('')

  function lineOf(row: EntryRow, names: WorkNames): string {
    const { id, created_at, source, status, path, comment, contact, code, filename, lang } = row
    const helpful = hasVote || source === 'contextual' ? row.helpful : null
    const createdAt = created_at?.toISOString() ?? null
    return csvLine([
      ...[id, createdAt, source, status, path, helpful, comment, contact, code, filename, lang],
      ...(hasReason ? [row.reason] : []),
      ...(hasAssignee ? [assigneeOf(row, names)?.name ?? null] : []),
      ...(hasLabels
        ? [
            labelsOf(row, names)
              .map(({ name }) => name)
              .join(', '),
          ]
        : []),
      ...(cursorOf === null ? [] : [cursorOf(row)]),
    ])
  }
}
