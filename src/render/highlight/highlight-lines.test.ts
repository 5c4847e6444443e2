import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeLineStyles } from './highlight-lines.ts'

test('markers set classes and go from the text', () => {
  const { lines, classes } = computeLineStyles(
    'a() // [!code ++]\nb() # [!code --]\n<c/> <!-- [!code focus] -->',
    [],
    [],
  )
  assert.deepEqual(lines, ['a()', 'b()', '<c/>'])
  assert.deepEqual(
    [...classes],
    [
      [0, ['line-diff', 'line-add']],
      [1, ['line-diff', 'line-remove']],
      [2, ['line-focus']],
    ],
  )
})

test('a marker alone on a line goes with its line and reaches over the next ones', () => {
  const { lines, classes } = computeLineStyles('// [!code highlight:2]\na\nb\nc', [], [])
  assert.deepEqual(lines, ['a', 'b', 'c'])
  assert.deepEqual([...classes.keys()], [0, 1])
})

test('line numbers of the fence are added once and only where there are lines', () => {
  const { classes } = computeLineStyles('a // [!code highlight]\nb', [1, 9], [2])
  assert.deepEqual(
    [...classes],
    [
      [0, ['line-highlight']],
      [1, ['line-focus']],
    ],
  )
})

test('text that only looks like a marker stays', () => {
  assert.deepEqual(computeLineStyles('x // [!code something]\n[!code ++]', [], []).lines, [
    'x // [!code something]',
    '[!code ++]',
  ])
})
