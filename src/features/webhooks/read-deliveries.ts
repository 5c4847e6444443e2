/** Reads deliveries, replays one or all dead deliveries, and sends tests. */
import { CompiledQuery, sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { createId } from '../../base/ids.ts'
import { type CursorCodec, pageOf } from '../../base/signed-cursor.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { WebhookDeliveryDetail } from '../dashboard/operations/work.ts'
import { findEndpoint } from './endpoints.ts'
import { readLastId } from './list-cursor.ts'
import {
  type ListDeliveriesQuery,
  type ReplayedDeliveries,
  TEST_EVENT,
  type WebhookDelivery,
  type WebhookDeliveryList,
} from './operations/webhooks.ts'
import { GIVE_UP_HOURS } from './retry-schedule.ts'
import { messageBody } from './send-message.ts'

export interface EndpointScope {
  organizationId: string
  webhookId: string
}

const DEFAULT_PAGE_SIZE = 50
const MAX_REPLAYED_DELIVERIES = 10_000

/** Lists the newest events first. Throws `not_found`, `invalid_request` for another list's cursor. */
export async function listDeliveries(
  deps: { cursors: CursorCodec },
  queries: Queries,
  { organizationId, webhookId }: EndpointScope,
  query: ListDeliveriesQuery,
): Promise<WebhookDeliveryList> {
  const scope = `webhook-deliveries:${webhookId}:${query.status ?? ''}`
  const after = readLastId(deps.cursors, scope, query.cursor)
  await findEndpoint(queries, organizationId, webhookId)
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const { status } = query
  const rows = await selectDeliveries(queries, webhookId)
    .$if(status !== undefined, (select) => select.where('delivery.status', '=', status ?? 'dead'))
    .$if(after !== null, (select) => select.where('delivery.event_id', '<', after as string))
    .orderBy('delivery.event_id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, paging } = pageOf(rows, limit, (last) => deps.cursors.encode(scope, [last.event_id]))
  return {
    deliveries: shown.map(toDelivery),
    ...paging,
  }
}

/** Includes the body that is sent. Throws AppError `not_found`. */
export async function getDelivery(
  queries: Queries,
  { organizationId, webhookId }: EndpointScope,
  deliveryId: string,
  publicUrl: string,
): Promise<WebhookDeliveryDetail> {
  const { format } = await findEndpoint(queries, organizationId, webhookId)
  const row = await selectDeliveries(queries, webhookId)
    .select(['event.data', 'event.created_at as event_at'])
    .where('delivery.event_id', '=', deliveryId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return {
    delivery: toDelivery(row),
    payload: messageBody({ format, type: row.type, createdAt: row.event_at, data: row.data }, publicUrl),
  }
}

/**
 * `delivered | dead → pending`, with all attempts and another three days. The message keeps its id. Throws
 * AppError `not_found`, `webhook_disabled`, `delivery_pending`.
 */
export async function replayDelivery(
  tx: Tx,
  { organizationId, webhookId }: EndpointScope,
  deliveryId: string,
): Promise<WebhookDelivery> {
  await requireEnabledEndpoint(tx, organizationId, webhookId)
  const { numUpdatedRows } = await replayed(tx, webhookId)
    .where('event_id', '=', deliveryId)
    .where('status', '<>', 'pending')
    .executeTakeFirst()
  const delivery = await findDelivery(tx, webhookId, deliveryId)
  if (delivery === null) throw new AppError('not_found')
  if (numUpdatedRows === 0n) throw new AppError('delivery_pending')
  return delivery
}

/** Replays up to 10,000 dead deliveries, oldest first. Throws AppError `not_found`, `webhook_disabled`. */
export async function replayDeadDeliveries(
  tx: Tx,
  { organizationId, webhookId }: EndpointScope,
): Promise<ReplayedDeliveries> {
  await requireEnabledEndpoint(tx, organizationId, webhookId)
  const { numUpdatedRows } = await replayed(tx, webhookId)
    .where('event_id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select('event_id')
        .where('endpoint_id', '=', webhookId)
        .where('status', '=', 'dead')
        .orderBy('event_id')
        .limit(MAX_REPLAYED_DELIVERIES),
    )
    .where('status', '=', 'dead')
    .executeTakeFirst()
  const count = Number(numUpdatedRows)
  return { replayed: count, hasMore: count === MAX_REPLAYED_DELIVERIES }
}

/** Maximum number of tests per endpoint that wait for their first attempt. */
const MAX_WAITING_TESTS = 20

const INSERT_TEST = `
  WITH event AS (
    INSERT INTO webhook_events (id, organization_id, project_id, type, data, is_spread)
    VALUES ($1, $2, $3, '${TEST_EVENT}', $4, true)
  )
  INSERT INTO webhook_deliveries (endpoint_id, event_id, is_test, give_up_at)
  VALUES ($5, $1, true, clock_timestamp() + make_interval(hours => ${GIVE_UP_HOURS}))`

/**
 * Sends a test event only to this endpoint, regardless of its events and before its waiting deliveries.
 * Throws AppError `not_found`, `webhook_disabled`, `test_running`.
 */
export async function testEndpoint(
  tx: Tx,
  { organizationId, webhookId }: EndpointScope,
): Promise<WebhookDelivery> {
  const endpoint = await requireEnabledEndpoint(tx, organizationId, webhookId)
  await checkWaitingTestLimit(tx, webhookId)
  const id = createId('evt')
  const data = JSON.stringify({ message: 'This is a test that someone requested.' })
  await tx.executeQuery(
    CompiledQuery.raw(INSERT_TEST, [id, organizationId, endpoint.project_id, data, webhookId]),
  )
  return (await findDelivery(tx, webhookId, id)) as WebhookDelivery
}

async function checkWaitingTestLimit(tx: Tx, webhookId: string): Promise<void> {
  const waiting = await tx
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where('endpoint_id', '=', webhookId)
    .where('is_test', '=', true)
    .where('status', '=', 'pending')
    .where('attempts', '=', 0)
    .limit(MAX_WAITING_TESTS)
    .execute()
  if (waiting.length >= MAX_WAITING_TESTS)
    throw new AppError('test_running', { headers: { 'Retry-After': '5' } })
}

async function requireEnabledEndpoint(tx: Tx, organizationId: string, webhookId: string) {
  const endpoint = await findEndpoint(tx, organizationId, webhookId)
  if (!endpoint.enabled) throw new AppError('webhook_disabled')
  return endpoint
}

function replayed(tx: Tx, webhookId: string) {
  return tx
    .updateTable('webhook_deliveries')
    .set({
      status: 'pending',
      attempts: 0,
      next_attempt_at: sql<Date>`clock_timestamp()`,
      give_up_at: sql<Date>`clock_timestamp() + make_interval(hours => ${GIVE_UP_HOURS})`,
      ended_at: null,
      error: null,
    })
    .where('endpoint_id', '=', webhookId)
}

async function findDelivery(
  queries: Queries,
  webhookId: string,
  eventId: string,
): Promise<WebhookDelivery | null> {
  const row = await selectDeliveries(queries, webhookId)
    .where('delivery.event_id', '=', eventId)
    .executeTakeFirst()
  return row === undefined ? null : toDelivery(row)
}

function selectDeliveries(queries: Queries, webhookId: string) {
  return queries
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .selectAll('delivery')
    .select('event.type')
    .where('delivery.endpoint_id', '=', webhookId)
}

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirstOrThrow']>>

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    deliveryId: row.event_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    responseStatus: row.response_status,
    responseExcerpt: row.response_excerpt,
    error: row.error,
  }
}
