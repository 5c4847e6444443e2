import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiffLine, diffFile } from './diff-file.ts'

const shown = ({ kind, before, after, parts }: DiffLine) =>
  `${before ?? ''}:${after ?? ''}${{ same: ' ', added: '+', removed: '-' }[kind]}${parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')}`

test('marks the words that differ in the removed and the added line', () => {
  const diff = diffFile('One.\nThe small cat sat.\nEnd.\n', 'One.\nThe big cat sat down.\nEnd.\n')
  assert.deepEqual(
    diff.hunks.map((hunk) => hunk.map(shown)),
    [['1:1 One.', '2:-The [small] cat sat.', ':2+The [big] cat sat[ down].', '3:3 End.']],
  )
  assert.deepEqual([diff.added, diff.removed], [1, 1])
})

test('lines with little in common are not marked', () => {
  const [hunk = []] = diffFile('All of it is new.\n', 'Nothing stayed as before!\n').hunks
  assert.ok(hunk.every(({ parts }) => parts.every(({ isMarked }) => !isMarked)))
})

test('distant changes form separate hunks with three lines of context', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
  const after = lines.map((line) => (line === 'line 10' || line === 'line 30' ? `${line}!` : line))
  const { hunks } = diffFile(lines.join('\n'), after.join('\n'))
  assert.deepEqual(
    hunks.map((hunk) => [hunk[0]?.before, hunk.at(-1)?.after]),
    [
      [7, 13],
      [27, 33],
    ],
  )
})

test('shows added, deleted and empty files', () => {
  assert.deepEqual(
    diffFile(null, 'a\nb\n').hunks.map((hunk) => hunk.map(shown)),
    [[':1+a', ':2+b']],
  )
  assert.deepEqual(
    diffFile('a', null).hunks.map((hunk) => hunk.map(shown)),
    [['1:-a']],
  )
  assert.deepEqual(diffFile(null, '').hunks, [])
})

test('files that are too different are shown as one hunk, removed lines first', () => {
  const [before, after] = ['x', 'y'].map((letter) =>
    Array.from({ length: 9000 }, (_, index) => `${letter}${index}\n`).join(''),
  ) as [string, string]
  const { hunks, added, removed } = diffFile(before, after)
  assert.deepEqual([hunks.length, added, removed], [1, 9000, 9000])
  assert.equal(hunks[0]?.[0]?.kind, 'removed')
  assert.equal(hunks[0]?.at(-1)?.after, 9000)
})
