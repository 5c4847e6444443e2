import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalPagePath } from './page-path.ts'

test('canonicalizes the variants of a page path', () => {
  for (const given of [
    '/guides/x',
    '/guides/x/',
    '/guides//x',
    '/guides/x.html',
    '/guides/x/index.html',
    '/guides/x?a=b#c',
  ])
    assert.equal(canonicalPagePath(given), '/guides/x', given)
  for (const given of ['/', '//', '/index', '/index.html', '/#top'])
    assert.equal(canonicalPagePath(given), '/', given)
  assert.equal(canonicalPagePath('/a%20%C3%A9'), '/a é')
})

test('rejects traversal, control characters and text that is not a path', () => {
  for (const given of [
    '',
    'guides',
    '/a/../b',
    '/%2e%2e/b',
    '/a\\b',
    '/a%00',
    '/a\nb',
    '/%ff',
    'https://x.example/a',
    '/./a',
  ])
    assert.equal(canonicalPagePath(given), null, given)
})
