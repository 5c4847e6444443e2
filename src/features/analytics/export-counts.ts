/** Exports all rows of a report as CSV. */
import { csvLine } from '../../base/text/csv.ts'
import type { Queries } from '../../database/database.ts'
import type { ProjectPlace } from '../feedback/page-sql.ts'
import { checkProject } from '../feedback/query.ts'
import type { Range } from './range.ts'
import { type CountSum, readCounts } from './read-counts.ts'
import { type By, type Report, readingOf, rowOf } from './reports.ts'

const PART_ROWS = 10_000

export interface CountExport {
  filename: string
  /** Rejects when the database connection is lost. */
  lines: AsyncIterable<string>
}

/** Throws AppError `not_found` before the first line. */
export async function exportCounts(
  queries: Queries,
  place: ProjectPlace,
  asked: { report: Report; by: By; range: Range },
): Promise<CountExport> {
  await checkProject(queries, place)
  const way = asked.by === 'pageAndReferrer' ? 'page' : asked.by
  return {
    filename: `${asked.report}-by-${way}-${place.projectId}.csv`,
    lines: linesOf(queries, place.projectId, asked),
  }
}

const NOTHING: CountSum = {
  ...{ key: '', page: '', day: '', human: 0, ai: 0, bots: 0 },
  ...{ humanVisitors: 0, aiVisitors: 0, empty: 0, lastAt: new Date(0) },
}

async function* linesOf(
  queries: Queries,
  projectId: string,
  { report, by, range }: { report: Report; by: By; range: Range },
): AsyncGenerator<string> {
  yield csvLine(Object.keys(rowOf(report, by, NOTHING)))
  for (let offset = 0; ; offset += PART_ROWS) {
    const part = { ...readingOf(report, by, range), limit: PART_ROWS, offset }
    const sums = await readCounts(queries, projectId, part)
    const rows = sums.map((sum) => Object.values(rowOf(report, by, sum)) as (string | number | null)[])
    yield rows.map((cells) => csvLine(cells.map((cell) => (cell === null ? null : String(cell))))).join('')
    if (sums.length < PART_ROWS) return
  }
}
