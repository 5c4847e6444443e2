import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from './edit-distance.ts'

test('the distance is exact up to the limit', () => {
  assert.equal(editDistance('kitten', 'sitting', 3), 3)
  assert.equal(editDistance('kitten', 'sitting', 2), 3)
  assert.equal(editDistance('', 'ab', 2), 2)
})

test('the banded distance equals that of the full table', () => {
  const whole = (a: string, b: string): number => {
    const table = Array.from({ length: a.length + 1 }, (_, i) =>
      Array.from({ length: b.length + 1 }, (_, j) => i + j),
    )
    const at = (i: number, j: number) => table[i]?.[j] ?? 0
    for (let i = 1; i <= a.length; i++) {
      for (let j = 1; j <= b.length; j++) {
        const row = table[i] as number[]
        row[j] = Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        )
        const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
        if (isSwap) row[j] = Math.min(row[j] as number, at(i - 2, j - 2) + 1)
      }
    }
    return at(a.length, b.length)
  }
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
      assert.equal(editDistance(a, b, limit), Math.min(whole(a, b), limit + 1))
    }),
    { numRuns: 500 },
  )
})
