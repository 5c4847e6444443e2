/** How well readers find what they ask for, measured on the documentation of Octavo itself. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSearchIndexes } from '../../src/render/search/search-index.ts'
import type { IndexRoot, PageText } from '../../src/search/format.ts'
import { openSearch } from '../../src/search/search.ts'
import { loadStemmer } from '../../src/search/stemmers.ts'
import { makeQueries } from '../kit/search-queries.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const EACH = 20

test('the right page comes first for most queries and among the first five for nearly all', async () => {
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

test('what new readers asked in vain leads to its page', async () => {
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
      versionTwins: [],
      languageTwins: [],
      sections: sections.map(([id, heading, text]) => ({ id: id || null, title: heading || null, text })),
    })
  }
  let root: IndexRoot | null = null
  const script = indexes.finish().scripts[0]?.content ?? ''
  new Function('globalThis', script)({ __octavoSearch: (given: IndexRoot) => (root = given) })
  assert.ok(root)
  return openSearch(root, await loadStemmer('en'), async () => assert.fail('a whole index loads nothing'))
}

/** The words of a page by headings, without what is not read. */
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
