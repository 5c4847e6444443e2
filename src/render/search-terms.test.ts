import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import MiniSearch from 'minisearch'
import { searchOptions } from '../contract/search-tokens.ts'
import { createTermIndex } from './search-terms.ts'

const word = fc.constantFrom(
  ...'a ab abc abd abcd b bar Bär BAR baz __proto__ constructor 1 2 10 x-y 環境変数 構築します é ﬁ'.split(
    ' ',
  ),
)
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
const document = fc.record({ title: text, heading: text, text, boost: fc.constantFrom(undefined, 2) })

test('the index of any documents is the one that the library makes', () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 8 }), fc.constantFrom('en', 'ja'), (documents, language) => {
      const library = new MiniSearch(searchOptions(language))
      const terms = createTermIndex(language)
      for (const [id, one] of documents.entries()) {
        const whole = { id, ...one, href: `/${id}`, groups: ['G'], excerpt: '' }
        library.add(whole)
        terms.add(whole)
      }
      assert.equal(terms.toJson(), JSON.stringify(library))
    }),
    { numRuns: 200 },
  )
})
