/** A node with the role `site` serves sites and their reader API, and neither the API nor the dashboard. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { loadConfig } from '../../src/app/config/config.ts'
import { type Node, startNode } from '../../src/app/node.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { ended } from '../kit/until.ts'

const SECRET = 'one secret for the nodes of this test'
const HOST = 'site-role.localhost'
/** URL of the API; not a host name of the site node. */
const PUBLIC_URL = 'http://octavo.example.com'

let whole: TestNode
let site: Node
let projectId: string
let siteId: string
before(async () => {
  whole = await startTestNode({ OCTAVO_SECRET: SECRET })
  ;({ projectId } = await whole.addSite(HOST, {
    'docs.json': JSON.stringify({ name: 'Roles', navigation: { pages: ['index'] } }),
    'index.mdx': '---\ntitle: Home\n---\n\nThe word is heron.\n',
  }))
  const { deploymentId } = await whole.client.startDeployment(projectId)
  const deployment = await ended(() => whole.client.getDeployment(projectId, deploymentId))
  assert.equal(deployment.status, 'published')
  const { database } = whole.node.context
  const project = database.queries.selectFrom('projects').select('site_id').where('id', '=', projectId)
  siteId = (await project.executeTakeFirstOrThrow()).site_id
  const { config, secrets } = loadConfig(
    { role: 'site' },
    {
      PORT: '0',
      OCTAVO_DATA: whole.dataFolder,
      OCTAVO_LOG: 'silent',
      OCTAVO_SECRET: SECRET,
      OCTAVO_PUBLIC_URL: PUBLIC_URL,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_DRAIN_SECONDS: '0',
      DATABASE_URL: whole.databaseUrl,
    },
  )
  site = await startNode(config, secrets)
})
after(async () => {
  await site?.stop()
  await whole?.[Symbol.asyncDispose]()
})

async function ask(
  path: string,
  { host = HOST, body, key }: { host?: string; body?: object; key?: string } = {},
) {
  const sent = request({
    ...{ host: '127.0.0.1', port: site.context.port(), path, method: body === undefined ? 'GET' : 'POST' },
    headers: {
      host,
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { authorization: `Bearer ${key}` }),
    },
  })
  sent.end(body && JSON.stringify(body))
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  )
  return { status: response.statusCode, body: await text(response) }
}

test('serves the pages of a site, accepts its feedback and answers /readyz', async () => {
  const page = await ask('/')
  assert.equal(page.status, 200)
  assert.match(page.body, /heron/)
  for (const [path, host] of [
    ['/_octavo/feedback', HOST],
    [`/_octavo/sites/${siteId}/feedback`, 'octavo.example.com'],
  ] as const) {
    const vote = await ask(path, { host, body: { id: randomUUID(), path: '/', helpful: true } })
    assert.equal(vote.status, 201, vote.body)
  }
  assert.equal((await whole.client.listFeedback(projectId)).feedback.length, 2)
  assert.equal((await ask('/readyz', { host: 'octavo.example.com' })).status, 200)
})

for (const path of [
  '/',
  '/sign-in',
  '/openapi.json',
  '/v1/analytics/{projectId}/feedback',
  '/internal/projects/{projectId}',
  '/internal/instance',
  '/v1/deployments/{projectId}',
  '/unsubscribe',
])
  test(`returns 404 for ${path} at the host name of the API, even with an API key`, async () => {
    const host = 'octavo.example.com'
    const asked = path.replace('{projectId}', projectId)
    assert.equal((await ask(asked, { host, key: whole.key })).status, 404)
    assert.equal((await ask(asked, { host, key: whole.key, body: {} })).status, 404)
  })
