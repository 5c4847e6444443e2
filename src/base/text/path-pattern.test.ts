import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesAny, matchesPath } from './path-pattern.ts'

const CASES: [pattern: string, path: string, matches: boolean][] = [
  ['guides/**', 'guides/a.mdx', true],
  ['guides/**', 'guides/deep/a.mdx', true],
  ['guides/**', 'guide/a.mdx', false],
  ['/guides/*', '/guides/a', true],
  ['/guides/*', '/guides/a/b', false],
  ['guides', 'guides/a/b.mdx', true],
  ['guides/', 'guides/a.mdx', true],
  ['guides/brew.mdx', 'guides/brew.mdx', true],
  ['guides/brew.mdx', 'guides/brew.mdx2', false],
  ['*.mdx', 'index.mdx', true],
  ['*.mdx', 'guides/index.mdx', false],
  ['**/*.mdx', 'index.mdx', true],
  ['**/*.mdx', 'a/b/c.mdx', true],
  ['**/api/**', 'v2/api/x', true],
  ['**/api/**', 'v2/apis/x', false],
  ['de/*/v*-*.mdx', 'de/x/v1-2.mdx', true],
  ['**', '', true],
  ['docs.json', 'docs.json', true],
  ['a.c', 'abc', false],
  ['(a|b)', 'a', false],
]

for (const [pattern, path, matches] of CASES)
  test(`${pattern} ${matches ? 'matches' : 'does not match'} ${path || 'the root'}`, () =>
    assert.equal(matchesPath(pattern, path), matches))

test('an empty list of patterns matches everything', () => {
  assert.ok(matchesAny([], 'x'))
  assert.ok(!matchesAny(['y'], 'x'))
})

test('matches adversarial patterns without catastrophic backtracking', () => {
  assert.ok(!matchesPath(`${'*a'.repeat(100)}b`, 'a'.repeat(4000)))
  assert.ok(!matchesPath(`${'**/a/'.repeat(60)}b`, 'a/'.repeat(2000)))
})
