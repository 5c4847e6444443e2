/** Serving a hosted site to readers: caching, content encodings, and a database that is down. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startDatabaseProxy } from '../http/database-proxy.ts'
import { openTestDatabase } from '../kit/database.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'
import { publish } from '../kit/until.ts'

const HOST = 'docs.example.com'
const SPOKEN_HOST = 'spoken.example.com'
/** Larger than `MAX_WHOLE_READ_BYTES`, so it is streamed. */
const FILM = Buffer.alloc(1_300_000, 'film ')
let database: Awaited<ReturnType<typeof openTestDatabase>>
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
let octavo: TestNode

before(async () => {
  database = await openTestDatabase()
  proxy = await startDatabaseProxy(database.url)
  octavo = await startTestNode({ DATABASE_URL: proxy.url })
  const site = { ...smallSite(1), 'film.txt': FILM.toString() }
  const { projectId } = await octavo.addSite(HOST, site)
  await publish(octavo.client, projectId)
})
after(async () => {
  await octavo?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
})

function spokenSite(): Record<string, string> {
  const languages = [
    { language: 'en', pages: ['index', 'page'] },
    { language: 'fr', pages: ['fr/start', 'fr/page'] },
  ]
  const settings = { theme: 'mint', name: 'Acme', colors: { primary: '#008060' }, navigation: { languages } }
  const pages = languages.flatMap((one) => one.pages).map((page) => [`${page}.mdx`, `# ${page}\n\nText.`])
  return { 'docs.json': JSON.stringify(settings), ...Object.fromEntries(pages) }
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET', host = HOST) {
  const { hostname, port } = new URL(octavo.url)
  const asked = request({ hostname, port, path, method, headers: { Host: host, ...headers } }).end()
  const [answer] = await once(asked, 'response')
  const body = Buffer.concat(await answer.toArray())
  const { date: _, 'x-request-id': id, ...told } = answer.headers as Record<string, string>
  assert.match(id ?? '', /^req_/)
  return { status: answer.statusCode as number, headers: told, body }
}

test('a page has the same content in every encoding, and a repeated request gets the same response', async () => {
  const plain = await ask('/page-1')
  assert.equal(plain.status, 200)
  assert.equal(plain.headers['content-length'], String(plain.body.length))
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync }
  for (const [encoding, open] of Object.entries(unpack)) {
    const first = await ask('/page-1', { 'Accept-Encoding': `deflate, ${encoding}` })
    const again = await ask('/page-1', { 'Accept-Encoding': `deflate, ${encoding}` })
    assert.deepEqual(again, first)
    assert.equal(first.headers['content-encoding'], encoding)
    assert.ok(open(first.body).equals(plain.body))
    assert.ok(first.body.length < plain.body.length / 2)
  }
  assert.equal(
    (await ask('/page-1', { 'Accept-Encoding': 'br;q=0, gzip;q=0.0' })).headers['content-encoding'],
    undefined,
  )
  const head = await ask('/page-1', {}, 'HEAD')
  assert.deepEqual([head.status, head.headers, head.body.length], [200, plain.headers, 0])
  const same = await ask('/page-1', { 'If-None-Match': `W/${plain.headers.etag}` })
  assert.deepEqual([same.status, same.body.length, same.headers.etag], [304, 0, plain.headers.etag])
  assert.equal(same.headers['content-length'], undefined)
})

test('negotiates HTML and Markdown of a page separately, whichever was requested first', async () => {
  for (const accept of [
    'text/html',
    'text/markdown',
    'TEXT/MARKDOWN',
    '*/*',
    'text/plain',
    'text/markdown;q=0',
  ]) {
    const type = /^text\/(?:markdown|plain)$/i.test(accept) ? /^text\/markdown/ : /^text\/html/
    for (let i = 0; i < 2; i++) {
      const found = await ask('/page-1', { Accept: accept })
      assert.match(found.headers['content-type'] ?? '', type, accept)
      assert.match(found.headers.vary ?? '', /accept$/)
    }
  }
})

test('byte ranges refer to the uncompressed file, small or large', async () => {
  const page = await ask('/page-1')
  const script = (await ask('/page-1')).body.toString().match(/src="(\/_octavo\/main[^"]+)"/)?.[1] ?? ''
  assert.match((await ask(script)).headers['cache-control'] ?? '', /immutable/)
  for (const [path, whole] of [
    ['/page-1', page.body],
    ['/film.txt', FILM],
  ] as const) {
    const parts: [Record<string, string>, number, Buffer][] = [
      [{ Range: 'bytes=5-14', 'Accept-Encoding': 'br, gzip' }, 206, whole.subarray(5, 15)],
      [{ Range: 'bytes=-3' }, 206, whole.subarray(-3)],
      [{ Range: `bytes=${whole.length - 2}-` }, 206, whole.subarray(-2)],
      [{ Range: 'bytes=0-3', 'If-Range': '"other"' }, 200, whole],
      [{ Range: 'bytes=9-2' }, 200, whole],
      [{ Range: `bytes=${whole.length}-` }, 416, Buffer.alloc(0)],
    ]
    for (const [headers, status, body] of parts) {
      const found = await ask(path, headers)
      assert.equal(found.status, status, JSON.stringify(headers))
      assert.ok(found.body.equals(body), `${path} ${JSON.stringify(headers)}`)
    }
  }
  const packed = await ask('/film.txt', { 'Accept-Encoding': 'br, gzip' })
  assert.ok(gunzipSync(packed.body).equals(FILM))
})

const WISHES: [Record<string, string>, string?][] = [
  [{}],
  [{}, 'HEAD'],
  [{ 'Accept-Encoding': 'gzip' }, 'HEAD'],
  [{ 'Accept-Encoding': 'gzip, br;q=0' }],
  [{ 'Accept-Encoding': 'gzip;q=0, *' }],
  [{ 'Accept-Encoding': 'br', Accept: 'text/markdown' }],
  [{ 'If-None-Match': '"no", "nor"' }],
  [{ 'If-None-Match': 'SAME' }],
  [{ 'If-None-Match': 'SAME', 'Accept-Encoding': 'br' }, 'HEAD'],
  [{ Range: 'bytes=0-3', 'Accept-Encoding': 'br' }],
  [{}, 'POST'],
]

test('a page from the cache is answered like one with a query, which is never cached', async () => {
  const { etag = '' } = (await ask('/page-1')).headers
  for (const [wish, method] of WISHES) {
    const headers = Object.fromEntries(
      Object.entries(wish).map(([name, value]) => [name, value.replace('SAME', etag)]),
    )
    await ask('/page-1', { ...headers, 'If-None-Match': '' })
    const [hot, long] = [await ask('/page-1', headers, method), await ask('/page-1?a=b', headers, method)]
    assert.deepEqual(hot, long, JSON.stringify([wish, method]))
  }
  for (const path of ['/page-1/', '/%70age-1', '//page-1', '/x/../page-1', '/page-1%2f', '/%zz', '/%00'])
    assert.deepEqual(await ask(path), await ask(path), path)
})

test('a compressed response has a weak ETag that If-Range does not accept', async () => {
  const { etag = '' } = (await ask('/page-1', { 'Accept-Encoding': 'gzip' })).headers
  assert.match(etag, /^W\/"/)
  assert.equal((await ask('/page-1', { Range: 'bytes=5-', 'If-Range': etag })).status, 200)
  assert.equal((await ask('/page-1', { 'If-None-Match': etag })).status, 304)
})

test('renders the og:image of a page on request, and only images that pages reference', async () => {
  const html = (await ask('/page-1')).body.toString()
  const address = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
  const { pathname } = new URL(address)
  const answers = await Promise.all([ask(pathname), ask(pathname), ask(pathname, {}, 'HEAD')])
  for (const { status, headers } of answers) {
    assert.deepEqual([status, headers['content-type']], [200, 'image/png'])
    assert.match(headers['cache-control'] ?? '', /immutable/)
  }
  const [first, second] = answers.map(({ body }) => body)
  assert.deepEqual([first?.readUInt32BE(16), first?.readUInt32BE(20)], [1200, 630])
  assert.deepEqual(first, second)
  assert.equal((await ask('/_octavo/thumbnail.0123456789abcdef.png')).status, 404)
})

test('only the first visit is redirected to the language of the browser', async () => {
  const { projectId } = await octavo.addSite(SPOKEN_HOST, spokenSite())
  await publish(octavo.client, projectId)
  const visit = (headers: Record<string, string>, path = '/') => ask(path, headers, 'GET', SPOKEN_HOST)
  for (let round = 0; round < 2; round++) {
    const first = await visit({ 'Accept-Language': 'fr-CH, fr;q=0.9, en;q=0.8' }, '/?from=mail')
    assert.deepEqual([first.status, first.headers.location], [307, '/fr/start?from=mail'])
    assert.match(first.headers.vary ?? '', /accept-language.*cookie/)
    assert.equal(first.headers['cache-control'], 'no-cache')
    const stay: Record<string, string>[] = [
      { 'Accept-Language': 'en-GB, fr;q=0.5' },
      { 'Accept-Language': 'de' },
      {},
      { 'Accept-Language': 'fr', Cookie: 'a=b; octavo-language=1' },
      { 'Accept-Language': 'fr', 'Sec-Fetch-Site': 'same-origin' },
      { 'Accept-Language': 'fr', Referer: `http://${SPOKEN_HOST}:4000/fr/start` },
    ]
    for (const headers of stay) {
      const { status, headers: told } = await visit(headers)
      assert.equal(status, 200, JSON.stringify(headers))
      assert.match(told.vary ?? '', /accept-encoding.*accept-language, cookie/)
    }
    const other = await visit({ 'Accept-Language': 'fr' }, '/page')
    assert.deepEqual([other.status, other.headers.vary], [200, 'accept-encoding, accept'])
    const text = await visit({ 'Accept-Language': 'fr', Accept: 'text/markdown' })
    assert.match(text.headers['content-type'] ?? '', /markdown/)
  }
  assert.match((await visit({})).body.toString(), /<html[^>]* data-routed/)
})

test('a site returns 503 until it is published and is then served', async () => {
  const { projectId } = await octavo.addSite('second.example.com', smallSite(1))
  const early = await ask('/page-1', {}, 'GET', 'second.example.com')
  assert.deepEqual([early.status, early.body.toString()], [503, 'This site has not been published yet.\n'])
  const shown = await ask('/page-1', { Accept: 'text/html' }, 'GET', 'second.example.com')
  assert.deepEqual([shown.status, shown.headers['retry-after']], [503, '5'])
  assert.match(
    shown.body.toString(),
    /<meta http-equiv="refresh" content="5">.*<h1>This site has not been published yet<\/h1>/s,
  )
  await publish(octavo.client, projectId)
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.equal((await ask('/page-1', {}, 'GET', 'second.example.com')).status, 200)
})

test('serves every page requested before while the database is down', async () => {
  const known = await ask('/page-1', { 'Accept-Encoding': 'gzip' })
  await proxy.cut()
  for (let i = 0; i < 30; i++) {
    const found = await ask('/page-1', { 'Accept-Encoding': 'gzip' })
    assert.deepEqual(found, known)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.equal((await ask('/index.md')).status, 200)
  assert.equal((await ask('/nowhere')).status, 404)
})
