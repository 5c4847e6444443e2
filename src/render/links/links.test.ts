import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deployment } from '../../base/api/features.ts'
import type { Redirect, Site, SitePage } from '../../site/model.ts'
import { renderText } from '../html/markup.ts'
import { readMarkup } from '../html/write-html.ts'
import { findStartPath } from '../plan/plan.ts'
import { NO_REMOTE_ASSETS, type RemoteAssets } from '../remote/remote-assets.ts'
import { nameOutputs } from '../versions/output-names.ts'
import { createLinkRewriter } from './links.ts'

interface Sketch {
  routes: string[]
  assets?: string[]
  redirects?: Redirect[]
  trailingSlash?: boolean
  included?: string[]
  origin?: string
  navigation?: string[]
}

function rewriter(
  sketch: Sketch,
  deployment: Deployment = 'client-hosted',
  remoteAssets: RemoteAssets = NO_REMOTE_ASSETS,
) {
  const site = {
    config: { seo: { trailingSlash: sketch.trailingSlash ?? false } },
    pages: new Map(
      sketch.routes.map((route) => [route, { route, file: `${route}.mdx`, frontmatter: {} } as SitePage]),
    ),
    assets: new Set(sketch.assets ?? []),
    redirects: sketch.redirects ?? [],
    homeRoute: '/',
    sidebars: [{ items: (sketch.navigation ?? []).map((route) => ({ kind: 'page', route })) }],
  } as unknown as Site
  const names = nameOutputs(site, deployment, [])
  const included = new Set(sketch.included ?? sketch.routes)
  const start = findStartPath(site, [...site.pages.values()])
  const origin = sketch.origin ?? null
  const links = createLinkRewriter({ site, deployment, names, included, origin, start, remoteAssets })
  const rewriteLinks = (html: string, depth: number) =>
    renderText(readMarkup(html), (place) => {
      if (place.kind === 'css') return links.rewriteCss(place.css, depth)
      assert.ok(place.kind === 'attributes' || place.kind === 'picture')
      const tag = place.kind === 'picture' ? 'img' : place.tag
      return links.rewriteAttributes(tag, place.attributes, depth)
    })
  return { ...links, rewriteLinks }
}

test('bundle links are relative to the depth of the page and end in .html', () => {
  const { rewriteLink } = rewriter({ routes: ['/', '/a/b', '/a/c'] })
  assert.equal(rewriteLink('/a/b', 0), 'a/b.html')
  assert.equal(rewriteLink('/a/b', 2), '../../a/b.html')
  assert.equal(rewriteLink('/', 1), '../index.html')
  assert.equal(rewriteLink('/a/b?x=1#y', 1), '../a/b.html?x=1#y')
})

test('a folder without an index page links to its first page in the navigation', () => {
  const { rewriteLink } = rewriter({ routes: ['/', '/a/b', '/a/c/d'], navigation: ['/', '/a/c/d', '/a/b'] })
  assert.equal(rewriteLink('/a', 1), '../a/c/d.html')
  assert.equal(rewriteLink('/a/c/#e', 0), 'a/c/d.html#e')
  assert.equal(rewriteLink('/b', 0), '/b')
})

test('resolves links with extensions, index, dot segments and extra slashes', () => {
  const { rewriteLink } = rewriter({ routes: ['/', '/a/b'] })
  for (const href of [
    '/a/b.mdx',
    '/a/b.md',
    '/a/b.html',
    '/a/b/',
    '/a//b',
    '/a/b/index',
    '/a/./b',
    '/x/../a/b',
  ]) {
    assert.equal(rewriteLink(href, 0), 'a/b.html', href)
  }
  assert.equal(rewriteLink('/index', 0), 'index.html')
})

test('links to names with spaces, hashes, question marks and non-Latin letters open from disk', () => {
  const routes = ['/a b/c#d', '/日本/ü?', '/100%', '/x:y']
  const { rewriteLink } = rewriter({ routes }, 'client-hosted')
  assert.equal(rewriteLink('/a%20b/c%23d', 0), 'a%20b/c%23d.html')
  assert.equal(rewriteLink('/日本/ü%3F', 0), '%E6%97%A5%E6%9C%AC/%C3%BC-.html')
  assert.equal(rewriteLink('/100%25', 0), '100%25.html')
  assert.equal(rewriteLink('/x:y', 0), 'x-y.html')
})

test('hosted links stay absolute and have no extension', () => {
  const { rewriteLink } = rewriter({ routes: ['/', '/a/b'], assets: ['i/x y.png'] }, 'cloud')
  assert.equal(rewriteLink('/a/b.mdx#z', 2), '/a/b#z')
  assert.equal(rewriteLink('/i/x%20y.png', 2), '/i/x%20y.png')
  const slashed = rewriter({ routes: ['/', '/a/b'], trailingSlash: true }, 'cloud')
  assert.equal(slashed.rewriteLink('/a/b', 0), '/a/b/')
  assert.equal(slashed.rewriteLink('/', 0), '/')
})

test('links follow redirects, including wildcards and chains', () => {
  const { rewriteLink } = rewriter({
    routes: ['/new', '/guides/x'],
    redirects: [
      { source: '/old', destination: '/older#part', isPermanent: true },
      { source: '/older', destination: '/new', isPermanent: true },
      { source: '/docs/*', destination: '/guides/*', isPermanent: true },
      { source: '/out', destination: 'https://example.com/x', isPermanent: true },
      { source: '/ring', destination: '/ring', isPermanent: true },
    ],
  })
  assert.equal(rewriteLink('/old', 0), 'new.html#part')
  assert.equal(rewriteLink('/old#mine', 0), 'new.html#mine')
  assert.equal(rewriteLink('/docs/x', 1), '../guides/x.html')
  assert.equal(rewriteLink('/out', 0), 'https://example.com/x')
  assert.equal(rewriteLink('/ring', 0), '/ring')
})

test('external, relative and unknown links are unchanged', () => {
  const links = rewriter({ routes: ['/a'] })
  for (const href of [
    'https://example.com/a',
    '//example.com/a',
    'mailto:a@b.c',
    '#here',
    'a.html',
    '/nowhere',
    '/%zz',
  ]) {
    assert.equal(links.rewriteLink(href, 3), href)
  }
})

test('the root links to the first page if there is no index', () => {
  assert.equal(rewriter({ routes: ['/start'] }).rewriteLink('/', 1), '../start.html')
})

test('a page that is not part of the output is linked at its public URL', () => {
  const sketch = { routes: ['/a', '/b'], included: ['/a'] }
  assert.equal(
    rewriter({ ...sketch, origin: 'https://d.example' }).rewriteLink('/b#x', 1),
    'https://d.example/b#x',
  )
  assert.equal(rewriter(sketch).rewriteLink('/b', 1), '/b')
})

test('rewrites every kind of link in HTML but not in text, comments and scripts', () => {
  const { rewriteLinks } = rewriter({ routes: ['/', '/a&b'], assets: ['i.png', 'v.mp4'] })
  const html = [
    `<a class="x" href="/a&amp;b?q=1&amp;r=2">/a&b</a>`,
    `<IMG SRC='/i.png' srcset="/i.png 1x, /i.png 2x" alt="<a href=&quot;/a&quot;>">`,
    `<video poster=/i.png src=/v.mp4></video>`,
    `<div style="background:url('/i.png')" data-href="/"></div>`,
    `<!-- <a href="/i.png"> --><script>var a = '<a href="/i.png">'</script>`,
    `<style>.a{background:url(/i.png)}</style>`,
    `<meta http-equiv="refresh" content="0; url=/i.png">`,
    `a < b <c`,
  ].join('\n')
  const expected = [
    `<a class="x" href="../a%26b.html?q=1&amp;r=2">/a&amp;b</a>`,
    `<img src="../i.png" srcset="../i.png 1x, ../i.png 2x" alt="&lt;a href=&quot;/a&quot;&gt;">`,
    `<video poster="../i.png" src="../v.mp4"></video>`,
    `<div style="background:url(&quot;../i.png&quot;)" data-href="../index.html"></div>`,
    `<!-- <a href="/i.png"> --><script>var a = '<a href="/i.png">'</script>`,
    `<style>.a{background:url("../i.png")}</style>`,
    `<meta http-equiv="refresh" content="0; url=../i.png">`,
    `a &lt; b `,
  ].join('\n')
  assert.equal(rewriteLinks(html, 1), expected)
})

test('an air-gapped page makes no remote requests and reports the removed URLs', () => {
  const html = [
    '<img src="https://x.example/a.png" srcset="//x.example/b.png 2x" alt="A">',
    '<link rel="stylesheet" href="https://x.example/c.css"><link rel="canonical" href="https://x.example/d">',
    '<a href="https://x.example/e">e</a><iframe src=http://x.example/f></iframe>',
    '<p style="background:url(https://x.example/g.png)">g</p>',
    '<svg><IMAGE HREF="https://x.example/h.png"/></svg>',
  ].join('')
  const closed = rewriter({ routes: ['/'] }, 'air-gapped')
  assert.equal(
    closed.rewriteLinks(html, 0),
    [
      '<img alt="A">',
      '<link rel="stylesheet"><link rel="canonical" href="https://x.example/d">',
      '<a href="https://x.example/e">e</a><iframe></iframe>',
      '<p style="background:local(&quot;&quot;)">g</p>',
      '<svg><image/></svg>',
    ].join(''),
  )
  assert.deepEqual(closed.takeRemote(), [
    '//x.example/b.png',
    'http://x.example/f',
    'https://x.example/a.png',
    'https://x.example/c.css',
    'https://x.example/g.png',
    'https://x.example/h.png',
  ])
  const open = rewriter({ routes: ['/'] }, 'client-hosted')
  assert.equal(
    open.rewriteLinks(html, 0),
    html.replace('src=http://x.example/f', 'src="http://x.example/f"').replace('IMAGE HREF', 'image href'),
  )
  assert.deepEqual(open.takeRemote(), [])
})

test('air-gapped copies are linked from every depth and a srcset needs copies of all its images', () => {
  const copies = new Map([
    ['https://x.example/a.png', '_octavo/remote/a.png'],
    ['https://x.example/b.png', '_octavo/remote/b.png'],
  ])
  const closed = rewriter({ routes: ['/'] }, 'air-gapped', {
    download: async () => {},
    pathOf: (url) => copies.get(url) ?? null,
    faultOf: () => null,
  })
  assert.equal(
    closed.rewriteLinks(
      '<img crossorigin srcset="https://x.example/a.png 1x,https://x.example/b.png 2x" src="https://x.example/a.png">',
      2,
    ),
    '<img srcset="../../_octavo/remote/a.png 1x, ../../_octavo/remote/b.png 2x" src="../../_octavo/remote/a.png">',
  )
  assert.equal(
    closed.rewriteCss('a{background:url(https://x.example/b.png)}', 1),
    'a{background:url("../_octavo/remote/b.png")}',
  )
  assert.deepEqual(closed.takeRemote(), [])
  assert.equal(closed.rewriteLinks('<img srcset="/a.png 1x,https://x.example/c.png 2x">', 0), '<img>')
  assert.deepEqual(closed.takeRemote(), ['https://x.example/c.png'])
})

test('neutralizes script URLs in any spelling', () => {
  const { rewriteLinks } = rewriter({ routes: ['/'] })
  for (const address of [
    'javascript:x()',
    'JavaScript:x()',
    'java\tscript:x()',
    ' \u0001vbscript:x()',
    '&#106;avascript:x()',
  ])
    assert.equal(rewriteLinks(`<a href="${address}">x</a>`, 0), '<a href="#">x</a>', address)
  assert.equal(rewriteLinks('<img src="javascript:x()">', 0), '<img src="#">')
  assert.equal(
    rewriteLinks('<svg VIEWBOX="0 0 1 1"><A HREF="javascript:x()">x</A></svg>', 0),
    '<svg viewBox="0 0 1 1"><a href="#">x</a></svg>',
  )
  const words = '<a href="/javascript:x">x</a><img src="data:image/png;base64,AAAA">'
  assert.equal(rewriteLinks(words, 0), words)
})
