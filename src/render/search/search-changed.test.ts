/** An index of which few pages have changed is the one that is made anew, byte for byte. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../base/hash.ts'
import { createSearchIndexes, type IndexSettings, type KeptIndexes } from './search-index.ts'
import { type LedgerLanguage, packLedger, readLedger } from './search-ledger.ts'
import type { SearchPage } from './search-page.ts'
import type { SearchFile } from './search-parts.ts'
import { openSearchWriter, type SearchMemory } from './search-writer.ts'

const SETTINGS: IndexSettings = { versions: { labels: ['v1', 'v2'], default: 0 }, isWhole: false }
const WORDS = 'token tokens Übergang über uber createUser api_key running runs ran cache caché field'.split(
  ' ',
)

function page(number: number, language: string, words: number): SearchPage {
  const text = Array.from({ length: words }, (_, at) => WORDS[(number * 7 + at * at) % WORDS.length]).join(
    ' ',
  )
  return {
    language,
    title: `Page ${number} of ${WORDS[number % WORDS.length]}`,
    route: `/part/page-${number}`,
    href: `part/page-${number}.html`,
    groups: ['Part'],
    description: '',
    keywords: [],
    weight: 1,
    versions: [number % 2],
    versionTwins: [],
    languageTwins: [],
    sections: [
      { id: null, title: null, text },
      { id: 'more', title: `More of ${number}`, text: `word${number} < ${'\ud83d'} everywhere` },
    ],
  }
}

const withText = (one: SearchPage, text: string): SearchPage => ({
  ...one,
  sections: [...one.sections.slice(0, 1), { id: 'new', title: 'A heading', text }],
})

async function make(pages: readonly SearchPage[], memory: SearchMemory | null) {
  const files: Record<string, string> = {}
  let read = 0
  await using writer = await openSearchWriter(
    SETTINGS,
    async ({ path, content, digest }) => {
      assert.ok(path.includes(digest.slice(0, 10)))
      files[path] = await content()
    },
    memory,
  )
  for (const [place, one] of [...pages.entries()].reverse()) {
    const name = sha256(JSON.stringify(one))
    if (!writer.knows(name)) writer.add(place, one, name)
    else
      writer.addSame(place, one, name, async () => {
        read += 1
        return one
      })
  }
  const { scripts, kept } = await writer.finish()
  return { made: { files, scripts: [...scripts] }, kept, read }
}

/** In this thread, of which there is one. */
async function makeAnew(pages: readonly SearchPage[]) {
  const indexes = createSearchIndexes(SETTINGS)
  const files: SearchFile[] = []
  for (const one of pages) files.push(...(await indexes.add(one)))
  const made = indexes.finish()
  files.push(...made.files)
  const byPath = Object.fromEntries(files.map(({ path, content }) => [path, content]))
  return { made: { files: byPath, scripts: made.scripts } }
}

function memoryOf(kept: KeptIndexes | null): SearchMemory {
  return { ledger: kept && readLedger(kept.ledger), index: async () => kept?.index ?? null }
}

test('whatever changes, the index made from the last one is that made anew', async () => {
  const pages = Array.from({ length: 260 }, (_, number) => page(number, number % 2 ? 'en' : 'ja', 400))
  const first = await make(pages, memoryOf(null))
  assert.ok(first.kept)
  const memory = memoryOf(first.kept)
  assert.equal(memory.ledger?.length, 2)
  const steps: [string, SearchPage[]][] = [
    ['nothing', pages],
    ['a text', pages.with(4, withText(pages[4] as SearchPage, 'entirely other cache words, cachées'))],
    ['a page with nothing in it', pages.with(5, { ...(pages[5] as SearchPage), title: '', sections: [] })],
    ['a long text', pages.with(7, withText(pages[7] as SearchPage, 'aardvark zebra token '.repeat(2000)))],
    ['a title', pages.with(0, { ...(pages[0] as SearchPage), title: 'Another running' })],
    ['the last page', pages.with(259, withText(pages[259] as SearchPage, 'ran'))],
    ['a weight and a version', pages.with(8, { ...(pages[8] as SearchPage), weight: 2, versions: [0, 1] })],
    ['thirty pages', pages.map((one, at) => (at % 9 ? one : withText(one, `token changed${at}`)))],
  ]
  for (const [what, now] of steps) {
    const next = await make(now, memory)
    assert.deepEqual(next.made, (await makeAnew(now)).made, what)
    assert.equal(next.kept, null, `${what}: it was changed`)
  }
  const moved: [string, SearchPage[]][] = [
    ['many pages', pages.map((one, at) => (at % 5 ? one : withText(one, `many${at}`)))],
    ['a page less', pages.toSpliced(2, 1)],
    ['a page more, in front', [page(999, 'en', 90), ...pages]],
    ['another order', pages.toReversed()],
    ['another language', [...pages, page(1000, 'de', 90)]],
    ['a language less', pages.filter(({ language }) => language === 'en')],
    ['so few that they stand in one file', pages.slice(0, 20)],
    ['none', []],
  ]
  for (const [what, now] of moved) {
    const anew = (await makeAnew(now)).made
    const next = await make(now, memory)
    assert.deepEqual(next.made, anew, what)
    assert.ok(next.kept, `${what}: the next one is to find its own`)
  }
  const less = pages.slice(1)
  const lost = await make(less, { ...memory, index: async () => null })
  assert.deepEqual(lost.made, (await makeAnew(less)).made)
  assert.deepEqual((await make(less, memoryOf(lost.kept))).made, lost.made)
})

test('a word of so many pages that its line leaves some out is changed as one that has all', async () => {
  const pages = Array.from({ length: 1620 }, (_, number) => page(number, 'en', 40 + (number % 9)))
  const memory = memoryOf((await make(pages, memoryOf(null))).kept)
  assert.ok(memory.ledger?.[0] && memory.ledger[0].wholes.size > 3)
  const now = pages
    .map((one, at) => (at % 60 ? one : withText(one, 'nothing of it')))
    .with(800, withText(pages[800] as SearchPage, 'everywhere'))
  const next = await make(now, memory)
  assert.equal(next.kept, null)
  assert.deepEqual(next.made, (await makeAnew(now)).made)
})

test('a ledger that was bent is as good as missing, or gives an index all the same', async () => {
  const pages = Array.from({ length: 130 }, (_, number) => page(number, 'en', 400))
  const { kept } = await make(pages, memoryOf(null))
  assert.ok(kept)
  const ledger = Buffer.from(kept.ledger)
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(3000, 0xff),
    ledger.subarray(0, -1),
    Buffer.concat([ledger, Buffer.alloc(1)]),
    packLedger([]),
  ])
    assert.equal(readLedger(bytes), null)
  const now = pages.with(9, withText(pages[9] as SearchPage, 'token, and other words'))
  const [one] = readLedger(ledger) as [LedgerLanguage]
  const bent: LedgerLanguage[] = [
    { ...one, recordOf: () => Uint8Array.from([1, 0x80]) },
    { ...one, recordOf: () => Uint8Array.from([1, 0xff, 0xff, 0x7f]) },
    { ...one, recordOf: (at) => one.recordOf(at + 1) },
    { ...one, lines: one.lines.map((line) => line.slice(0, -1)) },
    { ...one, lines: one.lines.map(() => '') },
    { ...one, lines: one.lines.map((line) => `${line}////////////////`) },
    { ...one, terms: one.terms.toReversed() },
    { ...one, formPages: one.formPages.map(() => 0) },
  ]
  for (const half of bent) {
    const { made } = await make(now, { ledger: [half], index: async () => kept.index })
    assert.equal(made.scripts.length, 1)
  }
  const { made } = await make(now, { ledger: [bent[0] as LedgerLanguage], index: async () => kept.index })
  assert.deepEqual(made, (await makeAnew(now)).made)
})
