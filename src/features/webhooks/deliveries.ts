/**
 * Deliveries of one event to one endpoint.
 *
 *     pending ──2xx──▶ delivered ──replay──▶ pending
 *      │  ▲ │
 *      │  └─┘ a failed attempt, with attempts and time left; or no result within the lease
 *      └──last attempt failed, three days over, endpoint disabled──▶ dead ──replay──▶ pending
 *
 * An attempt begins with a claim, which increments `attempts` and moves `next_attempt_at` past the lease. If
 * the sending process dies, the next claim after the lease sends the same message again. Only the attempt
 * that holds the row (`attempts`) records a failure. Any attempt records a success, even for a dead delivery,
 * because the receiver has the message. The endpoint's row is always written before the delivery's row to
 * prevent deadlocks.
 */
import { CompiledQuery, sql } from 'kysely'
import { recordAudit, SYSTEM_ACTOR } from '../../database/audit.ts'
import type { Database, Queries } from '../../database/database.ts'
import { disableEndpoint } from './endpoints.ts'
import type { WebhookFormat } from './operations/webhooks.ts'
import { GIVE_UP_HOURS, retryDelay } from './retry-schedule.ts'

export interface ClaimedDelivery {
  endpointId: string
  eventId: string
  attempts: number
  url: string
  secret: Buffer
  format: WebhookFormat
  type: string
  data: object
  createdAt: Date
}

export interface ClaimOptions {
  maxDeliveries: number
  /** Maximum number of deliveries per endpoint, including those in progress. */
  perEndpoint: number
  /** Running attempts of this process, by endpoint. */
  underWay: ReadonlyMap<string, number>
  leaseSeconds: number
}

/** Consecutive failures after which an endpoint gets only one attempt at a time, with pauses in between. */
export const DOWN_AFTER_FAILURES = 5
const MIN_PAUSE_SECONDS = 5
const MAX_PAUSE_SECONDS = 300

const CREATE_DELIVERIES = `
  WITH batch AS (
    SELECT id, organization_id, project_id, type, created_at FROM webhook_events
    WHERE NOT is_spread ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  ), made AS (
    INSERT INTO webhook_deliveries (endpoint_id, event_id, created_at, give_up_at)
    SELECT endpoint.id, batch.id, batch.created_at, clock_timestamp() + make_interval(hours => ${GIVE_UP_HOURS})
    FROM batch JOIN webhook_endpoints AS endpoint ON endpoint.organization_id = batch.organization_id
      AND endpoint.enabled AND batch.type = ANY(endpoint.events)
      AND (endpoint.project_id IS NULL OR endpoint.project_id = batch.project_id)
      AND endpoint.created_at <= batch.created_at
    ON CONFLICT DO NOTHING
  )
  UPDATE webhook_events SET is_spread = true FROM batch WHERE webhook_events.id = batch.id`

export async function createDeliveries(queries: Queries, limit: number): Promise<number> {
  const { numAffectedRows } = await queries.executeQuery(CompiledQuery.raw(CREATE_DELIVERIES, [limit]))
  return Number(numAffectedRows ?? 0)
}

// Takes only a few deliveries per endpoint, so that a long queue at one endpoint does not block others.
// Endpoints with the fewest running attempts come first. Uses `now()`, which is constant within a statement,
// because an index cannot be searched for a changing time.
//
// The first attempt of a test ignores earlier failures and pauses, and each endpoint has one extra slot for such
// attempts. Tests take at most half of the free slots; half a slot is rounded up or down at random.
const CLAIM_DELIVERIES = `
  WITH busy AS (
    SELECT * FROM unnest($1::text[], $2::integer[]) AS busy (id, tries)
  ), tests AS (
    SELECT waiting.endpoint_id, waiting.event_id
    FROM (
      SELECT DISTINCT endpoint_id FROM webhook_deliveries WHERE is_test AND status = 'pending' AND attempts = 0
    ) AS tested
    JOIN webhook_endpoints AS endpoint ON endpoint.id = tested.endpoint_id AND endpoint.enabled
    LEFT JOIN busy ON busy.id = endpoint.id
    CROSS JOIN LATERAL (
      SELECT endpoint_id, event_id FROM webhook_deliveries
      WHERE endpoint_id = endpoint.id AND is_test AND status = 'pending' AND attempts = 0 AND next_attempt_at <= now()
      ORDER BY next_attempt_at
      LIMIT CASE WHEN coalesce(busy.tries, 0) <= $3::integer THEN 1 ELSE 0 END
      FOR UPDATE SKIP LOCKED
    ) AS waiting
    ORDER BY coalesce(busy.tries, 0), random()
    LIMIT floor($4::integer / 2.0 + random())
  ), usual AS (
    SELECT waiting.endpoint_id, waiting.event_id
    FROM webhook_endpoints AS endpoint
    LEFT JOIN busy ON busy.id = endpoint.id
    CROSS JOIN LATERAL (
      SELECT endpoint_id, event_id FROM webhook_deliveries
      WHERE endpoint_id = endpoint.id AND status = 'pending' AND next_attempt_at <= now()
        AND NOT (is_test AND attempts = 0)
      ORDER BY next_attempt_at
      LIMIT greatest(0, CASE WHEN endpoint.failures >= ${DOWN_AFTER_FAILURES} THEN 1 ELSE $3::integer END - coalesce(busy.tries, 0))
      FOR UPDATE SKIP LOCKED
    ) AS waiting
    WHERE endpoint.enabled AND coalesce(endpoint.resting_until <= now(), true)
    ORDER BY endpoint.failures >= ${DOWN_AFTER_FAILURES}, coalesce(busy.tries, 0), random()
    LIMIT greatest(0, $4::integer - (SELECT count(*) FROM tests))
  ), due AS (
    SELECT * FROM tests UNION ALL SELECT * FROM usual
  )
  UPDATE webhook_deliveries AS delivery SET
    attempts = delivery.attempts + 1,
    last_attempt_at = clock_timestamp(),
    next_attempt_at = clock_timestamp() + make_interval(secs => $5)
  FROM due
  JOIN webhook_endpoints AS endpoint ON endpoint.id = due.endpoint_id
  JOIN webhook_events AS event ON event.id = due.event_id
  WHERE delivery.endpoint_id = due.endpoint_id AND delivery.event_id = due.event_id
  RETURNING delivery.endpoint_id AS "endpointId", delivery.event_id AS "eventId", delivery.attempts, endpoint.url,
    endpoint.secret, endpoint.format, event.type, event.data, event.created_at AS "createdAt"`

export async function claimDeliveries(
  queries: Queries,
  { maxDeliveries, perEndpoint, underWay, leaseSeconds }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const values = [[...underWay.keys()], [...underWay.values()], perEndpoint, maxDeliveries, leaseSeconds]
  const { rows } = await queries.executeQuery<ClaimedDelivery>(CompiledQuery.raw(CLAIM_DELIVERIES, values))
  return rows
}

export type Outcome =
  | { kind: 'delivered'; status: number; excerpt: string | null }
  /** Status 410: the receiver accepts no more messages. */
  | { kind: 'gone'; status: number; excerpt: string | null }
  | {
      kind: 'failed'
      status: number | null
      excerpt: string | null
      error: string
      retryAfterSeconds: number | null
    }
  /** The server stopped, so the result is unknown. */
  | { kind: 'abandoned' }

export type Claim = Pick<ClaimedDelivery, 'endpointId' | 'eventId' | 'attempts'>

export async function recordDeliveryOutcome(
  database: Database,
  claim: Claim,
  outcome: Outcome,
): Promise<boolean> {
  switch (outcome.kind) {
    case 'delivered':
      await recordDelivered(database, claim, outcome)
      return false
    case 'gone':
      await recordEndpointGone(database, claim, outcome)
      return true
    case 'failed':
      return recordFailed(database, claim, outcome)
    case 'abandoned':
      await updateClaimedDelivery(database.queries, claim)
        .set({ attempts: claim.attempts - 1, next_attempt_at: sql<Date>`clock_timestamp()` })
        .execute()
      return false
  }
}

async function recordDelivered(
  { queries }: Database,
  { endpointId, eventId }: Claim,
  { status, excerpt }: { status: number; excerpt: string | null },
): Promise<void> {
  await queries
    .updateTable('webhook_endpoints')
    .set({ failures: 0, resting_until: null })
    .where('id', '=', endpointId)
    .where('failures', '>', 0)
    .execute()
  await queries
    .updateTable('webhook_deliveries')
    .set({
      status: 'delivered',
      next_attempt_at: null,
      ended_at: sql<Date>`clock_timestamp()`,
      response_status: status,
      response_excerpt: excerpt,
      error: null,
    })
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '=', eventId)
    .where('status', '<>', 'delivered')
    .execute()
}

async function recordEndpointGone(
  database: Database,
  claim: Claim,
  { status, excerpt }: { status: number; excerpt: string | null },
): Promise<void> {
  const error = 'The receiver responded with 410 Gone.'
  await database.transaction(async (tx) => {
    const reason = 'The receiver responded with 410 Gone: it accepts no more deliveries.'
    const organizationId = await disableEndpoint(tx, claim.endpointId, reason)
    if (organizationId !== null)
      await recordAudit(tx, {
        organizationId,
        actor: SYSTEM_ACTOR,
        action: 'webhook.disabled',
        subject: claim.endpointId,
        details: { reason },
      })
    await tx
      .updateTable('webhook_deliveries')
      .set({ response_status: status, response_excerpt: excerpt, error })
      .where('endpoint_id', '=', claim.endpointId)
      .where('event_id', '=', claim.eventId)
      .where('status', '=', 'dead')
      .execute()
  })
}

async function recordFailed(
  database: Database,
  claim: Claim,
  outcome: Extract<Outcome, { kind: 'failed' }>,
): Promise<boolean> {
  const delay = retryDelay(claim.attempts, { requestedSeconds: outcome.retryAfterSeconds })
  const next = sql<Date>`clock_timestamp() + make_interval(secs => ${delay ?? 0})`
  const isLast = sql<boolean>`(${delay === null} OR ${next} > give_up_at)`
  const row = await database.transaction(async (tx) => {
    await tx
      .updateTable('webhook_endpoints')
      .set({
        failures: sql`failures + 1`,
        resting_until: sql`CASE WHEN failures + 1 >= ${DOWN_AFTER_FAILURES} THEN clock_timestamp() + make_interval(secs =>
          least(${MAX_PAUSE_SECONDS}, ${MIN_PAUSE_SECONDS} * power(2, least(failures + 1 - ${DOWN_AFTER_FAILURES}, 10)))) END`,
      })
      .where('id', '=', claim.endpointId)
      .execute()
    return updateClaimedDelivery(tx, claim)
      .set({
        status: sql<'pending'>`CASE WHEN ${isLast} THEN 'dead' ELSE 'pending' END`,
        next_attempt_at: sql<Date | null>`CASE WHEN ${isLast} THEN NULL ELSE ${next} END`,
        ended_at: sql<Date | null>`CASE WHEN ${isLast} THEN clock_timestamp() END`,
        response_status: outcome.status,
        response_excerpt: outcome.excerpt,
        error: outcome.error,
      })
      .returning('status')
      .executeTakeFirst()
  })
  // TypeScript derives the type from `sql<'pending'>` above, although the value can also be `dead`.
  return (row?.status as string | undefined) === 'dead'
}

function updateClaimedDelivery(queries: Queries, { endpointId, eventId, attempts }: Claim) {
  return queries
    .updateTable('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '=', eventId)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
}
