import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wantsMarkdown } from '../../../base/net/prefers-markdown.ts'
import { markdownTwinName, pageTwinHeaders } from './page-twins.ts'

const file = { sha256: '', sizeBytes: 0, contentType: '' }
const manifest = {
  files: {
    'index.html': file,
    'index.md': file,
    'a b/c.html': file,
    'a b/c.md': file,
    'llms.txt': file,
    'x.png': file,
  },
}

test('serves Markdown if Accept names it with at least the weight of HTML', () => {
  assert.equal(wantsMarkdown('text/markdown'), true)
  assert.equal(wantsMarkdown('text/html;q=0.9, text/markdown'), true)
  assert.equal(wantsMarkdown('text/markdown;q=0.5, text/html'), false)
  assert.equal(wantsMarkdown('text/plain'), true)
  assert.equal(wantsMarkdown('application/json, text/plain, */*'), false)
  assert.equal(wantsMarkdown('text/html,application/xhtml+xml,*/*;q=0.8'), false)
  assert.equal(wantsMarkdown('*/*'), false)
  assert.equal(wantsMarkdown(''), false)
  assert.equal(wantsMarkdown('text/markdown;q=0'), false)
})

test('a page links its Markdown twin and the llms files, and the twin links its page and is noindex', () => {
  assert.equal(markdownTwinName(manifest, 'a b/c.html'), 'a b/c.md')
  assert.equal(markdownTwinName(manifest, 'x.png'), null)
  assert.deepEqual(pageTwinHeaders(manifest, 'a b/c.html'), {
    vary: 'accept-encoding, accept',
    link: '</a%20b/c.md>; rel="alternate"; type="text/markdown", </llms.txt>; rel="llms-txt", </llms-full.txt>; rel="llms-full-txt"',
    'x-llms-txt': '/llms.txt',
  })
  assert.deepEqual(pageTwinHeaders(manifest, 'index.md'), {
    'x-robots-tag': 'noindex',
    link: '</>; rel="canonical"',
    vary: 'accept-encoding, accept',
  })
  assert.deepEqual(pageTwinHeaders(manifest, 'x.png'), {})
  const withList = { files: { ...manifest.files, '_octavo/pages.jsonl': file } }
  assert.match(
    pageTwinHeaders(withList, 'index.html').link ?? '',
    /<\/mcp\/server-card>; rel="mcp-server-card"/,
  )
})
