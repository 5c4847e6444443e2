/** Webhook administration from the command line: works on all organizations, directly in the database. */

import { createCursorCodec } from '../../base/signed-cursor.ts'
import { recordAudit } from '../../database/audit.ts'
import type { Tx } from '../../database/database.ts'
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
} from '../../features/webhooks/endpoints.ts'
import {
  type CreatedWebhook,
  type CreateWebhookBody,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  type EventType,
  type ReplayedDeliveries,
  WEBHOOK_FORMATS,
  type Webhook,
  type WebhookDelivery,
} from '../../features/webhooks/operations/webhooks.ts'
import {
  type EndpointScope,
  listDeliveries,
  replayDead,
  replayDelivery,
} from '../../features/webhooks/read-deliveries.ts'
import type { Secrets } from '../config/config.ts'
import { readOrCreateSecret } from '../data-folder.ts'
import { createWebhookSecrets, type DatabaseContext } from '../database-context.ts'
import { createEgress } from '../egress.ts'
import { ACTOR, AdministrationError, withAdministrationErrors } from './administration.ts'

/** Lists are read to their end, so cursors never leave this process. */
const cursors = createCursorCodec('one process')

export async function addWebhook(
  context: DatabaseContext,
  secrets: Secrets,
  organizationId: string,
  request: {
    url: string
    events?: readonly string[] | undefined
    format?: string | undefined
    projectId?: string | undefined
  },
): Promise<CreatedWebhook> {
  const format = WEBHOOK_FORMATS.find((known) => known === (request.format ?? 'events'))
  if (format === undefined)
    throw new AdministrationError([`--format must be one of ${WEBHOOK_FORMATS.join(', ')}`])
  const unknown = (request.events ?? []).filter((event) => !EVENT_TYPES.some((type) => type === event))
  if (unknown.length > 0)
    throw new AdministrationError([
      `There is no event ${unknown.join(', ')}: the events are ${EVENT_TYPES.join(', ')}`,
    ])
  await using egress = createEgress(context.config)
  const guardedFetch = egress.fetchFor('webhooks')
  const webhookSecrets = createWebhookSecrets(secrets.secret ?? (await readOrCreateSecret(context.folder)))
  const body: CreateWebhookBody = {
    url: request.url,
    format,
    ...(request.events === undefined ? {} : { events: request.events as EventType[] }),
    ...(request.projectId === undefined ? {} : { projectId: request.projectId }),
  }
  return change(context, async (tx) => {
    const webhook = await createEndpoint({ guardedFetch, webhookSecrets }, tx, { organizationId }, body)
    const { webhookId: subject, url, format, events, projectId } = webhook
    const details = { url, format, events, projectId }
    await recordAudit(tx, { organizationId, actor: ACTOR, action: 'webhook.created', subject, details })
    return webhook
  })
}

export async function listWebhooks(
  { database }: DatabaseContext,
  organizationId: string,
): Promise<Webhook[]> {
  const limit = MAX_ENDPOINTS
  return (await listEndpoints({ cursors }, database.queries, { organizationId }, { limit })).webhooks
}

/** Returns the newest deliveries, at most `limit`. */
export async function listWebhookDeliveries(
  context: DatabaseContext,
  webhookId: string,
  request: { status: string | undefined; limit: number },
): Promise<WebhookDelivery[]> {
  const { queries } = context.database
  const status = DELIVERY_STATUSES.find((known) => known === request.status)
  if (request.status !== undefined && status === undefined)
    throw new AdministrationError([`--status must be one of ${DELIVERY_STATUSES.join(', ')}`])
  const scope = await findWebhookScope(context, webhookId)
  const query = { limit: request.limit, ...(status === undefined ? {} : { status }) }
  return (await listDeliveries({ cursors }, queries, scope, query)).deliveries
}

/** Replays one delivery or all dead ones. A running node sends them within a second. */
export async function replayWebhook(
  context: DatabaseContext,
  webhookId: string,
  deliveryId: string | undefined,
): Promise<ReplayedDeliveries> {
  const scope = await findWebhookScope(context, webhookId)
  if (deliveryId !== undefined) {
    await change(context, async (tx) => {
      await replayDelivery(tx, scope, deliveryId)
      await recordReplay(tx, scope, { deliveryId })
    })
    return { replayed: 1, hasMore: false }
  }
  for (let replayed = 0; ; ) {
    const some = await change(context, async (tx) => {
      const replayed = await replayDead(tx, scope)
      if (replayed.replayed > 0) await recordReplay(tx, scope, { replayed: replayed.replayed })
      return replayed
    })
    replayed += some.replayed
    if (!some.hasMore) return { replayed, hasMore: false }
  }
}

export async function removeWebhook(context: DatabaseContext, webhookId: string): Promise<void> {
  const { organizationId } = await findWebhookScope(context, webhookId)
  await change(context, async (tx) => {
    await deleteEndpoint(tx, organizationId, webhookId)
    await recordAudit(tx, { organizationId, actor: ACTOR, action: 'webhook.deleted', subject: webhookId })
  })
}

function recordReplay(tx: Tx, scope: EndpointScope, details: Record<string, unknown>): Promise<void> {
  const { organizationId, webhookId: subject } = scope
  return recordAudit(tx, {
    organizationId,
    actor: ACTOR,
    action: 'webhook.deliveries_replayed',
    subject,
    details,
  })
}

async function findWebhookScope({ database }: DatabaseContext, webhookId: string) {
  const row = await database.queries
    .selectFrom('webhook_endpoints')
    .select('organization_id')
    .where('id', '=', webhookId)
    .executeTakeFirst()
  if (row === undefined) throw new AdministrationError([`There is no webhook ${webhookId}`])
  return { organizationId: row.organization_id, webhookId }
}

function change<T>({ database }: DatabaseContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withAdministrationErrors(() => database.transaction(work))
}
