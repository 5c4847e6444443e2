import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailure } from './exhausted-job.ts'

test('distinguishes a lost worker, a deadline and a thrown error on the last attempt', () => {
  const lost = describeFailure({ value: { message: 'job heartbeat timeout' } })
  assert.equal(lost.kind, 'worker_lost')
  assert.equal(describeFailure({ value: { message: 'job timed out' } }).kind, 'deadline')
  assert.equal(
    describeFailure({ name: 'Error', message: 'handler execution exceeded 21600s' }).kind,
    'deadline',
  )
  assert.deepEqual(describeFailure({ name: 'Error', message: 'no such commit', stack: '…' }), {
    kind: 'threw',
    message: 'no such commit',
  })
})

test('reports an unknown error for unrecognized job output', () => {
  for (const output of [null, undefined, {}, { value: 'text' }, 'text']) {
    assert.deepEqual(describeFailure(output), { kind: 'threw', message: 'unknown' })
  }
})
