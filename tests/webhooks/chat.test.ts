import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretBox } from '../../src/base/secret-box.ts'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { recordNotification } from '../../src/features/notifications/record-notification.ts'
import { updateEndpoint } from '../../src/features/webhooks/endpoints.ts'
import { NOTIFICATION_EVENTS } from '../../src/features/webhooks/operations/webhooks.ts'
import { getDelivery, listDeliveries, testEndpoint } from '../../src/features/webhooks/read-deliveries.ts'
import { openReceiver, openWebhookScene, SCENE_SECRET, type WebhookScene } from './webhook-scene.ts'

function fail(scene: WebhookScene, reason: string): Promise<void> {
  return scene.database.transaction((tx) =>
    recordNotification(tx, {
      kind: 'deployment_failed',
      projectId: scene.projectId,
      subject: 'dep_1',
      facts: { reason },
    }),
  )
}

test('a chat webhook sends a sentence with a link, and escapes markup in text of others', async (t) => {
  const scene = await openWebhookScene(t)
  const receiver = await openReceiver(t, (_request, response) => response.end('ok'))
  const hook = await scene.addEndpoint(`${receiver.url}/services/T0/B0/secret`, { format: 'slack' })
  assert.equal(hook.secret, null)
  assert.deepEqual(hook.events, NOTIFICATION_EVENTS)
  await fail(scene, 'See <https://evil.example.com|the log> & <!channel> @all [x](/y)')
  await scene.tell()
  scene.dispatch()
  const [request] = await receiver.count(1)
  assert.equal(request?.path, new URL(`${receiver.url}/services/T0/B0/secret`).pathname)
  assert.equal(request?.headers['webhook-signature'], undefined)
  const link = `https://octavo.example.com/p/${scene.projectId}/deployments/dep_1`
  const said =
    'The deployment failed: See &lt;https:\u200b//evil.example.com|the log&gt; &amp; &lt;!channel&gt; @\u200ball [x]\u200b(/y)'
  assert.deepEqual(JSON.parse(request?.body ?? ''), { text: `*docs.example.com*: ${said}. <${link}|Open>` })

  const place = { organizationId: scene.organizationId, webhookId: hook.webhookId }
  const { deliveryId } = await scene.database.transaction((tx) => testEndpoint(tx, place))
  const [, tested] = await receiver.count(2)
  assert.deepEqual(JSON.parse(tested?.body ?? ''), { text: 'Octavo: This is a test that someone requested.' })
  const detail = await getDelivery(scene.database.queries, place, deliveryId, 'https://octavo.example.com')
  assert.equal(detail.payload, tested?.body)
})

test('the URL of a chat webhook is encrypted, and responses and rows show only its host', async (t) => {
  const scene = await openWebhookScene(t)
  const receiver = await openReceiver(t, (_request, response) => response.writeHead(500).end())
  const hook = await scene.addEndpoint(`${receiver.url}/secret-one`, { format: 'slack' })
  const deps = {
    guardedFetch: { objection: () => null },
    webhookSecrets: createSecretBox(SCENE_SECRET, 'webhooks'),
  }
  const change = (body: Parameters<typeof updateEndpoint>[4]) =>
    scene.database.transaction((tx) => updateEndpoint(deps, tx, scene.organizationId, hook.webhookId, body))
  const changed = await change({ url: `${receiver.url}/secret-two` })
  assert.equal(changed.url, `${new URL(receiver.url).origin}/…`)
  await assert.rejects(change({ events: ['feedback.created'] }), { code: 'invalid_request' })
  await assert.rejects(scene.addEndpoint(receiver.url, { format: 'slack', events: ['feedback.created'] }), {
    code: 'invalid_request',
  })
  await fail(scene, 'x')
  scene.dispatch()
  assert.match((await receiver.count(1))[0]?.path ?? '', /secret-two$/)
  await scene.deliveries(hook.webhookId, ([one]) => one?.error != null)
  const place = { organizationId: scene.organizationId, webhookId: hook.webhookId }
  const cursors = createCursorCodec('x')
  const { deliveries } = await listDeliveries({ cursors }, scene.database.queries, place, {})
  const { rows } = await scene.database.pool.query('SELECT * FROM webhook_endpoints')
  const seen = JSON.stringify([hook, changed, deliveries, rows])
  assert.doesNotMatch(seen, /secret-/)
  assert.equal(rows[0].secret.includes('secret-'), false)
})

test('an endpoint receives notification events only if it subscribes to them', async (t) => {
  const scene = await openWebhookScene(t)
  const receiver = await openReceiver(t)
  await scene.addEndpoint(`${receiver.url}/usual`)
  await scene.addEndpoint(`${receiver.url}/named`, { events: ['notification.deployment_failed'] })
  await fail(scene, 'x')
  await scene.tell()
  scene.dispatch()
  const received = await receiver.count(2)
  const told = received.find(({ path }) => path.endsWith('/named'))
  const { type, data } = JSON.parse(told?.body ?? '')
  assert.equal(type, 'notification.deployment_failed')
  assert.deepEqual(data, {
    projectId: scene.projectId,
    notification: {
      kind: 'deployment_failed',
      projectName: 'docs.example.com',
      text: 'The deployment failed: x',
      path: `/p/${scene.projectId}/deployments/dep_1`,
    },
  })
  const usual = received.find(({ path }) => path.endsWith('/usual'))
  assert.equal(JSON.parse(usual?.body ?? '').type, 'deployment.published')
})
