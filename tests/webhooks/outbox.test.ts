/** Events are recorded together with their change or not at all, and only if an endpoint subscribes to them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { createId } from '../../src/base/ids.ts'
import { recordEvent } from '../../src/database/outbox.ts'
import { completeExport, exportRows, insertExport } from '../../src/features/export/store.ts'
import { recordFeedbackChanges } from '../../src/features/feedback/intake/record-events.ts'
import { upsertFeedback } from '../../src/features/feedback/store.ts'
import { publishVersion } from '../../src/features/hosting/deploy/promote.ts'
import { deploymentRows, insertDeployment } from '../../src/features/hosting/deploy/store.ts'
import { createDeliveries } from '../../src/features/webhooks/deliveries.ts'
import { disableEndpoint } from '../../src/features/webhooks/endpoints.ts'
import { EVENT_TYPES, WEBHOOK_MESSAGES } from '../../src/features/webhooks/operations/webhooks.ts'
import { addOrganization, addProject } from '../kit/accounts.ts'
import { openWebhookScene, publishedEvent, type WebhookScene } from './webhook-scene.ts'

const URL = 'http://127.0.0.1:1/'

async function eventsOf({ database }: WebhookScene) {
  return database.queries
    .selectFrom('webhook_events')
    .select(['type', 'data', 'created_at'])
    .orderBy('id')
    .execute()
}

/** Checks the message of each event against its schema, and returns the event types. */
async function checkShapes(scene: WebhookScene): Promise<string[]> {
  const events = await eventsOf(scene)
  for (const { type, data, created_at } of events) {
    const { schema } = WEBHOOK_MESSAGES[type] ?? assert.fail(type)
    const message = { type, timestamp: created_at.toISOString(), data }
    assert.deepEqual([...Compile(schema).Errors(message)], [])
  }
  return events.map(({ type }) => type).toSorted()
}

describe('webhook outbox', () => {
  test('stores no event for a change that was rolled back', async (t) => {
    const scene = await openWebhookScene(t)
    await scene.addEndpoint(URL)
    const undone = scene.database.transaction(async (tx) => {
      await recordEvent(tx, publishedEvent(scene.organizationId, scene.projectId))
      throw new Error('no')
    })
    await assert.rejects(undone, /no/)
    assert.deepEqual(await eventsOf(scene), [])
    await scene.tell()
    assert.equal((await eventsOf(scene)).length, 1)
  })

  test('stores only events that an enabled endpoint of the organization subscribes to', async (t) => {
    const scene = await openWebhookScene(t)
    const { database, organizationId, projectId } = scene
    const elsewhere = await addOrganization(database, 'pro', 'Elsewhere')
    const second = await addProject(database, organizationId, 'second.example.com')
    await scene.tell()
    await scene.addEndpoint(URL, { events: ['feedback.created'] })
    await scene.tell()
    await scene.addEndpoint(URL, { projectId: second.id })
    await scene.tell()
    await database.transaction((tx) => recordEvent(tx, publishedEvent(elsewhere, projectId)))
    assert.deepEqual(await eventsOf(scene), [])
    await database.transaction((tx) => recordEvent(tx, publishedEvent(organizationId, second.id)))
    const all = await scene.addEndpoint(URL)
    await scene.tell()
    assert.equal((await eventsOf(scene)).length, 2)
    await database.transaction((tx) => disableEndpoint(tx, all.webhookId, 'test'))
    await scene.tell()
    assert.equal((await eventsOf(scene)).length, 2)
  })

  test('creates one delivery per event and subscribed endpoint, and none for earlier events', async (t) => {
    const scene = await openWebhookScene(t)
    const first = await scene.addEndpoint(URL)
    await scene.tell(3)
    const second = await scene.addEndpoint(URL)
    await scene.tell(2)
    await scene.addEndpoint(URL, { events: ['feedback.created'] })
    const { queries } = scene.database
    const spread = await Promise.all([1, 2, 3].map(() => createDeliveries(queries, 500)))
    assert.equal(spread.reduce((sum, count) => sum + count, 0) + (await createDeliveries(queries, 500)), 5)
    const { rows } = await scene.database.pool.query(
      'SELECT endpoint_id AS id, count(*) FROM webhook_deliveries GROUP BY 1 ORDER BY 1',
    )
    assert.deepEqual(rows, [
      { id: first.webhookId, count: 5 },
      { id: second.webhookId, count: 2 },
    ])
  })
})

describe('changes that record webhook events', () => {
  const job = (scene: WebhookScene) => ({
    id: createId('se'),
    organizationId: scene.organizationId,
    projectId: scene.projectId,
    domain: 'docs.example.com',
    deployment: 'client-hosted' as const,
    features: { search: true, assistant: false, analytics: false, playground: true, export: true },
    widgets: { thumbs: true, code: true, suggestEdit: false, raiseIssue: false },
    paths: null,
    version: null,
    startedBy: 'key_test',
  })
  const result = { pageCount: 3, warnings: [], callServers: [], sha256: 'a'.repeat(64), sizeBytes: 10 }

  test('records one event for each export that completes or fails', async (t) => {
    const scene = await openWebhookScene(t)
    const { database } = scene
    await scene.addEndpoint(URL)
    const [done, broken] = [job(scene), job(scene)]
    for (const one of [done, broken]) await insertExport(database.queries, one)
    await exportRows.claim(database.queries, { id: done.id, attempt: 1 })
    const complete = () =>
      database.transaction((tx) => completeExport(tx, { id: done.id, attempt: 1 }, result))
    const fail = () =>
      database.transaction((tx) =>
        exportRows.fail(tx, { id: broken.id }, { error: 'It failed.', code: 'internal' }),
      )
    assert.deepEqual([await complete(), await complete()], [true, false])
    assert.deepEqual([(await fail())?.status, await fail()], ['failed', undefined])
    assert.deepEqual(await checkShapes(scene), ['static_export.completed', 'static_export.failed'])
  })

  test('records one event for each published version', async (t) => {
    const scene = await openWebhookScene(t)
    const { database, organizationId, projectId } = scene
    await scene.addEndpoint(URL)
    const held = { id: createId('dep'), attempt: 1 }
    await insertDeployment(database.queries, { id: held.id, organizationId, projectId })
    await deploymentRows.claim(database.queries, held)
    const version = { projectId, revision: 'a1b2', manifestKey: 'manifests/a', pageCount: 2, problems: [] }
    const publish = () => database.transaction((tx) => publishVersion(tx, held, version))
    assert.deepEqual([await publish(), await publish()], [{ isLive: true }, null])
    assert.deepEqual(await checkShapes(scene), ['deployment.published'])
  })

  test('records an event for each feedback entry created or updated, from every source', async (t) => {
    const scene = await openWebhookScene(t)
    const { database, projectId } = scene
    await scene.addEndpoint(URL)
    const none = { clientId: null, helpful: null, reason: null, comment: null, contact: null, code: null }
    const entry = {
      ...none,
      filename: null,
      lang: null,
      pageVersion: null,
      projectId,
      path: '/a',
      addressHash: null,
    }
    const entries = [
      { ...entry, source: 'thumbs_only' as const, helpful: false },
      { ...entry, source: 'contextual' as const, helpful: true, comment: 'Thanks', contact: 'a@example.com' },
      { ...entry, source: 'code_snippet' as const, code: 'let a = 1', lang: 'js' },
      { ...entry, source: 'agent' as const, comment: 'The page does not say which port.' },
    ]
    const ids = await database.transaction(async (tx) => {
      const feedbackIds: string[] = []
      for (const one of entries) {
        const stored = await upsertFeedback(tx, one)
        if (stored.kind === 'created') feedbackIds.push(stored.id)
      }
      await recordFeedbackChanges(tx, { type: 'feedback.created', projectId, feedbackIds })
      return feedbackIds
    })
    assert.equal(ids.length, 4)
    await database.transaction((tx) =>
      recordFeedbackChanges(tx, { type: 'feedback.updated', projectId, feedbackIds: ids.slice(0, 1) }),
    )
    const types = await checkShapes(scene)
    assert.deepEqual(types, [...Array.from({ length: 4 }, () => 'feedback.created'), 'feedback.updated'])
  })

  test('every event type has a message schema', () => {
    assert.deepEqual(Object.keys(WEBHOOK_MESSAGES), [...EVENT_TYPES, 'webhook.test'])
  })
})
