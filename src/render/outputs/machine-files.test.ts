import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../../site/load-site.ts'
import { sortByReadingOrder } from '../links/sort-pages.ts'
import {
  createLlmsTxt,
  createSectionTxt,
  type LlmsInput,
  pagesForAgents,
  robotsTxt,
  sitemapFiles,
} from './machine-files.ts'
import { sectionPages } from './section-lists.ts'

const BASE = { name: 'Docs & more', theme: 'mint', colors: { primary: '#123456' } }
const ORIGIN = 'https://docs.example.com'

async function siteOf(docs: object, pages: Record<string, string>) {
  return loadSite(openMemoryTree({ 'docs.json': JSON.stringify({ ...BASE, ...docs }), ...pages }))
}

function listOf(site: Awaited<ReturnType<typeof siteOf>>, change: Partial<LlmsInput> = {}) {
  const pages = pagesForAgents(site, sortByReadingOrder(site, [...site.pages.values()]))
  return createLlmsTxt({
    site,
    pages,
    hrefOf: ({ route }) => `${ORIGIN}${route}.md`,
    fileHref: (path) => `${ORIGIN}/${path}`,
    sections: [],
    mcpHref: null,
    ...change,
  })
}

test('the sitemap lists indexable pages with the date of their last change', async () => {
  const site = await siteOf(
    { navigation: { pages: ['b', 'a', 'kept-out'] } },
    {
      'a.mdx': '---\nlastUpdatedDate: 2026-03-01\n---\nx',
      'b.mdx': 'x',
      'kept-out.mdx': '---\nnoindex: true\n---\nx',
      'unlisted.mdx': 'x',
    },
  )
  const [file, ...others] = sitemapFiles(site, [...site.pages.values()], ORIGIN)
  assert.deepEqual(others, [])
  assert.deepEqual(file?.content.match(/<url>.*<\/url>/g), [
    `<url><loc>${ORIGIN}/a</loc><lastmod>2026-03-01</lastmod></url>`,
    `<url><loc>${ORIGIN}/b</loc></url>`,
  ])
})

test('a long sitemap is split and an index lists its parts', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const site = await siteOf(
    { navigation: { pages: names } },
    Object.fromEntries(names.map((name) => [`${name}.mdx`, 'x'])),
  )
  const files = sitemapFiles(site, [...site.pages.values()], ORIGIN, 2)
  assert.deepEqual(
    files.map(({ path, content }) => [path, content.match(/<loc>/g)?.length]),
    [
      ['sitemap.xml', 3],
      ['sitemap-1.xml', 2],
      ['sitemap-2.xml', 2],
      ['sitemap-3.xml', 1],
    ],
  )
  assert.match(
    files[0]?.content ?? '',
    /<sitemapindex[^>]*>\s*<sitemap><loc>https:\/\/docs\.example\.com\/sitemap-1\.xml/,
  )
})

test('a noindex site disallows crawlers and has an empty sitemap', async () => {
  const docs = { navigation: { pages: ['a'] }, seo: { metatags: { robots: 'noindex' } } }
  const site = await siteOf(docs, { 'a.mdx': 'x' })
  assert.match(robotsTxt(site, ORIGIN), /Disallow: \/\n/)
  assert.doesNotMatch(sitemapFiles(site, [...site.pages.values()], ORIGIN)[0]?.content ?? '', /<url>/)
  assert.match(
    robotsTxt(await siteOf({ navigation: { pages: ['a'] } }, { 'a.mdx': 'x' }), ORIGIN),
    /Sitemap: https/,
  )
})

test('llms.txt lists the pages of the default version in navigation order', async () => {
  const site = await siteOf(
    {
      description: 'About\nit',
      markdown: { instructions: ['Be kind.', 'Cite pages.'] },
      navigation: {
        versions: [
          { version: '2', groups: [{ group: 'G', pages: ['v2/z', 'v2/a'] }] },
          { version: '1', pages: ['v1/z'] },
        ],
        global: { anchors: [{ anchor: 'Blog [x]', href: 'https://blog.example.com' }] },
      },
    },
    {
      'v2/z.mdx': '---\ntitle: "Z [1](javascript:x)"\ndescription: "First.\\n\\nSecond."\n---\nx',
      'v2/a.mdx': '---\ntitle: A\n---\nx',
      'v1/z.mdx': 'x',
    },
  )
  assert.equal(
    listOf(site),
    `# Docs & more

> About it

> ## Agent Instructions
>
> Be kind.
> Cite pages.

## Docs

- [Z \\[1\\](javascript:x)](${ORIGIN}/v2/z.md): First. Second.
- [A](${ORIGIN}/v2/a.md)

## Optional

- [Blog \\[x\\]](https://blog.example.com)
`,
  )
})

test('a long llms.txt drops descriptions first and then counts the omitted pages', async () => {
  const names = Array.from({ length: 1500 }, (_, index) => `page-${index}`)
  const text = (title: string) => `---\ntitle: ${title}\ndescription: ${'about '.repeat(30)}\n---\nx`
  const site = await siteOf(
    { navigation: { pages: names } },
    Object.fromEntries(names.map((name) => [`${name}.mdx`, text(name)])),
  )
  const whole = listOf(site)
  assert.ok(whole.length <= 100_000)
  assert.doesNotMatch(whole, /about|not listed/)
  const cut = listOf(site, { hrefOf: ({ route }) => `${ORIGIN}/${'deep/'.repeat(20)}${route}.md` })
  assert.ok(cut.length <= 100_100)
  const listed = cut.match(/^- /gm)?.length ?? 0
  assert.match(cut, new RegExp(`\\n${1500 - listed} more pages are not listed here`))
})

test('folders of two or more pages in any language have their own llms.txt, linked from the main one', async () => {
  const site = await siteOf(
    {
      navigation: {
        languages: [
          {
            language: 'en',
            tabs: [
              {
                tab: 'Learn',
                pages: ['guides/one', 'guides/two', 'guides/deep/a', 'guides/deep/b', 'alone/x'],
              },
            ],
          },
          { language: 'fr', pages: ['fr/guides/un', 'fr/guides/deux', 'fr/secret'] },
        ],
      },
    },
    {
      ...Object.fromEntries(
        ['guides/one', 'guides/two', 'guides/deep/a', 'guides/deep/b', 'alone/x', 'fr/guides/un'].map(
          (name) => [`${name}.mdx`, 'x'],
        ),
      ),
      'fr/guides/deux.mdx': '---\ntitle: Deux\ndescription: The second.\n---\nx',
      'fr/secret.mdx': '---\nnoindex: true\n---\nx',
    },
  )
  const sections = sectionPages(site, sortByReadingOrder(site, [...site.pages.values()]))
  assert.deepEqual(
    sections.map(({ folder, title, pages }) => [folder, title, pages.length]),
    [
      ['guides', 'Learn', 4],
      ['guides/deep', 'Learn', 2],
      ['fr', 'Fr', 2],
    ],
  )
  const french = sections[2]
  assert.ok(french)
  assert.equal(
    createSectionTxt(
      { site, pages: french.pages, hrefOf: ({ route }) => `${ORIGIN}${route}.md` },
      french.title,
    ),
    `# Docs & more: Fr\n\n## Docs\n\n- [Un](${ORIGIN}/fr/guides/un.md)\n- [Deux](${ORIGIN}/fr/guides/deux.md): The second.\n`,
  )
  const list = listOf(site, {
    sections: [{ title: 'Learn', href: `${ORIGIN}/guides/llms.txt` }],
    mcpHref: `${ORIGIN}/mcp`,
  })
  assert.match(list, /Model Context Protocol \(streamable HTTP\): https:\/\/docs\.example\.com\/mcp\n/)
  assert.match(list, /## Sections\n\n- \[Learn\]\(https:\/\/docs\.example\.com\/guides\/llms\.txt\)\n/)
})
