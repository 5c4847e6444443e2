/**
 * Webhook endpoints, which receive events.
 *
 *     enabled ──PATCH, 410 Gone from the receiver──▶ disabled ──PATCH──▶ enabled
 *
 * No events are stored for a disabled endpoint. Disabling it makes its pending deliveries dead; they can be
 * replayed.
 */
import { type Selectable, sql } from 'kysely'
import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../base/errors/fault.ts'
import { createId } from '../../base/ids.ts'
import type { GuardedFetch } from '../../base/net/guarded-fetch.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import { type CursorCodec, pageOf } from '../../base/signed-cursor.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { WebhookEndpointTable } from '../../database/schema.ts'
import { readLastId } from './list-cursor.ts'
import {
  type CreatedWebhook,
  type CreateWebhookBody,
  DEFAULT_WEBHOOK_EVENTS,
  EVENT_TYPES,
  type EventType,
  type ListWebhooksQuery,
  NOTIFICATION_EVENTS,
  type UpdateWebhookBody,
  type Webhook,
  type WebhookFormat,
  type WebhookList,
} from './operations/webhooks.ts'
import { createSigningSecret, secretText } from './signing.ts'

export interface EndpointDeps {
  /** Determines which addresses may receive deliveries. */
  guardedFetch: Pick<GuardedFetch, 'objection'>
  webhookSecrets: SecretBox
}

export type EndpointRow = Selectable<WebhookEndpointTable>

export const MAX_ENDPOINTS = 50

const DEFAULT_PAGE_SIZE = 50

interface EndpointOwner {
  organizationId: string
  projectIds?: readonly string[] | null
}

/**
 * The result contains the secret, which is not shown again. Throws AppError `invalid_request`,
 * `too_many_webhooks`, `key_limited` for a webhook of all projects.
 */
export async function createEndpoint(
  deps: EndpointDeps,
  tx: Tx,
  { organizationId, projectIds = null }: EndpointOwner,
  body: CreateWebhookBody,
): Promise<CreatedWebhook> {
  const { url, projectId = null, description = null, format = 'events' } = body
  const { events = DEFAULT_WEBHOOK_EVENTS[format] } = body
  const isTheirs =
    projectId === null ||
    (projectIds?.includes(projectId) !== false && (await isProjectOf(tx, organizationId, projectId)))
  const details = [
    ...urlFaults(deps, url),
    ...eventFaults(format, events),
    ...(isTheirs ? [] : [PROJECT_FAULT]),
  ]
  assertNoFaults(details)
  if (projectId === null && projectIds !== null) throw new AppError('key_limited')
  await checkEndpointLimit(tx, organizationId)
  const id = createId('whk')
  const secret = format === 'slack' ? null : createSigningSecret()
  const row = await tx
    .insertInto('webhook_endpoints')
    .values({
      id,
      organization_id: organizationId,
      project_id: projectId,
      description,
      format,
      ...(secret === null
        ? sealChatUrl(deps, id, url)
        : { url, secret: deps.webhookSecrets.seal(secret, id) }),
      events: sortEvents(events),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toWebhook(row), secret: secret && secretText(secret) }
}

/** Lists the newest first. Throws AppError `invalid_request` for a cursor from another list. */
export async function listEndpoints(
  deps: { cursors: CursorCodec },
  queries: Queries,
  { organizationId, projectIds = null }: EndpointOwner,
  query: ListWebhooksQuery,
): Promise<WebhookList> {
  const scope = `webhooks:${organizationId}`
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const after = readLastId(deps.cursors, scope, query.cursor)
  const rows = await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(projectIds !== null, (select) => select.where('project_id', 'in', projectIds ?? []))
    .$if(after !== null, (select) => select.where('id', '<', after as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, paging } = pageOf(rows, limit, ({ id }) => deps.cursors.encode(scope, [id]))
  return {
    webhooks: shown.map(toWebhook),
    ...paging,
  }
}

/** Throws AppError `not_found`, also for an endpoint of another organization. */
export async function findEndpoint(
  queries: Queries,
  organizationId: string,
  id: string,
): Promise<EndpointRow> {
  const row = await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Enabling an endpoint resets its failures. Throws AppError `not_found`, `invalid_request`. */
export async function updateEndpoint(
  deps: EndpointDeps,
  tx: Tx,
  organizationId: string,
  id: string,
  body: UpdateWebhookBody,
): Promise<Webhook> {
  const details = body.url === undefined ? [] : urlFaults(deps, body.url)
  assertNoFaults(details)
  const { url, events, description, enabled } = body
  const { format } = await findEndpoint(tx, organizationId, id)
  if (events !== undefined) assertNoFaults(eventFaults(format, events))
  const row = await tx
    .updateTable('webhook_endpoints')
    .set({
      ...(url === undefined ? {} : format === 'slack' ? sealChatUrl(deps, id, url) : { url }),
      ...(events === undefined ? {} : { events: sortEvents(events) }),
      ...(description === undefined ? {} : { description }),
      // A new URL, or enabling the endpoint, resets earlier failures.
      ...(url === undefined && enabled !== true ? {} : { failures: 0, resting_until: null }),
      ...(enabled === true ? { enabled, disabled_reason: null } : {}),
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  if (enabled !== false) return toWebhook(row)
  await disableEndpoint(tx, id, null)
  return toWebhook(await findEndpoint(tx, organizationId, id))
}

/** Also deletes the endpoint's deliveries. Throws AppError `not_found`. */
export async function deleteEndpoint(tx: Tx, organizationId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('not_found')
}

/**
 * `enabled → disabled`, and `pending → dead` for waiting deliveries. `reason` is null if a user disabled the
 * endpoint. Returns the organization, or null if the endpoint was already disabled.
 */
export async function disableEndpoint(tx: Tx, id: string, reason: string | null): Promise<string | null> {
  const disabled = await tx
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: reason, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .returning('organization_id')
    .executeTakeFirst()
  if (disabled === undefined) return null
  await tx
    .updateTable('webhook_deliveries')
    .set({
      status: 'dead',
      next_attempt_at: null,
      ended_at: sql<Date>`clock_timestamp()`,
      error: sql<string>`coalesce(error, ${`The webhook was turned off${reason === null ? '.' : `: ${reason}`}`})`,
    })
    .where('endpoint_id', '=', id)
    .where('status', '=', 'pending')
    .execute()
  return disabled.organization_id
}

/** Omits the secret. */
export function toWebhook(row: EndpointRow): Webhook {
  return {
    webhookId: row.id,
    projectId: row.project_id,
    url: row.url,
    description: row.description,
    format: row.format,
    events: row.events,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    failures: row.failures,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Encrypts the URL and shows only its host, because anyone with the URL of a chat can post there. */
function sealChatUrl({ webhookSecrets }: EndpointDeps, id: string, url: string) {
  return { url: `${new URL(url).origin}/…`, secret: webhookSecrets.seal(Buffer.from(url), id) }
}

/** Chat messages can only be created from notifications. */
function eventFaults(format: WebhookFormat, events: readonly EventType[]): Fault[] {
  if (format === 'events' || events.every((type) => NOTIFICATION_EVENTS.includes(type))) return []
  return [faultAt('/events', 'slack_events')]
}

const PROJECT_FAULT = faultAt('/projectId', 'foreign_project')

/** Checks the rules that the schema of the body cannot express, except for the URL. */
export function findUpdateFaults(body: unknown): Fault[] {
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  return isEmpty
    ? [createFault('one_of_required', { fields: ['/url', '/events', '/description', '/enabled'] })]
    : []
}

export function urlFaults({ guardedFetch }: EndpointDeps, url: string): Fault[] {
  const objection = guardedFetch.objection(url)
  return objection === null ? [] : [objection]
}

async function isProjectOf(tx: Tx, organizationId: string, projectId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row !== undefined
}

async function checkEndpointLimit(tx: Tx, organizationId: string): Promise<void> {
  // Serializes creations, so that concurrent calls cannot exceed the limit together.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`webhooks:${organizationId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_ENDPOINTS) throw new AppError('too_many_webhooks')
}

function sortEvents(events: readonly (typeof EVENT_TYPES)[number][]) {
  return EVENT_TYPES.filter((type) => events.includes(type))
}
