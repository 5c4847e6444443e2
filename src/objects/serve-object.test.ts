import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { openMemoryStore } from '../../tests/kit/memory-store.ts'
import { contentDisposition, parseRange, serveObject } from './serve-object.ts'

async function serve(headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const store = openMemoryStore()
  const { etag } = await store.put('x', Buffer.from('0123456789'), { contentType: 'text/html' })
  const named = Object.entries(headers).map(([name, value]) => [name, value.replace('ETAG', etag)])
  const answer = await serveObject(store, {
    key: 'x',
    filename: 'x.html',
    method,
    headers: Object.fromEntries(named),
  })
  return { ...answer, text: answer.body === null ? null : (await buffer(answer.body)).toString(), etag }
}

test('returns the whole object as an attachment with its validators', async () => {
  const { status, headers, text, etag } = await serve()
  assert.equal(status, 200)
  assert.equal(text, '0123456789')
  assert.deepEqual(headers, {
    'Content-Type': 'text/html',
    'Content-Length': '10',
    'Content-Disposition': 'attachment; filename="x.html"',
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-transform',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
})

test('serves a range only if If-Range matches the strong ETag', async () => {
  const same = await serve({ range: 'bytes=2-3', 'if-range': 'ETAG' })
  assert.deepEqual([same.status, same.text, same.headers['Content-Range']], [206, '23', 'bytes 2-3/10'])
  assert.equal(same.headers['Content-Length'], '2')
  const other = await serve({ range: 'bytes=2-3', 'if-range': '"another"' })
  assert.deepEqual([other.status, other.text, other.headers['Content-Range']], [200, '0123456789', undefined])
  const weak = await serve({ range: 'bytes=2-3', 'if-range': 'W/ETAG' })
  assert.equal(weak.status, 200)
  const date = await serve({ range: 'bytes=2-3', 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' })
  assert.equal(date.status, 200)
})

test('returns 416 with the object size for a range past the end', async () => {
  const { status, headers, body } = await serve({ range: 'bytes=10-' })
  assert.deepEqual([status, headers['Content-Range'], body], [416, 'bytes */10', null])
})

test('HEAD returns the headers of the whole object and ignores Range', async () => {
  const { status, headers, body } = await serve({ range: 'bytes=2-3' }, 'HEAD')
  assert.deepEqual([status, headers['Content-Length'], body], [200, '10', null])
})

test('returns 304 if If-None-Match matches', async () => {
  for (const value of ['ETAG', 'W/ETAG', '"a", ETAG', '*']) {
    const { status, headers, body, etag } = await serve({ 'if-none-match': value, range: 'bytes=0-1' })
    assert.deepEqual([status, headers.ETag, body], [304, etag, null], value)
  }
  assert.equal((await serve({ 'if-none-match': '"other"' })).status, 200)
})

test('returns 412 if If-Match does not match', async () => {
  assert.equal((await serve({ 'if-match': '"other"' })).status, 412)
  assert.equal((await serve({ 'if-match': 'ETAG' })).status, 200)
})

test('returns 404 for a missing object', async () => {
  const answer = await serveObject(openMemoryStore(), {
    key: 'no',
    filename: 'no',
    method: 'GET',
    headers: {},
  })
  assert.deepEqual(answer, { status: 404, headers: {}, body: null })
})

test('parses single ranges per RFC 9110 and ignores invalid or multiple ranges', () => {
  const cases: [string | undefined, number, ReturnType<typeof parseRange>][] = [
    [undefined, 10, null],
    ['bytes=0-0', 10, { start: 0, end: 0 }],
    ['bytes=3-', 10, { start: 3, end: 9 }],
    ['bytes=3-99', 10, { start: 3, end: 9 }],
    ['bytes=-4', 10, { start: 6, end: 9 }],
    ['bytes=-99', 10, { start: 0, end: 9 }],
    ['BYTES=1-2', 10, { start: 1, end: 2 }],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-1', 0, 'unsatisfiable'],
    ['bytes=4-3', 10, null],
    ['bytes=-', 10, null],
    ['bytes=0-1,3-4', 10, null],
    ['items=0-1', 10, null],
    ['bytes=a-b', 10, null],
    ['bytes=99999999999999999999-', 10, null],
  ]
  for (const [header, sizeBytes, expected] of cases) {
    assert.deepEqual(parseRange(header, sizeBytes), expected, String(header))
  }
})

test('Content-Disposition file names cannot escape their header, folder or quotes', () => {
  assert.equal(contentDisposition('a b.tar.gz'), 'attachment; filename="a b.tar.gz"')
  assert.equal(contentDisposition('../../etc/passwd'), 'attachment; filename="passwd"')
  assert.equal(contentDisposition('C:\\docs\\x.zip'), 'attachment; filename="x.zip"')
  assert.equal(contentDisposition('a\r\nSet-Cookie: x'), 'attachment; filename="aSet-Cookie: x"')
  assert.equal(contentDisposition(''), 'attachment; filename="download"')
  assert.equal(
    contentDisposition('50%"文.zip'),
    `attachment; filename="50____.zip"; filename*=UTF-8''50%25%22%E6%96%87.zip`.replace('____', '___'),
  )
  assert.doesNotThrow(() => contentDisposition('\ud800.zip'))
})
