/** Runs the contract tests unchanged on databases behind PgBouncer in transaction mode. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, usePooler } from '../kit/database.ts'
import { startTestNode } from '../kit/node.ts'
import { type Pooler, startPooler } from '../kit/pooler.ts'
import { publish } from '../kit/until.ts'

const server = process.env.OCTAVO_TEST_DATABASE_URL ?? ''
const pooler: Pooler | null = await startPooler(server)
const skip = pooler === null && 'PgBouncer is not installed'

before(() => usePooler(pooler))
after(async () => {
  usePooler(null)
  await pooler?.[Symbol.asyncDispose]()
})

test('a node publishes, exports and serves a site through PgBouncer', { skip }, async () => {
  await using database = await openTestDatabase({ isEmpty: true })
  await using node = await startTestNode({
    DATABASE_URL: (pooler as Pooler).urlOf(database.url),
    OCTAVO_DATABASE_DIRECT_URL: database.url,
  })
  const { projectId } = await node.addSite('pooled.localhost', {
    'docs.json': JSON.stringify({ name: 'Pooled', theme: 'mint', navigation: { pages: ['index'] } }),
    'index.mdx': '---\ntitle: Pooled\n---\n\nHello.\n',
  })
  await publish(node.client, projectId)
  const { jobId } = await node.client.startExport({ domain: 'pooled.localhost' })
  assert.equal((await node.finished(jobId)).status, 'completed')
  const page = await fetch(node.url, { headers: { Accept: 'text/html' } })
  assert.equal(page.status, 200)
})

const CONTRACT = [
  'access-matrix',
  'idempotency',
  'rate-limits',
  'order-of-checks',
  'export-operations',
  'agent-operations',
  'automations',
  'members',
  'deletion',
]
if (pooler !== null) for (const name of CONTRACT) await import(`../http/${name}.test.ts`)
