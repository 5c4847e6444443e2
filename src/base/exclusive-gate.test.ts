import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExclusiveGate } from './exclusive-gate.ts'

const NEVER = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('shared work runs concurrently, exclusive work waits for it, and later work queues behind', async () => {
  const gate = createExclusiveGate()
  const log: string[] = []
  const enter = async (name: string, way: 'shared' | 'alone') => {
    const place = await gate.enter(way, NEVER)
    log.push(name)
    return place
  }
  const [a, b] = await Promise.all([enter('a', 'shared'), enter('b', 'shared')])
  const alone = enter('alone', 'alone')
  const [c, d] = [enter('c', 'shared'), enter('d', 'shared')]
  a[Symbol.dispose]()
  a[Symbol.dispose]()
  await settled()
  assert.deepEqual(log, ['a', 'b'])
  b[Symbol.dispose]()
  ;(await alone)[Symbol.dispose]()
  await Promise.all([c, d])
  assert.deepEqual(log, ['a', 'b', 'alone', 'c', 'd'])
})

test('an aborted waiter lets those queued behind it in', async () => {
  const gate = createExclusiveGate()
  const first = await gate.enter('shared', NEVER)
  const leaving = new AbortController()
  const refused = assert.rejects(gate.enter('alone', leaving.signal), /gone/)
  const second = gate.enter('shared', NEVER)
  leaving.abort(new Error('gone'))
  await refused
  ;(await second)[Symbol.dispose]()
  first[Symbol.dispose]()
  await assert.rejects(gate.enter('alone', leaving.signal), /gone/)
  await gate.enter('alone', NEVER)
})
