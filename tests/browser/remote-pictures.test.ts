/** Images that stay on other servers: the build reads their sizes with few and small requests. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { encode } from 'fast-png'
import { resolveFeatures } from '../../src/base/api/features.ts'
import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import { createGuardedFetch, GuardedFetchError } from '../../src/base/net/guarded-fetch.ts'
import type { ObjectCache } from '../../src/objects/object-cache.ts'
import { renderSite } from '../../src/render/build.ts'
import { createMemoryCache } from '../../src/render/cache/memory-cache.ts'
import { createSizeFetch } from '../../src/render/remote/picture-sizes.ts'
import { createFolderFiles } from '../../src/render/versions/site-files.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { browserTest } from '../kit/browser.ts'
import { writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

const PICTURE = encode({ width: 400, height: 300, data: new Uint8Array(400 * 300 * 3).fill(90), channels: 3 })
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="160" height="40"/></svg>`
/** Delay of image responses in the browser test. */
const LATE_MS = 400

let out = ''
let home = ''
let server: Server
let delay = 0
const asked: string[] = []
const sent: number[] = []

before(async () => {
  out = await mkdtemp(join(tmpdir(), 'octavo-pictures-'))
  server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    asked.push(`${path} ${request.headers.range ?? 'all'}`)
    await new Promise((resolve) => setTimeout(resolve, delay))
    if (path === '/none') return response.writeHead(404).end('no')
    if (path === '/endless') return endless(response)
    const isDrawing = path === '/drawing.svg'
    response.writeHead(200, { 'content-type': isDrawing ? 'image/svg+xml' : 'image/png' })
    response.end(isDrawing ? DRAWING : PICTURE)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await writeSite(join(out, 'site'), {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Pictures',
      colors: { primary: '#0F766E' },
      navigation: { pages: ['index'] },
    }),
    'index.mdx': `---
title: Pictures
---

Words above.

![Alone](${home}/picture.png)

Words with ![a drawing](${home}/drawing.svg) in them.

<Frame caption="Framed"><img src="${home}/picture.png?framed=1&b=2" alt="Framed" /></Frame>

<img src="${home}/picture.png?narrow" width="200" alt="One side" />

<CardGroup cols={2}>
  <Card title="One" img="${home}/picture.png?card" href="/">Text</Card>
</CardGroup>

Words below.

## A heading

More words.
`,
    'gone.mdx': `---\ntitle: Gone\n---\n\n![Gone](${home}/none) ![Endless](${home}/endless)\n`,
  })
})

after(async () => {
  server.close()
  server.closeAllConnections()
  await rm(out, { recursive: true, force: true })
})

/** Sends data until the client disconnects. */
async function endless(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'image/png' })
  const chunk = Buffer.alloc(16 * 1024)
  let bytes = 0
  while (!response.destroyed && bytes < 64 * 1024 * 1024) {
    bytes += chunk.length
    if (!response.write(chunk)) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  sent.push(bytes)
  response.end()
}

test('requests only the beginning of each remote image, once', async () => {
  const cache = createMemoryCache()
  await using guardedFetch = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  const signal = patience()
  const deps = { guardedFetch, cache, log: silentLog }
  await using tree = await openFolderTree(join(out, 'site'))
  const site = await loadSite(tree, { fetchSpec: async () => ({ fault: 'there is none' }) })
  const features = resolveFeatures('client-hosted')
  const around = { origin: null, siteId: null, platformUrl: null, widgets: {}, repository: null }
  const input = { site, tree, deployment: 'client-hosted' as const, features, ...around }
  const build = (folder: string) =>
    renderSite(
      {
        cache,
        log: silentLog,
        children: 1,
        files: createFolderFiles(join(out, folder)),
        fetchSizes: createSizeFetch(deps, signal),
      },
      input,
      () => {},
      signal,
    )
  await build('first')
  const range = 'bytes=0-131071'
  const paths = ['drawing.svg', 'endless', 'none', 'picture.png', 'picture.png', 'picture.png', 'picture.png']
  assert.deepEqual(
    asked.toSorted(),
    paths.map((path) => `/${path} ${range}`),
  )
  asked.length = 0
  await build('second')
  assert.deepEqual(asked, [])
  assert.deepEqual(
    sent.map((bytes) => bytes < 16 * 1024 * 1024),
    [true],
  )
})

/** Creates successive builds with a shared cache. `tries` lists the requested URLs. */
function builds(cache: ObjectCache, answer: (url: string) => Uint8Array) {
  const tries: string[] = []
  const guardedFetch = {
    objection: () => null,
    fetch: async (url: string) => {
      tries.push(url)
      return { url, status: 200, headers: {}, body: answer(url) }
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const build = () => createSizeFetch({ guardedFetch, cache, log: silentLog }, patience())
  return { tries, build }
}

test('a server that does not answer is skipped after a few tries, by the next build too', async () => {
  const cache = createMemoryCache()
  const { tries, build } = builds(cache, () => {
    throw new GuardedFetchError('failed', 'gone')
  })
  const urls = Array.from({ length: 500 }, (_, number) => `https://pictures.example/${number}.png`)
  const first = build()
  first.prefetch(urls.slice(200, 300))
  assert.equal((await first.find(urls)).size, 0)
  assert.ok(tries.length < 12, `${tries.length} tries`)
  tries.length = 0
  assert.equal((await build().find([...urls, 'https://others.example/a.png'])).size, 0)
  assert.deepEqual(tries, ['https://others.example/a.png'])
})

test('a server that failed once but answered is requested again by the next build', async () => {
  const cache = createMemoryCache()
  const { tries, build } = builds(cache, (url) => {
    if (url.endsWith('/late.png')) throw new GuardedFetchError('timeout', 'late')
    return PICTURE
  })
  const urls = ['https://pictures.example/late.png', 'https://pictures.example/there.png']
  for (const _build of [1, 2]) assert.deepEqual([...(await build().find(urls)).keys()], [urls[1]])
  assert.deepEqual(tries, [...urls, urls[0]])
})

browserTest('a page does not shift while remote images load', async (browser) => {
  delay = LATE_MS
  const context = await browser.newContext({ viewport: { width: 1280, height: 2400 } })
  try {
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(out, 'first', 'index.html')).href, { waitUntil: 'domcontentloaded' })
    const before = await page.locator('#a-heading').evaluate((one) => one.getBoundingClientRect().top)
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('#content img')].every(
        (image) => image.naturalWidth > 0,
      ),
    )
    const { shift, top, shapes } = await page.evaluate(async () => {
      let sum = 0
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
      })
      observer.observe({ type: 'layout-shift', buffered: true })
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))
      const images = [...document.querySelectorAll<HTMLImageElement>('#content img:not(.card-image)')]
      return {
        shift: sum,
        top: document.querySelector('#a-heading')?.getBoundingClientRect().top,
        shapes: images.map((image) => Math.round((100 * image.clientWidth) / image.clientHeight)),
      }
    })
    assert.deepEqual(shapes, [133, 400, 133, 133])
    assert.equal(shift, 0)
    assert.equal(top, before)
  } finally {
    await context.close()
  }
})
