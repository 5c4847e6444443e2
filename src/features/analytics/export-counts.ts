/** Exports all rows of a report as CSV. */
import { csvLine } from '../../base/text/csv.ts'
import type { Queries } from '../../database/database.ts'
import { checkProject } from '../feedback/list-feedback.ts'
import type { ProjectScope } from '../feedback/page-sql.ts'
import type { Range } from './range.ts'
import { type CountSum, readCounts } from './read-counts.ts'
import { type By, type Report, toCountQuery, toReportRow } from './reports.ts'

const BATCH_ROWS = 10_000

export interface CountExport {
  filename: string
  /** Rejects if the database connection is lost. */
  lines: AsyncIterable<string>
}

/** Throws AppError `not_found` before the first line. */
export async function exportCounts(
  queries: Queries,
  projectScope: ProjectScope,
  request: { report: Report; by: By; range: Range },
): Promise<CountExport> {
  await checkProject(queries, projectScope)
  const groupedBy = request.by === 'pageAndReferrer' ? 'page' : request.by
  return {
    filename: `${request.report}-by-${groupedBy}-${projectScope.projectId}.csv`,
    lines: writeLines(queries, projectScope.projectId, request),
  }
}

const EMPTY_SUM: CountSum = {
  ...{ key: '', page: '', day: '', human: 0, ai: 0, bots: 0 },
  ...{ humanVisitors: 0, aiVisitors: 0, empty: 0, lastAt: new Date(0) },
}

async function* writeLines(
  queries: Queries,
  projectId: string,
  { report, by, range }: { report: Report; by: By; range: Range },
): AsyncGenerator<string> {
  yield csvLine(Object.keys(toReportRow(report, by, EMPTY_SUM)))
  for (let offset = 0; ; offset += BATCH_ROWS) {
    const part = { ...toCountQuery(report, by, range), limit: BATCH_ROWS, offset }
    const sums = await readCounts(queries, projectId, part)
    const rows = sums.map((sum) => Object.values(toReportRow(report, by, sum)) as (string | number | null)[])
    yield rows.map((cells) => csvLine(cells.map((cell) => (cell === null ? null : String(cell))))).join('')
    if (sums.length < BATCH_ROWS) return
  }
}
