/** Playground requests through the platform, from a hosted site to an API without CORS. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { EGRESS, EGRESS_FEATURES } from '../../src/app/config/egress-options.ts'
import { listServerUrls } from '../../src/openapi/servers.ts'
import { isUrlBelowServer } from '../../src/render/outputs/version-files.ts'
import { mayHaveArrived } from '../../web/reader/playground/send-with-proxy-fallback.ts'
import { browserTest } from '../kit/browser.ts'
import { type RecordingServer, startRecordingServer } from '../kit/recording-server.ts'
import { DOMAIN, type FeedbackScene, openFeedbackScene, serveFolder } from './feedback-scene.ts'

let api: RecordingServer
let inner: RecordingServer
let scene: FeedbackScene
let files: Record<string, string>
before(async () => {
  api = await startRecordingServer({ allowsPages: false })
  inner = await startRecordingServer()
  const description = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    servers: [{ url: `${api.url}/v1` }, { url: inner.url }],
    paths: {
      '/orders': {
        post: {
          summary: 'Make an order',
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { type: 'object', properties: { count: { type: 'integer', default: 3 } } },
              },
            },
          },
          responses: { 200: { description: 'Done' } },
        },
      },
    },
  }
  files = {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Acme',
      colors: { primary: '#5B5BD6' },
      api: { openapi: 'openapi.json' },
      navigation: { groups: [{ group: 'Start', pages: ['index', 'POST /orders'] }] },
    }),
    'index.mdx': '---\ntitle: Introduction\n---\n\nWelcome.\n',
    'openapi.json': JSON.stringify(description),
  }
  scene = await openFeedbackScene(
    files,
    // The second server of the description has a private address, allowed for every feature except the playground.
    {
      ...Object.fromEntries(EGRESS_FEATURES.map((feature) => [EGRESS[feature].env, new URL(inner.url).host])),
      OCTAVO_PLAYGROUND_PRIVATE_HOSTS: new URL(api.url).host,
      OCTAVO_LIMIT_CALLS: '40/600',
    },
  )
  await scene.publish()
})
after(async () => {
  for (const one of [scene, api, inner]) await one[Symbol.asyncDispose]()
})

const call = (body: object, headers: Record<string, string> = {}, siteId = scene.siteId) =>
  fetch(`${scene.node.url}/_octavo/sites/${siteId}/playground`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

browserTest(
  'a request that the API refuses to browsers goes through the platform, and the page says so',
  async (browser) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    try {
      await page.goto(scene.hosted)
      await page.getByRole('link', { name: 'Make an order' }).first().click()
      await page.locator('.try-button').click()
      await page.getByRole('button', { name: 'Example' }).click()
      api.answers.set('/v1/orders', {
        headers: { 'Content-Type': 'text/event-stream', 'Set-Cookie': 'a=b' },
        parts: ['data: 1\n\n', 'data: 2\n\n'],
      })
      await page.locator('.try-send').click()
      await page.locator('.try-result .try-body').getByText('data: 2').waitFor()
      await page.getByText(/does not let this page ask it\. Sent by way of/).waitFor()
      const [request] = api.requests
      assert.equal(api.requests.length, 1)
      assert.deepEqual([request?.method, request?.target], ['POST', '/v1/orders'])
      assert.deepEqual(JSON.parse(request?.body ?? ''), { count: 3 })
      assert.equal(request?.headers['content-type'], 'application/json')
      for (const name of ['cookie', 'origin', 'referer', 'user-agent', 'x-forwarded-for'])
        assert.ok(name === 'user-agent' || request?.headers[name] === undefined, name)
      assert.equal(await page.locator('.try-result').getByText('set-cookie').count(), 0)
    } finally {
      await context.close()
    }
  },
)

browserTest(
  'bundles of a project that was never published send requests through the platform too',
  async (browser) => {
    const domain = 'bundles.localhost'
    const { projectId, folder } = await scene.node.addSite(domain, files)
    const { context } = scene.node.node
    const { site_id: siteId } = await context.database.queries
      .selectFrom('projects')
      .select('site_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    const ask = async (url: string) => (await call({ method: 'GET', url }, {}, siteId)).status
    assert.equal(await ask(`${api.url}/v1/orders`), 400)

    await using served = await serveFolder(await scene.bundle('client-hosted', {}, undefined, domain))
    const page = await browser.newPage()
    try {
      await page.goto(`${served.url.replace(DOMAIN, domain)}/index.html`)
      await page.getByRole('link', { name: 'Make an order' }).first().click()
      await page.locator('.try-button').click()
      await page.getByRole('button', { name: 'Example' }).click()
      const before = api.requests.length
      await page.locator('.try-send').click()
      await page.locator('.try-result .try-status').waitFor()
      await page.getByText(/does not let this page ask it\. Sent by way of/).waitFor()
      assert.equal(api.requests.length, before + 1)
    } finally {
      await page.close()
    }
    assert.equal(await ask(`${api.url}/v2`), 400)

    // A partial bundle adds to the last full one. The next full bundle replaces both.
    const describe = (path: string) => {
      const described = {
        ...JSON.parse(files['openapi.json'] ?? ''),
        servers: [{ url: `${api.url}${path}` }],
      }
      return writeFile(join(folder, 'openapi.json'), JSON.stringify(described))
    }
    const exported = async (paths?: string[]) => {
      const { jobId } = await scene.node.client.startExport({ domain, ...(paths && { paths }) })
      const job = await scene.node.finished(jobId)
      assert.equal(job.status, 'completed', job.error ?? '')
    }
    await describe('/v2')
    await exported(['/index'])
    assert.deepEqual([await ask(`${api.url}/v1/orders`), await ask(`${api.url}/v2`)], [200, 200])
    await exported()
    assert.deepEqual([await ask(`${api.url}/v1/orders`), await ask(`${api.url}/v2`)], [400, 200])
  },
)

browserTest(
  'a response that breaks off is shown as far as it arrived and is not requested again',
  async (browser) => {
    const page = await browser.newPage()
    try {
      await page.goto(scene.hosted)
      await page.getByRole('link', { name: 'Make an order' }).first().click()
      await page.locator('.try-button').click()
      await page.locator('.try-dialog select').first().selectOption({ label: inner.url })
      await page.getByRole('button', { name: 'Example' }).click()
      const isShown = Promise.withResolvers<void>()
      inner.answers.set('/orders', { parts: ['{"half'], breaks: isShown.promise })
      const before = inner.requests.length
      await page.locator('.try-send').click()
      await page.locator('.try-result .try-body').getByText('{"half').waitFor()
      isShown.resolve()
      await page.locator('.try-fault').waitFor()
      assert.equal(await page.locator('.try-result .try-body').textContent(), '{"half')
      assert.equal(inner.requests.length, before + 1)
      assert.equal(await page.getByText(/Sent by way of/).count(), 0)
    } finally {
      await page.close()
    }
  },
)

test("the proxy refuses URLs outside the site's servers, private hosts and foreign origins", async () => {
  const refused = async (url: string, headers = {}) => {
    const response = await call({ method: 'GET', url }, headers)
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  const [before, asked] = [api.requests.length, inner.requests.length]
  for (const url of [
    `${api.url}/v2/orders`,
    `${api.url}/v1/../secret`,
    `${api.url}/v1/%2e%2e/secret`,
    `${api.url}/v10`,
    `http://user:word@${new URL(api.url).host}/v1/orders`,
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    inner.url,
    scene.node.url,
  ])
    assert.deepEqual(await refused(url), [400, 'invalid_request'], url)
  assert.deepEqual(await refused(`${api.url}/v1`, { Origin: 'https://evil.example' }), [
    403,
    'origin_refused',
  ])
  assert.equal(api.requests.length, before)
  assert.equal(inner.requests.length, asked)
})

const NAMED_BY_PROXIES = [
  ...['Forwarded', 'X-Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Client-Cert', 'Via'],
  ...['X-Real-IP', 'True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'Client-IP', 'X-Remote-Addr'],
  ...['CF-Connecting-IP', 'CF-Access-Jwt-Assertion', 'Fastly-Client-IP', 'CDN-Loop', 'X-Azure-ClientIP'],
  ...['X-Original-URL', 'X-Rewrite-URL', 'X-Host', 'X-Remote-User', 'X-Envoy-External-Address'],
]

test('the proxy strips cookies and connection headers in both directions and follows no redirects', async () => {
  const asked = inner.requests.length
  api.answers.set('/v1/away', {
    status: 302,
    headers: { Location: inner.url, 'Set-Cookie': 'a=b' },
    parts: ['gone'],
  })
  const names = [
    'Cookie',
    'Host',
    'Proxy-Authorization',
    'Sec-Fetch-Site',
    ...NAMED_BY_PROXIES,
    'Authorization',
    'X-Client-Id',
  ]
  const headers = names.map((name) => ({ name, value: 'a-value' }))
  const response = await call({ method: 'PUT', url: `${api.url}/v1/away`, headers, body: btoa('a body') })
  const text = await response.text()
  assert.match(text, /event: head\ndata: \{"status":302/)
  assert.doesNotMatch(text, /set-cookie/)
  assert.match(text, /event: end\ndata: \{"isCut":false\}/)
  const request = api.requests.at(-1)
  assert.deepEqual([request?.method, request?.body], ['PUT', 'a body'])
  assert.equal(request?.headers.authorization, 'a-value')
  assert.equal(request?.headers.host, new URL(api.url).host)
  assert.equal(request?.headers['x-client-id'], 'a-value')
  for (const name of ['Cookie', 'Proxy-Authorization', 'Sec-Fetch-Site', ...NAMED_BY_PROXIES])
    assert.equal(request?.headers[name.toLowerCase()], undefined, name)
  assert.equal(inner.requests.length, asked)
})

test('the proxy cuts an endless response at 10 MB', async () => {
  api.answers.set('/v1/endless', { parts: Array.from({ length: 12 }, () => Buffer.alloc(1_000_000)) })
  const cut = await (await call({ method: 'GET', url: `${api.url}/v1/endless` })).text()
  assert.match(cut, /"isCut":true/)
  const bytes = [...cut.matchAll(/"data":"([^"]*)"/g)].reduce(
    (sum, [, part]) => sum + atob(part ?? '').length,
    0,
  )
  assert.equal(bytes, 10_000_000)
})

test('limits calls per address and returns 429 with a retry-after header', async () => {
  let last = await call({ method: 'GET', url: `${api.url}/v1/orders` })
  for (let calls = 0; calls < 60 && last.status === 200; calls++) {
    await last.body?.cancel()
    last = await call({ method: 'GET', url: `${api.url}/v1/orders` })
  }
  assert.equal(last.status, 429)
  assert.ok(Number(last.headers.get('retry-after')) > 0)
})

test('a server allows only the URLs that its variable values produce', () => {
  const variable = (name: string, initial: string, options: string[] = []) => ({
    ...{ name, initial, options },
    description: '',
  })
  const server = {
    url: 'https://{region}.example.com/{version}',
    variables: [variable('region', 'eu', ['eu', 'us']), variable('version', 'v1')],
  }
  const filled = listServerUrls(server)
  assert.deepEqual(filled, ['https://eu.example.com/v1', 'https://us.example.com/v1'])
  assert.ok(isUrlBelowServer('https://us.example.com/v1/x?y', filled))
  assert.ok(isUrlBelowServer('https://us.example.com/v1/projects/group%2Fname', filled))
  for (const url of [
    'https://evil.example/v1',
    'https://us.example.com/v2',
    'http://us.example.com/v1',
    'https://us.example.com.evil.example/v1',
    'https://us.example.com/v1/..%2fadmin',
    'https://us.example.com/v1/x%5C..%5c..%2Fadmin',
  ])
    assert.ok(!isUrlBelowServer(url, filled), url)
})

test('a request that may have reached the API is not repeated', () => {
  const request = { url: '', cookies: [], missing: [], body: null }
  const form = { kind: 'form', fields: [], type: 'application/x-www-form-urlencoded' } as const
  assert.ok(
    mayHaveArrived({ ...request, method: 'POST', headers: [['Content-Type', form.type]], body: form }),
  )
  assert.ok(mayHaveArrived({ ...request, method: 'POST', headers: [] }))
  assert.ok(!mayHaveArrived({ ...request, method: 'POST', headers: [['Authorization', 'x']] }))
  assert.ok(!mayHaveArrived({ ...request, method: 'GET', headers: [] }))
  assert.ok(!mayHaveArrived({ ...request, method: 'DELETE', headers: [] }))
})
