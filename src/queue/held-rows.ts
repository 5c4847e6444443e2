/**
 * Rows of long-running work, for any domain: how a worker claims and ends them, and how callers read them.
 *
 *     open ──claim──▶ held ──complete──▶ done
 *      │               │ ▲
 *      │               └─┘ claim by a later attempt
 *      └──────fail─────┴──fail──▶ failed
 *
 * Each transition is one UPDATE guarded by the status it starts from and, for workers, by their claim. The end of a
 * row and everything that reports it (event, audit) are one transaction. The UPDATE comes first, so that its lock
 * orders them.
 */
import { type RawBuilder, type Selectable, type SqlBool, sql, type UpdateObject } from 'kysely'
import type { AuditAction } from '../base/api/audit-actions.ts'
import { AppError } from '../base/errors/errors.ts'
import type { CursorCodec } from '../base/signed-cursor.ts'
import { recordAudit, SYSTEM_ACTOR } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import { cutPage, isBehind, type ListPage, readPlace } from '../database/newest-first.ts'
import type { Schema } from '../database/schema.ts'
import { failedColumns, type WorkFailure } from '../database/warnings.ts'

/** Tables whose rows record how their work ended. */
export type WorkTable = {
  [Table in keyof Schema]: 'error_code' extends keyof Schema[Table] ? Table : never
}[keyof Schema]

type WorkRow = Selectable<Schema[WorkTable]>

/** The holder of a row: one attempt, and the queue's job if several jobs work on a row. */
export interface Held {
  id: string
  attempt: number
  queueJobId?: string
}

/**
 * Organization, and optionally project, of the rows. Rows of another organization behave as if they did not exist.
 */
interface RowPlace {
  organizationId: string
  projectId?: string
}

interface RowKind<Row> {
  attempt: 'attempt' | 'queue_attempt'
  /** Statuses of an unfinished row. The last one is the status of a held row. */
  open: readonly WorkRow['status'][]
  done: WorkRow['status']
  /** Columns to set with a claim. */
  claimed: () => UpdateObject<Schema, WorkTable>
  /** Columns to set with any end. */
  ended?: () => Record<string, RawBuilder<unknown>>
  actionsOf(row: Row): { done: AuditAction; failed: AuditAction }
  /** Details for the audit log of a completed row. */
  resultOf(row: Row): Record<string, unknown>
  /** Reports the end, in its transaction. */
  tellEnd?(tx: Tx, row: Row): Promise<void>
}

export interface HeldRows<Row, Values> {
  /** Returns undefined when the row has ended or a later attempt holds it. */
  claim(queries: Queries, held: Held): Promise<Row | undefined>
  /** Returns undefined when the row no longer belongs to this attempt. */
  update(queries: Queries, held: Held, values: Values): Promise<Row | undefined>
  isHeld(queries: Queries, held: Held): Promise<boolean>
  /** Completes the row. Returns undefined when it no longer belongs to this attempt. */
  complete(tx: Tx, held: Held, values: Values): Promise<Row | undefined>
  /**
   * Fails the row: called by a worker with its claim, or by the queue without. Returns undefined when it had ended.
   */
  fail(tx: Tx, target: { id: string } | Held, failure: WorkFailure): Promise<Row | undefined>
  /** Returns the ids of unfinished rows that match the condition. */
  openIds(queries: Queries, condition: RawBuilder<SqlBool>): Promise<string[]>
  /**
   * Ends the row on behalf of a person, whose call has its own audit log row. Returns undefined when it had ended.
   */
  cancel(tx: Tx, place: RowPlace, id: string, failure: WorkFailure): Promise<Row | undefined>
  /** Throws AppError `not_found`. A locked row stays locked until the transaction ends. */
  get(queries: Queries, place: RowPlace, id: string, options?: { lock: boolean }): Promise<Row>
  /** Newest first. Throws AppError `not_found` for the project, `invalid_request` for a cursor of another list. */
  page(deps: { cursors: CursorCodec }, queries: Queries, list: RowList): Promise<ListPage<Row>>
}

interface RowList {
  place: RowPlace
  /** Identifies the list in its cursors. */
  scope: string
  query: { limit?: number | undefined; cursor?: string | undefined }
  /** Restricts the list; all rows when left out. */
  only?: RawBuilder<SqlBool>
}

const DEFAULT_PAGE = 50

export function heldRows<Table extends WorkTable>(
  name: Table,
  kind: RowKind<Selectable<Schema[Table]>>,
): HeldRows<Selectable<Schema[Table]>, UpdateObject<Schema, Table>> {
  type Row = Selectable<Schema[Table]> & WorkRow
  const table: WorkTable = name
  const ATTEMPT = sql.ref(kind.attempt)
  const IS_OPEN = sql<SqlBool>`status = ANY (${[...kind.open]})`
  const jobOf = ({ queueJobId: id }: Held) => (id === undefined ? sql`true` : sql`queue_job_id = ${id}`)
  const isOf = (held: Held) => sql<SqlBool>`${ATTEMPT} = ${held.attempt} AND ${jobOf(held)}`
  const isHeldBy = (held: Held) => sql<SqlBool>`status = ${kind.open.at(-1)} AND ${isOf(held)}`
  /** The UPDATE behind every transition. */
  const move = async (queries: Queries, id: string, from: RawBuilder<SqlBool>, values: object) =>
    (await queries
      .updateTable(table)
      .set({ ...values, updated_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where(from)
      .returningAll()
      .executeTakeFirst()) as Row | undefined
  const ended = async (tx: Tx, row: Row | undefined, byPerson = false) => {
    if (row === undefined) return undefined
    await kind.tellEnd?.(tx, row)
    if (!byPerson) await recordEnd(tx, row, kind)
    return row
  }
  return {
    claim: (queries, held) =>
      move(queries, held.id, sql`${IS_OPEN} AND ${ATTEMPT} < ${held.attempt} AND ${jobOf(held)}`, {
        ...kind.claimed(),
        [kind.attempt]: held.attempt,
      }),
    update: (queries, held, values) => move(queries, held.id, isHeldBy(held), values),
    async isHeld(queries, held) {
      const query = queries.selectFrom(table).select('id').where('id', '=', held.id).where(isHeldBy(held))
      return (await query.executeTakeFirst()) !== undefined
    },
    async complete(tx, held, values) {
      const done = { ...values, ...kind.ended?.(), status: kind.done, error: null, error_code: null }
      return await ended(tx, await move(tx, held.id, isHeldBy(held), done))
    },
    async fail(tx, target, failure) {
      // A row that was given back is no longer held, but is ended by the attempt that gave it back.
      const from = 'attempt' in target ? sql<SqlBool>`${IS_OPEN} AND ${isOf(target)}` : IS_OPEN
      return await ended(
        tx,
        await move(tx, target.id, from, { ...failedColumns(failure), ...kind.ended?.() }),
      )
    },
    async cancel(tx, place, id, failure) {
      const from = sql<SqlBool>`${IS_OPEN} AND ${isIn(place)}`
      const values = { ...failedColumns(failure), ...kind.ended?.() }
      return await ended(tx, await move(tx, id, from, values), true)
    },
    ...reads<Row>(table, IS_OPEN),
  }
}

function reads<Row extends WorkRow>(
  table: WorkTable,
  isOpen: RawBuilder<SqlBool>,
): Pick<HeldRows<Row, unknown>, 'openIds' | 'get' | 'page'> {
  const select = (queries: Queries, place: RowPlace) =>
    queries.selectFrom(table).selectAll().where(isIn(place))
  return {
    async openIds(queries, condition) {
      const open = await queries.selectFrom(table).select('id').where(isOpen).where(condition).execute()
      return open.map(({ id }) => id)
    },
    async get(queries, place, id, { lock } = { lock: false }) {
      const query = select(queries, place).where('id', '=', id)
      const row = await query.$if(lock, (found) => found.forUpdate()).executeTakeFirst()
      if (row === undefined) throw new AppError('not_found')
      return row as Row
    },
    async page({ cursors }, queries, { place, scope, query, only }) {
      const limit = query.limit ?? DEFAULT_PAGE
      const after = readPlace(cursors, scope, query.cursor)
      const rows = await select(queries, place)
        .where(isBehind(after))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .$if(only !== undefined, (found) => found.where(only ?? isIn(place)))
        .limit(limit + 1)
        .execute()
      if (rows.length === 0 && place.projectId !== undefined) await requireProject(queries, place)
      return cutPage(cursors, scope, rows as readonly Row[], limit)
    },
  }
}

/** Condition for rows of an organization, or of one of its projects. Excludes rows of deleted projects. */
function isIn({ organizationId, projectId }: RowPlace): RawBuilder<SqlBool> {
  const isThere = sql`EXISTS (SELECT FROM projects WHERE projects.id = project_id)`
  return projectId === undefined
    ? sql<SqlBool>`organization_id = ${organizationId} AND ${isThere}`
    : sql<SqlBool>`project_id = ${projectId} AND organization_id = ${organizationId} AND ${isThere}`
}

async function requireProject(queries: Queries, { organizationId, projectId }: RowPlace): Promise<void> {
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
