import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { bar, countBar, createProgressLine } from './progress-line.ts'

test('a bar counts in whole numbers from 0 to 100', () => {
  assert.equal(bar(0, 4), '[░░░░]   0 %')
  assert.equal(bar(62.9, 4), '[██░░]  62 %')
  assert.equal(bar(100, 4), '[████] 100 %')
  for (const [given, shown] of [
    [-3, 0],
    [500, 100],
    [Number.NaN, 0],
  ] as const)
    assert.ok(bar(given).endsWith(` ${shown} %`), String(given))
})

test('what is counted has no fractions, and no total before there is one', () => {
  assert.match(countBar(12.7, 50, 'pages'), / 24 % {2}12 of 50 pages$/)
  assert.match(countBar(3, null, 'pages'), / {3}0 % {2}3 pages$/)
})

test('nothing is drawn where nobody watches', () => {
  const stream = new PassThrough()
  const line = createProgressLine(stream as unknown as NodeJS.WriteStream)
  line.update('text')
  line.end()
  assert.equal(stream.read(), null)
})
