import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../../site/load-site.ts'
import { createCounterparts } from './counterparts.ts'
import type { LayoutInput } from './layout-input.ts'
import { pageActions } from './page-actions.ts'
import { pageTags } from './page-tags.ts'
import { createSiteView } from './site-view.ts'
import { createStructuredData } from './structured-data.ts'

const BASE = { name: 'Acme </script><b>', theme: 'mint', colors: { primary: '#123456' } }
const ORIGIN = 'https://docs.acme.dev'

async function viewOf(docs: object, files: Record<string, string>, change: Partial<LayoutInput> = {}) {
  const site = await loadSite(openMemoryTree({ 'docs.json': JSON.stringify({ ...BASE, ...docs }), ...files }))
  const input = {
    site,
    deployment: 'client-hosted',
    origin: ORIGIN,
    thumbnailOf: () => null,
    twins: new Map([...site.pages.keys()].map((route) => [route, `${route.slice(1) || 'index'}.md`])),
    feeds: new Map(),
    llmsFile: 'llms.txt',
    ...change,
  } as LayoutInput
  return createSiteView(input)
}

type View = Awaited<ReturnType<typeof viewOf>>

function tagsOf(view: View, route: string): string {
  const page = view.site.pages.get(route)
  assert.ok(page, route)
  const scope = { view, counterparts: createCounterparts(view), structured: createStructuredData(view) }
  return markupText(pageTags(scope, page))
}

const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1]

const graphOf = (html: string): Record<string, Record<string, unknown>> => {
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? []
  const nodes = JSON.parse(json)['@graph'] as Record<string, unknown>[]
  return Object.fromEntries(nodes.map((node) => [node['@type'], node]))
}

test('meta tags of the page override those of its folder, and these override the site', async () => {
  const view = await viewOf(
    {
      navigation: { pages: ['a', 'blog/b', 'blog/deep/c'] },
      seo: {
        metatags: { 'og:image': '/site.png', author: 'Site' },
        paths: [
          { path: 'blog', metatags: { author: 'Blog', 'og:type': 'article' } },
          { path: '/blog/deep/', metatags: { author: 'Deep' } },
        ],
      },
    },
    {
      'a.mdx': 'x',
      'blog/b.mdx': '---\n"og:image": https://img.x/b.png\n"twitter:card": summary\n---\nx',
      'blog/deep/c.mdx': 'x',
    },
  )
  const [a, b, c] = ['/a', '/blog/b', '/blog/deep/c'].map((route) => tagsOf(view, route)) as [
    string,
    string,
    string,
  ]
  assert.deepEqual(
    [a, b, c].map((html) => metaOf(html, 'author')),
    ['Site', 'Blog', 'Deep'],
  )
  assert.deepEqual(
    [a, b, c].map((html) => metaOf(html, 'og:type')),
    ['website', 'article', 'article'],
  )
  assert.deepEqual(
    [metaOf(a, 'og:image'), metaOf(b, 'og:image')],
    [`${ORIGIN}/site.png`, 'https://img.x/b.png'],
  )
  assert.deepEqual([metaOf(a, 'twitter:card'), metaOf(b, 'twitter:card')], ['summary_large_image', 'summary'])
  assert.equal(metaOf(b, 'twitter:image'), 'https://img.x/b.png')
})

test('omits og:image and uses a small card if the image URL cannot be absolute', async () => {
  const docs = { navigation: { pages: ['a'] }, seo: { metatags: { 'og:image': '/site.png' } } }
  const html = tagsOf(await viewOf(docs, { 'a.mdx': 'x' }, { origin: null }), '/a')
  assert.equal(metaOf(html, 'og:image'), undefined)
  assert.equal(metaOf(html, 'twitter:card'), 'summary')
  assert.doesNotMatch(html, /ld\+json|canonical|hreflang/)
})

test('structured data has page, breadcrumbs and publisher, and text cannot close the script', async () => {
  const view = await viewOf(
    {
      navigation: {
        tabs: [
          {
            tab: 'Guides',
            groups: [{ group: 'Begin', root: 'g', pages: ['a', { group: 'In', pages: ['in/b'] }] }],
          },
        ],
      },
      seo: { organization: { name: 'Acme Ltd', logo: '/l.png', sameAs: ['https://x.com/acme'] } },
    },
    {
      'g.mdx': '---\ntitle: All\n---',
      'a.mdx': 'x',
      'in/b.mdx': '---\ntitle: "</script><img>"\nlastUpdatedDate: 2026-01-02\n---',
    },
  )
  const html = tagsOf(view, '/in/b')
  assert.equal(html.match(/<\/script>/g)?.length, 1)
  const graph = graphOf(html)
  const trail = graph.BreadcrumbList?.itemListElement as { name: string; item: string }[] | undefined
  assert.deepEqual(
    trail?.map(({ name, item }) => [name, item]),
    [
      [BASE.name, `${ORIGIN}/`],
      ['Begin', `${ORIGIN}/g`],
      ['</script><img>', `${ORIGIN}/in/b`],
    ],
  )
  assert.deepEqual([graph.Organization?.name, graph.Organization?.logo], ['Acme Ltd', `${ORIGIN}/l.png`])
  assert.equal(graph.WebPage?.dateModified, '2026-01-02T00:00:00.000Z')
  assert.ok(graph.TechArticle && graph.WebSite)
})

test('lists hreflang alternates with x-default and omits them for noindex pages', async () => {
  const view = await viewOf(
    {
      navigation: {
        languages: [
          { language: 'en', pages: ['a', 'only', 'out'] },
          { language: 'cn', pages: ['cn/a'] },
        ],
      },
    },
    { 'a.mdx': 'x', 'only.mdx': 'x', 'cn/a.mdx': 'x', 'out.mdx': '---\nnoindex: true\n---' },
  )
  const alternates = (route: string) =>
    [...tagsOf(view, route).matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map((one) => [one[1], one[2]])
  const both = [
    ['en', `${ORIGIN}/a`],
    ['zh-CN', `${ORIGIN}/cn/a`],
    ['x-default', `${ORIGIN}/a`],
  ]
  assert.deepEqual(alternates('/a'), both)
  assert.deepEqual(alternates('/cn/a'), both)
  assert.deepEqual(alternates('/only'), [])
  assert.match(tagsOf(view, '/out'), /content="noindex"/)
  assert.doesNotMatch(tagsOf(view, '/out'), /ld\+json|hreflang/)
})

test('the page menu offers what the deployment supports and uses the first entry as its button', async () => {
  const options = [
    'view',
    'copy',
    'chatgpt',
    'mcp',
    'add-mcp',
    'cursor',
    'vscode',
    'devin-mcp',
    'devin',
    'devin-desktop',
    'assistant',
    'download-pdf',
    'download-spec',
    { title: 'Ask', href: 'https://x.y/?q=$path&t=$page' },
  ]
  const docs = { navigation: { pages: ['a'] }, contextual: { options } }
  const menu = async (change: Partial<LayoutInput>, frontmatter = '') => {
    const view = await viewOf(docs, { 'a.mdx': `---\ntitle: A\n${frontmatter}---\nx` }, change)
    const page = view.site.pages.get('/a')
    assert.ok(page)
    return markupText(pageActions(view, page, false))
  }
  const hosted = await menu({ deployment: 'cloud' })
  assert.match(hosted, /<a id="page-context-menu-button" class="page-action" href="octavo-file:a\.md">/)
  const labels = (html: string) =>
    [...html.matchAll(/<li><(?:a|button)[^>]*>.*?<span[^>]*>(?:<span>)?([^<]+)</g)].map((one) => one[1])
  assert.deepEqual(labels(hosted), [
    'Copy page',
    'Ask about this page in ChatGPT',
    'Copy MCP server URL',
    'Copy MCP install command',
    'Connect to Cursor',
    'Connect to VS Code',
    'Connect to Devin',
    'Ask about this page in Devin',
    'Ask about this page in Devin Desktop',
    'Save as PDF',
    'Ask',
  ])
  assert.match(hosted, /data-copy="https:\/\/docs\.acme\.dev\/mcp"/)
  assert.match(hosted, /data-copy="npx add-mcp https:\/\/docs\.acme\.dev\/mcp"/)
  const cursor = new URL(/href="(cursor:[^"]*)"/.exec(hosted)?.[1]?.replaceAll('&amp;', '&') ?? '')
  assert.deepEqual(JSON.parse(atob(cursor.searchParams.get('config') ?? '')), {
    url: 'https://docs.acme.dev/mcp',
  })
  const code = /href="vscode:mcp\/install\?([^"]*)"/.exec(hosted)?.[1] ?? ''
  assert.equal(JSON.parse(decodeURIComponent(code)).url, 'https://docs.acme.dev/mcp')
  const agent = new URL(/href="(https:\/\/app\.devin\.ai\/settings[^"]*)"/.exec(hosted)?.[1] ?? '')
  assert.deepEqual(JSON.parse(atob(agent.searchParams.get('config') ?? '')), {
    name: 'acme-/scriptb',
    transport: 'HTTP',
    url: 'https://docs.acme.dev/mcp',
  })
  assert.match(hosted, /href="devin:\/\/cascade\?prompt=/)
  const assistant = { script: '/s.js', style: '/s.css', words: {} }
  assert.ok(labels(await menu({ assistant, deployment: 'cloud' })).includes('Ask the assistant'))
  const own = `contextual:
  options: [copy, { title: Server, icon: plug, href: { base: 'https://x.y', query: [{ key: s, value: $mcp }] } }]
`
  assert.match(
    await menu({ deployment: 'cloud' }, own),
    /href="https:\/\/x\.y\?s=https%3A%2F%2Fdocs\.acme\.dev%2Fmcp"/,
  )
  assert.deepEqual(labels(await menu({ deployment: 'client-hosted' }, own)), [])
  assert.match(hosted, /https:\/\/x\.y\/\?q=%2Fa&amp;t=https%3A%2F%2Fdocs\.acme\.dev%2Fa\.md/)
  assert.deepEqual(labels(await menu({ deployment: 'air-gapped' })), ['Copy page', 'Save as PDF', 'Ask'])
  assert.deepEqual(labels(await menu({ origin: null })), ['Copy page', 'Save as PDF'])
  assert.equal(await menu({}, 'contextual: { options: [] }\n'), '')
  assert.match(
    await menu({ feeds: new Map([['/a', 'a/rss.xml']]) }, 'contextual: { options: [] }\n'),
    /octavo-file:a\/rss\.xml/,
  )
})
