/** The 404 page on a static file host: at any depth, and with the site in a subfolder. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { browserTest } from '../kit/browser.ts'
import { writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

const TYPES: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' }

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-missing-'))
  await writeSite(join(folder, 'site'), {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Acme',
      colors: { primary: '#5B5BD6' },
      navigation: { pages: ['guides/start'] },
      errors: { '404': { title: 'Nothing here', description: 'Try the [start](/guides/start).' } },
    }),
    'guides/start.mdx': '---\ntitle: Start\n---\n\nText.\n',
  })
  await buildFolder({
    folder: join(folder, 'site'),
    out: join(folder, 'out'),
    deployment: 'client-hosted',
    children: 1,
    log: silentLog,
    report: () => {},
    signal: patience(),
  })
})
after(() => rm(folder, { recursive: true, force: true }))

/** Serves files below a prefix, and the 404 page as `text/html` for any other URL, as careless hosts do. */
async function serve(prefix: string): Promise<{ server: Server; url: string }> {
  const read = (path: string) => readFile(join(folder, 'out', path)).catch(() => null)
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url?.split('?')[0] ?? '')
    const content = path.startsWith(`${prefix}/`) ? await read(path.slice(prefix.length + 1)) : null
    response.writeHead(content === null ? 404 : 200, {
      'content-type': (content === null ? null : TYPES[extname(path)]) ?? 'text/html',
    })
    response.end(request.method === 'HEAD' ? '' : (content ?? (await read('404.html'))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

for (const prefix of ['', '/docs', '/a/b']) {
  browserTest(
    `a missing page loads its styles and resolves its links below ${prefix || 'the root'}`,
    async (browser) => {
      const { server, url } = await serve(prefix)
      try {
        const page = await browser.newPage()
        for (const path of ['/nowhere', '/some/deep/place']) {
          await page.goto(url + prefix + path, { waitUntil: 'load' })
          assert.equal(await page.locator('h1').textContent(), 'Nothing here')
          const font = await page.locator('h1').evaluate((heading) => getComputedStyle(heading).fontFamily)
          assert.match(font, /Inter/)
          const targets = await page
            .locator('a[href^="#"]')
            .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(1) ?? ''))
          for (const id of targets) assert.equal(await page.locator(`[id="${id}"]`).count(), 1, `#${id}`)
          const link = page.locator('.not-found-description a')
          assert.equal(
            await link.evaluate((one) => (one as HTMLAnchorElement).href),
            `${url}${prefix}/guides/start.html`,
          )
          await link.click()
          await page.waitForURL('**/guides/start.html')
          assert.equal(await page.locator('h1').textContent(), 'Start')
        }
        await page.close()
      } finally {
        server.closeAllConnections()
        server.close()
      }
    },
  )
}

browserTest('a missing page suggests pages with a similar URL', async (browser) => {
  const { server, url } = await serve('/docs')
  try {
    const page = await browser.newPage()
    await page.goto(`${url}/docs/old/start-here.html`)
    const nearest = page.getByRole('navigation', { name: 'Did you mean' })
    const link = nearest.getByRole('link', { name: 'Start' })
    assert.equal(await link.evaluate((one) => getComputedStyle(one).textDecorationLine), 'underline')
    await link.click()
    await page.waitForURL('**/docs/guides/start.html')
    await page.close()
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

browserTest(
  'the index of a bundle redirects to its first page and keeps the query string',
  async (browser) => {
    const { server, url } = await serve('/docs')
    try {
      const page = await browser.newPage()
      for (const query of ['', '?utm=a%20b&x']) {
        await page.goto(`${url}/docs/index.html${query}`)
        await page.waitForURL(`${url}/docs/guides/start.html${query}`)
      }
      await page.close()
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
)
