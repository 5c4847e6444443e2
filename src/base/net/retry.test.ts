import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { pause, retry } from './retry.ts'

const quick = { attempts: 4, firstDelayMs: 100, maxDelayMs: 250, random: () => 1 }

test('a call that fails twice succeeds at the third attempt', async () => {
  const seen: number[] = []
  const result = await retry(
    async (attempt) => {
      seen.push(attempt)
      if (attempt < 3) throw new Error('away')
      return 'here'
    },
    { ...quick, firstDelayMs: 1 },
  )
  assert.equal(result, 'here')
  assert.deepEqual(seen, [1, 2, 3])
})

test('the waits double up to the limit, and the last error comes out', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let attempts = 0
    let isOver = false
    const running = retry(async () => {
      attempts++
      throw new Error(`attempt ${attempts}`)
    }, quick)
    running
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
    for (const [delay, made] of [
      [100, 2],
      [200, 3],
      [250, 4],
    ] as const) {
      await settle()
      mock.timers.tick(delay - 1)
      await settle()
      assert.equal(attempts, made - 1)
      mock.timers.tick(1)
      await settle()
      assert.equal(attempts, made)
    }
    assert.ok(isOver)
    await assert.rejects(running, /attempt 4/)
  } finally {
    mock.timers.reset()
  }
})

test('an error that no attempt can mend comes out at once', async () => {
  let attempts = 0
  const failing = retry(
    async () => {
      attempts++
      throw new TypeError('wrong')
    },
    { ...quick, isWorthRetrying: (error) => !(error instanceof TypeError) },
  )
  await assert.rejects(failing, TypeError)
  assert.equal(attempts, 1)
})

test('a signal ends the waiting with its reason', async () => {
  const controller = new AbortController()
  const waiting = retry(async () => Promise.reject(new Error('away')), {
    ...quick,
    firstDelayMs: 1e6,
    maxDelayMs: 1e6,
    signal: controller.signal,
  })
  controller.abort(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)
  await assert.rejects(pause(1e6, AbortSignal.abort(new Error('before'))), /before/)
})

async function settle() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
