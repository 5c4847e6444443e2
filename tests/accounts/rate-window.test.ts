import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { correctClockSetBack } from '../../src/app/live/follow-clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { deleteStaleRows } from '../../src/features/accounts/settings/delete-stale-rows.ts'
import { openQueue } from '../../src/queue/queue.ts'
import { consumeForRead, consumeSlot, peekWindow, type RateVerdict } from '../../src/routing/rate-window.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase({ poolSize: 30 })
})
after(() => database[Symbol.asyncDispose]())

const take = (bucket: string, limit: number, windowSeconds: number) =>
  consumeSlot(database.queries, { bucket, limit, windowSeconds })

test('accepts exactly the limit from 600 parallel callers in two processes', async () => {
  const other = spawn(process.execPath, [`${import.meta.dirname}/../kit/take-from-window.ts`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  other.stdin.write(
    `${JSON.stringify({ url: database.url, bucket: 'both', limit: 100, windowSeconds: 3600, calls: 300 })}\n`,
  )
  await once(other.stdout, 'data')
  other.stdin.end('go\n')
  const counted = once(other.stdout, 'data')
  const here = await Promise.all(Array.from({ length: 300 }, () => take('both', 100, 3600)))
  const acceptedThere = Number(String((await counted)[0]))
  const acceptedHere = here.filter((verdict) => verdict.accepted).length
  assert.equal(acceptedHere + acceptedThere, 100)
})

test('waiting readers consume consecutive slots in few commits and never exceed the limit', async () => {
  const window = { bucket: 'readers', limit: 40, windowSeconds: 3600 }
  const read = () => consumeForRead(database.queries, window)
  const [readers, writers] = await Promise.all([
    Promise.all(Array.from({ length: 60 }, read)),
    Promise.all(Array.from({ length: 5 }, () => consumeSlot(database.queries, window))),
  ])
  const all = [...readers, ...writers]
  const accepted = all.filter((verdict) => verdict.accepted)
  const places = accepted.map(({ remaining }) => remaining).sort((a, b) => b - a)
  assert.deepEqual(
    places,
    Array.from({ length: 40 }, (_, index) => 39 - index),
  )
  assert.ok(
    readers.every(({ accepted }, index) => accepted === (readers[index - 1]?.accepted ?? true) || !accepted),
  )
  for (const { accepted, remaining, retryAfterSeconds } of all)
    if (!accepted) assert.deepEqual([remaining, retryAfterSeconds], [0, 3600])
  const { rows } = await database.pool.query<{ commits: number }>(
    `SELECT count(DISTINCT xmin::text)::integer AS commits FROM rate_hits WHERE bucket = 'readers'`,
  )
  assert.ok((rows[0]?.commits ?? 40) <= 7, `${rows[0]?.commits} commits for the places of 45 callers`)
})

test('remaining slots count down, and a rejected call returns the time to wait', async () => {
  const verdicts: RateVerdict[] = []
  for (let i = 0; i < 4; i++) verdicts.push(await take('down', 3, 60))
  assert.deepEqual(
    verdicts.map(({ accepted, limit, remaining }) => ({ accepted, limit, remaining })),
    [
      { accepted: true, limit: 3, remaining: 2 },
      { accepted: true, limit: 3, remaining: 1 },
      { accepted: true, limit: 3, remaining: 0 },
      { accepted: false, limit: 3, remaining: 0 },
    ],
  )
  assert.equal(verdicts[2]?.retryAfterSeconds, 0)
  assert.equal(verdicts[3]?.retryAfterSeconds, 60)
  assert.equal(verdicts[3]?.resetSeconds, 60)
})

test('a caller that waits for Retry-After is accepted, and the window rolls instead of restarting', async () => {
  assert.ok((await take('roll', 2, 2)).accepted)
  await sleep(1200)
  assert.ok((await take('roll', 2, 2)).accepted)
  const refused = await take('roll', 2, 2)
  assert.deepEqual([refused.accepted, refused.retryAfterSeconds], [false, 1])
  await sleep(refused.retryAfterSeconds * 1000)
  assert.ok((await take('roll', 2, 2)).accepted, 'the first hit has left the window')
  assert.ok(!(await take('roll', 2, 2)).accepted, 'the second hit is still in it')
})

test('a window under constant load accepts the full limit and never more', async () => {
  const [limit, windowSeconds] = [5, 1]
  const until = Date.now() + 3500
  const lanes = Array.from({ length: 10 }, async () => {
    while (Date.now() < until) await take('hammer', limit, windowSeconds)
  })
  // Rows are deleted once they leave the window, so collect the accepted times continuously.
  const times = new Set<number>()
  const watch = async () => {
    while (Date.now() < until + 200) {
      const rows = await database.pool.query<{ at: number }>(
        `SELECT (extract(epoch FROM at) * 1000000)::bigint AS at FROM rate_hits WHERE bucket = 'hammer'`,
      )
      for (const row of rows.rows) times.add(row.at)
      await sleep(50)
    }
  }
  await Promise.all([...lanes, watch()])
  const sorted = [...times].sort((a, b) => a - b)
  for (const [index, time] of sorted.entries()) {
    const later = sorted[index + limit]
    if (later !== undefined) assert.ok(later - time >= windowSeconds * 1_000_000, 'too many in one window')
  }
  assert.ok(sorted.length >= limit * 3, `only ${sorted.length} were accepted`)
})

test('a slot consumed in a rolled-back transaction does not count', async () => {
  const window = { bucket: 'undone', limit: 1, windowSeconds: 60 }
  await assert.rejects(
    database.transaction(async (tx) => {
      assert.ok((await consumeSlot(tx, window)).accepted)
      throw new Error('undo')
    }),
    /undo/,
  )
  assert.ok((await consumeSlot(database.queries, window)).accepted)
})

test('peeking at a window does not consume a slot', async () => {
  const window = { bucket: 'look', limit: 2, windowSeconds: 60 }
  const none = await peekWindow(database.queries, window)
  assert.deepEqual(none, { accepted: true, limit: 2, remaining: 2, resetSeconds: 0, retryAfterSeconds: 0 })
  await consumeSlot(database.queries, window)
  await consumeSlot(database.queries, window)
  const full = await peekWindow(database.queries, window)
  assert.deepEqual(full, { accepted: false, limit: 2, remaining: 0, resetSeconds: 60, retryAfterSeconds: 60 })
})

test('a lowered limit rejects calls until enough hits have left the window', async () => {
  for (let i = 0; i < 4; i++) await take('lowered', 4, 3)
  await sleep(1100)
  await take('lowered', 5, 3)
  const refused = await take('lowered', 1, 3)
  assert.deepEqual([refused.accepted, refused.remaining, refused.retryAfterSeconds], [false, 0, 3])
})

test('slots consumed together are counted one by one and leave the window together', async () => {
  const window = { bucket: 'together', limit: 5, windowSeconds: 4 }
  const first = await Promise.all(Array.from({ length: 3 }, () => consumeForRead(database.queries, window)))
  await sleep(2000)
  const second = await Promise.all(Array.from({ length: 4 }, () => consumeForRead(database.queries, window)))
  assert.deepEqual(
    [...first, ...second].map(({ accepted, remaining }) => [accepted, remaining]),
    [
      [true, 4],
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ],
  )
  const rows = await database.pool.query(`SELECT places FROM rate_hits WHERE bucket = 'together' ORDER BY at`)
  assert.deepEqual(rows.rows, [{ places: 3 }, { places: 2 }])
  const [lower, lowest] = await Promise.all(
    [3, 2].map((limit) => peekWindow(database.queries, { ...window, limit })),
  )
  assert.ok(
    (lower?.resetSeconds ?? 9) < (lowest?.resetSeconds ?? 0),
    'the first three leave before the others',
  )
  await sleep(2100)
  const third = await Promise.all(Array.from({ length: 4 }, () => consumeForRead(database.queries, window)))
  assert.deepEqual(
    third.map(({ accepted, remaining }) => [accepted, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  )
})

test('a limit of zero rejects calls for a whole window', async () => {
  const refused = await take('nothing', 0, 60)
  assert.deepEqual([refused.accepted, refused.retryAfterSeconds], [false, 60])
})

for (const who of ['a node', 'the next caller'])
  test(`hits moved by ${who} after the clock was set back stay in order and keep their slots`, async () => {
    // The node also corrects the times in the queue tables, which must exist.
    await using _queue = await openQueue({ address: { url: database.url }, log: silentLog })
    const window = { bucket: who, limit: 2, windowSeconds: 60 }
    await database.pool.query(
      `INSERT INTO rate_hits (bucket, at, total)
       VALUES ($1, clock_timestamp() - interval '0.1 s', 1), ($1, clock_timestamp() + interval '9.7 s', 2)`,
      [who],
    )
    await database.pool.query(`UPDATE clock SET seen = clock_timestamp() + interval '10 s'`)
    if (who === 'a node') await correctClockSetBack(database)
    const looked = await peekWindow(database.queries, window)
    const taken = await consumeSlot(database.queries, window)
    assert.deepEqual([looked.accepted, looked.remaining], [false, 0])
    assert.deepEqual([taken.accepted, taken.remaining], [false, 0])
  })

test('purges hits that have left every window and keeps the others', async () => {
  await database.pool.query(
    `INSERT INTO rate_hits (bucket, at, total) VALUES ('old', now() - interval '2 hours', 1), ('old', now(), 2)`,
  )
  const cleared = await deleteStaleRows(database.queries, { longestWindowSeconds: 3600 })
  assert.equal(cleared.hits, 1)
  const left = await database.pool.query(`SELECT 1 FROM rate_hits WHERE bucket = 'old'`)
  assert.equal(left.rowCount, 1)
})
