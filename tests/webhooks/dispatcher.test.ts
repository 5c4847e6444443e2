import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import { cleanUpWebhooks } from '../../src/features/webhooks/clean-up-webhooks.ts'
import { claimDeliveries } from '../../src/features/webhooks/deliveries.ts'
import { testEndpoint } from '../../src/features/webhooks/read-deliveries.ts'
import { until } from '../kit/until.ts'
import { openReceiver, openWebhookScene } from './webhook-scene.ts'

describe('webhook dispatcher', () => {
  test('a dispatcher that dies before recording a delivery sends the same message again', async (t) => {
    const scene = await openWebhookScene(t)
    const child = fork(new URL('dispatch-process.ts', import.meta.url), [scene.database.url], {
      execArgv: [],
    })
    t.after(() => child.kill('SIGKILL'))
    const dead = once(child, 'exit')
    const receiver = await openReceiver(t, async (_request, response) => {
      // The receiver has the message, but the dispatcher is dead before it responds.
      if (receiver.received.length === 1) {
        child.kill('SIGKILL')
        await dead
      }
      response.end()
    })
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell()
    await receiver.count(1)
    await dead
    scene.dispatch()
    const [row] = await scene.deliveries(webhookId, ([one]) => one?.status === 'delivered')
    assert.equal(row?.attempts, 2)
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [row?.deliveryId, row?.deliveryId],
    )
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body)
  })

  test('a receiver that is down does not delay deliveries to another one', async (t) => {
    const scene = await openWebhookScene(t)
    const silent = await Promise.all(Array.from({ length: 5 }, () => openReceiver(t, () => undefined)))
    const down = await Promise.all(silent.map(({ url }) => scene.addEndpoint(url)))
    await scene.tell(100)
    const dispatcher = scene.dispatch({ maxConcurrent: 12, perEndpoint: 2, timeoutMs: 60_000 })
    await Promise.all(silent.map((receiver) => receiver.count(2)))
    // 500 deliveries to the five silent endpoints are pending; the sixth endpoint gets all of its own at once.
    const well = await openReceiver(t)
    const { webhookId } = await scene.addEndpoint(well.url)
    await scene.tell(100)
    await scene.deliveries(
      webhookId,
      (rows) => rows.length === 100 && rows.every((row) => row.status === 'delivered'),
    )
    for (const receiver of silent) assert.equal(receiver.received.length, 2)
    await dispatcher.stop({ graceSeconds: 0 })
    const { rows } = await scene.database.pool.query(
      `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ANY($1) AND status = 'pending' AND attempts = 0
       AND next_attempt_at <= now()`,
      [down.map((one) => one.webhookId)],
    )
    assert.equal(
      rows[0].count,
      1000,
      'what was cut off by the stop waits for the next one, and counts as no try',
    )
  })

  test('several dispatchers share the work without sending anything twice', async (t) => {
    const scene = await openWebhookScene(t)
    const receiver = await openReceiver(t)
    const { webhookId } = await scene.addEndpoint(receiver.url)
    for (let n = 0; n < 3; n++) scene.dispatch()
    await Promise.all([scene.tell(200), scene.tell(200), scene.tell(200)])
    await scene.deliveries(
      webhookId,
      (rows) => rows.length === 600 && rows.every((row) => row.status === 'delivered'),
    )
    assert.equal(receiver.received.length, 600)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 600)
  })

  test('backs off from an endpoint that is down and resumes when it recovers', async (t) => {
    const scene = await openWebhookScene(t)
    let status = 500
    const receiver = await openReceiver(t, (_request, response) => response.writeHead(status).end())
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell(50)
    scene.dispatch({ perEndpoint: 2 })
    await receiver.count(5)
    const resting = () =>
      until(async () => {
        const row = await scene.database.queries
          .selectFrom('webhook_endpoints')
          .select(['failures', 'resting_until'])
          .executeTakeFirstOrThrow()
        // Waits for every attempt to end: one that fails after the endpoint recovers would start another backoff.
        return row.resting_until !== null && row.failures === receiver.received.length && row
      })
    const rest = await resting()
    assert.ok(rest.failures >= 5)
    assert.ok((rest.resting_until?.getTime() ?? 0) > Date.now())
    assert.ok(receiver.received.length <= 7, `${receiver.received.length} tries`)
    status = 200
    // Must come first: a successful delivery ends the backoff for good.
    await scene.database.pool.query('UPDATE webhook_endpoints SET resting_until = now()')
    await scene.database.pool.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE attempts > 0 AND status = 'pending'`,
    )
    await scene.deliveries(webhookId, (rows) => rows.every((row) => row.status === 'delivered'))
    const after = await scene.database.queries
      .selectFrom('webhook_endpoints')
      .select(['failures', 'resting_until'])
      .executeTakeFirst()
    assert.deepEqual(after, { failures: 0, resting_until: null })
  })

  test('sends a test at once, even if its endpoint is backing off and has deliveries pending', async (t) => {
    const scene = await openWebhookScene(t)
    const receiver = await openReceiver(t, (request, response) =>
      response.writeHead(request.body.includes('webhook.test') ? 200 : 500).end(),
    )
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell(50)
    await scene.database.pool.query(
      "UPDATE webhook_endpoints SET failures = 9, resting_until = now() + interval '5 minutes'",
    )
    scene.dispatch({ perEndpoint: 2 })
    const place = { organizationId: scene.organizationId, webhookId }
    const tests = await Promise.all(
      Array.from({ length: 3 }, () => scene.database.transaction((tx) => testEndpoint(tx, place))),
    )
    const ids = new Set(tests.map(({ deliveryId }) => deliveryId))
    await scene.deliveries(webhookId, (rows) =>
      rows.every(({ deliveryId, status }) => !ids.has(deliveryId) || status === 'delivered'),
    )
    assert.equal(receiver.received.length >= 3, true)
  })

  test('gives tests one extra slot per endpoint, so that one endpoint cannot take all slots', async (t) => {
    const scene = await openWebhookScene(t)
    const silent = await openReceiver(t, () => undefined)
    const { webhookId } = await scene.addEndpoint(silent.url)
    const place = { organizationId: scene.organizationId, webhookId }
    await scene.tell(20)
    const testOnce = () => scene.database.transaction((tx) => testEndpoint(tx, place))
    for (let n = 0; n < 20; n++) await testOnce()
    await assert.rejects(testOnce, { code: 'test_running' })
    const dispatcher = scene.dispatch({ maxConcurrent: 12, perEndpoint: 2, timeoutMs: 60_000 })
    await silent.count(3)
    const well = await openReceiver(t)
    const other = await scene.addEndpoint(well.url)
    await scene.tell(20)
    await scene.deliveries(
      other.webhookId,
      (rows) => rows.length === 20 && rows.every((row) => row.status === 'delivered'),
    )
    assert.equal(silent.received.length, 3)
    await dispatcher.stop({ graceSeconds: 0 })
  })

  test('leaves half of the slots to other deliveries, however many endpoints are tested', async (t) => {
    const scene = await openWebhookScene(t)
    const { organizationId } = scene
    const silent = await openReceiver(t, () => undefined)
    for (let n = 0; n < 8; n++) {
      const { webhookId } = await scene.addEndpoint(silent.url)
      await scene.database.transaction((tx) => testEndpoint(tx, { organizationId, webhookId }))
    }
    const claim = () =>
      claimDeliveries(scene.database.queries, {
        maxDeliveries: 8,
        perEndpoint: 4,
        underWay: new Map(),
        leaseSeconds: 60,
      })
    const first = await claim()
    assert.equal(first.length, 4)
    assert.ok(first.every(({ type }) => type === 'webhook.test'))
    assert.equal((await claim()).length, 4)
  })

  test('stop lets attempts in progress finish', async (t) => {
    const scene = await openWebhookScene(t)
    const answers: (() => void)[] = []
    const receiver = await openReceiver(t, (_request, response) => answers.push(() => response.end()))
    const { webhookId } = await scene.addEndpoint(receiver.url)
    await scene.tell()
    const dispatcher = scene.dispatch()
    await receiver.count(1)
    const stopped = dispatcher.stop({ graceSeconds: 30 })
    for (const answer of answers) answer()
    await stopped
    const [row] = await scene.deliveries(webhookId, () => true)
    assert.equal(row?.status, 'delivered')
  })

  test('deletes deliveries that ended over 30 days ago and gives up on those past their deadline', async (t) => {
    const scene = await openWebhookScene(t)
    const { webhookId } = await scene.addEndpoint('http://127.0.0.1:1/')
    const receiver = await openReceiver(t)
    const other = await scene.addEndpoint(receiver.url)
    await scene.tell(2)
    const dispatcher = scene.dispatch()
    await scene.deliveries(
      other.webhookId,
      (rows) => rows.length === 2 && rows.every((row) => row.status === 'delivered'),
    )
    await scene.deliveries(webhookId, (rows) => rows.every((row) => row.attempts > 0))
    await dispatcher.stop({ graceSeconds: 10 })
    assert.deepEqual(await cleanUpWebhooks(scene.database.queries, DEFAULT_RETENTION), {
      dead: 0,
      deliveries: 0,
      events: 0,
    })
    await scene.database.pool.query(`UPDATE webhook_deliveries SET give_up_at = now() - interval '1 second'`)
    assert.deepEqual(await cleanUpWebhooks(scene.database.queries, DEFAULT_RETENTION), {
      dead: 2,
      deliveries: 0,
      events: 0,
    })
    await scene.database.pool.query(
      `UPDATE webhook_deliveries SET ended_at = now() - interval '31 days' WHERE endpoint_id = $1`,
      [other.webhookId],
    )
    await scene.database.pool.query(`UPDATE webhook_events SET created_at = now() - interval '31 days'`)
    assert.deepEqual(await cleanUpWebhooks(scene.database.queries, DEFAULT_RETENTION), {
      dead: 0,
      deliveries: 2,
      events: 0,
    })
    await scene.database.pool.query(`UPDATE webhook_deliveries SET ended_at = now() - interval '31 days'`)
    assert.deepEqual(await cleanUpWebhooks(scene.database.queries, DEFAULT_RETENTION), {
      dead: 0,
      deliveries: 2,
      events: 2,
    })
  })
})
