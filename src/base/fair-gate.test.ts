import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairGate, createWorkGate } from './fair-gate.ts'

const never = new AbortController().signal

test('a group with many waiters yields to a group with few, at each level', async () => {
  const gate = createFairGate(1)
  const order: string[] = []
  const first = await gate.enter(['a', 'x'], never)
  const all = [
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'y'],
    ['b', 'z'],
    ['b', 'z'],
  ].map(async (path) => {
    using _place = await gate.enter(path, never)
    order.push(path.join(''))
  })
  first[Symbol.dispose]()
  await Promise.all(all)
  assert.deepEqual(order, ['bz', 'ay', 'bz', 'ax', 'ax', 'ax'])
})

test('never exceeds the slot limit, and an aborted waiter takes no slot', async () => {
  const gate = createFairGate(2)
  const held = [await gate.enter(['a'], never), await gate.enter(['a'], never)]
  const tired = new AbortController()
  const left = gate.enter(['b'], tired.signal)
  const third = gate.enter(['a'], never)
  tired.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  held[0]?.[Symbol.dispose]()
  held[0]?.[Symbol.dispose]()
  const place = await third
  let isIn = false
  const fourth = gate.enter(['a'], never).then((one) => {
    isIn = true
    return one
  })
  await Promise.resolve()
  assert.equal(isIn, false)
  place[Symbol.dispose]()
  await fourth
})

test('a group leaves a slot for other groups, however many of its members wait', async () => {
  const gate = createWorkGate(2)
  const held = [await gate.enter(['a', 'x'], never), await gate.enter(['a', 'y'], never)]
  const order: string[] = []
  const more = gate.enter(['a', 'z'], never).then((place) => {
    order.push('a')
    return place
  })
  const other = await gate.enter(['b', 'x'], never)
  order.push('b')
  held[0]?.[Symbol.dispose]()
  ;(await more)[Symbol.dispose]()
  assert.deepEqual(order, ['b', 'a'])
  for (const place of [held[1], other]) place?.[Symbol.dispose]()
})
