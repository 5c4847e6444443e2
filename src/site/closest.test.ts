import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { closestFile, closestOf, createClosestFinder, editDistance } from './closest.ts'

test('a slip of the pen, another case, another folder and another extension are recognised', () => {
  const pages = ['guides/setup', 'guides/quickstart', 'api/overview', 'guides/overview']
  assert.equal(closestOf('guides/quickstrat', pages), 'guides/quickstart')
  assert.equal(closestOf('Guides/Setup', pages), 'guides/setup')
  assert.equal(closestOf('old/setup.mdx', pages), 'guides/setup')
  assert.equal(closestOf('guides/v2/overview', pages), 'guides/overview')
})

test('nothing is suggested when nothing is near', () => {
  assert.equal(closestOf('pricing', ['guides/setup', '/', 'index']), null)
  assert.equal(closestOf('ab', ['cd']), null)
})

test('the distance is exact up to the limit', () => {
  assert.equal(editDistance('kitten', 'sitting', 3), 3)
  assert.equal(editDistance('kitten', 'sitting', 2), 3)
  assert.equal(editDistance('', 'ab', 2), 2)
})

test('the distance near the diagonal is that of the whole table', () => {
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

test('after thousands of broken links on a large site only equal names are still found', () => {
  const finder = createClosestFinder(
    Array.from({ length: 5000 }, (_, i) => `folder-${i % 50}/page-number-${i}`),
  )
  assert.equal(finder.find('nowhere/page-nunber-7'), 'folder-7/page-number-7')
  for (let i = 0; i < 20_000; i++) finder.find(`nowhere/missing-thing-${i}`)
  assert.equal(finder.find('nowhere/page-nunber-8'), null)
  assert.equal(finder.find('nowhere/page-number-8'), 'folder-8/page-number-8')
})

test('another number of a series of pictures is no suggestion, another spelling is', () => {
  const files = createClosestFinder(['/images/step-07.png', '/images/step-11.png', '/images/welcome.png'])
  assert.equal(closestFile(files, '/images/step-04.png'), null)
  assert.equal(closestFile(files, '/images/welcom.png'), '/images/welcome.png')
  assert.equal(closestFile(files, '/img/step-07.png'), '/images/step-07.png')
})
