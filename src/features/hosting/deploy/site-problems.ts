/** Stores all problems of the latest versions, in addition to the limited list of the deployment. */
import { CompiledQuery } from 'kysely'
import type { Problem, ProblemLevel } from '../../../base/errors/problem.ts'
import { toStorable } from '../../../base/text/storable.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { SiteProblem } from '../../projects/operations/projects.ts'

/** A site with more problems usually repeats a single mistake. */
export const MAX_SITE_PROBLEMS = 5000
/** Maximum number of characters per sentence, which may quote an author's text. */
export const MAX_SENTENCE_CHARACTERS = 2000
const MAX_VERSIONS_WITH_PROBLEMS = 5
const LEVELS: readonly ProblemLevel[] = ['error', 'warning', 'hint']

/** Stores the problems of a new version and deletes those of old versions that are not live. */
export async function storeSiteProblems(
  tx: Tx,
  deployment: { id: string; project_id: string },
  problems: readonly Problem[],
): Promise<void> {
  await tx
    .deleteFrom('site_problems')
    .where('deployment_id', 'in', (of) =>
      of.selectFrom('deployments').select('id').where('project_id', '=', deployment.project_id),
    )
    .where('deployment_id', 'not in', (of) =>
      of
        .selectFrom('deployments')
        .select('id')
        .where('project_id', '=', deployment.project_id)
        .where('preview_id', 'is', null)
        .where('status', '=', 'published')
        .orderBy('number', 'desc')
        .limit(MAX_VERSIONS_WITH_PROBLEMS),
    )
    .where('deployment_id', 'not in', (of) => of.selectFrom('published_sites').select('deployment_id'))
    .execute()
  const sorted = LEVELS.flatMap((level) => problems.filter((problem) => problem.level === level))
  const stored = sorted.slice(0, MAX_SITE_PROBLEMS).map((problem, index) => ({
    ...problem,
    message: problem.message.slice(0, MAX_SENTENCE_CHARACTERS),
    remedy: problem.remedy.slice(0, MAX_SENTENCE_CHARACTERS),
    number: index + 1,
  }))
  const rows = toStorable(stored)
  if (rows.length === 0) return
  await tx.executeQuery(
    CompiledQuery.raw(
      `INSERT INTO site_problems (deployment_id, number, file, line, code, level, message, remedy)
       SELECT $1, number, file, line, code, level, message, remedy
       FROM jsonb_to_recordset($2::jsonb) AS problem(number integer, file text, line integer, code text, level text,
         message text, remedy text)`,
      [deployment.id, JSON.stringify(rows)],
    ),
  )
}

export interface ProblemPage {
  level: ProblemLevel | null
  file: string | null
  /** Number of the last problem of the previous page; 0 for the first page. */
  after: number
  limit: number
}

/** Returns errors first, then in the order of discovery. */
export async function selectSiteProblems(
  queries: Queries,
  deploymentId: string,
  { level, file, after, limit }: ProblemPage,
): Promise<(SiteProblem & { number: number })[]> {
  return queries
    .selectFrom('site_problems')
    .select(['number', 'file', 'line', 'code', 'level', 'message', 'remedy'])
    .where('deployment_id', '=', deploymentId)
    .where('number', '>', after)
    .$if(level !== null, (query) => query.where('level', '=', level as ProblemLevel))
    .$if(file !== null, (query) => query.where('file', '=', file as string))
    .orderBy('number')
    .limit(limit)
    .execute()
}

export async function countSiteProblems(
  queries: Queries,
  deploymentId: string,
): Promise<Record<ProblemLevel, number>> {
  const rows = await queries
    .selectFrom('site_problems')
    .select((select) => ['level', select.fn.countAll<number>().as('count')])
    .where('deployment_id', '=', deploymentId)
    .groupBy('level')
    .execute()
  const counts = Object.fromEntries(rows.map(({ level, count }) => [level, count]))
  return { error: counts.error ?? 0, warning: counts.warning ?? 0, hint: counts.hint ?? 0 }
}
