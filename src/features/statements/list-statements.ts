/** Lists, counts and confirms statements. */
import { type Selectable, sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { type CursorCodec, pageOf } from '../../base/signed-cursor.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { readPosition } from '../../database/newest-first.ts'
import type { StatementStateView } from '../../database/schema/statements.ts'
import {
  type ConfirmStatementBody,
  MAX_LISTED,
  MAX_TRANSLATIONS,
  type Statement,
  type StatementList,
  type StatementQuery,
  type StatementSummary,
} from './operations/statements.ts'

export interface StatementsDeps {
  cursors: CursorCodec
}

interface ProjectScope {
  organizationId: string
  projectId: string
}

const DEFAULT_LIMIT = 50

/** Throws AppError `not_found`, and `invalid_request` for a cursor from another list. */
export async function listStatements(
  { cursors }: StatementsDeps,
  queries: Queries,
  scope: ProjectScope,
  { page, file, state, limit = DEFAULT_LIMIT, cursor }: StatementQuery,
): Promise<StatementList> {
  const cursorScope = `statements:${scope.projectId}:${JSON.stringify([page, file, state])}`
  const after = readPosition(cursors, cursorScope, cursor)
  const check = await findCheck(queries, scope)
  const rows = await queries
    .selectFrom('statement_states')
    .selectAll()
    .where('project_id', '=', scope.projectId)
    .$if(page !== undefined, (query) => query.where('page', '=', page as string))
    .$if(file !== undefined, (query) => query.where(sql<boolean>`${file} = ANY (files)`))
    .$if(state !== undefined, (query) => query.where('state', '=', state as Statement['state']))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(page, line, id) > (${after?.[0]}, ${after?.[1]}::int, ${after?.[2]})`),
    )
    .orderBy('page')
    .orderBy('line')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const { shown, paging } = pageOf(rows, limit, (last) =>
    cursors.encode(cursorScope, [last.page, last.line, last.id]),
  )
  return { ...toCheck(check), statements: await withAlarms(queries, scope.projectId, shown), ...paging }
}

async function findCheck(queries: Queries, { organizationId, projectId }: ProjectScope) {
  return await queries
    .selectFrom('projects')
    .leftJoin('statement_checks as check', (join) =>
      join.onRef('check.project_id', '=', 'projects.id').on('check.pull_request', '=', 0),
    )
    .leftJoin('project_publishing as publishing', 'publishing.project_id', 'projects.id')
    .select(['check.checked_at', 'check.error', 'check.pages', 'publishing.statement_status'])
    .select(
      sql<number>`(SELECT count(*)::int FROM code_repositories WHERE project_id = projects.id)`.as(
        'repositories',
      ),
    )
    .where('projects.id', '=', projectId)
    .where('projects.organization_id', '=', organizationId)
    .executeTakeFirstOrThrow(() => new AppError('not_found'))
}

type Check = Awaited<ReturnType<typeof findCheck>>

function toCheck({ checked_at: checkedAt, error }: Check) {
  return { checkedAt: checkedAt?.toISOString() ?? null, error }
}

async function withAlarms(
  queries: Queries,
  projectId: string,
  rows: readonly Selectable<StatementStateView>[],
): Promise<Statement[]> {
  const alarms = await queries
    .selectFrom('open_statement_alarms as alarm')
    .innerJoin('code_repositories as code', 'code.id', 'alarm.repository_id')
    .select(['code.name as repository', 'statement', 'pull_request', 'found', 'commit', 'alarm.created_at'])
    .where('alarm.project_id', '=', projectId)
    .where(sql<boolean>`statement = ANY (${rows.map(({ id }) => id)})`)
    .orderBy('alarm.created_at')
    .execute()
  const byStatement = Map.groupBy(alarms, ({ statement }) => statement)
  return rows.map(({ id, page, line, text, state, since, bindings, ...row }) => ({
    ...{ id, page, line, text, state, since, bindings },
    alarms: (byStatement.get(id) ?? []).map(({ repository, found, commit, created_at: at, ...alarm }) => ({
      ...{ repository, pullRequest: alarm.pull_request || null, ...found, commit },
      at: at.toISOString(),
    })),
    confirmed: row.confirmed_at && {
      ...{ by: row.confirmed_by ?? '', at: row.confirmed_at.toISOString() },
      for: row.changes === null ? 'always' : 'change',
    },
  }))
}

/** Also schedules new reports to pull requests with an alarm about the statement. Throws AppError `not_found`. */
export async function confirmStatement(
  tx: Tx,
  { statementId, by, ...scope }: ProjectScope & { statementId: string; by: string },
  { for: how }: ConfirmStatementBody,
): Promise<Statement> {
  await findCheck(tx, scope)
  const { projectId } = scope
  const isOne = sql`(project_id, statement) = (${projectId}, ${statementId})`
  const changes = sql`definition || ARRAY(SELECT change FROM statement_alarms WHERE ${isOne})`
  if (how === 'none') await sql`DELETE FROM statement_confirmations WHERE ${isOne}`.execute(tx)
  else
    await sql`
      INSERT INTO statement_confirmations (project_id, statement, changes, confirmed_by)
      SELECT project_id, id, ${how === 'always' ? sql`NULL` : changes}, ${by} FROM statements
      WHERE (project_id, id) = (${projectId}, ${statementId})
      ON CONFLICT (project_id, statement) DO UPDATE SET changes = excluded.changes,
        confirmed_by = excluded.confirmed_by, confirmed_at = clock_timestamp()`.execute(tx)
  await sql`
    UPDATE statement_checks AS reported SET look_at = clock_timestamp() FROM statement_alarms AS alarm
    WHERE reported.project_id = ${projectId} AND alarm.project_id = ${projectId}
      AND alarm.statement = ${statementId} AND reported.pull_request > 0
      AND (reported.repository_id, reported.pull_request) = (alarm.repository_id, alarm.pull_request)`.execute(
    tx,
  )
  const found = await tx
    .selectFrom('statement_states')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', statementId)
    .executeTakeFirstOrThrow(() => new AppError('not_found'))
  return (await withAlarms(tx, projectId, [found]))[0] as Statement
}

export async function getStatementSummary(queries: Queries, scope: ProjectScope): Promise<StatementSummary> {
  const check = await findCheck(queries, scope)
  const { projectId } = scope
  const pages = await countBy(queries, projectId, sql`page`)
  const files = await countBy(queries, projectId, sql`unnest(files)`)
  const translations = await queries
    .selectFrom('site_problems as problem')
    .innerJoin('published_sites as site', 'site.deployment_id', 'problem.deployment_id')
    .select(['problem.file', 'problem.message'])
    .where('site.project_id', '=', projectId)
    .where('problem.code', '=', 'translation.stale')
    .orderBy('problem.number')
    .limit(MAX_TRANSLATIONS)
    .execute()
  const counted = new Map(pages.map(({ name, ...counts }) => [name, counts]))
  const all = (check.pages ?? []).map(({ page, total }) => ({ page, total, ...(counted.get(page) ?? NONE) }))
  const sum = (key: 'total' | keyof typeof NONE) => all.reduce((total, row) => total + row[key], 0)
  return {
    ...toCheck(check),
    repositories: check.repositories,
    pages: all.sort((a, b) => b.inDoubt - a.inDoubt || b.bound - a.bound).slice(0, MAX_LISTED),
    files: files.slice(0, MAX_LISTED).map(({ name: file, ...counts }) => ({ file, ...counts })),
    totals: {
      ...{ pages: all.length, files: files.length, statements: sum('total') },
      ...{ bound: sum('bound'), confirmed: sum('confirmed'), inDoubt: sum('inDoubt') },
    },
    translations,
    hasStatus: check.statement_status ?? false,
  }
}

const NONE = { bound: 0, confirmed: 0, inDoubt: 0 }

async function countBy(queries: Queries, projectId: string, name: ReturnType<typeof sql>) {
  const { rows } = await sql<{ name: string } & typeof NONE>`
    SELECT name, count(*) FILTER (WHERE state = 'bound')::int AS bound,
      count(*) FILTER (WHERE state = 'confirmed')::int AS confirmed,
      count(*) FILTER (WHERE state = 'in_doubt')::int AS "inDoubt"
    FROM (SELECT ${name} AS name, state FROM statement_states WHERE project_id = ${projectId}) AS found
    GROUP BY name ORDER BY "inDoubt" DESC, bound DESC, name`.execute(queries)
  return rows
}

export async function updateStatementSettings(
  tx: Tx,
  scope: ProjectScope,
  settings: { hasStatus: boolean },
): Promise<{ hasStatus: boolean }> {
  await findCheck(tx, scope)
  await sql`
    INSERT INTO project_publishing (project_id, statement_status) VALUES (${scope.projectId}, ${settings.hasStatus})
    ON CONFLICT (project_id) DO UPDATE SET statement_status = excluded.statement_status`.execute(tx)
  return settings
}
