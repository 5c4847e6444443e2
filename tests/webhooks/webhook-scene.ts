/** Shared setup of the webhook tests: a database with a project, configurable receivers, and dispatchers. */
import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type Log, silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { createSecretBox } from '../../src/base/secret-box.ts'
import { recordEvents } from '../../src/database/outbox.ts'
import { type DispatcherSettings, startDispatcher } from '../../src/features/webhooks/dispatcher.ts'
import { createEndpoint } from '../../src/features/webhooks/endpoints.ts'
import type {
  CreatedWebhook,
  CreateWebhookBody,
  WebhookDelivery,
} from '../../src/features/webhooks/operations/webhooks.ts'
import { addOrganization, addProject } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { until } from '../kit/until.ts'

export const SCENE_SECRET = 'the secret of the node of these tests'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  received: Received[]
  /** Resolves when `n` requests have arrived in total. */
  count(n: number): Promise<Received[]>
}

export interface WebhookScene {
  database: TestDatabase
  organizationId: string
  projectId: string
  addEndpoint(url: string, more?: Partial<CreateWebhookBody>): Promise<CreatedWebhook>
  /** Records `count` `deployment.published` events in one transaction. */
  tell(count?: number): Promise<void>
  dispatch(settings?: Partial<DispatcherSettings>, log?: Log): ReturnType<typeof startDispatcher>
  /** Waits until the deliveries of the endpoint satisfy `until`, and returns them oldest first. */
  deliveries(webhookId: string, until: (rows: DeliveryState[]) => boolean): Promise<DeliveryState[]>
}

export type DeliveryState = Pick<
  WebhookDelivery,
  'deliveryId' | 'status' | 'attempts' | 'responseStatus' | 'error'
>

export async function openWebhookScene(t: TestContext): Promise<WebhookScene> {
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  const database = stack.use(await openTestDatabase())
  const guardedFetch = stack.use(createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] }))
  const webhookSecrets = createSecretBox(SCENE_SECRET, 'webhooks')
  const organizationId = await addOrganization(database)
  const project = await addProject(database, organizationId, 'docs.example.com')
  return {
    database,
    organizationId,
    projectId: project.id,
    addEndpoint: (url, more = {}) =>
      database.transaction((tx) =>
        createEndpoint({ guardedFetch, webhookSecrets }, tx, { organizationId }, { url, ...more }),
      ),
    tell: (count = 1) =>
      database.transaction((tx) =>
        recordEvents(
          tx,
          Array.from({ length: count }, () => publishedEvent(organizationId, project.id)),
        ),
      ),
    dispatch(settings = {}, log = silentLog) {
      const dispatcher = startDispatcher(
        {
          database,
          log,
          guardedFetch,
          webhookSecrets,
          userAgent: 'Octavo-Webhooks/test',
          publicUrl: () => 'https://octavo.example.com',
        },
        { pollMs: 20, ...settings },
      )
      stack.defer(() => dispatcher.stop({ graceSeconds: 0 }))
      return dispatcher
    },
    deliveries: (webhookId, isEnough) =>
      until(async () => {
        const { rows } = await database.pool.query<DeliveryState>(
          `SELECT event_id AS "deliveryId", status, attempts, response_status AS "responseStatus", error
           FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY event_id`,
          [webhookId],
        )
        return isEnough(rows) && rows
      }, `deliveries with ${isEnough}`),
  }
}

export function publishedEvent(organizationId: string, projectId: string) {
  return {
    type: 'deployment.published' as const,
    organizationId,
    data: {
      projectId,
      deployment: {
        deploymentId: 'dep_01',
        projectId,
        status: 'published' as const,
        isLive: true,
        isKept: true,
        previewId: null,
        trigger: 'request' as const,
        revision: 'a1b2c3',
        commit: null,
        changes: null,
        stages: [],
        endedAt: '2026-11-21T09:30:00.000Z',
        pageCount: 3,
        totalPages: 3,
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
        error: null,
        errorCode: null,
        warningCount: 0,
      },
    },
  }
}

/** Records each request when its body is complete, then responds. */
export async function openReceiver(
  t: TestContext,
  answer: (request: Received, response: ServerResponse) => void = (_request, response) => response.end(),
): Promise<Receiver> {
  const received: Received[] = []
  const more = new EventEmitter()
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const body = Buffer.concat(chunks).toString()
    const noted = { path: request.url ?? '', headers: request.headers, body }
    received.push(noted)
    more.emit('received')
    answer(noted, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    async count(n) {
      while (received.length < n) await once(more, 'received')
      return received
    },
  }
}

/** Verifies a signature as a receiver's library does, written from the specification and not from our code. */
export function isSignatureRight(
  secret: string | null,
  { headers, body }: Received,
  now = Date.now(),
): boolean {
  if (secret === null) return false
  const id = headers['webhook-id'] as string
  const timestamp = headers['webhook-timestamp'] as string
  if (Math.abs(now / 1000 - Number.parseInt(timestamp, 10)) > 300) return false
  const hmac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
  hmac.update(id)
  hmac.update('.')
  hmac.update(timestamp)
  hmac.update('.')
  hmac.update(body)
  const expected = hmac.digest('base64')
  const given = (headers['webhook-signature'] as string).split(' ')
  return given.some((one) => one === `v1,${expected}`)
}
