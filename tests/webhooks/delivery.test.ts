import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replayDeadDeliveries } from '../../src/features/webhooks/read-deliveries.ts'
import { isSignatureRight, openReceiver, openWebhookScene } from './webhook-scene.ts'

/** Makes pending attempts due now. */
const hurry = 'UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = $1'

describe('webhook delivery', () => {
  test('delivers an event once, signed, with the event as its body', async (t) => {
    const scene = await openWebhookScene(t)
    const receiver = await openReceiver(t, (_request, response) => response.writeHead(204).end())
    const webhook = await scene.addEndpoint(receiver.url)
    await scene.tell()
    scene.dispatch()
    const [delivery] = await scene.deliveries(webhook.webhookId, ([one]) => one?.status === 'delivered')
    assert.deepEqual([delivery?.attempts, delivery?.responseStatus, delivery?.error], [1, 204, null])
    const [request] = receiver.received
    assert.ok(request !== undefined && receiver.received.length === 1)
    assert.equal(request.path, '/hooks')
    assert.equal(request.headers['content-type'], 'application/json')
    assert.equal(request.headers['user-agent'], 'Octavo-Webhooks/test')
    assert.equal(request.headers['webhook-id'], delivery?.deliveryId)
    assert.ok(isSignatureRight(webhook.secret, request))
    assert.equal(isSignatureRight(webhook.secret, { ...request, body: `${request.body} ` }), false)
    const { type, timestamp, data } = JSON.parse(request.body)
    assert.equal(type, 'deployment.published')
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(data.projectId, scene.projectId)
    assert.equal(data.deployment.revision, 'a1b2c3')
  })

  test('retries a failed delivery after Retry-After, with the same id and a valid signature', async (t) => {
    const scene = await openWebhookScene(t)
    const answers = [500, 429, 200]
    const receiver = await openReceiver(t, (_request, response) => {
      response.writeHead(answers.shift() ?? 200, { 'retry-after': '3600' }).end('not\u0000 now')
    })
    const webhook = await scene.addEndpoint(receiver.url)
    await scene.tell()
    scene.dispatch()
    const [first] = await scene.deliveries(webhook.webhookId, ([one]) => one?.error != null)
    assert.deepEqual([first?.status, first?.attempts, first?.responseStatus], ['pending', 1, 500])
    assert.equal(first?.error, 'The receiver responded with 500.')
    const { rows } = await scene.database.pool.query(
      `SELECT response_excerpt, extract(epoch FROM next_attempt_at - now())::float AS seconds FROM webhook_deliveries`,
    )
    assert.equal(rows[0].response_excerpt, 'not now')
    assert.ok(
      rows[0].seconds > 3500 && rows[0].seconds <= 3600,
      `Retry-After was not heard: ${rows[0].seconds}`,
    )
    for (const n of [2, 3]) {
      await scene.database.pool.query(hurry, ['pending'])
      await receiver.count(n)
      await scene.deliveries(
        webhook.webhookId,
        ([one]) => one?.attempts === n && one.responseStatus !== first?.responseStatus,
      )
    }
    const [last] = await scene.deliveries(webhook.webhookId, ([one]) => one?.status === 'delivered')
    assert.equal(last?.attempts, 3)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    for (const request of receiver.received) assert.ok(isSignatureRight(webhook.secret, request))
  })

  test('a delivery is dead after its last attempt, and a replay sends it again', async (t) => {
    const scene = await openWebhookScene(t)
    let status = 503
    const receiver = await openReceiver(t, (_request, response) => response.writeHead(status).end())
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell()
    scene.dispatch()
    await scene.deliveries(webhookId, ([one]) => one?.error != null)
    await scene.database.pool.query('UPDATE webhook_deliveries SET attempts = 13')
    await scene.database.pool.query(hurry, ['pending'])
    const [dead] = await scene.deliveries(webhookId, ([one]) => one?.status === 'dead')
    assert.deepEqual([dead?.attempts, dead?.responseStatus], [14, 503])
    status = 200
    const place = { organizationId: scene.organizationId, webhookId }
    const replayed = await scene.database.transaction((tx) => replayDeadDeliveries(tx, place))
    assert.deepEqual(replayed, { replayed: 1, hasMore: false })
    const [told] = await scene.deliveries(webhookId, ([one]) => one?.status === 'delivered')
    assert.equal(told?.attempts, 1)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  })

  test('a 410 response disables the endpoint, and no further events are stored for it', async (t) => {
    const scene = await openWebhookScene(t)
    const receiver = await openReceiver(t, (_request, response) => response.writeHead(410).end())
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell(3)
    scene.dispatch({ perEndpoint: 1 })
    const rows = await scene.deliveries(
      webhookId,
      (all) => all.length === 3 && all.every((one) => one.status === 'dead'),
    )
    assert.equal(receiver.received.length, 1)
    assert.equal(rows.filter((row) => row.responseStatus === 410).length, 1)
    const endpoint = await scene.database.queries
      .selectFrom('webhook_endpoints')
      .selectAll()
      .executeTakeFirst()
    assert.deepEqual(
      [endpoint?.enabled, endpoint?.disabled_reason],
      [false, 'The receiver responded with 410 Gone: it accepts no more deliveries.'],
    )
    await scene.tell()
    const { rows: events } = await scene.database.pool.query('SELECT 1 FROM webhook_events')
    assert.equal(events.length, 3)
  })

  test('does not follow redirects', async (t) => {
    const scene = await openWebhookScene(t)
    const other = await openReceiver(t)
    const receiver = await openReceiver(t, (_request, response) => {
      response.writeHead(307, { location: other.url }).end()
    })
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell()
    scene.dispatch()
    const [row] = await scene.deliveries(webhookId, ([one]) => one?.error != null)
    assert.equal(row?.responseStatus, 307)
    assert.match(row?.error ?? '', /Redirects are not followed/)
    assert.equal(other.received.length, 0)
  })

  test('a receiver that is silent, closes the connection or is unreachable is a failed attempt', async (t) => {
    const scene = await openWebhookScene(t)
    const silent = await openReceiver(t, () => undefined)
    const closing = await openReceiver(t, (_request, response) => response.destroy())
    const urls = [silent.url, closing.url, 'http://127.0.0.1:1/', 'http://receiver.invalid/']
    const webhooks = await Promise.all(urls.map((url) => scene.addEndpoint(url)))
    await scene.tell()
    scene.dispatch({ timeoutMs: 300 })
    const errors = await Promise.all(
      webhooks.map(async ({ webhookId }) => {
        const [row] = await scene.deliveries(webhookId, ([one]) => one?.error != null)
        assert.deepEqual([row?.status, row?.attempts, row?.responseStatus], ['pending', 1, null])
        return row?.error ?? ''
      }),
    )
    assert.equal(errors[0], 'The response was not complete within 0.3 seconds.')
    assert.match(errors[1] ?? '', /^The connection failed \(/)
    assert.equal(errors[2], 'The connection failed (ECONNREFUSED).')
    assert.match(errors[3] ?? '', /^The host name does not exist|within 0.3 seconds/)
  })

  test('a response that never ends counts as delivered, and only its beginning is stored', async (t) => {
    const scene = await openWebhookScene(t)
    const receiver = await openReceiver(t, (_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', send)
      send()
    })
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell()
    scene.dispatch()
    await scene.deliveries(webhookId, ([one]) => one?.status === 'delivered')
    const row = await scene.database.queries.selectFrom('webhook_deliveries').selectAll().executeTakeFirst()
    assert.equal(row?.response_excerpt?.length, 1024)
  })
})
