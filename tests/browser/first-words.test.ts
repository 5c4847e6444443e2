/** The text of a page is shown as it arrives: with the first bytes of a slow connection, and without JavaScript. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before } from 'node:test'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'

const TYPES: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' }

let folder: string
let site: BuiltSite
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-words-'))
  await writeSite(folder, {
    'docs.json': JSON.stringify({
      ...{ theme: 'mint', name: 'Acme', colors: { primary: '#5B5BD6' } },
      navigation: { pages: ['index'] },
    }),
    'index.mdx': '---\ntitle: Long\n---\n\nThe first words.\n\nA line of it.\n\nThe last words.\n',
  })
  site = await buildSite(folder, 'client-hosted')
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

browserTest('a page shows what has arrived so far, and no script hides it', async (browser) => {
  const held: ServerResponse[] = []
  const html = await readFile(join(site.out, 'index.html'), 'utf8')
  const end = html.indexOf('The last words')
  const server = createServer(async (request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '/')
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    if (path !== '/index.html')
      return void response.end(await readFile(join(site.out, path)).catch(() => undefined))
    // Holds back the rest until the test has seen the beginning.
    response.write(html.slice(0, end))
    held.push(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const page = await browser.newPage()
  try {
    await page.addInitScript(watchBody)
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'commit' })
    await page.getByText('The first words.').waitFor()
    // A busy browser may draw its first frame after the text is in the document.
    await page.waitForFunction(() => (globalThis as { ways?: string[] }).ways)
    for (const response of held) response.end(html.slice(end))
    await page.getByText('The last words.').waitFor()
    const asked = () => performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const fonts = (await page.evaluate(asked)).filter(({ name }) => name.endsWith('.woff2'))
    assert.ok(
      fonts.length > 0 && fonts.every(({ initiatorType }) => initiatorType === 'link'),
      'before the styles',
    )
    assert.deepEqual(await page.evaluate(() => (globalThis as { ways?: string[] }).ways), ['visible 1 flex'])
  } finally {
    await page.close()
    server.closeAllConnections()
    server.close()
  }
})

/** Records each distinct visibility, opacity and display of the body over all frames. Runs in the page. */
function watchBody(): void {
  const ways = new Set<string>()
  const look = () => {
    requestAnimationFrame(look)
    if (!document.body) return
    const { visibility, opacity, display } = getComputedStyle(document.body)
    ways.add(`${visibility} ${opacity} ${display}`)
    Object.assign(globalThis, { ways: [...ways] })
  }
  requestAnimationFrame(look)
}

browserTest('the whole text is shown without JavaScript', async (browser) => {
  await site.visit(browser, 'index', { javaScriptEnabled: false }, async (page) => {
    for (const words of ['The first words.', 'The last words.']) await page.getByText(words).waitFor()
  })
})
