import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadFactor, until } from '../kit/until.ts'
import { enqueue, listen, openScene, stateOf } from './queue-scene.ts'

describe('worker death', { concurrency: true }, () => {
  test('another worker takes over the job of a killed worker within 30 seconds', async (t) => {
    const scene = await openScene(t)
    const worker = await scene.startWorker()
    const queue = await scene.open()
    const jobId = await enqueue(scene, queue, 'se_1')
    await worker.next('started')
    const listener = await listen(queue)
    const killed = Date.now()
    worker.process.kill('SIGKILL')
    const attempt = await listener.attempt(1)
    const seconds = (Date.now() - killed) / 1000
    t.diagnostic(`taken over after ${seconds.toFixed(1)} s`)
    assert.ok(seconds < 30 * loadFactor())
    assert.equal(attempt.exportId, 'se_1')
    assert.equal(attempt.attempt, 2)
    attempt.end()
    await until(async () => (await stateOf(scene, jobId)) === 'completed')
  })

  test('a stalled worker loses its job, and its attempt is aborted when it resumes', async (t) => {
    const scene = await openScene(t)
    const worker = await scene.startWorker()
    const queue = await scene.open()
    const jobId = await enqueue(scene, queue, 'se_1')
    await worker.next('started')
    const listener = await listen(queue)
    worker.process.kill('SIGSTOP')
    const attempt = await listener.attempt(1)
    assert.equal(attempt.attempt, 2)
    worker.process.kill('SIGCONT')
    const aborted = await worker.next('aborted')
    assert.deepEqual(aborted, { kind: 'aborted', exportId: 'se_1', attempt: 1 })
    // The first handler returned after its abort as if it had succeeded, which must not complete the job.
    assert.equal(await stateOf(scene, jobId), 'active')
    attempt.end()
    await until(async () => (await stateOf(scene, jobId)) === 'completed')
  })

  test('a job that kills its worker three times is reported as exhausted once and not retried', async (t) => {
    const scene = await openScene(t)
    const queue = await scene.open()
    const listener = await listen(queue, 0)
    const workers = await Promise.all([scene.startWorker(), scene.startWorker(), scene.startWorker()])
    const jobId = await enqueue(scene, queue, 'se_1')
    const starts = new Map(
      workers.map((worker) => [worker, worker.next('started').then((message) => ({ worker, message }))]),
    )
    for (const n of [1, 2, 3]) {
      const { worker, message } = await Promise.race(starts.values())
      assert.deepEqual(message, { kind: 'started', exportId: 'se_1', attempt: n })
      starts.delete(worker)
      worker.process.kill('SIGKILL')
    }
    assert.deepEqual(await listener.firstExhausted(), {
      name: 'export.restore',
      payload: { exportId: 'se_1' },
      jobId,
      attempts: 3,
      reason: { kind: 'worker_lost', message: 'The process that ran it stopped or did not respond.' },
    })
    assert.equal(await stateOf(scene, jobId), 'failed')
    const told = await scene.database.pool.query<{ state: string }>(
      "SELECT state FROM pgboss.job WHERE name = 'exhausted'",
    )
    assert.equal(told.rowCount, 1)
    assert.equal(listener.exhausted.length, 1)
  })
})
