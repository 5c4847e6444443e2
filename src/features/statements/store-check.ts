/** Stores the result of a check, replacing the previous one. */
import { type Selectable, sql, type UpdateObject } from 'kysely'
import type { Queries, Tx } from '../../database/database.ts'
import type { SeenCode } from '../../database/schema/automations.ts'
import type { StatementCheckTable } from '../../database/schema/statements.ts'
import type { Schema } from '../../database/schema.ts'
import type { CheckResult, FoundAlarm, FoundStatement, KnownAlarm } from './statement-work.ts'

export type CheckRow = Selectable<StatementCheckTable>

export interface CheckOutcome {
  sources: readonly { id: string; seen: SeenCode }[]
  result: CheckResult
  seen: Record<string, SeenCode>
}

/** Makes automations that follow alarms due. */
export type ScheduleForAlarms = (tx: Tx, projectId: string) => Promise<void>

const NOW = sql<Date>`clock_timestamp()`
const ROWS_AT_ONCE = 1000
const CONFIRMATION_DAYS = 90

export async function storeStatements(
  tx: Tx,
  row: CheckRow,
  { sources, known, result, seen }: CheckOutcome & { known: readonly KnownAlarm[] },
  scheduleForAlarms: ScheduleForAlarms,
): Promise<void> {
  const found = { pages: JSON.stringify(result.pages), seen: JSON.stringify(seen), checked_at: NOW }
  if ((await updateCheck(tx, row, found)) === undefined) return
  const { project_id: projectId } = row
  const standing = new Set(
    known.flatMap(({ repository, statement }, at) =>
      result.standing[at] ? [`${sources[repository]?.id} ${statement}`] : [],
    ),
  )
  await tx
    .deleteFrom('statement_alarms')
    .where('project_id', '=', projectId)
    .where('pull_request', '=', 0)
    .where(sql<boolean>`repository_id || ' ' || statement <> ALL (${[...standing]}::text[])`)
    .execute()
  await writeAlarms(tx, row, sources, result.alarms)
  await writeStatements(tx, projectId, sources, result.statements)
  const ids = result.statements.map(({ id }) => id)
  await tx
    .deleteFrom('statements')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id <> ALL (${ids}::text[])`)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM statement_alarms AS alarm
        WHERE alarm.project_id = statements.project_id AND alarm.statement = statements.id)`,
    )
    .execute()
  // Retains confirmations of missing statements for some time, within which a restored statement is still confirmed.
  await tx
    .deleteFrom('statement_confirmations as held')
    .where('held.project_id', '=', projectId)
    .where('confirmed_at', '<', sql<Date>`clock_timestamp() - make_interval(days => ${CONFIRMATION_DAYS})`)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM statements
        WHERE statements.project_id = held.project_id AND statements.id = held.statement)`,
    )
    .execute()
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
    alarms.map(({ repository, statement, change, page, line, text, ...found }) => {
      const { id: repository_id = '', seen } = sources[repository] ?? {}
      const { reason, name, before, after } = found
      const said = {
        statement,
        change,
        page,
        line,
        text,
        found: JSON.stringify({ reason, name, before, after }),
      }
      const at = { project_id, repository_id, pull_request, commit: seen?.commit ?? '' }
      return [`${repository_id} ${statement}`, { ...at, ...said }]
    }),
  )
  for (const values of batches([...rows.values()]))
    await tx
      .insertInto('statement_alarms')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'statement', 'repository_id', 'pull_request'])
          .doUpdateSet(({ ref }) => ({
            change: ref('excluded.change'),
            found: ref('excluded.found'),
            commit: ref('excluded.commit'),
          })),
      )
      .execute()
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
    const values = batch.map(({ bindings, repository, ...statement }) => ({
      ...{ project_id, ...statement, bindings: JSON.stringify(bindings) },
      since: repository === null ? null : (sources[repository]?.seen.commit ?? null),
    }))
    await tx
      .insertInto('statements')
      .values(values)
      .onConflict((conflict) => {
        const columns = conflict.columns(['project_id', 'id'])
        if (which === 'new') return columns.doNothing()
        return columns
          .doUpdateSet(({ ref }) => ({
            ...{ page: ref('excluded.page'), line: ref('excluded.line'), bindings: ref('excluded.bindings') },
            ...{ files: ref('excluded.files'), definition: ref('excluded.definition') },
            since: sql<string | null>`CASE WHEN statements.definition = excluded.definition
              THEN statements.since ELSE excluded.since END`,
          }))
          .where(
            sql<boolean>`(statements.line, statements.bindings) IS DISTINCT FROM (excluded.line, excluded.bindings)`,
          )
      })
      .execute()
  }
}

function* batches<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
