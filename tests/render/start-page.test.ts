/** A site without a page at `/` opens at the same page when hosted, in a preview and in a bundle. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deployment, resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { createSiteServer } from '../../src/features/hosting/serve/serve-site.ts'
import { renderSite } from '../../src/render/build.ts'
import { readBlob } from '../../src/render/versions/blobs.ts'
import { saveManifest } from '../../src/render/versions/site-versions.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { OPEN_GATE, publicSite } from '../kit/hosted-site.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { patience } from '../kit/until.ts'
import { openPreviewScene } from '../preview/preview-scene.ts'

const page = (title: string) => `---\ntitle: ${title}\n---\n\n[Home](/)\n`

function siteOf(names: readonly string[], settings: object): Record<string, string> {
  const about = { theme: 'mint', name: 'Acme', colors: { primary: '#5B5BD6' } }
  return {
    'docs.json': JSON.stringify({ ...about, ...settings }),
    ...Object.fromEntries(names.map((name) => [`${name}.mdx`, page(name)])),
  }
}

async function render(files: Record<string, string>, deployment: Deployment, paths?: readonly string[]) {
  const objects = openMemoryStore()
  const tree = openMemoryTree(files)
  const { manifest } = await renderSite(
    renderDeps(objects),
    {
      site: await loadSite(tree),
      tree,
      deployment,
      features: resolveFeatures(deployment, { search: false }),
      origin: null,
      siteId: null,
      platformUrl: null,
      widgets: {},
      repository: null,
      ...(paths ? { paths } : {}),
    },
    () => {},
    patience(),
  )
  return { objects, manifest }
}

async function openHosted(files: Record<string, string>) {
  const { objects, manifest } = await render(files, 'cloud')
  const key = await saveManifest(objects, manifest)
  const sites = createSiteServer({ objects, gate: OPEN_GATE, findSite: async () => publicSite(key) })
  return async (target: string) => {
    const request = { host: 'docs.acme.dev', method: 'GET', acceptEncoding: '', accept: '', target }
    const answer = await sites.handle({ ...request, ifNoneMatch: null, address: '127.0.0.1', userAgent: '' })
    return { status: answer?.status, location: answer?.headers.location }
  }
}

async function bundleStart(files: Record<string, string>, paths?: readonly string[]): Promise<string | null> {
  const { objects, manifest } = await render(files, 'client-hosted', paths)
  const start = manifest.files['index.html']
  if (start === undefined) return null
  const html = (await readBlob(objects, start.sha256)).toString()
  return /http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1] ?? 'a page'
}

interface Case {
  name: string
  files: Record<string, string>
  /** Redirect target of `/` on a server; null if it is a page. */
  served: string | null
  bundled: string
  /** Redirect status of the hosted site; a redirect written by the author is permanent. */
  status?: number
}

const CASES: Case[] = [
  {
    name: 'the first page of the navigation',
    files: siteOf(['a', 'guides/deep page'], { navigation: { pages: ['guides/deep page', 'a'] } }),
    served: '/guides/deep%20page',
    bundled: 'guides/deep%20page.html',
  },
  {
    name: 'the first page of the default version',
    files: siteOf(['v1/a', 'v2/a'], {
      navigation: {
        versions: [
          { version: '1', pages: ['v1/a'] },
          { version: '2', default: true, pages: ['v2/a'] },
        ],
      },
    }),
    served: '/v2/a',
    bundled: 'v2/a.html',
  },
  {
    name: 'the first page of the default language',
    files: siteOf(['de/a', 'en/a'], {
      navigation: {
        languages: [
          { language: 'de', pages: ['de/a'] },
          { language: 'en', default: true, pages: ['en/a'] },
        ],
      },
    }),
    served: '/en/a',
    bundled: 'en/a.html',
  },
  {
    name: 'where a redirect of / leads',
    files: siteOf(['a', 'b'], {
      navigation: { pages: ['a', 'b'] },
      redirects: [{ source: '/', destination: '/b#part' }],
    }),
    served: '/b#part',
    bundled: 'b.html#part',
    status: 308,
  },
  {
    name: 'another site where a redirect of / leads there',
    files: siteOf(['a'], {
      navigation: { pages: ['a'] },
      redirects: [{ source: '/', destination: 'https://acme.dev/docs', permanent: false }],
    }),
    served: 'https://acme.dev/docs',
    bundled: 'https://acme.dev/docs',
  },
  {
    name: 'the page at / also where a wildcard takes everything else',
    files: siteOf(['index', 'new/a'], {
      navigation: { pages: ['index', 'new/a'] },
      redirects: [{ source: '/*', destination: '/new/*' }],
    }),
    served: null,
    bundled: 'a page',
  },
]

for (const { name, files, served, bundled, status = 307 } of CASES)
  test(`a hosted site, its preview and its bundle open at ${name}`, async () => {
    const hosted = await openHosted(files)
    const expected = served === null ? { status: 200, location: undefined } : { status, location: served }
    assert.deepEqual(await hosted('/'), expected)
    await using preview = await openPreviewScene(files)
    const previewed = await preview.get('/')
    assert.equal(previewed.status, served === null ? 200 : 307)
    assert.equal(previewed.headers.get('location'), served)
    assert.equal(await bundleStart(files), bundled)
  })

test('keeps the query string when redirecting to the first page', async () => {
  const files = siteOf(['a'], { navigation: { pages: ['a'] } })
  const hosted = await openHosted(files)
  assert.deepEqual(await hosted('/?utm=x&y=/'), { status: 307, location: '/a?utm=x&y=/' })
  assert.deepEqual(await hosted('/index.html?x'), { status: 308, location: '/?x' })
  assert.deepEqual(await hosted('/a%3Fb/'), { status: 308, location: '/a%3Fb' })
  await using preview = await openPreviewScene(files)
  assert.equal((await preview.get('/?utm=x')).headers.get('location'), '/a?utm=x')
})

test('a bundle of selected pages opens at the first of them in reading order', async () => {
  const files = siteOf(['a', 'b', 'c', 'z'], { navigation: { pages: ['c', 'b', 'a'] } })
  assert.equal(await bundleStart(files, ['/z', '/a', '/b']), 'b.html')
  assert.equal(await bundleStart(files, ['/z']), 'z.html')
  assert.equal(await bundleStart({ ...files, 'index.mdx': page('Home') }, ['/a', '/b']), 'b.html')
})
