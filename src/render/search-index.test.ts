import assert from 'node:assert/strict'
import { test } from 'node:test'
import MiniSearch from 'minisearch'
import { type SearchHit, searchOptions } from '../contract/search-tokens.ts'
import { createSearchIndexes, type SearchPage } from './search-index.ts'

function page(href: string, language: string, title: string, sections: SearchPage['sections']): SearchPage {
  return { href, language, title, description: '', keywords: ['handbuch'], groups: [], boost: 1, sections }
}

/** Loads a script as a reader's browser does. */
function load(script: string): { language: string; index: MiniSearch } {
  let loaded: { language: string; index: MiniSearch } | null = null
  const receive = (language: string, json: string) => {
    loaded = { language, index: MiniSearch.loadJSON(json, searchOptions(language)) }
  }
  new Function('globalThis', script)({ __octavoSearch: receive })
  assert.ok(loaded)
  return loaded
}

function hits(index: MiniSearch, query: string): string[] {
  return index.search(query).map((hit) => (hit as unknown as SearchHit).href)
}

test('a section is found by its words, without accents, by beginnings and with a slip', () => {
  const indexes = createSearchIndexes()
  indexes.add(
    page('a.html', 'en', 'Café guide', [
      { id: null, title: null, text: 'Opening </script>\u2028 words' },
      { id: 'set-up', title: 'Set up', text: 'Configure the api_key of the deployment' },
    ]),
  )
  const [script] = indexes.scripts()
  assert.ok(script)
  assert.ok(!script.content.includes('</script'))
  const { language, index } = load(script.content)
  assert.equal(language, 'en')
  assert.deepEqual(hits(index, 'cafe')[0], 'a.html')
  assert.deepEqual(hits(index, 'configu'), ['a.html#set-up'])
  assert.deepEqual(hits(index, 'deploymant'), ['a.html#set-up'])
  assert.deepEqual(hits(index, 'handbuch'), ['a.html'])
  assert.deepEqual(hits(index, 'key'), ['a.html#set-up'])
  assert.deepEqual(hits(index, 'nowhere'), [])
})

test('languages have indexes of their own, and scripts without spaces are cut into words', () => {
  const indexes = createSearchIndexes()
  indexes.add(
    page('/ja/x', 'ja', '環境変数', [{ id: null, title: null, text: 'アプリケーションを構築します' }]),
  )
  indexes.add(page('/x', 'en', 'Variables', [{ id: null, title: null, text: 'build' }]))
  const scripts = indexes.scripts()
  assert.deepEqual(
    scripts.map((script) => script.language),
    ['en', 'ja'],
  )
  const { index } = load(scripts[1]?.content ?? '')
  assert.deepEqual(hits(index, '構築'), ['/ja/x'])
  assert.deepEqual(hits(index, '変数'), ['/ja/x'])
})
