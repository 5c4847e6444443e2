/** The feedback and webhook commands against a running node, with a process per command. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { FeedbackEntry, FeedbackList } from '../../src/features/feedback/operations/feedback.ts'
import type {
  CreatedWebhook,
  Webhook,
  WebhookDelivery,
} from '../../src/features/webhooks/operations/webhooks.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { MAIN } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { isSignatureRight, openReceiver } from '../webhooks/webhook-scene.ts'

const DOMAIN = 'commands.example.com'
const run = promisify(execFile)

describe('the feedback and webhooks command line', () => {
  let node: TestNode
  let projectId: string
  before(async () => {
    node = await startTestNode({ OCTAVO_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1:*' })
    const files = { 'docs.json': '{"name":"Commands","navigation":{"pages":["index","guide"]}}' }
    const site = await node.addSite(DOMAIN, { ...files, 'index.mdx': '# Start', 'guide.mdx': '# Guide' })
    projectId = site.projectId
  })
  after(() => node[Symbol.asyncDispose]())

  async function octavo<Result>(...args: string[]): Promise<Result> {
    const env = {
      ...PROGRAM_ENV,
      DATABASE_URL: node.databaseUrl,
      OCTAVO_DATA: node.dataFolder,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_URL: node.url,
      OCTAVO_KEY: node.key,
    }
    const { stdout } = await run(process.execPath, [MAIN, ...args, '--json'], { env })
    return stdout === '' ? (null as Result) : JSON.parse(stdout)
  }

  test('creates, lists, exports and updates feedback, and a webhook receives each change', async (t) => {
    await octavo('projects', 'sync', DOMAIN)
    const receiver = await openReceiver(t)
    const events = 'feedback.created,feedback.updated'
    const webhook = await octavo<CreatedWebhook>(
      'webhooks',
      'create',
      '--url',
      receiver.url,
      '--events',
      events,
    )

    const demo = await octavo<{ count: number; pages: number }>(
      ...['demo', 'feedback', '--count', '40', '--domain', DOMAIN, '--spread', '30'],
    )
    assert.deepEqual([demo.count, demo.pages], [40, 2])
    const created = await receiver.count(40)
    assert.ok(created.every((request) => isSignatureRight(webhook.secret, request)))

    const place = ['--project', projectId]
    const list = await octavo<FeedbackList>('feedback', 'list', ...place, '--limit', '10')
    assert.deepEqual([list.feedback.length, list.hasMore], [10, true])
    for (const { path } of list.feedback) assert.ok(path === '/' || path === '/guide', path)

    const out = join(node.dataFolder, 'feedback.jsonl')
    await octavo('feedback', 'export', ...place, '--out', out)
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as FeedbackEntry)
    assert.equal(new Set(entries.map(({ id }) => id)).size, 40)
    const times = entries.map(({ createdAt }) => createdAt ?? '')
    assert.deepEqual(times, times.toSorted().toReversed())
    assert.ok(
      Date.parse(times[0] ?? '') - Date.parse(times.at(-1) ?? '') > 86_400_000,
      'the times are not spread',
    )
    const csv = join(node.dataFolder, 'feedback.csv')
    await octavo('feedback', 'export', ...place, '--format', 'csv', '--out', csv)
    assert.match(await readFile(csv, 'utf8'), /^id,createdAt,source,status,path,helpful/)

    const [first, second] = entries
    const ids = `${first?.id},${second?.id}`
    const named = await octavo('feedback', 'set-status', 'resolved', ...place, '--ids', ids, '--note', 'Done')
    assert.deepEqual(named, { changed: 2 })
    const rest = await octavo('feedback', 'set-status', 'dismissed', ...place, '--was', 'pending')
    assert.deepEqual(rest, { changed: 38 })
    const told = (await receiver.count(80)).map(({ body }) => JSON.parse(body))
    assert.equal(told.filter(({ type }) => type === 'feedback.updated').length, 40)
    assert.equal(told.filter(({ data }) => data.feedback.status === 'dismissed').length, 38)
  })

  test('imports a feedback file from a bundle only once', async () => {
    const file = join(node.dataFolder, 'kept.json')
    const { siteId } = await node.node.context.database.queries
      .selectFrom('projects')
      .select('site_id as siteId')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    const entry = { id: 'made-by-the-browser', path: '/guide', helpful: false, comment: 'No network here.' }
    await writeFile(file, JSON.stringify({ format: 'octavo-feedback', version: 1, siteId, entries: [entry] }))
    assert.equal((await octavo<{ added: number }>('feedback', 'import', file)).added, 1)
    assert.equal((await octavo<{ known: number }>('feedback', 'import', file)).known, 1)
  })

  test('lists the deliveries of a webhook, replays them and deletes it', async (t) => {
    const receiver = await openReceiver(t)
    const { webhookId } = await octavo<CreatedWebhook>('webhooks', 'create', '--url', receiver.url)
    await node.fetch(`/v1/webhooks/${webhookId}/test`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${node.key}` },
    })
    await receiver.count(1)
    let deliveries: WebhookDelivery[]
    do deliveries = await octavo('webhooks', 'deliveries', webhookId)
    while (deliveries[0]?.status !== 'delivered')
    const again = ['--delivery', deliveries[0].deliveryId]
    assert.deepEqual(await octavo('webhooks', 'replay', webhookId, ...again), { replayed: 1, hasMore: false })
    const requests = await receiver.count(2)
    assert.equal(requests[0]?.headers['webhook-id'], requests[1]?.headers['webhook-id'])
    assert.deepEqual(await octavo('webhooks', 'delete', webhookId), { webhookId })
    const left = await octavo<Webhook[]>('webhooks', 'list')
    assert.equal(
      left.some((webhook) => webhook.webhookId === webhookId),
      false,
    )
  })
})
