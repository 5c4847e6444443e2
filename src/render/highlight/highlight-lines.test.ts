import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeLineStyles } from './highlight-lines.ts'

test('markers set line classes and are removed from the text', () => {
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

test('a marker alone on a line is removed with its line and applies to the following lines', () => {
  const { lines, classes } = computeLineStyles('// [!code highlight:2]\na\nb\nc', [], [])
  assert.deepEqual(lines, ['a', 'b', 'c'])
  assert.deepEqual([...classes.keys()], [0, 1])
})

test('line numbers of the fence are applied once and only to existing lines', () => {
  const { classes } = computeLineStyles('a // [!code highlight]\nb', [1, 9], [2])
  assert.deepEqual(
    [...classes],
    [
      [0, ['line-highlight']],
      [1, ['line-focus']],
    ],
  )
})

test('keeps text that only resembles a marker', () => {
  assert.deepEqual(computeLineStyles('x // [!code something]\n[!code ++]', [], []).lines, [
    'x // [!code something]',
    '[!code ++]',
  ])
})
