import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveAddress, resolveImport } from './compile-links.ts'

test('relative links resolve from the folder of the file and keep query and fragment', () => {
  assert.equal(resolveAddress('./b.md#c', 'guides/a.mdx'), '/guides/b.md#c')
  assert.equal(resolveAddress('../img/x.png?v=1', 'guides/deep/a.mdx'), '/guides/img/x.png?v=1')
  assert.equal(resolveAddress('b/c', 'index.mdx'), '/b/c')
  assert.equal(resolveAddress('../../../x', 'a/b.mdx'), '/x')
  assert.equal(resolveAddress('sub/', 'a/b.mdx'), '/a/sub/')
})

test('absolute and external URLs are unchanged', () => {
  for (const address of [
    '/x',
    '#y',
    '?q',
    'https://a.b',
    'mailto:a@b.c',
    '//cdn/x',
    'data:image/png;base64,x',
    '',
  ]) {
    assert.equal(resolveAddress(address, 'a/b.mdx'), address)
  }
})

test('imports resolve to files in the docs folder, and packages and URLs return null', () => {
  assert.equal(resolveImport('/snippets/x.mdx', 'a/b.mdx'), 'snippets/x.mdx')
  assert.equal(resolveImport('./x.jsx', 'a/b.mdx'), 'a/x.jsx')
  assert.equal(resolveImport('../../../etc/passwd', 'a/b.mdx'), 'etc/passwd')
  assert.equal(resolveImport('snippets/x.mdx', 'a/b.mdx'), 'snippets/x.mdx')
  assert.equal(resolveImport('react', 'a/b.mdx'), null)
  assert.equal(resolveImport('https://x.example/y.js', 'a/b.mdx'), null)
})
