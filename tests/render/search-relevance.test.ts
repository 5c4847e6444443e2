/** Measures search relevance on the documentation of Octavo itself. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { createSearchIndexes } from '../../src/render/search/search-index.ts'
import { searchPages } from '../../src/render/search/search-pages.ts'
import type { IndexRoot, PageText } from '../../src/search/format.ts'
import { openSearch } from '../../src/search/search.ts'
import { loadStemmer } from '../../src/search/stemmers.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { makeQueries } from '../kit/search-queries.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const EACH = 20

test('ranks the right page first for most queries and in the top five for nearly all', async () => {
  const files = globSync('**/*.{md,mdx}', { cwd: docs, exclude: ['snippets/**'] }).sort()
  const texts = files.map((file) => pageText(file, readFileSync(join(docs, file), 'utf8')))
  const engine = await engineOf(texts)
  const counts = { all: 0, first: 0, five: 0 }
  const missed: string[] = []
  for (const { kind, query, answers } of makeQueries(texts, EACH, 11)) {
    const found = (await engine.find(query, null)).map(({ href }) => href)
    const place = found.findIndex((href) => answers.includes(href))
    counts.all += 1
    if (place === 0) counts.first += 1
    if (place >= 0 && place < 5) counts.five += 1
    else missed.push(`${kind}: ${query}`)
  }
  assert.ok(counts.all >= 100, String(counts.all))
  assert.ok(counts.first >= 0.75 * counts.all, JSON.stringify(counts))
  assert.ok(counts.five >= 0.95 * counts.all, `${JSON.stringify(counts)} ${missed.join('; ')}`)
})

test('queries that new readers searched for in vain find their page first', async () => {
  const files = globSync('{guides,content,reference}/**/*.mdx', { cwd: docs }).sort()
  const engine = await engineOf(files.map((file) => pageText(file, readFileSync(join(docs, file), 'utf8'))))
  for (const [query, page] of [
    ['backup', 'guides/backup.mdx'],
    ['back up', 'guides/backup.mdx'],
    ['reverse proxy', 'guides/proxy.mdx'],
    ['webhooks', 'guides/webhooks.mdx'],
    ['web hooks', 'guides/webhooks.mdx'],
    ['accordion', 'content/components/accordion.mdx'],
  ] as const) {
    assert.equal((await engine.find(query, null))[0]?.href, page, query)
  }
})

test('guides rank before the generated reference on the same subject, and release notes rank last', async () => {
  const page = (title: string, text: string) => `---\ntitle: "${title}"\n---\n\n${text}\n`
  const dense = 'The context of a request. Context, context values, the webhooks of a checkout session. '
  const site = await loadSite(
    openMemoryTree({
      'docs.json': JSON.stringify({
        theme: 'mint',
        name: 'Acme',
        colors: { primary: '#5B5BD6' },
        navigation: {
          groups: [
            {
              group: 'Guides',
              pages: ['servers/context', 'servers/webhooks', 'payments/sessions', 'changelog'],
            },
            { group: 'SDK', pages: ['python-sdk/server-context', 'python-sdk/webhooks'] },
            { group: 'API', openapi: 'api.json' },
          ],
        },
      }),
      'servers/context.mdx': page('MCP context', 'What a tool knows of its request is its context.'),
      'servers/webhooks.mdx': page('Handle webhooks', 'Events reach your server as webhooks.'),
      'payments/sessions.mdx': page('Checkout sessions', 'A checkout session takes a payment.'),
      'changelog.mdx': page('Release notes', `## Context\n\n${dense.repeat(3)}`),
      'python-sdk/server-context.mdx': page('context', dense.repeat(3)),
      'python-sdk/webhooks.mdx': page('webhooks', dense.repeat(3)),
      'api.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Acme', version: '1' },
        paths: {
          '/sessions': {
            post: { summary: 'Checkout session', description: dense, tags: ['Checkout session'] },
          },
        },
      }),
    }),
  )
  const pages = searchPages(site)
  const indexes = createSearchIndexes({ versions: null, isWhole: true })
  for (const one of site.pages.values()) {
    const text = one.file === null ? dense : TEXTS_OF_PAGES.get(one.title)
    await indexes.add(pages(one, one.route, [{ id: null, title: null, text: text ?? dense.repeat(3) }]))
  }
  const engine = await engineOn(indexes)
  const first = async (query: string) => (await engine.find(query, null)).map(({ href }) => href)
  assert.equal((await first('context'))[0], '/servers/context')
  assert.equal((await first('context')).at(-1), '/changelog')
  assert.equal((await first('webhooks'))[0], '/servers/webhooks')
  assert.equal((await first('checkout session'))[0], '/payments/sessions')
})

const TEXTS_OF_PAGES: ReadonlyMap<string, string> = new Map([
  ['MCP context', 'What a tool knows of its request is its context.'],
  ['Handle webhooks', 'Events reach your server as webhooks.'],
  ['Checkout sessions', 'A checkout session takes a payment.'],
])

async function engineOf(texts: readonly PageText[]) {
  const indexes = createSearchIndexes({ versions: null, isWhole: true })
  for (const { title, href, trail, sections } of texts) {
    await indexes.add({
      language: 'en',
      title,
      route: `/${href.replace(/\.\w+$/, '')}`,
      href,
      groups: trail,
      description: '',
      keywords: [],
      weight: 1,
      versions: [],
      updated: null,
      versionTwins: [],
      languageTwins: [],
      sections: sections.map(([id, heading, text]) => ({ id: id || null, title: heading || null, text })),
    })
  }
  return engineOn(indexes)
}

async function engineOn(indexes: ReturnType<typeof createSearchIndexes>) {
  let root: IndexRoot | null = null
  const script = indexes.finish().scripts[0]?.content ?? ''
  new Function('globalThis', script)({ __octavoSearch: (given: IndexRoot) => (root = given) })
  assert.ok(root)
  return openSearch(root, await loadStemmer('en'), async () => assert.fail('a whole index loads nothing'))
}

/** Returns the text of a page by heading, without markup. */
function pageText(href: string, source: string): PageText {
  const [, head = '', body = ''] = /^(?:---\n([\s\S]*?)\n---\n)?([\s\S]*)$/.exec(source) ?? []
  const title = /^title: "?(.*?)"?$/m.exec(head)?.[1] ?? href
  const description = /^description: "?(.*?)"?$/m.exec(head)?.[1] ?? ''
  const [opening = '', ...parts] = body.split(/^#{2,4} /m)
  const words = (text: string) =>
    text
      .replace(/^import .*$|<[^>]*>|```\w*|\]\([^)]*\)|[`*|[\]]/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  const sections = parts.map((part, number) => {
    const [heading = '', ...lines] = part.split('\n')
    return [`s${number}`, words(heading), words(lines.join('\n'))] as const
  })
  return { title, href, trail: [], sections: [['', '', `${description} ${words(opening)}`], ...sections] }
}
