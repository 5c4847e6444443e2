/**
 * Outgoing webhooks: the endpoints of an organization, the messages they receive, and the status of each
 * delivery.
 */

import { type Static, type TSchema, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, JobErrorCode, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { ExportJob } from '../../export/operations/static-export.ts'
import { FeedbackEntry } from '../../feedback/operations/feedback.ts'
import { DeploymentState } from '../../hosting/operations/deployments.ts'
import {
  NOTIFICATION_KINDS,
  SHARED_KINDS,
  type SharedKind,
} from '../../notifications/operations/notification-kinds.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const ProjectId = Type.String({ pattern: '^prj_[0-9a-z]+$', examples: ['prj_01jd4q8r6v0000000000000000'] })
const WebhookId = Type.String({ pattern: '^whk_[0-9a-z]+$', examples: ['whk_01jd4q8r6v0000000000000000'] })
const EventId = Type.String({ pattern: '^evt_[0-9a-z]+$', examples: ['evt_01jd4q8r6v0000000000000000'] })

const FeedbackData = Type.Object(
  { projectId: ProjectId, feedback: FeedbackEntry },
  closedObject('FeedbackEventData'),
)

/** Omits the job's warnings, which `GET /v1/static-export/jobs/{jobId}` returns. */
const ExportData = Type.Object(
  {
    projectId: ProjectId,
    job: Type.Object(Type.Omit(ExportJob, ['warnings']).properties, { additionalProperties: false }),
  },
  closedObject('StaticExportEventData'),
)

const DeploymentData = Type.Object(
  {
    projectId: ProjectId,
    deployment: Type.Object(DeploymentState.properties, { additionalProperties: false }),
  },
  closedObject('DeploymentEventData'),
)

const AgentJobData = Type.Object(
  {
    projectId: ProjectId,
    job: Type.Object(
      {
        id: Type.String({ pattern: '^aj_[0-9a-z]+$' }),
        status: Type.Enum(['active', 'completed', 'archived', 'failed']),
        source: Type.Object(
          { repository: Type.String(), ref: Type.String() },
          { additionalProperties: false },
        ),
        model: Type.String(),
        prLink: Nullable(Type.String({ format: 'uri' })),
        error: Nullable(Type.String({ description: 'Why it failed.' })),
        errorCode: Nullable(JobErrorCode),
        createdAt: DateTime,
        archivedAt: Nullable(DateTime),
      },
      { additionalProperties: false },
    ),
  },
  closedObject('AgentJobEventData'),
)

const NotificationData = Type.Object(
  {
    projectId: ProjectId,
    notification: Type.Object(
      {
        kind: Type.Enum([...SHARED_KINDS]),
        projectName: Type.String(),
        text: Type.String({ description: 'One sentence. May contain text from others: untrusted.' }),
        path: Type.String({ description: 'Path in the dashboard of this server.' }),
      },
      { additionalProperties: false },
    ),
  },
  closedObject('NotificationEventData'),
)

const NOTIFICATION_DATA = Object.fromEntries(
  SHARED_KINDS.map((kind) => [`notification.${kind}`, NotificationData]),
) as { [Kind in SharedKind as `notification.${Kind}`]: typeof NotificationData }

const DATA = {
  'feedback.created': FeedbackData,
  'feedback.updated': FeedbackData,
  'agent_job.completed': AgentJobData,
  'agent_job.failed': AgentJobData,
  'static_export.completed': ExportData,
  'static_export.failed': ExportData,
  'deployment.published': DeploymentData,
  ...NOTIFICATION_DATA,
} as const satisfies Record<string, TSchema>

export type EventType = keyof typeof DATA
export type EventData<Type extends EventType = EventType> = Static<(typeof DATA)[Type]>

export const EVENT_TYPES = Object.keys(DATA) as EventType[]

/** Only these events can be converted to chat messages. */
export const NOTIFICATION_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('notification.'))
const PLAIN_EVENTS = EVENT_TYPES.filter((type) => !type.startsWith('notification.'))

/** `events` is signed JSON; `slack` is `{"text": …}` for incoming webhooks of Slack or compatible chats. */
export const WEBHOOK_FORMATS = ['events', 'slack'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

export const DEFAULT_WEBHOOK_EVENTS: Record<WebhookFormat, readonly EventType[]> = {
  events: PLAIN_EVENTS,
  slack: NOTIFICATION_EVENTS,
}

const EVENT_SUMMARIES: Record<EventType, string> = {
  'feedback.created': 'A reader or AI agent left feedback on a page',
  'feedback.updated': 'The status of an entry changed, or its sender added to it',
  'agent_job.completed': 'An agent job finished',
  'agent_job.failed': 'An agent job failed or was cancelled',
  'static_export.completed': 'A bundle is ready',
  'static_export.failed': 'A static export failed or was cancelled',
  'deployment.published': 'A site version went live',
  ...(Object.fromEntries(
    SHARED_KINDS.map((kind) => [`notification.${kind}`, NOTIFICATION_KINDS[kind].label]),
  ) as Record<`notification.${SharedKind}`, string>),
}

/** Sent on request, and only to the tested endpoint regardless of its events. */
export const TEST_EVENT = 'webhook.test'

const TestData = Type.Object({ message: Type.String() }, closedObject('TestEventData'))

const message = (type: string, data: TSchema) =>
  Type.Object({ type: Type.Enum([type]), timestamp: DateTime, data }, { additionalProperties: false })

export const WEBHOOK_MESSAGES: Record<string, { summary: string; schema: TSchema }> = {
  ...Object.fromEntries(
    EVENT_TYPES.map((type) => [type, { summary: EVENT_SUMMARIES[type], schema: message(type, DATA[type]) }]),
  ),
  [TEST_EVENT]: { summary: 'A test was requested', schema: message(TEST_EVENT, TestData) },
}

const Url = Line(2048, {
  description: 'An http or https URL on the public internet, without user name or password.',
  examples: ['https://example.com/hooks/octavo'],
})
const Events = Type.Array(Type.Enum([...EVENT_TYPES]), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  description: 'Events to send.',
})
const Format = Type.Enum([...WEBHOOK_FORMATS], {
  default: 'events',
  description:
    '`slack`: sends `{"text"}` messages, as accepted by the incoming webhooks of Slack and others. Sends only `notification.*` events, unsigned. The URL is then a secret, and only its host is shown.',
})
const Description = Line(200, { description: 'Your own note.' })

const WEBHOOK = {
  webhookId: WebhookId,
  projectId: Nullable(ProjectId),
  url: Url,
  description: Nullable(Description),
  format: Format,
  events: Events,
  enabled: Type.Boolean({ description: 'While false, no events are queued.' }),
  disabledReason: Nullable(
    Type.String({
      description: 'Why the server turned it off; null if it is on or was turned off by a person.',
    }),
  ),
  failures: Type.Integer({ minimum: 0, description: 'Failed attempts since the last successful one.' }),
  createdAt: DateTime,
  updatedAt: DateTime,
}

export const Webhook = Type.Object(WEBHOOK, closedObject('Webhook'))
export type Webhook = Static<typeof Webhook>

export const CreatedWebhook = Type.Object(
  {
    ...WEBHOOK,
    secret: Nullable(
      Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
        description: 'Signing secret. Shown only once. Null for the format `slack`, which is not signed.',
      }),
    ),
  },
  closedObject('CreatedWebhook'),
)
export type CreatedWebhook = Static<typeof CreatedWebhook>

export const CreateWebhookBody = Type.Object(
  {
    url: Url,
    format: Type.Optional(Format),
    events: Type.Optional(Events),
    projectId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Only events of this project. Default: all projects.',
      }),
    ),
    description: Type.Optional(Description),
  },
  closedObject('CreateWebhook'),
)
export type CreateWebhookBody = Static<typeof CreateWebhookBody>

export const UpdateWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Nullable(Description)),
    enabled: Type.Optional(Type.Boolean()),
  },
  closedObject('UpdateWebhook'),
)
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>

export const WebhookList = Type.Object(
  { webhooks: Type.Array(Webhook), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  closedObject('WebhookList'),
)
export type WebhookList = Static<typeof WebhookList>

export const DeletedWebhook = Type.Object({ webhookId: WebhookId }, closedObject('DeletedWebhook'))
export type DeletedWebhook = Static<typeof DeletedWebhook>

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const WebhookDelivery = Type.Object(
  {
    deliveryId: Type.String({
      ...EventId,
      description: 'ID of the event, sent as `webhook-id` in each attempt.',
    }),
    type: Type.String({ description: 'Type of the event.', examples: ['feedback.created'] }),
    status: Type.Enum([...DELIVERY_STATUSES], {
      description: '`dead`: all attempts failed; resend it when the receiver works again.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Attempts since it was created or resent.' }),
    createdAt: DateTime,
    lastAttemptAt: Nullable(DateTime),
    nextAttemptAt: Nullable(DateTime),
    responseStatus: Nullable(Type.Integer({ description: "Status of the receiver's last response." })),
    responseExcerpt: Nullable(Type.String({ description: 'Beginning of the response body: untrusted.' })),
    error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
  },
  closedObject('WebhookDelivery'),
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryList = Type.Object(
  { deliveries: Type.Array(WebhookDelivery), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  closedObject('WebhookDeliveryList'),
)
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>

export const ReplayedDeliveries = Type.Object(
  {
    replayed: Type.Integer({ minimum: 0 }),
    hasMore: Type.Boolean({
      description:
        'Whether there are more failed deliveries than one call can resend. Call again to resend them.',
    }),
  },
  closedObject('ReplayedDeliveries'),
)
export type ReplayedDeliveries = Static<typeof ReplayedDeliveries>

export const ListWebhooksQuery = Type.Object({ ...PageQuery }, { additionalProperties: false })
export type ListWebhooksQuery = Static<typeof ListWebhooksQuery>

export const ListDeliveriesQuery = Type.Object(
  { ...PageQuery, status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])) },
  { additionalProperties: false },
)
export type ListDeliveriesQuery = Static<typeof ListDeliveriesQuery>

export const WebhookParams = Type.Object({ webhookId: Type.String({ minLength: 1, maxLength: 64 }) })
export const WebhookDeliveryParams = Type.Object({
  webhookId: Type.String({ minLength: 1, maxLength: 64 }),
  deliveryId: Type.String({ minLength: 1, maxLength: 64 }),
})

const WEBHOOKS = '/v1/webhooks'
const ADDRESS = `${WEBHOOKS}/{webhookId}` as const

const ROW = { ...PUBLIC_ROW, area: 'webhooks', ownerTable: 'webhook_endpoints' } as const

export const WEBHOOK_OPERATIONS = {
  listWebhooks: {
    ...ROW,
    method: 'GET',
    keyProjects: 'scoped',
    path: WEBHOOKS,
    summary: 'List webhooks, newest first',
    query: ListWebhooksQuery,
    success: { status: 200, schema: WebhookList },
  },
  createWebhook: {
    ...ROW,
    method: 'POST',
    keyProjects: 'scoped',
    path: WEBHOOKS,
    summary: 'Create a webhook; its signing secret is returned only once',
    audit: 'webhook.created',
    body: CreateWebhookBody,
    success: {
      status: 201,
      schema: CreatedWebhook,
      headers: { Location: 'URL of the webhook.' },
      isSecret: true,
    },
  },
  getWebhook: {
    ...ROW,
    method: 'GET',
    path: ADDRESS,
    summary: 'Get a webhook',
    params: WebhookParams,
    success: { status: 200, schema: Webhook },
  },
  updateWebhook: {
    ...ROW,
    method: 'PATCH',
    path: ADDRESS,
    summary: 'Update a webhook, or turn it on or off',
    audit: 'webhook.updated',
    params: WebhookParams,
    body: UpdateWebhookBody,
    success: { status: 200, schema: Webhook },
  },
  deleteWebhook: {
    ...ROW,
    method: 'DELETE',
    path: ADDRESS,
    summary: 'Delete a webhook and its deliveries',
    audit: 'webhook.deleted',
    params: WebhookParams,
    success: { status: 200, schema: DeletedWebhook },
  },
  testWebhook: {
    ...ROW,
    method: 'POST',
    path: `${ADDRESS}/test`,
    summary: 'Send a `webhook.test` event to a webhook',
    audit: 'webhook.tested',
    params: WebhookParams,
    success: { status: 202, schema: WebhookDelivery },
  },
  listWebhookDeliveries: {
    ...ROW,
    method: 'GET',
    path: `${ADDRESS}/deliveries`,
    summary: 'List deliveries, newest event first; `status=dead` lists those that failed for good',
    params: WebhookParams,
    query: ListDeliveriesQuery,
    success: { status: 200, schema: WebhookDeliveryList },
  },
  replayWebhookDelivery: {
    ...ROW,
    method: 'POST',
    path: `${ADDRESS}/deliveries/{deliveryId}/replay`,
    summary: 'Resend a delivery that was delivered or failed for good',
    audit: 'webhook.deliveries_replayed',
    params: WebhookDeliveryParams,
    success: { status: 202, schema: WebhookDelivery },
  },
  replayWebhook: {
    ...ROW,
    method: 'POST',
    path: `${ADDRESS}/replay`,
    summary: 'Resend all deliveries that failed for good, at most 10,000 per call',
    audit: 'webhook.deliveries_replayed',
    params: WebhookParams,
    success: { status: 202, schema: ReplayedDeliveries },
  },
} as const satisfies Record<string, Operation>
