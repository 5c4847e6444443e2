import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexRoot } from '../../search/format.ts'
import { openSearch, type SearchEngine } from '../../search/search.ts'
import { loadStemmer } from '../../search/stemmers.ts'
import { createSearchIndexes } from './search-index.ts'
import type { IndexSettings, SearchPage } from './search-pages.ts'
import type { SearchFile } from './search-parts.ts'

function page(title: string, text: string, more: Partial<SearchPage> = {}): SearchPage {
  const route = `/${title.toLowerCase().replaceAll(' ', '-')}`
  return {
    language: 'en',
    title,
    route,
    href: `${route.slice(1)}.html`,
    groups: [],
    description: '',
    keywords: [],
    weight: 1,
    versions: [],
    updated: null,
    versionTwins: [],
    languageTwins: [],
    sections: [{ id: null, title: null, text }],
    ...more,
  }
}

/** Builds an index and loads it as a reader's browser does. */
async function open(
  pages: readonly SearchPage[],
  settings: Partial<IndexSettings> = {},
): Promise<{ engine: SearchEngine; root: IndexRoot; loaded: Set<string>; scripts: string[] }> {
  const indexes = createSearchIndexes({ versions: null, isWhole: false, ...settings })
  const made: SearchFile[] = []
  for (const one of pages) made.push(...(await indexes.add(one)))
  const { files, scripts } = indexes.finish()
  const run = (script: string, receivers: object) => new Function('globalThis', script)(receivers)
  let root: IndexRoot | null = null
  run(scripts[0]?.content ?? '', { __octavoSearch: (given: IndexRoot) => (root = given) })
  assert.ok(root)
  const parts = new Map([...made, ...files].map(({ path, content }) => [path, content]))
  const loaded = new Set<string>()
  const load = async (path: string) => {
    loaded.add(path)
    let part: unknown
    run(parts.get(path) ?? '', { __octavoSearchPart: (_: string, content: unknown) => (part = content) })
    return part
  }
  const language = (root as IndexRoot).language
  return {
    engine: openSearch(root, await loadStemmer(language), load),
    root,
    loaded,
    scripts: [...parts.values(), ...scripts.map(({ content }) => content)],
  }
}

async function hits(engine: SearchEngine, query: string, version: string | null = null): Promise<string[]> {
  return (await engine.find(query, version)).map(({ href }) => href)
}

test('finds a section by words, prefixes, inflections and typos and without accents', async () => {
  const { engine, scripts } = await open([
    page('Café guide', 'Opening </script>\u2028 words', {
      keywords: ['handbuch'],
      sections: [
        { id: null, title: null, text: 'Opening </script>\u2028 words' },
        { id: 'set-up', title: 'Set up', text: 'Configure the api_key of the deployment' },
      ],
    }),
    page('Other', 'Nothing of it'),
  ])
  assert.ok(scripts.every((script) => !script.includes('</script')))
  assert.deepEqual(await hits(engine, 'cafe'), ['café-guide.html'])
  for (const query of ['configu', 'deploymant', 'configuring deployments', 'handbuch', 'key', 'api_key']) {
    assert.deepEqual(await hits(engine, query), ['café-guide.html'], query)
  }
  const [found] = await engine.find('configuring', null)
  assert.deepEqual(found?.sections, [
    {
      heading: ['Set up'],
      href: 'café-guide.html#set-up',
      passage: ['', 'Configure', ' the api_key of the deployment'],
    },
  ])
  assert.deepEqual(await hits(engine, 'nowhere'), [])
  assert.deepEqual(await hits(engine, ''), [])
  assert.deepEqual(await engine.corrections('deplyomnet'), ['deployment'])
})

test('matches compound words written together, hyphenated or apart', async () => {
  const { engine } = await open([
    page('Back up the database', 'A copy every night.'),
    page('Bundles', 'Take one into an air-gapped network.'),
    page('Requests', 'A webhook is called.'),
    page('Restore', 'Go back to the copy, or give it up.'),
    page('Accordion', 'Sections that open.'),
  ])
  const first = async (query: string) => (await hits(engine, query))[0]
  assert.equal(await first('backup'), 'back-up-the-database.html')
  assert.equal(await first('database backups'), 'back-up-the-database.html')
  assert.equal(await first('airgapped'), 'bundles.html')
  assert.equal(await first('air gapped'), 'bundles.html')
  assert.equal(await first('air-gapped'), 'bundles.html')
  assert.equal(await first('web hooks'), 'requests.html')
})

test('ranks titles over headings, headings over text and guides over generated pages', async () => {
  const section = (title: string, text: string) => ({ id: 'x', title, text })
  const { engine } = await open([
    page('Read work pool', 'Gives back a work pool.', { weight: 0.75 }),
    page('Deployments', 'They run in a work pool.'),
    page('Concepts', 'All of them.', { sections: [section('Work pool', 'What runs.')] }),
    page('Work pools', 'A place where work is done.'),
  ])
  assert.deepEqual(await hits(engine, 'what is a work pool'), [
    'work-pools.html',
    'read-work-pool.html',
    'concepts.html',
    'deployments.html',
  ])
})

test('finds text without spaces by any part of it', async () => {
  const { engine } = await open([
    page('環境変数', 'アプリケーションを構築します', { language: 'ja', href: 'x' }),
    page('設定', '別のページ', { language: 'ja', href: 'y' }),
  ])
  for (const query of ['構築', '変数', '環境', 'アプリ', '環'])
    assert.deepEqual(await hits(engine, query), ['x'], query)
  const [found] = await engine.find('構築', null)
  assert.deepEqual(found?.passage, ['アプリケーションを', '構築', 'します'])
})

test('ranks the version of the reader first and labels pages that exist only in another version', async () => {
  const versions = { labels: ['v2', 'v1'], default: 0 }
  const { engine } = await open(
    [
      page('Install', 'Limits of the queue.', { href: 'v1/install', versions: [1], versionTwins: [0] }),
      page('Queue limits', 'Queue limits.', { href: 'v1/limits', versions: [1] }),
      page('Install', 'Limits of the queue.', { href: 'v2/install', versions: [0], versionTwins: [1] }),
      page('Shared', 'Each queue has limits.', { href: 'shared' }),
    ],
    { versions },
  )
  const found = async (version: string | null) =>
    (await engine.find('queue limits', version)).map((one) => `${one.href} ${one.version}`)
  assert.deepEqual(await found(null), ['v2/install null', 'shared null', 'v1/limits v1'])
  assert.deepEqual(await found('v1'), ['v1/limits null', 'v1/install null', 'shared null'])
})

test('loads few parts of a large index per query and finds the same top result as a whole index', async () => {
  const words = 'request answer token field cluster region backup version schema client server worker'.split(
    ' ',
  )
  const pages = Array.from({ length: 400 }, (_, number) => {
    const word = (step: number) => words[(number * step + step) % words.length] as string
    const text = Array.from({ length: 180 }, (_, place) => `${word(place)}${(number * place) % 97}`).join(' ')
    return page(`Page ${number} of ${word(1)}s`, `${text}. Only here: unique${number}.`)
  })
  const large = await open(pages)
  const whole = await open(pages, { isWhole: true })
  assert.equal(whole.root.textParts.length, 0)
  assert.ok(large.root.textParts.length > 10 && large.root.wordParts.length > 2)
  for (const query of ['unique217', 'page 31 of tokens', 'tokens', 'uniqe399']) {
    const found = await hits(large.engine, `${query} `)
    assert.ok(found.length > 0, query)
    assert.equal(found[0], (await hits(whole.engine, `${query} `))[0], query)
  }
  const { engine, loaded } = await open(pages)
  assert.equal((await hits(engine, 'unique217 ')).length, 1)
  assert.ok(loaded.size <= 3, [...loaded].join(' '))
})

test('each language has its own index, in an order that does not depend on the pages', async () => {
  const indexes = createSearchIndexes({ versions: null, isWhole: false })
  await indexes.add(page('X', 'x', { language: 'ja' }))
  await indexes.add(page('Y', 'y'))
  assert.deepEqual(
    indexes.finish().scripts.map(({ language }) => language),
    ['en', 'ja'],
  )
})

test('results contain the date of the last change if known', async () => {
  const { engine } = await open([
    page('Dated', 'a heron', { updated: '2026-03-01' }),
    page('Undated', 'a heron'),
  ])
  const found = await engine.find('heron', null)
  assert.deepEqual(found.map(({ href, updated }) => [href, updated]).sort(), [
    ['dated.html', '2026-03-01'],
    ['undated.html', null],
  ])
})
