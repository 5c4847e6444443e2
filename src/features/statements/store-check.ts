/** Stores the result of a check, replacing the previous one. */
import { type Selectable, sql, type UpdateObject } from 'kysely'
import { hashParts } from '../../base/hash.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { SeenCommit } from '../../database/schema/automations.ts'
import type { StatementCheckTable } from '../../database/schema/statements.ts'
import type { Schema } from '../../database/schema.ts'
import type { CheckResult } from './statement-work.ts'

export type CheckRow = Selectable<StatementCheckTable>

interface CheckOutcome {
  sources: readonly { id: string; name: string; seen: SeenCommit }[]
  result: CheckResult
  seen: Record<string, SeenCommit>
}

const CONFIRMATION_DAYS = 90

/** The check of a pull request leaves the map of the published site and only adds the statements with alarms. */
export async function storeCheck(
  tx: Tx,
  row: CheckRow,
  { sources, result, seen }: CheckOutcome,
): Promise<void> {
  const { project_id: projectId, pull_request: pullRequest } = row
  const isSite = pullRequest === 0
  const found = { seen: JSON.stringify(seen), checked_at: sql<Date>`clock_timestamp()` }
  const pages = isSite ? { pages: JSON.stringify(result.pages) } : {}
  if (!(await updateCheck(tx, row, { ...found, ...pages }))) return
  await sql`
    DELETE FROM statement_alarms WHERE (project_id, pull_request) = (${projectId}, ${pullRequest}::int)
      AND ${isSite ? sql`true` : sql`repository_id = ${row.repository_id}`}
      AND repository_id || ' ' || statement <> ALL (${result.standing}::text[])`.execute(tx)
  await writeAlarms(tx, row, sources, result)
  await writeStatements(tx, row, sources, result)
  if (!isSite) return
  await sql`
    DELETE FROM statements WHERE project_id = ${projectId}
      AND id <> ALL (${result.statements.map(({ id }) => id)}::text[])
      AND NOT EXISTS (SELECT FROM statement_alarms AS alarm
        WHERE alarm.project_id = statements.project_id AND alarm.statement = statements.id)`.execute(tx)
  // Retains confirmations of missing statements for some time, within which a restored statement is still confirmed.
  await sql`
    DELETE FROM statement_confirmations AS held WHERE project_id = ${projectId}
      AND confirmed_at < clock_timestamp() - make_interval(days => ${CONFIRMATION_DAYS})
      AND NOT EXISTS (SELECT FROM statements
        WHERE statements.project_id = held.project_id AND id = held.statement)`.execute(tx)
}

/** Matches the rows of a check: of a pull request, or of the published site. */
export function isOfCheck({ project_id, repository_id, pull_request }: CheckRow) {
  return sql<boolean>`(project_id, repository_id, pull_request) = (${project_id}, ${repository_id}, ${pull_request}::int)`
}

/** Returns false if the check was removed meanwhile. */
export async function updateCheck(
  queries: Queries | Tx,
  row: CheckRow,
  change: UpdateObject<Schema, 'statement_checks'>,
): Promise<boolean> {
  const query = queries.updateTable('statement_checks').set(change).where(isOfCheck(row))
  return (await query.executeTakeFirst()).numUpdatedRows > 0
}

async function writeAlarms(
  tx: Tx,
  { project_id, pull_request }: CheckRow,
  sources: CheckOutcome['sources'],
  { alarms }: CheckResult,
): Promise<void> {
  const rows = alarms.map(({ repository, reason, name, before, after, ...alarm }) => {
    const source = sources.find(({ name }) => name === repository)
    const [repository_id, commit] = [source?.id, source?.seen.commit]
    return { ...alarm, repository_id, commit, found: { reason, name, before, after } }
  })
  // Equal sentences of a page are one statement.
  await sql`
    INSERT INTO statement_alarms
      (project_id, repository_id, pull_request, statement, change, page, line, text, found, commit)
    SELECT DISTINCT ON (statement, repository_id)
      ${project_id}, repository_id, ${pull_request}::int, statement, change, page, line, text, found, commit
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS alarm(repository_id text, statement text,
      change text, page text, line integer, text text, found jsonb, commit text)
    ORDER BY statement, repository_id, line DESC
    ON CONFLICT (project_id, statement, repository_id, pull_request) DO UPDATE
    SET change = excluded.change, found = excluded.found, commit = excluded.commit`.execute(tx)
}

/** Writes only changed rows. */
async function writeStatements(
  tx: Tx,
  { project_id, pull_request }: CheckRow,
  sources: CheckOutcome['sources'],
  { statements, alarms }: CheckResult,
): Promise<void> {
  const alarmed = new Set(alarms.map(({ statement }) => statement))
  const wanted = pull_request === 0 ? statements : statements.filter(({ id }) => alarmed.has(id))
  const rows = wanted.map((statement) => ({
    ...statement,
    files: [...new Set(statement.bindings.map(({ repository, file }) => `${repository}/${file}`))],
    definition: hashParts(...statement.bindings.map(({ text }) => text)),
    since: sources.find(({ name }) => name === statement.bindings[0]?.repository)?.seen.commit,
  }))
  const update = sql`
    UPDATE SET line = excluded.line, bindings = excluded.bindings, files = excluded.files,
      definition = excluded.definition,
      since = CASE WHEN statements.definition = excluded.definition THEN statements.since ELSE excluded.since END
    WHERE (statements.line, statements.bindings) IS DISTINCT FROM (excluded.line, excluded.bindings)`
  await sql`
    INSERT INTO statements (project_id, id, page, line, text, bindings, files, definition, since)
    SELECT ${project_id}, id, page, line, text, bindings, files, definition, since
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS found(id text, page text, line integer,
      text text, bindings jsonb, files text[], definition text, since text)
    ON CONFLICT (project_id, id) DO ${pull_request === 0 ? update : sql`NOTHING`}`.execute(tx)
}
