/** An air-gapped bundle of a site with files on another server: it contains copies and makes no requests. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { resolveFeatures } from '../../src/base/api/features.ts'
import type { Problem } from '../../src/base/errors/problem.ts'
import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { packageFolder } from '../../src/base/files/program-files.ts'
import { silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { renderSite } from '../../src/render/build.ts'
import { createMemoryCache } from '../../src/render/cache/memory-cache.ts'
import { createRemoteFetch } from '../../src/render/remote/remote-files.ts'
import type { SiteManifest } from '../../src/render/versions/manifest.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { browserTest } from '../kit/browser.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { writeManifest } from '../kit/rendered-folder.ts'
import { writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEElEQVR4nGP4z8DwH4QZcDIAUs4G+klbKvoAAAAASUVORK5CYII=',
  'base64',
)

let out = ''
let home = ''
let manifests: SiteManifest[] = []
let problems: readonly Problem[] = []

before(async () => {
  out = await mkdtemp(join(tmpdir(), 'octavo-remote-'))
  const font = await readFile(join(packageFolder('katex'), 'dist/fonts/KaTeX_Main-Regular.woff2'))
  const answers: Record<string, [type: string, body: string | Uint8Array]> = {
    '/logo.svg': ['image/svg+xml', DRAWING],
    '/picture': ['image/png', PICTURE],
    '/look.css': ['text/css', '.remote-look{background:url(/picture)}'],
    '/own.woff2': ['font/woff2', font],
  }
  await using server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').replace(/\?.*/, '')]
    response.writeHead(answer ? 200 : 404, { 'content-type': answer?.[0] ?? 'text/plain' }).end(answer?.[1])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = join(out, 'site')
  await writeSite(folder, {
    'docs.json': JSON.stringify({
      theme: 'willow',
      name: 'Remote',
      colors: { primary: '#4F46E5' },
      logo: `${home}/logo.svg`,
      favicon: `${home}/logo.svg`,
      fonts: { family: 'Own Face', source: `${home}/own.woff2`, format: 'woff2' },
      background: { image: `${home}/picture?back` },
      navigation: {
        groups: [{ group: 'All', icon: `${home}/logo.svg?icon`, pages: ['index', 'deep/page'] }],
      },
    }),
    'index.mdx': `---\ntitle: Home\n---\n\n![A picture](${home}/picture?w=1)\n\n<img src="${home}/gone.png" srcSet="${home}/picture 2x" alt="Gone" />\n\n<video poster="${home}/picture" controls src="${home}/none.mp4" />\n\n<iframe src="${home}/frame" title="Frame" />\n\n<p style={{ backgroundImage: 'url(${home}/picture?p)' }}>Painted</p>\n`,
    'deep/page.mdx': `---\ntitle: Deep\n---\n\n![A picture](${home}/picture?w=2)\n`,
    'look.css': `@import "${home}/look.css";\n.own { background: url(${home}/picture?own) }\n`,
  })
  for (let round = 0; round < 2; round++) {
    await using tree = await openFolderTree(folder)
    await using objects = openMemoryStore()
    await using guardedFetch = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
    const signal = patience()
    const site = await loadSite(tree, { fetchSpec: async () => ({ fault: 'there is none' }) })
    const fetchRemote = createRemoteFetch(
      { guardedFetch, cache: createMemoryCache(), log: silentLog },
      signal,
    )
    const rendered = await renderSite(
      renderDeps(objects, { fetchRemote }),
      {
        site,
        tree,
        deployment: 'air-gapped',
        features: resolveFeatures('air-gapped'),
        origin: null,
        siteId: null,
        platformUrl: null,
        widgets: {},
        repository: null,
      },
      () => {},
      signal,
    )
    manifests.push(rendered.manifest)
    problems = rendered.problems
    if (round === 0) await writeManifest(objects, rendered.manifest, join(out, 'bundle'))
  }
})

after(async () => {
  manifests = []
  await rm(out, { recursive: true, force: true })
})

test('identical responses of a remote server give identical output', () => {
  assert.deepEqual(manifests[0], manifests[1])
})

test('reports remote files that could not be copied, with page and reason', () => {
  const told = problems
    .filter(({ code }) => code === 'asset.remote')
    .map(({ file, message }) => `${file}: ${message.replaceAll(home, 'H')}`)
  assert.deepEqual(told, [
    'index.mdx: H/frame is on another server, which readers of an air-gapped bundle cannot reach. It is not shown.',
    'index.mdx: H/gone.png is on another server and could not be copied into the bundle (The server answered 404). It is not shown.',
    'index.mdx: H/none.mp4 is on another server and could not be copied into the bundle (The server answered 404). It is not shown.',
  ])
})

browserTest('bundle pages show the copies and make no network requests', async (browser) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const asked: string[] = []
  try {
    const page = await context.newPage()
    page.on('request', (request) => {
      if (!/^(?:file|data|blob):/.test(request.url())) asked.push(request.url())
    })
    for (const name of ['index', 'deep/page']) {
      await page.goto(pathToFileURL(join(out, 'bundle', `${name}.html`)).href)
      const picture = page.getByAltText('A picture')
      await picture.scrollIntoViewIfNeeded()
      await page.waitForFunction(() =>
        [...document.images].every((image) => image.complete || image.loading === 'lazy'),
      )
      const seen = await page.evaluate(async () => {
        const width = (selector: string) =>
          document.querySelector<HTMLImageElement>(selector)?.naturalWidth ?? null
        return {
          logo: width('.nav-logo img'),
          icon: width('#sidebar .sidebar-group-icon'),
          picture: width('#content img[alt="A picture"]'),
          size: document.querySelector('#content img[alt="A picture"]')?.getAttribute('width'),
          font: (await document.fonts.load('16px "Own Face"')).length,
          paper: getComputedStyle(document.documentElement).backgroundImage.startsWith('url("file:'),
        }
      })
      assert.deepEqual(seen, { logo: 40, icon: 40, picture: 2, size: '2', font: 1, paper: true })
    }
  } finally {
    await context.close()
  }
  assert.deepEqual(asked, [])
})
