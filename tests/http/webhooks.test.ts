/** Webhook operations; each response is checked against the OpenAPI description. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { recordEvents } from '../../src/database/outbox.ts'
import { SHARED_KINDS } from '../../src/features/notifications/operations/notification-kinds.ts'
import { createDeliveries } from '../../src/features/webhooks/deliveries.ts'
import type {
  CreatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
} from '../../src/features/webhooks/operations/webhooks.ts'
import { publishedEvent } from '../webhooks/webhook-scene.ts'
import {
  type ApiUnderTest,
  jsonRequest,
  messagesOf,
  startApi,
  type Tenant,
  withKey,
} from './api-under-test.ts'

const WEBHOOKS = '/v1/webhooks'
const URL = 'https://example.com/hooks'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

const send = (method: string, path: string, body?: unknown, tenant: Tenant = api.acme) =>
  api.fetch(
    path,
    body === undefined ? withKey(tenant.key, { method }) : jsonRequest(method, tenant.key, body),
  )

async function create(body: object = { url: URL }, tenant?: Tenant): Promise<CreatedWebhook> {
  const response = await send('POST', WEBHOOKS, body, tenant)
  assert.equal(response.status, 201)
  return (await response.json()) as CreatedWebhook
}

/** Adds deliveries in the given status without sending them. */
async function addDeliveries({ organizationId, projectId }: Tenant, count: number, status: string) {
  const events = Array.from({ length: count }, () => publishedEvent(organizationId, projectId))
  await api.database.transaction((tx) => recordEvents(tx, events))
  await createDeliveries(api.database.queries, 1000)
  await api.database.pool.query(
    `UPDATE webhook_deliveries SET status = $1, attempts = 14,
       next_attempt_at = CASE WHEN $1 = 'pending' THEN now() END, ended_at = CASE WHEN $1 <> 'pending' THEN now() END
     WHERE attempts = 0`,
    [status],
  )
}

describe('a webhook', () => {
  test('is created with a secret that no later response shows', async () => {
    const response = await send('POST', WEBHOOKS, { url: URL, description: 'Ours' })
    const made = (await response.json()) as CreatedWebhook
    assert.equal(response.headers.get('location'), `${api.url}${WEBHOOKS}/${made.webhookId}`)
    assert.match(made.secret ?? '', /^whsec_/)
    assert.deepEqual([made.projectId, made.description, made.enabled, made.failures], [null, 'Ours', true, 0])
    assert.equal(made.events.length, 7)
    const read = await send('GET', `${WEBHOOKS}/${made.webhookId}`)
    const { secret, ...shown } = made
    assert.deepEqual(await read.json(), shown)
    const { rows } = await api.database.pool.query('SELECT secret FROM webhook_endpoints WHERE id = $1', [
      made.webhookId,
    ])
    const bytes = Buffer.from((secret ?? '').slice('whsec_'.length), 'base64')
    assert.equal(rows[0].secret.includes(bytes), false, 'the secret lies in the database as it is')
  })

  test('is rejected with every validation error at once', async () => {
    const body = {
      url: 'http://169.254.169.254:8080/latest',
      events: ['feedback.made'],
      projectId: 7,
      name: 'x',
    }
    const response = await send('POST', WEBHOOKS, body)
    assert.equal(response.status, 400)
    const messages = (await messagesOf(response)).join('\n')
    assert.match(messages, /`\/events\/0` must be one of `feedback\.created`/)
    assert.match(messages, /`\/projectId` must be text/)
    assert.match(messages, /`\/name` is not a known field/)
    assert.match(messages, /`\/url` is not on the public internet/)
  })

  for (const [name, url] of [
    ['of another scheme', 'ftp://example.com/'],
    ['with a password', 'https://user:word@example.com/'],
    ['at a port for something else', 'https://example.com:22/'],
    ['that is inside', 'http://[::ffff:10.0.0.1]/'],
    ['written as a number', 'http://2130706433/'],
    ['that is none', 'example.com/hooks'],
  ] as const) {
    test(`is refused for a URL ${name}`, async () => {
      const response = await send('POST', WEBHOOKS, { url })
      assert.equal(response.status, 400)
      assert.match((await messagesOf(response)).join(), /^`\/url` [^,]+/)
    })
  }

  test('is refused alike for a missing project and for a project of another organization', async () => {
    const foreign = await send('POST', WEBHOOKS, { url: URL, projectId: api.other.projectId })
    const missing = await send('POST', WEBHOOKS, { url: URL, projectId: 'prj_none' })
    assert.deepEqual([foreign.status, missing.status], [400, 400])
    assert.equal(await foreign.text(), await missing.text())
    assert.equal((await create({ url: URL, projectId: api.acme.projectId })).projectId, api.acme.projectId)
  })

  test('takes at most 20 pending test deliveries', async () => {
    const { webhookId } = await create()
    const statuses: number[] = []
    for (let times = 0; times < 21; times++)
      statuses.push((await send('POST', `${WEBHOOKS}/${webhookId}/test`)).status)
    assert.deepEqual([...new Set(statuses.slice(0, 20))].length, 1)
    assert.equal(statuses.at(-1), 409)
  })

  test('is updated, disabled, enabled and deleted', async () => {
    const { webhookId } = await create()
    const place = `${WEBHOOKS}/${webhookId}`
    const changes = { url: 'https://example.com/other', events: ['feedback.updated', 'feedback.created'] }
    const changed = (await (
      await send('PATCH', place, { ...changes, description: 'Note' })
    ).json()) as Webhook
    assert.deepEqual(
      [changed.url, changed.events, changed.description],
      [changes.url, ['feedback.created', 'feedback.updated'], 'Note'],
    )
    const off = (await (await send('PATCH', place, { enabled: false })).json()) as Webhook
    assert.deepEqual([off.enabled, off.disabledReason], [false, null])
    assert.equal((await send('POST', `${place}/test`)).status, 409)
    const on = (await (await send('PATCH', place, { enabled: true, description: null })).json()) as Webhook
    assert.deepEqual([on.enabled, on.disabledReason, on.description], [true, null, null])
    assert.deepEqual(await messagesOf(await send('PATCH', place, {})), [
      'At least one of `/url`, `/events`, `/description`, `/enabled` is required',
    ])
    assert.equal((await send('PATCH', place, { url: 'http://10.0.0.1/' })).status, 400)
    const deleted = await send('DELETE', place)
    assert.deepEqual([deleted.status, await deleted.json()], [200, { webhookId }])
    assert.equal((await send('GET', place)).status, 404)
  })

  test('of another organization gets the same 404 as a missing one', async () => {
    const { webhookId } = await create({ url: URL }, api.other)
    const calls = [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/replay'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/evt_1/replay'],
    ] as const
    for (const [method, path, body] of calls) {
      const foreign = await send(method, `${WEBHOOKS}/${webhookId}${path}`, body)
      const missing = await send(method, `${WEBHOOKS}/whk_none${path}`, body)
      assert.deepEqual([foreign.status, missing.status], [404, 404], `${method} ${path}`)
      assert.equal(await foreign.text(), await missing.text())
    }
    assert.equal((await send('GET', `${WEBHOOKS}/${webhookId}`, undefined, api.other)).status, 200)
  })

  test('is refused beyond 50 per organization', async () => {
    const made = await Promise.all(
      Array.from({ length: 52 }, () => send('POST', WEBHOOKS, { url: URL }, api.other)),
    )
    const statuses = made.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 409).length > 0, true)
    const ids = new Set<string>()
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? 'limit=20' : `limit=20&cursor=${cursor}`
      const page = (await (
        await send('GET', `${WEBHOOKS}?${query}`, undefined, api.other)
      ).json()) as WebhookList
      for (const { webhookId } of page.webhooks) ids.add(webhookId)
      assert.equal(page.hasMore, page.nextCursor !== null)
      cursor = page.nextCursor
    } while (cursor !== null)
    assert.equal(ids.size, 50)
    assert.equal((await send('GET', `${WEBHOOKS}?cursor=x`)).status, 400)
  })
})

describe('deliveries', () => {
  test('are listed by status and replayed one by one or all dead ones at once', async () => {
    const { webhookId } = await create()
    const place = `${WEBHOOKS}/${webhookId}`
    await addDeliveries(api.acme, 3, 'dead')
    await addDeliveries(api.acme, 2, 'delivered')
    await addDeliveries(api.acme, 1, 'pending')
    const list = async (query = '') =>
      ((await (await send('GET', `${place}/deliveries${query}`)).json()) as WebhookDeliveryList).deliveries
    assert.equal((await list()).length, 6)
    const dead = await list('?status=dead')
    assert.equal(dead.length, 3)
    assert.deepEqual(
      dead.map(({ deliveryId }) => deliveryId),
      dead
        .map(({ deliveryId }) => deliveryId)
        .toSorted()
        .toReversed(),
    )
    const replay = (id: string) => send('POST', `${place}/deliveries/${id}/replay`)
    const replayed = await replay(dead[0]?.deliveryId ?? '')
    assert.equal(replayed.status, 202)
    const delivery = (await replayed.json()) as WebhookDelivery
    assert.deepEqual(
      [delivery.deliveryId, delivery.status, delivery.attempts],
      [dead[0]?.deliveryId, 'pending', 0],
    )
    assert.equal((await replay(delivery.deliveryId)).status, 409)
    assert.equal((await replay((await list('?status=delivered'))[0]?.deliveryId ?? '')).status, 202)
    assert.equal((await replay('evt_none')).status, 404)
    const all = await send('POST', `${place}/replay`)
    assert.deepEqual([all.status, await all.json()], [202, { replayed: 2, hasMore: false }])
    assert.deepEqual(await list('?status=dead'), [])
    const first = (await (await send('GET', `${place}/deliveries?limit=4`)).json()) as WebhookDeliveryList
    const rest = await list(`?limit=4&cursor=${first.nextCursor}`)
    assert.deepEqual([first.deliveries.length, rest.length], [4, 2])
    assert.equal(
      (await send('GET', `${place}/deliveries?status=dead&cursor=${first.nextCursor}`)).status,
      400,
    )
  })

  test('of a test go only to the tested webhook', async () => {
    const { webhookId } = await create({ url: URL, events: ['agent_job.failed'] })
    const response = await send('POST', `${WEBHOOKS}/${webhookId}/test`)
    assert.equal(response.status, 202)
    const delivery = (await response.json()) as WebhookDelivery
    assert.deepEqual([delivery.type, delivery.status, delivery.attempts], ['webhook.test', 'pending', 0])
    const { rows } = await api.database.pool.query(
      'SELECT endpoint_id FROM webhook_deliveries WHERE event_id = $1',
      [delivery.deliveryId],
    )
    assert.deepEqual(rows, [{ endpoint_id: webhookId }])
  })
})

test('the OpenAPI document lists every webhook event type', () => {
  const { webhooks } = api.fetch.description as { webhooks: Record<string, unknown> }
  assert.deepEqual(Object.keys(webhooks), [
    'feedback.created',
    'feedback.updated',
    'agent_job.completed',
    'agent_job.failed',
    'static_export.completed',
    'static_export.failed',
    'deployment.published',
    ...SHARED_KINDS.map((kind) => `notification.${kind}`),
    'webhook.test',
  ])
})

test('webhook changes are recorded in the audit log without the secret', async () => {
  const { rows } = await api.database.pool.query(
    `SELECT action, details::text AS details FROM audit_rows WHERE action LIKE 'webhook.%'`,
  )
  const actions = new Set(rows.map(({ action }) => action))
  assert.deepEqual([...actions].toSorted(), [
    'webhook.created',
    'webhook.deleted',
    'webhook.deliveries_replayed',
    'webhook.tested',
    'webhook.updated',
  ])
  for (const { details } of rows) assert.doesNotMatch(details, /whsec_/)
})
