/** Runs started on request: by a user, a program, or a message to the URL of an automation. */
import { timingSafeEqual } from 'node:crypto'
import type { Limit } from '../../base/api/limits.ts'
import { AppError } from '../../base/errors/errors.ts'
import { sha256 } from '../../base/hash.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { isAfter, readListPosition, toListPage } from '../../database/newest-first.ts'
import { limitReached, type RateState } from '../../routing/rate-limit-headers.ts'
import { consumeSlot, type RateWindow } from '../../routing/rate-window.ts'
import { maskPersonalData } from '../agent/publish/mask-personal.ts'
import { hashToken } from './automations.ts'
import { type Cause, emptyCause, maskText } from './cause.ts'
import { findCauses } from './find-causes.ts'
import type { AutomationRun, AutomationRunList, ListRunsQuery } from './operations/automations.ts'
import { type RunCauseDeps, runCause, skipRun } from './run.ts'
import {
  type AutomationRef,
  type AutomationRow,
  getRow,
  isAtWork,
  isOfProject,
  lockRow,
  toRun,
} from './store.ts'

const DEFAULT_PAGE_SIZE = 50

/** Runs only the first of several topics. Throws AppError `not_found`, `model_unavailable`. */
export async function runNow(deps: RunCauseDeps, tx: Tx, ref: AutomationRef): Promise<AutomationRun> {
  const row = await lockRow(tx, ref)
  if (deps.agent.modelName === null && !row.is_dry_run) throw new AppError('model_unavailable')
  const found = await findCauses(tx, row, true)
  const [cause] = found.causes
  const run =
    cause === undefined
      ? await skipRun(tx, row, found, { cause: 'hand' })
      : await runCause(deps, tx, row, cause, { cause: 'hand' })
  return toRun(run)
}

/** Lists the newest first. Throws AppError `not_found`, `invalid_request` for a cursor from another list. */
export async function listRuns(
  { cursors }: { cursors: CursorCodec },
  queries: Queries,
  ref: AutomationRef,
  query: ListRunsQuery,
): Promise<AutomationRunList> {
  const { id } = await getRow(queries, ref)
  const scope = `automation-runs:${id}`
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const after = readListPosition(cursors, scope, query.cursor)
  const rows = await queries
    .selectFrom('automation_runs')
    .selectAll()
    .where('automation_id', '=', id)
    .where(isAfter(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, ...page } = toListPage(cursors, scope, rows, limit)
  return { runs: shown.map(toRun), ...page }
}

export interface AutomationMessage {
  text: string
  /** Null derives the topic from the text. */
  topic: string | null
  /** Delivery id chosen by the sender; null if the message has none. */
  delivery: string | null
}

export interface MessageDeps extends RunCauseDeps {
  limits: { automationMessages: Limit }
}

const TOPIC_LENGTH = 200

/** Callbacks for the request, called only after the URL has been verified. */
export interface MessageSender {
  read(): AutomationMessage
  /** Runs `startRun` only once per idempotency key. */
  once(startRun: () => Promise<AutomationRun>): Promise<AutomationRun>
  reportState(state: RateState): void
}

/**
 * Returns the existing run for a repeated delivery id. Throws AppError `not_found` for an invalid URL,
 * `project_archived`, `rate_limited`.
 */
export async function receiveMessage(
  deps: MessageDeps,
  tx: Tx,
  { automationId, token }: { automationId: string; token: string },
  sender: MessageSender,
): Promise<AutomationRun> {
  const row = await lockByToken(tx, automationId, token)
  const message = sender.read()
  return sender.once(async () => {
    const known = message.delivery === null ? undefined : await findDeliveredRun(tx, row, message.delivery)
    if (known !== undefined) return toRun(known)
    const state = await consumeRateLimit(deps, tx, row)
    sender.reportState(state)
    if (!state.accepted) throw limitReached(state)
    const options = { cause: 'webhook', delivery: message.delivery } as const
    return toRun(await runCause(deps, tx, row, toCause(message), options))
  })
}

/** Locks the row only after the URL has been verified. */
async function lockByToken(tx: Tx, automationId: string, token: string): Promise<AutomationRow> {
  const find = () =>
    tx
      .selectFrom('automations')
      .selectAll()
      .select(isAtWork.as('is_at_work'))
      .where('id', '=', automationId)
      .where(isOfProject)
  const isRight = ({ hook_hash: hash }: AutomationRow) =>
    hash !== null && timingSafeEqual(hash, hashToken(token))
  const found = await find().executeTakeFirst()
  if (found === undefined || !isRight(found)) throw new AppError('not_found')
  const row = await find().forUpdate().executeTakeFirst()
  if (row === undefined || !isRight(row)) throw new AppError('not_found')
  if (!row.is_at_work) throw new AppError('project_archived')
  return row
}

function toCause({ text, topic }: AutomationMessage): Cause {
  const name = maskPersonalData(topic ?? '').trim() || `message ${sha256(text).slice(0, 12)}`
  return {
    ...emptyCause(name.slice(0, TOPIC_LENGTH).toWellFormed()),
    externalTexts: [{ what: 'the message sent to the webhook of this automation', text: maskText(text) }],
  }
}

export async function findDeliveredRun(tx: Tx, row: AutomationRow, delivery: string) {
  return await tx
    .selectFrom('automation_runs')
    .selectAll()
    .where('automation_id', '=', row.id)
    .where('delivery', '=', delivery)
    .executeTakeFirst()
}

async function consumeRateLimit(deps: MessageDeps, tx: Tx, row: AutomationRow): Promise<RateState> {
  const window = messageWindow(deps, row)
  return { ...(await consumeSlot(tx, window)), name: 'automationMessages', seconds: window.windowSeconds }
}

export function messageWindow(
  { limits: { automationMessages } }: Pick<MessageDeps, 'limits'>,
  { id }: AutomationRow,
): RateWindow {
  const { count: limit, seconds: windowSeconds } = automationMessages
  return { bucket: `automation-messages:${id}`, limit, windowSeconds }
}
