/** AsyncAPI channels in the playground: connect, send, receive and disconnect, from disk and air-gapped. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { allFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { type SocketServer, startSocketServer } from '../kit/socket-server.ts'
import { openForm } from '../kit/try-operations.ts'
import { until } from '../kit/until.ts'

const message = (properties: object, example?: object) => ({
  payload: { type: 'object', required: Object.keys(properties), properties },
  ...(example ? { examples: [{ payload: example }] } : {}),
})

/** AsyncAPI 3 names operations from the application's point of view, version 2 from the reader's. */
const third = (host: string) => ({
  asyncapi: '3.0.0',
  info: { title: 'Prices', version: '1' },
  servers: {
    live: {
      ...{ host, protocol: 'ws', pathname: '/{stage}' },
      variables: { stage: { default: 'live', enum: ['live', 'test'] } },
      security: [
        { $ref: '#/components/securitySchemes/key' },
        { $ref: '#/components/securitySchemes/token' },
      ],
    },
  },
  channels: {
    prices: {
      address: 'prices/{symbol}',
      parameters: { symbol: { enum: ['ABC', 'X Y'], default: 'X Y' } },
      messages: {
        subscribe: message({ depth: { type: 'integer' } }, { depth: 5 }),
        ping: message({ at: { type: 'string', format: 'date-time' } }),
        price: message({ price: { type: 'number' } }),
      },
      bindings: {
        ws: { query: { type: 'object', required: ['since'], properties: { since: { type: 'integer' } } } },
      },
    },
    queue: { address: 'queue', servers: [], messages: {} },
  },
  operations: {
    ask: {
      action: 'receive',
      channel: { $ref: '#/channels/prices' },
      messages: [
        { $ref: '#/channels/prices/messages/subscribe' },
        { $ref: '#/channels/prices/messages/ping' },
      ],
    },
    tell: {
      action: 'send',
      channel: { $ref: '#/channels/prices' },
      messages: [{ $ref: '#/channels/prices/messages/price' }],
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'httpApiKey', in: 'query', name: 'api_key' },
      token: { type: 'http', scheme: 'bearer' },
    },
  },
})

const second = (host: string) => ({
  asyncapi: '2.6.0',
  info: { title: 'Chat', version: '1' },
  servers: {
    chat: { url: `ws://${host}/chat`, protocol: 'ws' },
    kafka: { url: 'k:9092', protocol: 'kafka' },
  },
  channels: {
    '/room': {
      servers: ['chat'],
      publish: { message: { contentType: 'text/plain', payload: { type: 'string', example: 'hello' } } },
    },
    log: { servers: ['kafka'], subscribe: { message: { payload: { type: 'string' } } } },
  },
})

let server: SocketServer
let folder: string
let site: BuiltSite
const forms = new Map<string, string>()
before(async () => {
  server = await startSocketServer()
  const host = server.url.replace('ws://', '')
  folder = await mkdtemp(join(tmpdir(), 'octavo-channels-'))
  const config = {
    theme: 'mint',
    name: 'Channels',
    colors: { primary: '#3344ff' },
    navigation: {
      groups: [
        { group: 'Prices', asyncapi: 'third.json' },
        { group: 'Chat', asyncapi: 'second.json' },
      ],
    },
  }
  for (const [name, content] of Object.entries({ docs: config, third: third(host), second: second(host) }))
    await writeFile(join(folder, `${name}.json`), JSON.stringify(content))
  site = await buildSite(folder, 'air-gapped', { playground: true })
  assert.deepEqual(site.problems, [])
  for (const name of await readdir(site.out, { recursive: true })) {
    if (!name.endsWith('.html')) continue
    const html = await readFile(join(site.out, name), 'utf8')
    const path = /data-path="([^"]*)"/.exec(html)?.[1]
    if (path !== undefined && html.includes('class="try-button"'))
      forms.set(path, name.replace(/\.html$/, ''))
  }
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const button = (page: Page, name: string) => page.locator('.try-foot').getByRole('button', { name })
const pageOf = (path: string) => site.at(forms.get(path) ?? assert.fail(`no form of ${path}`))

browserTest('connects to a channel, sends and receives messages and disconnects', async (browser) => {
  assert.deepEqual([...forms.keys()].sort(), ['/room', 'prices/{symbol}', 'queue'].sort())
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  try {
    await openForm(page, pageOf('prices/{symbol}'))
    await button(page, 'Connect').click()
    await page.getByRole('alert').getByText('Fill in first: since').waitFor()
    await page.getByLabel(/^since/).fill('7')
    await page.locator('.try-scheme input').fill('s&cret')
    await button(page, 'Connect').click()
    await page.getByText(/^Connected to 127/).waitFor()
    const peer = server.peers.at(-1) ?? assert.fail('nobody came')
    assert.equal(peer.target, '/live/prices/X%20Y?api_key=s%26cret&since=7')

    await button(page, 'Fill in the example').click()
    await button(page, 'Send').click()
    await until(() => peer.received.length === 1)
    assert.deepEqual(JSON.parse(peer.received[0] ?? ''), { depth: 5 })
    await page.locator('.try-message[data-own]').getByText('"depth"').waitFor()

    peer.send('{"price": 12.5}')
    peer.send('<b>plain</b>')
    peer.send(Buffer.from([1, 2, 3]))
    await page.locator('.try-message').getByText('12.5').waitFor()
    await page.locator('.try-message').getByText('<b>plain</b>').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.try-message').getByRole('button', { name: 'Download' }).click(),
    ])
    assert.deepEqual([...(await readFile(await download.path()))], [1, 2, 3])
    assert.deepEqual(await allFaultsInBothSchemes(page), [])

    await button(page, 'Disconnect').click()
    await until(() => peer.isGone)
    await page.getByText('The connection is closed (1000).').waitFor()
    assert.deepEqual(errors, [])
  } finally {
    await context.close()
  }
})

browserTest(
  'reports a channel that the server closes or refuses, and keeps the latest 300 messages',
  async (browser) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    try {
      await openForm(page, pageOf('/room'))
      await button(page, 'Fill in the example').click()
      await button(page, 'Connect').click()
      await button(page, 'Send').click()
      const peer = server.peers.at(-1) ?? assert.fail('nobody came')
      await until(() => peer.received.length === 1)
      assert.deepEqual([peer.target, peer.received], ['/chat/room', ['hello']])
      peer.close(4001, 'go away')
      await page.getByRole('alert').getByText('The connection is closed (4001 go away).').waitFor()

      server.refused.set('/chat/room', 403)
      await button(page, 'Connect').click()
      await page.getByRole('alert').getByText('No connection to 127').waitFor()
      server.refused.clear()

      await button(page, 'Connect').click()
      await page.getByText(/^Connected to/).waitFor()
      const next = server.peers.at(-1) ?? assert.fail('nobody came')
      for (let count = 0; count < 2000; count++) next.send(`message ${count}`)
      await page.locator('.try-message').getByText('message 1999').waitFor()
      assert.equal(await page.locator('.try-message').count(), 300)
      await page.keyboard.press('Escape')
      await until(() => next.isGone)
    } finally {
      await context.close()
    }
  },
)
