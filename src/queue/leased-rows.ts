/**
 * Rows of long-running work, for any domain: how a worker claims and ends them, and how callers read them.
 *
 *     open ──claim──▶ held ──complete──▶ done
 *      │               │ ▲
 *      │               └─┘ claim by a later attempt
 *      └──────fail─────┴──fail──▶ failed
 *
 * Each transition is one UPDATE. It requires the status from which the transition starts and, for workers, their
 * claim. One transaction ends a row and writes everything that reports the end (event, audit). The UPDATE comes
 * first, so that its row lock orders these transactions.
 */
import { type RawBuilder, type Selectable, type SqlBool, sql, type UpdateObject } from 'kysely'
import { AppError } from '../base/errors/errors.ts'
import type { CursorCodec } from '../base/signed-cursor.ts'
import { recordAudit, SYSTEM_ACTOR } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import { isAfter, type ListPage, readListPosition, toListPage } from '../database/newest-first.ts'
import type { Schema } from '../database/schema.ts'
import { failedColumns, type WorkFailure } from '../database/warnings.ts'
import type { AuditAction } from '../features/audit-actions.ts'

/** Tables whose rows contain the result of their work. */
export type WorkTable = {
  [Table in keyof Schema]: 'error_code' extends keyof Schema[Table] ? Table : never
}[keyof Schema]

type WorkRow = Selectable<Schema[WorkTable]>

/** Claim on a row: the attempt, and the queue's job if several jobs work on the row. */
export interface RowLease {
  id: string
  attempt: number
  queueJobId?: string
}

/** Organization, and optionally project, of the rows. Other rows are treated as missing. */
interface RowOwner {
  organizationId: string
  projectId?: string
}

interface RowKind<Row> {
  attempt: 'attempt' | 'queue_attempt'
  /** Statuses of unfinished rows. The last one is the status of claimed rows. */
  open: readonly WorkRow['status'][]
  done: WorkRow['status']
  claimed: () => UpdateObject<Schema, WorkTable>
  /** Columns to set whenever the work ends. */
  ended?: () => Record<string, RawBuilder<unknown>>
  actionsOf(row: Row): { done: AuditAction; failed: AuditAction }
  /** Details for the audit log of a completed row. */
  resultOf(row: Row): Record<string, unknown>
  /** Reports the end of the work, in the same transaction. */
  reportEnd?(tx: Tx, row: Row): Promise<void>
}

export interface LeasedRows<Row, Values> {
  /** Returns undefined if the work has ended or a later attempt has claimed the row. */
  claim(queries: Queries, rowLease: RowLease): Promise<Row | undefined>
  /** Returns undefined if the attempt has lost the row. */
  update(queries: Queries, rowLease: RowLease, values: Values): Promise<Row | undefined>
  isLeased(queries: Queries, rowLease: RowLease): Promise<boolean>
  /** Completes the row. Returns undefined if the attempt has lost it. */
  complete(tx: Tx, rowLease: RowLease, values: Values): Promise<Row | undefined>
  /**
   * Sets the row to failed. Workers pass their claim, the queue only the id. Returns undefined if the work had
   * ended.
   */
  fail(tx: Tx, target: { id: string } | RowLease, failure: WorkFailure): Promise<Row | undefined>
  openIds(queries: Queries, condition: RawBuilder<SqlBool>): Promise<string[]>
  /** Cancels the row. The caller writes the audit log row. Returns undefined if the work had ended. */
  cancel(tx: Tx, owner: RowOwner, id: string, failure: WorkFailure): Promise<Row | undefined>
  /** Throws AppError `not_found`. `lock` locks the row until the transaction ends. */
  get(queries: Queries, owner: RowOwner, id: string, options?: { lock: boolean }): Promise<Row>
  /**
   * Lists rows, newest first. Throws AppError `not_found` if the project does not exist, or `invalid_request` if the
   * cursor is from another list.
   */
  page(deps: { cursors: CursorCodec }, queries: Queries, list: RowList): Promise<ListPage<Row>>
}

interface RowList {
  owner: RowOwner
  /** Identifies the list, because cursors are only valid for one list. */
  scope: string
  query: { limit?: number | undefined; cursor?: string | undefined }
  only?: RawBuilder<SqlBool>
}

const DEFAULT_PAGE_SIZE = 50

export function createLeasedRows<Table extends WorkTable>(
  name: Table,
  kind: RowKind<Selectable<Schema[Table]>>,
): LeasedRows<Selectable<Schema[Table]>, UpdateObject<Schema, Table>> {
  type Row = Selectable<Schema[Table]> & WorkRow
  const table: WorkTable = name
  const ATTEMPT = sql.ref(kind.attempt)
  const IS_OPEN = sql<SqlBool>`status = ANY (${[...kind.open]})`
  const jobOf = ({ queueJobId: id }: RowLease) => (id === undefined ? sql`true` : sql`queue_job_id = ${id}`)
  const isOfAttempt = (rowLease: RowLease) =>
    sql<SqlBool>`${ATTEMPT} = ${rowLease.attempt} AND ${jobOf(rowLease)}`
  const isLeasedBy = (rowLease: RowLease) =>
    sql<SqlBool>`status = ${kind.open.at(-1)} AND ${isOfAttempt(rowLease)}`
  /** Updates the row if it is in the expected state. All transitions use this function. */
  const updateRow = async (queries: Queries, id: string, from: RawBuilder<SqlBool>, values: object) =>
    (await queries
      .updateTable(table)
      .set({ ...values, updated_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where(from)
      .returningAll()
      .executeTakeFirst()) as Row | undefined
  const ended = async (tx: Tx, row: Row | undefined, byPerson = false) => {
    if (row === undefined) return undefined
    await kind.reportEnd?.(tx, row)
    if (!byPerson) await recordEnd(tx, row, kind)
    return row
  }
  return {
    claim: (queries, rowLease) =>
      updateRow(
        queries,
        rowLease.id,
        sql`${IS_OPEN} AND ${ATTEMPT} < ${rowLease.attempt} AND ${jobOf(rowLease)}`,
        {
          ...kind.claimed(),
          [kind.attempt]: rowLease.attempt,
        },
      ),
    update: (queries, rowLease, values) => updateRow(queries, rowLease.id, isLeasedBy(rowLease), values),
    async isLeased(queries, rowLease) {
      const query = queries
        .selectFrom(table)
        .select('id')
        .where('id', '=', rowLease.id)
        .where(isLeasedBy(rowLease))
      return (await query.executeTakeFirst()) !== undefined
    },
    async complete(tx, rowLease, values) {
      const done = { ...values, ...kind.ended?.(), status: kind.done, error: null, error_code: null }
      return await ended(tx, await updateRow(tx, rowLease.id, isLeasedBy(rowLease), done))
    },
    async fail(tx, target, failure) {
      // Includes rows that this attempt has given back.
      const from = 'attempt' in target ? sql<SqlBool>`${IS_OPEN} AND ${isOfAttempt(target)}` : IS_OPEN
      return await ended(
        tx,
        await updateRow(tx, target.id, from, { ...failedColumns(failure), ...kind.ended?.() }),
      )
    },
    async cancel(tx, owner, id, failure) {
      const from = sql<SqlBool>`${IS_OPEN} AND ${isOwnedBy(owner)}`
      const values = { ...failedColumns(failure), ...kind.ended?.() }
      return await ended(tx, await updateRow(tx, id, from, values), true)
    },
    ...createReads<Row>(table, IS_OPEN),
  }
}

function createReads<Row extends WorkRow>(
  table: WorkTable,
  isOpen: RawBuilder<SqlBool>,
): Pick<LeasedRows<Row, unknown>, 'openIds' | 'get' | 'page'> {
  const select = (queries: Queries, owner: RowOwner) =>
    queries.selectFrom(table).selectAll().where(isOwnedBy(owner))
  return {
    async openIds(queries, condition) {
      const open = await queries.selectFrom(table).select('id').where(isOpen).where(condition).execute()
      return open.map(({ id }) => id)
    },
    async get(queries, owner, id, { lock } = { lock: false }) {
      const query = select(queries, owner).where('id', '=', id)
      const row = await query.$if(lock, (found) => found.forUpdate()).executeTakeFirst()
      if (row === undefined) throw new AppError('not_found')
      return row as Row
    },
    async page({ cursors }, queries, { owner, scope, query, only }) {
      const limit = query.limit ?? DEFAULT_PAGE_SIZE
      const after = readListPosition(cursors, scope, query.cursor)
      const rows = await select(queries, owner)
        .where(isAfter(after))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .$if(only !== undefined, (found) => found.where(only ?? isOwnedBy(owner)))
        .limit(limit + 1)
        .execute()
      if (rows.length === 0 && owner.projectId !== undefined) await requireProject(queries, owner)
      return toListPage(cursors, scope, rows as readonly Row[], limit)
    },
  }
}

/** Matches rows of an organization or project. Excludes deleted projects. */
function isOwnedBy({ organizationId, projectId }: RowOwner): RawBuilder<SqlBool> {
  const isThere = sql`EXISTS (SELECT FROM projects WHERE projects.id = project_id)`
  return projectId === undefined
    ? sql<SqlBool>`organization_id = ${organizationId} AND ${isThere}`
    : sql<SqlBool>`project_id = ${projectId} AND organization_id = ${organizationId} AND ${isThere}`
}

async function requireProject(queries: Queries, { organizationId, projectId }: RowOwner): Promise<void> {
  const project = await queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId ?? '')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
}

async function recordEnd<Row>(tx: Tx, row: Row & WorkRow, kind: RowKind<Row>): Promise<void> {
  const isDone = row.status === kind.done
  const { done, failed } = kind.actionsOf(row)
  await recordAudit(tx, {
    organizationId: row.organization_id,
    actor: SYSTEM_ACTOR,
    action: isDone ? done : failed,
    subject: row.id,
    details: {
      projectId: row.project_id,
      ...(isDone ? kind.resultOf(row) : { error: row.error, errorCode: row.error_code }),
    },
  })
}
