import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Cut, createCutter, createPieces } from '../../search/words.ts'
import { createTextCutter } from './search-cuts.ts'

const PARTS = [
  ..."aZ09-_.'’ \n,<ß",
  'createUser',
  'api_key',
  'é',
  'e\u0301',
  '環境',
  '変数',
  'ー',
  '〆',
  '한국',
  '🎉',
  '\ud83d',
  '𝒳',
  '—',
]

function cutsOf(text: string, cutter = createCutter(null)): string[] {
  const cuts: string[] = []
  createTextCutter(cutter).forEach(text, (cut) => cuts.push(cut.text))
  return cuts
}

test('the pieces of a text are those that its pattern finds', () => {
  const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (one) => assert.deepEqual(cutsOf(one), one.match(createPieces()) ?? [])),
    { numRuns: 2000 },
  )
})

test('a piece is cut into the words that it is cut into by itself', () => {
  const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(''))
  const formsOf = ({ words, whole }: Cut) => [...words.map(({ form }) => form), whole?.form]
  fc.assert(
    fc.property(text, (one) => {
      const alone = createCutter(null)
      createTextCutter(createCutter(null)).forEach(one, (cut) =>
        assert.deepEqual(formsOf(cut), formsOf(alone.cutOf(cut.text))),
      )
    }),
    { numRuns: 2000 },
  )
})

test('a piece is the same object wherever it stands, also among very many', () => {
  const cutter = createCutter(null)
  const texts = createTextCutter(cutter)
  const words = Array.from({ length: 30_000 }, (_, index) => `w${index.toString(36)}`)
  for (let round = 0; round < 2; round++) {
    let place = 0
    texts.forEach(words.join(' '), (cut) => assert.equal(cut, cutter.cutOf(words[place++] as string)))
    assert.equal(place, words.length)
  }
})
