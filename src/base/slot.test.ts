import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairGate } from './fair-gate.ts'
import { createSlot } from './slot.ts'

const never = new AbortController().signal

test('a slot is released while its work waits, and the result waits to reacquire it', async () => {
  const gate = createFairGate(1)
  using slot = createSlot(gate, ['a'], never)
  await slot.acquire()
  const answer = Promise.withResolvers<string>()
  let isAnswered = false
  const asked = slot
    .releaseDuring(() => answer.promise)
    .finally(() => {
      isAnswered = true
    })
  const place = await gate.enter(['b'], never)
  assert.equal(slot.isHeld, false)
  answer.resolve('it')
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isAnswered, false, 'another one has the place')
  place[Symbol.dispose]()
  assert.equal(await asked, 'it')
  assert.equal(slot.isHeld, true)
})

test('a disposed slot is not held, and a late grant is released', async () => {
  const gate = createFairGate(1)
  const place = await gate.enter(['b'], never)
  const slot = createSlot(gate, ['a'], never)
  const late = slot.acquire()
  slot[Symbol.dispose]()
  place[Symbol.dispose]()
  await late
  assert.equal(slot.isHeld, false)
  using _next = await gate.enter(['c'], never)
})
