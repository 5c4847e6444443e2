/** Stores the result of a check, replacing the previous one. */
import { type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely'
import { hashParts } from '../../base/hash.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { SeenCommit } from '../../database/schema/automations.ts'
import type { StatementCheckTable } from '../../database/schema/statements.ts'
import type { Schema } from '../../database/schema.ts'
import type { CheckResult, FoundAlarm, FoundStatement } from './statement-work.ts'

export type CheckRow = Selectable<StatementCheckTable>

export interface CheckOutcome {
  sources: readonly { id: string; name: string; seen: SeenCommit }[]
  result: CheckResult
  seen: Record<string, SeenCommit>
}

/** Makes automations that follow alarms due. */
export type ScheduleForAlarms = (tx: Tx, projectId: string) => Promise<void>

const NOW = sql<Date>`clock_timestamp()`
const MAX_ROWS = 1000
const CONFIRMATION_DAYS = 90

export async function storeStatements(
  tx: Tx,
  row: CheckRow,
  { sources, result, seen }: CheckOutcome,
  scheduleForAlarms: ScheduleForAlarms,
): Promise<void> {
  const found = { pages: JSON.stringify(result.pages), seen: JSON.stringify(seen), checked_at: NOW }
  if ((await updateCheck(tx, row, found)) === undefined) return
  const { project_id: projectId } = row
  await sql`
    DELETE FROM statement_alarms WHERE project_id = ${projectId} AND pull_request = 0
      AND repository_id || ' ' || statement <> ALL (${result.standing}::text[])`.execute(tx)
  await writeAlarms(tx, row, sources, result.alarms)
  await writeStatements(tx, projectId, sources, result.statements)
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
  if (result.alarms.length > 0) await scheduleForAlarms(tx, projectId)
}

/** Keeps the map of the published site and only adds the statements with alarms. */
export async function storePullRequest(
  tx: Tx,
  row: CheckRow,
  { sources, result, seen }: CheckOutcome,
): Promise<void> {
  const found = { seen: JSON.stringify(seen), checked_at: NOW }
  if ((await updateCheck(tx, row, found)) === undefined) return
  await tx.deleteFrom('statement_alarms').where(isOfCheck(row)).execute()
  const alarmed = new Set(result.alarms.map(({ statement }) => statement))
  const statements = result.statements.filter(({ id }) => alarmed.has(id))
  await writeStatements(tx, row.project_id, sources, statements, 'new')
  await writeAlarms(tx, row, sources, result.alarms)
}

/** Matches the rows of a check: of a pull request, or of the published site. */
export function isOfCheck({ project_id, repository_id, pull_request }: CheckRow) {
  return sql<boolean>`(project_id, repository_id, pull_request) = (${project_id}, ${repository_id}, ${pull_request}::int)`
}

/** Returns undefined if the check was removed meanwhile. */
export async function updateCheck(
  queries: Queries | Tx,
  row: CheckRow,
  change: UpdateObject<Schema, 'statement_checks'>,
): Promise<Pick<CheckRow, 'look_at'> | undefined> {
  return await queries
    .updateTable('statement_checks')
    .set(change)
    .where(isOfCheck(row))
    .returning('look_at')
    .executeTakeFirst()
}

async function writeAlarms(
  tx: Tx,
  { project_id, pull_request }: CheckRow,
  sources: CheckOutcome['sources'],
  alarms: readonly FoundAlarm[],
): Promise<void> {
  const rows = new Map(
    alarms.map(({ repository, reason, name, before, after, ...alarm }) => {
      const source = sources.find(({ name }) => name === repository)
      const [repository_id, commit] = [source?.id ?? '', source?.seen.commit ?? '']
      const found = JSON.stringify({ reason, name, before, after })
      const values = { ...alarm, project_id, repository_id, pull_request, commit, found }
      return [`${repository_id} ${alarm.statement}`, values]
    }),
  )
  for (const values of batches([...rows.values()]))
    await tx
      .insertInto('statement_alarms')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'statement', 'repository_id', 'pull_request'])
          .doUpdateSet(excluded('change', 'found', 'commit')),
      )
      .execute()
}

/** The values of the rejected rows. */
function excluded<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, sql.ref(`excluded.${name}`)])) as Record<
    Name,
    RawBuilder<never>
  >
}

/** Writes only changed rows. */
async function writeStatements(
  tx: Tx,
  project_id: string,
  sources: CheckOutcome['sources'],
  statements: readonly FoundStatement[],
  which: 'all' | 'new' = 'all',
): Promise<void> {
  for (const batch of batches(statements)) {
    const values = batch.map(({ bindings, ...statement }) => ({
      ...{ project_id, ...statement, bindings: JSON.stringify(bindings) },
      files: [...new Set(bindings.map(({ repository, file }) => `${repository}/${file}`))],
      definition: hashParts(...bindings.map(({ text }) => text)),
      since: sources.find(({ name }) => name === bindings[0]?.repository)?.seen.commit ?? null,
    }))
    await tx
      .insertInto('statements')
      .values(values)
      .onConflict((conflict) => {
        const columns = conflict.columns(['project_id', 'id'])
        if (which === 'new') return columns.doNothing()
        return columns
          .doUpdateSet({
            ...excluded('page', 'line', 'bindings', 'files', 'definition'),
            since: sql<string | null>`CASE WHEN statements.definition = excluded.definition
              THEN statements.since ELSE excluded.since END`,
          })
          .where(
            sql<boolean>`(statements.line, statements.bindings) IS DISTINCT FROM (excluded.line, excluded.bindings)`,
          )
      })
      .execute()
  }
}

function* batches<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += MAX_ROWS) yield rows.slice(at, at + MAX_ROWS)
}
