import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GIVE_UP_HOURS, readRetryAfter, retryDelay } from './retry-schedule.ts'

const latest = { random: () => 1 }
const earliest = { random: () => 0 }

test('makes 14 attempts with growing delays within three days', () => {
  const delays: number[] = []
  for (let attempts = 1; ; attempts++) {
    const delay = retryDelay(attempts, latest)
    if (delay === null) break
    delays.push(delay)
  }
  assert.equal(delays.length, 13)
  assert.deepEqual(
    delays,
    delays.toSorted((a, b) => a - b),
  )
  const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3600
  assert.ok(hours > GIVE_UP_HOURS - 1 && hours < GIVE_UP_HOURS, `${hours}`)
})

test('jitter spreads the retries of deliveries that failed together', () => {
  assert.equal(retryDelay(1, earliest), 3.75)
  assert.equal(retryDelay(1, latest), 5)
})

test('a receiver can postpone a retry by up to a day, but not advance it', () => {
  assert.equal(retryDelay(1, { ...latest, requestedSeconds: 120 }), 120)
  assert.equal(retryDelay(1, { ...latest, requestedSeconds: 1 }), 5)
  assert.equal(retryDelay(1, { ...latest, requestedSeconds: 999_999_999 }), 86_400)
  assert.equal(retryDelay(14, { ...latest, requestedSeconds: 120 }), null)
})

test('reads Retry-After as seconds and as a date', () => {
  const now = Date.parse('2026-11-21T09:30:00Z')
  assert.equal(readRetryAfter('120', now), 120)
  assert.equal(readRetryAfter('Sat, 21 Nov 2026 09:31:30 GMT', now), 90)
  assert.equal(readRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now), 0)
  for (const header of [undefined, '', '-1', '1.5', 'soon', '2026-11-21', ['1', '2']])
    assert.equal(readRetryAfter(header, now), null)
})
