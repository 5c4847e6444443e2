import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pause, retry } from './retry.ts'

test('retries once after a slow failed attempt, even past patienceMs', async () => {
  let attempts = 0
  const work = async () => {
    attempts++
    if (attempts === 1) await pause(700)
    throw new Error(`attempt ${attempts}`)
  }
  await assert.rejects(
    retry(work, {
      signal: new AbortController().signal,
      patienceMs: 600,
      isWorthRetrying: () => true,
      requestedSeconds: () => null,
      onWait: () => undefined,
      random: () => 0,
    }),
    { message: 'attempt 2' },
  )
})
