import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRetryAfter } from './retry-after.ts'

const NOW = Date.parse('2026-11-21T09:30:00Z')
const read = (headers: Record<string, string>, body = '') => readRetryAfter(new Headers(headers), body, NOW)

test('reads seconds, milliseconds and dates from headers and prefers milliseconds', () => {
  assert.equal(read({ 'retry-after': '7' }), 7)
  assert.equal(read({ 'retry-after': '7', 'retry-after-ms': '250' }), 0.25)
  assert.equal(read({ 'retry-after': 'Sat, 21 Nov 2026 09:30:42 GMT' }), 42)
  assert.equal(read({ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }), 0)
})

test('reads retry delays from the response body', () => {
  assert.equal(read({}, '{"retryDelay": "34.5s"}'), 34.5)
  assert.equal(read({}, 'Please try again in 1m6.5s.'), 66.5)
  assert.equal(read({}, 'Please try again in 350ms. Visit …'), 0.35)
  assert.equal(read({}, 'Please retry in 12 seconds'), 12)
  assert.equal(read({}, 'try again in 1h2m3s'), 3723)
})

test('returns null for invalid or missing retry delays', () => {
  for (const value of ['', 'soon', '-5', '1e9999', 'NaN', '0x10'])
    assert.equal(read({ 'retry-after': value }), null, value)
  assert.equal(read({}, 'Try again later, in a while.'), null)
})
