import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { loadFactor, until } from '../kit/until.ts'
import { enqueue, listen, openScene, ownerOf, stateOf } from './queue-scene.ts'

describe('job queue', { concurrency: true }, () => {
  test('several servers that start at once on an empty database share one queue', async (t) => {
    const scene = await openScene(t)
    const [one, two] = await Promise.all([scene.open(), scene.open(), scene.open()])
    const listener = await listen(two)
    await enqueue(scene, one, 'se_1')
    const attempt = await listener.attempt(1)
    assert.equal(attempt.exportId, 'se_1')
    attempt.end()
  })

  test('a job exists only if the transaction that enqueued it commits', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue)
    let seenInside = 0
    await assert.rejects(
      scene.database.transaction(async (tx) => {
        await queue.enqueue(tx, 'export.restore', { exportId: 'rolled back' }, ownerOf('rolled back'))
        throw new Error('no')
      }),
      /^Error: no$/,
    )
    await scene.database.transaction(async (tx) => {
      await queue.enqueue(tx, 'export.restore', { exportId: 'committed' }, ownerOf('committed'))
      // Long enough for a worker that polls every second to look before the transaction commits.
      await new Promise((resolve) => setTimeout(resolve, 1200))
      seenInside = listener.attempts.length
    })
    const attempt = await listener.attempt(1)
    assert.equal(seenInside, 0)
    assert.equal(attempt.exportId, 'committed')
    assert.equal(attempt.attempt, 1)
    attempt.end()
    const rows = await scene.database.pool.query("SELECT 1 FROM pgboss.job WHERE name = 'export.restore'")
    assert.equal(rows.rowCount, 1)
  })

  test('each job runs once, however many workers poll for it', async (t) => {
    const scene = await openScene(t)
    const [one, two] = await Promise.all([scene.open(), scene.open()])
    const listeners = await Promise.all([listen(one, 3), listen(two, 3)])
    const ids = Array.from({ length: 20 }, (_, i) => `se_${String(i).padStart(2, '0')}`)
    const jobs = await Promise.all(ids.map((id) => enqueue(scene, one, id)))
    const endAll = async (n: number) => {
      for (let i = 1; ; i++) (await listeners[n]?.attempt(i))?.end()
    }
    endAll(0)
    endAll(1)
    for (const job of jobs) {
      await until(async () => (await stateOf(scene, job)) === 'completed')
    }
    const seen = listeners.flatMap((listener) => listener.attempts.map((attempt) => attempt.exportId))
    assert.deepEqual(seen.sort(), ids)
  })

  test('a second job with the same singleton key is refused until the first has ended', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue, 2)
    const send = (exportId: string, singletonKey?: string) =>
      scene.database.transaction((tx) =>
        queue.enqueue(
          tx,
          'export.restore',
          { exportId },
          {
            ...ownerOf(exportId),
            ...(singletonKey === undefined ? {} : { singletonKey }),
          },
        ),
      )
    const first = await send('first', 'site_1')
    const running = await listener.attempt(1)
    assert.equal(await send('second', 'site_1'), null)
    assert.ok(await send('other key', 'site_2'))
    assert.ok(await send('no key'))
    running.end()
    await until(async () => (await stateOf(scene, first)) === 'completed')
    assert.ok(await send('third', 'site_1'))
    for (const n of [2, 3, 4]) (await listener.attempt(n)).end()
    assert.deepEqual(
      listener.attempts.map((attempt) => attempt.exportId),
      ['first', 'other key', 'no key', 'third'],
    )
  })

  test('a delayed job does not run before its start time', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue)
    const begun = Date.now()
    await scene.database.transaction((tx) =>
      queue.enqueue(
        tx,
        'export.restore',
        { exportId: 'later' },
        { ...ownerOf('later'), startAfterSeconds: 2 },
      ),
    )
    await enqueue(scene, queue, 'now')
    const first = await listener.attempt(1)
    first.end()
    const second = await listener.attempt(2)
    second.end()
    // On a busy machine both may be due before a worker polls.
    assert.deepEqual([first.exportId, second.exportId].sort(), ['later', 'now'])
    assert.ok(Date.now() - begun >= 1900)
  })

  test('jobs that run concurrently renew their leases', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue, 2)
    await Promise.all(['se_1', 'se_2'].map((id) => enqueue(scene, queue, id)))
    await listener.attempt(2)
    const beats = async () => {
      const { rows } = await scene.database.pool.query<{ later: boolean }>(
        "SELECT heartbeat_on > started_on AS later FROM pgboss.job WHERE state = 'active'",
      )
      return rows
    }
    const rows = await until(async () => {
      const found = await beats()
      return found.every(({ later }) => later) && found
    })
    assert.equal(rows.length, 2)
    for (const attempt of listener.attempts) assert.equal(attempt.signal.aborted, false)
    for (const attempt of listener.attempts) attempt.end()
  })

  test('a job whose handler throws three times is reported as exhausted once, with the last error', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue)
    const jobId = await enqueue(scene, queue, 'se_1')
    for (const n of [1, 2, 3]) {
      const attempt = await listener.attempt(n)
      assert.equal(attempt.attempt, n)
      assert.equal(attempt.jobId, jobId)
      attempt.fail(new Error(`failure ${n}`))
    }
    assert.deepEqual(await listener.firstExhausted(), {
      name: 'export.restore',
      payload: { exportId: 'se_1' },
      jobId,
      attempts: 3,
      reason: { kind: 'threw', message: 'failure 3' },
    })
    // The next attempt belongs to a later job, so the first job did not run again.
    await enqueue(scene, queue, 'next')
    assert.equal((await listener.attempt(4)).exportId, 'next')
    listener.attempts[3]?.end()
    assert.equal(listener.exhausted.length, 1)
    assert.equal(await stateOf(scene, jobId), 'failed')
  })

  test('an attempt that exceeds its deadline is aborted and counts as failed', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue)
    await scene.database.transaction(async (tx) => {
      const id = await queue.enqueue(tx, 'export.restore', { exportId: 'se_1' }, ownerOf('se_1'))
      await tx.executeQuery({
        sql: 'UPDATE pgboss.job SET expire_seconds = 1, retry_limit = 0 WHERE id = $1',
        parameters: [id],
        query: { kind: 'RawNode' } as never,
        queryId: { queryId: 'test' },
      })
    })
    const attempt = await listener.attempt(1)
    if (!attempt.signal.aborted) await once(attempt.signal, 'abort')
    const exhausted = await listener.firstExhausted()
    assert.equal(exhausted.reason.kind, 'deadline')
    assert.equal(exhausted.attempts, 1)
  })

  test('cancel aborts a running handler, keeps a queued job from starting and leaves a completed one', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue)
    const running = await enqueue(scene, queue, 'running')
    const queued = await enqueue(scene, queue, 'queued')
    const cancel = (jobId: string | null) =>
      scene.database.transaction((tx) => queue.cancel(tx, 'export.restore', String(jobId)))
    const attempt = await listener.attempt(1)
    assert.equal(await cancel(queued), true)
    const begun = Date.now()
    assert.equal(await cancel(running), true)
    if (!attempt.signal.aborted) await once(attempt.signal, 'abort')
    t.diagnostic(`the handler heard of it after ${Date.now() - begun} ms`)
    assert.ok(Date.now() - begun < 10_000 * loadFactor())
    const next = await enqueue(scene, queue, 'next')
    const second = await listener.attempt(2)
    assert.equal(second.exportId, 'next')
    second.end()
    await until(async () => (await stateOf(scene, next)) === 'completed')
    assert.equal(await cancel(next), false)
    assert.deepEqual(
      [await stateOf(scene, running), await stateOf(scene, queued), await stateOf(scene, next)],
      ['cancelled', 'cancelled', 'completed'],
    )
    assert.deepEqual(listener.exhausted, [])
  })

  test('a cancel that is rolled back has no effect', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const jobId = String(await enqueue(scene, queue, 'se_1'))
    await assert.rejects(
      scene.database.transaction(async (tx) => {
        assert.equal(await queue.cancel(tx, 'export.restore', jobId), true)
        throw new Error('no')
      }),
    )
    assert.equal(await stateOf(scene, jobId), 'created')
  })

  test('stop lets a running job finish and claims no other', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue)
    const running = await enqueue(scene, queue, 'running')
    const waiting = await enqueue(scene, queue, 'waiting')
    const attempt = await listener.attempt(1)
    const stopped = queue.stop({ graceSeconds: 30 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(attempt.signal.aborted, false)
    attempt.end()
    await stopped
    assert.equal(await stateOf(scene, running), 'completed')
    assert.equal(await stateOf(scene, waiting), 'created')
    assert.equal(listener.attempts.length, 1)
  })

  test('a job that exceeds the grace period is aborted and handed over without using up an attempt', async (t) => {
    const scene = await openScene(t)
    const [stopping, other] = await Promise.all([scene.open(), scene.open()])
    const first = await listen(stopping)
    await enqueue(scene, stopping, 'se_1')
    const aborted = await first.attempt(1)
    await stopping.stop({ graceSeconds: 0 })
    assert.equal(aborted.signal.aborted, true)
    const second = await listen(other)
    for (const n of [1, 2, 3]) {
      const attempt = await second.attempt(n)
      assert.equal(attempt.attempt, n + 1)
      attempt.fail(new Error('no'))
    }
    assert.equal((await second.firstExhausted()).attempts, 4)
    assert.equal(second.attempts.length, 3)
  })
})
