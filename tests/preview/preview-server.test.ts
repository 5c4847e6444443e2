import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { openPreview } from '../../src/preview/open-preview.ts'
import { openPreviewScene, type PreviewScene } from './preview-scene.ts'

let scene: PreviewScene

before(async () => {
  scene = await openPreviewScene()
})
after(() => scene[Symbol.asyncDispose]())

/** Sends the path and Host header unchanged, as no browser would. */
async function raw(path: string, { method = 'GET', host = new URL(scene.url).host } = {}) {
  const sent = request({ host: '127.0.0.1', port: new URL(scene.url).port, path, method, headers: { host } })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, text: (await answer.toArray()).join('') }
}

for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:3333', '127.0.0.1.evil.example'])
  test(`rejects a request with a foreign host header: host ${JSON.stringify(host)}`, async () => {
    for (const path of ['/', '/guides/first', '/_octavo/preview/events?page=/', '/docs.json']) {
      const { status, text } = await raw(path, { host })
      assert.equal(status, 421, path)
      assert.doesNotMatch(text, /words/)
    }
  })

for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:3333'])
  test(`accepts a request with the local host header ${host}`, async () => {
    assert.equal((await raw('/', { host })).status, 200)
  })

test('sends no CORS header and forbids cross-origin embedding', async () => {
  for (const path of ['/', '/_octavo/preview/preview.js', '/images/dot.svg', '/nowhere']) {
    const answer = await scene.get(path, { origin: 'http://localhost:1' })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin', path)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path)
  }
  const stop = new AbortController()
  const events = await fetch(`${scene.url}/_octavo/preview/events?page=/`, { signal: stop.signal })
  assert.equal(events.headers.get('access-control-allow-origin'), null)
  assert.equal(events.headers.get('cross-origin-resource-policy'), 'same-origin')
  stop.abort()
})

for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
  test(`${method} returns 405`, async () => {
    assert.equal((await raw('/', { method })).status, 405)
  })

test('HEAD has the headers of GET and no body', async () => {
  const { status, headers, text } = await raw('/', { method: 'HEAD' })
  assert.equal(status, 200)
  assert.equal(text, '')
  assert.equal(Number(headers['content-length']), Buffer.byteLength(await scene.page('/')))
  assert.equal((await raw('/_octavo/preview/events', { method: 'HEAD' })).status, 404)
})

for (const path of [
  '//',
  '//evil.example',
  '///evil.example/x/',
  '/..%2f..%2fetc/passwd',
  '/%00',
  '/%ff',
  '/\\x',
])
  test(`the path ${path} neither escapes the folder nor redirects to another host`, async () => {
    const { status, headers, text } = await raw(path)
    assert.ok([307, 400, 404].includes(status ?? 0), `${status}`)
    assert.doesNotMatch(headers.location ?? '', /^(?:\/[/\\]|\w+:)/)
    assert.doesNotMatch(text, /root:/)
  })

test('normalizes the URL like a published site and keeps the query string', async () => {
  const moved = await scene.get('/guides/first/?a=1')
  assert.equal(moved.status, 307)
  assert.equal(moved.headers.get('location'), '/guides/first?a=1')
  assert.equal((await scene.get('/a%3Fb/')).headers.get('location'), '/a%3Fb')
})

test('serves a page as Markdown to clients that accept it', async () => {
  const answer = await scene.get('/guides/first', { accept: 'text/markdown' })
  assert.match(answer.headers.get('content-type') ?? '', /text\/markdown/)
  assert.match(await answer.text(), /# First[\s\S]*A shared sentence\./)
})

test('does not serve docs.json, snippets or page sources from the folder', async () => {
  for (const path of ['/docs.json', '/snippets/part.mdx', '/guides/first.mdx'])
    assert.equal((await scene.get(path)).status, 404, path)
})

test('a page that reconnects to the event stream learns of a change it missed', async () => {
  const ears = await scene.listen('/guides/second')
  const before = await ears.version()
  await ears.close()
  await scene.write({ 'guides/second.mdx': '---\ntitle: Second\n---\n\nSaved while nobody listened.\n' })
  await scene.preview.refresh()
  const again = await scene.listen('/guides/second')
  assert.notEqual(await again.version(), before)
  await again.close()
})

test('a port in use is an error that suggests --port, or the next free port is used if allowed', async () => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const input = { folder: scene.folder, log: silentLog, report: () => {} }
  await assert.rejects(openPreview({ ...input, port, more: 0 }), {
    name: 'PortTakenError',
    message: `Port ${port} is already in use. Choose another one with --port.`,
  })
  await using preview = await openPreview({ ...input, port, more: 9 })
  const found = Number(new URL(preview.url).port)
  assert.ok(found > port && found <= port + 9, `${found}`)
  assert.equal((await fetch(preview.url)).status, 200)
  taken.close()
})

test('closing a preview ends its event streams and releases its port', async () => {
  const own = await openPreviewScene()
  const answer = await fetch(`${own.url}/_octavo/preview/events?page=/`)
  const reading = answer.text().catch(() => 'ended')
  await own[Symbol.asyncDispose]()
  await reading
  await assert.rejects(fetch(own.url))
})

test('serves llms.txt and robots.txt for the current site', async () => {
  assert.match(await scene.page('/llms.txt'), /\[First\]/)
  assert.match(await scene.page('/.well-known/llms.txt'), /\[First\]/)
  assert.match(await scene.page('/robots.txt'), /User-agent/i)
})
