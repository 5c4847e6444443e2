import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { BatchedCalls } from './batched-calls.ts'

/** Answers rounds of callers on demand. */
function openRounds() {
  const rounds: number[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const ask = async (callers: number) => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    const round = rounds.push(callers)
    await end.promise
    return Array.from({ length: callers }, (_, index) => `${round}.${index}`)
  }
  return { rounds, ends, ask }
}

test('calls made in one turn of the event loop share one batch', async () => {
  const calls = new BatchedCalls<string>()
  const { rounds, ends, ask } = openRounds()
  const all = [calls.join('a', ask), calls.join('a', ask), calls.join('a', ask)]
  await setImmediate()
  await setImmediate() // the first of these rounds added more than one call
  assert.deepEqual(rounds, [3])
  ends[0]?.resolve()
  assert.deepEqual(await Promise.all(all), ['1.0', '1.1', '1.2'])
})

test('a growing batch waits for calls made in the next turn', async () => {
  const calls = new BatchedCalls<string>()
  const { rounds, ends, ask } = openRounds()
  const all = [calls.join('a', ask)]
  for (let turn = 0; turn < 2; turn++) {
    all.push(calls.join('a', ask))
    await setImmediate()
    assert.deepEqual(rounds, [])
  }
  await setImmediate()
  assert.deepEqual(rounds, [3])
  ends[0]?.resolve()
  assert.deepEqual(await Promise.all(all), ['1.0', '1.1', '1.2'])
})

test('calls made while a batch runs form the next batch, in call order', async () => {
  const calls = new BatchedCalls<string>()
  const { rounds, ends, ask } = openRounds()
  const first = calls.join('a', ask)
  await setImmediate()
  const later = [calls.join('a', ask), calls.join('a', ask), calls.join('a', ask)]
  assert.deepEqual(rounds, [1])
  ends[0]?.resolve()
  assert.equal(await first, '1.0')
  assert.deepEqual(rounds, [1, 3])
  ends[1]?.resolve()
  assert.deepEqual(await Promise.all(later), ['2.0', '2.1', '2.2'])
  const alone = calls.join('a', ask)
  await setImmediate()
  ends[2]?.resolve()
  assert.equal(await alone, '3.0')
  assert.deepEqual(rounds, [1, 3, 1])
})

test('different names do not wait for each other, and a batch has a maximum size', async () => {
  const calls = new BatchedCalls<string>(2)
  const a = openRounds()
  const b = openRounds()
  const ofA = [calls.join('a', a.ask)]
  const ofB = calls.join('b', b.ask)
  await setImmediate()
  ofA.push(...Array.from({ length: 3 }, () => calls.join('a', a.ask)))
  b.ends[0]?.resolve()
  assert.equal(await ofB, '1.0')
  for (let round = 0; round < 3; round++) {
    a.ends[round]?.resolve()
    await ofA[round]
  }
  assert.deepEqual(await Promise.all(ofA), ['1.0', '2.0', '2.1', '3.0'])
  assert.deepEqual(a.rounds, [1, 2, 1])
})

test('a batch that never settles blocks neither waiting nor later calls', async () => {
  const calls = new BatchedCalls<string>(100, 10)
  const { rounds, ends, ask } = openRounds()
  const stuck = calls.join('a', ask)
  await setImmediate()
  const waiting = calls.join('a', ask)
  while (rounds.length < 2) await setImmediate()
  ends[1]?.resolve()
  assert.equal(await waiting, '2.0')
  const later = calls.join('a', ask)
  while (rounds.length < 3) await setImmediate()
  ends[2]?.resolve()
  assert.equal(await later, '3.0')
  ends[0]?.resolve()
  assert.equal(await stuck, '1.0')
})

test('a failed batch rejects only its own calls', async () => {
  const calls = new BatchedCalls<number>()
  const first = calls.join('a', () => Promise.reject(new Error('away')))
  const second = calls.join('a', async () => [2])
  await assert.rejects(first, /away/)
  await assert.rejects(second, /away/)
  assert.equal(await calls.join('a', async () => [3]), 3)
  await assert.rejects(
    calls.join('a', async () => []),
    /a returned 0 results/,
  )
})

test('shared callers get one result, and calls made during a batch get the next one', async () => {
  const calls = new BatchedCalls<number>()
  const ends: PromiseWithResolvers<void>[] = []
  const ask = async () => {
    const end = Promise.withResolvers<void>()
    const number = ends.push(end)
    await end.promise
    return number
  }
  const first = [calls.share('a', ask), calls.share('a', ask)]
  await setImmediate()
  await setImmediate()
  const later = [calls.share('a', ask), calls.share('a', ask)]
  ends[0]?.resolve()
  assert.deepEqual(await Promise.all(first), [1, 1])
  ends[1]?.resolve()
  assert.deepEqual(await Promise.all(later), [2, 2])
})
