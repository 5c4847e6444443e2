import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../base/hash.ts'
import { createSearchIndexes, type IndexSettings } from './search-index.ts'
import { isWholeIndex, namesIn } from './search-kept.ts'
import type { SearchPage } from './search-page.ts'
import { isRecordOf } from './search-postings.ts'

const SETTINGS: IndexSettings = { versions: null, isWhole: false }
const WORDS = 'token Übergang über uber createUser api_key running runs ran cache caché field request'.split(
  ' ',
)

function page(number: number, more: Partial<SearchPage> = {}): SearchPage {
  const words = Array.from({ length: 180 }, (_, at) => WORDS[(number * 7 + at * at) % WORDS.length])
  return {
    language: 'en',
    title: `Page ${number} of ${WORDS[number % WORDS.length]}`,
    route: `/part/page-${number}`,
    href: `part/page-${number}.html`,
    groups: ['Part'],
    description: `About <b>${number}</b>`,
    keywords: [],
    weight: 1,
    versions: [],
    versionTwins: [],
    languageTwins: [],
    sections: [
      { id: null, title: null, text: words.join(' ') },
      {
        id: 'more',
        title: `More ${number}`,
        text: `word${number} ${'\ud83d'} ${words.toReversed().join(' ')}`,
      },
    ],
    ...more,
  }
}

async function make(pages: readonly SearchPage[], known: Uint8Array | null, isKept = true) {
  const indexes = createSearchIndexes(SETTINGS, isKept ? { known } : null)
  const names = new Set(known ? namesIn(known) : [])
  const files = []
  let same = 0
  for (const one of pages) {
    const name = sha256(JSON.stringify(one))
    if (names.has(name)) same += 1
    files.push(...(names.has(name) ? await indexes.addSame(one, name) : await indexes.add(one, name)))
  }
  const { kept, ...rest } = indexes.finish()
  return {
    made: { files: [...files, ...rest.files], scripts: rest.scripts },
    kept: kept?.index ?? null,
    same,
  }
}

test('an index made of what another has kept is the one made anew', async () => {
  for (const count of [12, 220]) {
    const pages = Array.from({ length: count }, (_, number) => page(number))
    const other = { ...page(3), sections: [{ id: null, title: null, text: 'entirely other cache words' }] }
    const japanese = page(5000, { language: 'ja', title: '環境変数の設定' })
    const steps: [string, SearchPage[]][] = [
      ['the same', pages],
      ['another text', pages.with(3, other)],
      ['a page less', pages.toSpliced(2, 1)],
      ['a page more, in front', [page(999), ...pages]],
      ['another order', pages.toReversed()],
      ['another weight', pages.with(0, page(0, { weight: 2 }))],
      ['a language more', [...pages, japanese]],
      ['a language less', pages],
    ]
    let { kept } = await make(pages, null)
    for (const [what, now] of steps) {
      const next = await make(now, kept)
      const anew = await make(now, null, false)
      assert.deepEqual(next.made, anew.made, `${count}: ${what}`)
      assert.equal(anew.kept, null)
      assert.ok(next.same >= now.length - 3, what)
      kept = next.kept
    }
  }
})

test('a vocabulary that is mostly of pages that are gone is not kept', async () => {
  const rare = page(7, {
    sections: [
      { id: null, title: null, text: Array.from({ length: 4000 }, (_, at) => `rare${at}`).join(' ') },
    ],
  })
  const first = await make([page(1), page(2), rare], null)
  const second = await make([page(1), page(2)], first.kept)
  assert.deepEqual(second.made, (await make([page(1), page(2)], null, false)).made)
  assert.deepEqual(namesIn(second.kept as Uint8Array), [])
})

test('bytes that no index has left are told from its own, and never stop the next one', async () => {
  const pages = Array.from({ length: 3 }, (_, number) => page(number))
  const { kept } = await make(pages, null)
  const whole = Buffer.from(kept as Uint8Array)
  assert.ok(isWholeIndex(whole))
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(3),
    Buffer.alloc(4000, 0xff),
    whole.subarray(0, whole.length - 1),
    Buffer.concat([whole, Buffer.alloc(1)]),
  ])
    assert.ok(!isWholeIndex(bytes))
  let passed = 0
  for (let at = 0; at < whole.length; at += 13) {
    for (const value of [0, 0x7f, 0x80, 0xff]) {
      const bent = Buffer.from(whole)
      bent[at] = value
      if (!isWholeIndex(bent)) continue
      passed += 1
      // The words of such an index may be wrong, as its seal would tell.
      if (passed % 20 === 0) await make(pages, bent)
    }
  }
  assert.ok(passed > 0)
})

test('a record that names what its vocabulary has not is none of it', () => {
  const vocabulary = { stems: ['run'], forms: [['run', 0]] } as const
  for (const good of [[0], [1, 0, 0, 32, 17]]) assert.ok(isRecordOf(vocabulary, Uint8Array.from(good)))
  const bad = [[], [1, 1], [2, 0], [0, 1, 0], [0, 0, 64, 1], [0, 0], [0, 0, 32], [0x80], Array(9).fill(0xff)]
  for (const bytes of bad) assert.ok(!isRecordOf(vocabulary, Uint8Array.from(bytes)), bytes.join())
})
