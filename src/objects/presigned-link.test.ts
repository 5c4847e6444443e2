import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLink, verifyLink } from './presigned-link.ts'

const signer = { publicUrl: 'https://docs.example.com/base/', secret: 'sixteen bytes or more' }
const noon = Date.UTC(2026, 5, 1, 12)

test('a presigned link is valid for exactly its lifetime', () => {
  const { url, expiresAt } = makeLink(signer, 'exports/1', { lifetimeSeconds: 60, filename: 'a b.gz' }, noon)
  assert.ok(url.startsWith('https://docs.example.com/base/_octavo/objects/exports/1?'))
  assert.equal(expiresAt.getTime(), noon + 60_000)
  const query = new URL(url).searchParams
  assert.deepEqual(verifyLink(signer.secret, 'exports/1', query, noon + 59_999), {
    kind: 'ok',
    filename: 'a b.gz',
  })
  assert.deepEqual(verifyLink(signer.secret, 'exports/1', query, noon + 60_000), { kind: 'expired' })
})

test('a link with another key or secret is reported as altered, even after it expires', () => {
  const { url } = makeLink(signer, 'exports/1', { lifetimeSeconds: 60, filename: 'a.gz' }, noon)
  const query = new URL(url).searchParams
  assert.equal(verifyLink(signer.secret, 'exports/2', query, noon).kind, 'altered')
  assert.equal(verifyLink('another secret', 'exports/1', query, noon).kind, 'altered')
  assert.equal(verifyLink('another secret', 'exports/1', query, noon + 1e9).kind, 'altered')
})

test('text cannot be moved between the signed fields of a link', () => {
  const link = makeLink(signer, 'a', { lifetimeSeconds: 60, filename: 'x\n60\ny' }, noon)
  const query = new URL(link.url).searchParams
  const moved = new URLSearchParams({
    expires: `${query.get('expires')}\nx`,
    filename: '60\ny',
    signature: query.get('signature') ?? '',
  })
  // Both would be signed as the same bytes.
  assert.equal(verifyLink(signer.secret, 'a', moved, noon).kind, 'altered')
})
