import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startWorkClock } from './work-clock.ts'

const capError = () => new Error('the cap')

test('a turn resumes with its saved work time', () => {
  using clock = startWorkClock(40_000, 60_000, capError)
  assert.ok(clock.workedMs() >= 40_000 && clock.workedMs() < 50_000)
  assert.ok(clock.leftMs() <= 20_000 && clock.leftMs() > 10_000)
})

test('an exhausted budget aborts at once, and excused waiting does not count', async () => {
  using over = startWorkClock(60_000, 60_000, capError)
  assert.equal(over.signal.aborted, true)
  assert.equal(over.signal.reason.message, 'the cap')
  using clock = startWorkClock(59_950, 60_000, capError)
  clock.excuse(30_000)
  assert.ok(clock.leftMs() > 20_000)
  clock.excuse(-30_000)
  if (!clock.signal.aborted) await once(clock.signal, 'abort')
  assert.equal(clock.signal.aborted, true)
})
