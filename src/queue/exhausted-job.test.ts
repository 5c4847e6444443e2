import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailure } from './exhausted-job.ts'

test('the ways in which a last attempt ends are told apart', () => {
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

test('an output that is not understood still gives a reason', () => {
  for (const output of [null, undefined, {}, { value: 'text' }, 'text']) {
    assert.deepEqual(describeFailure(output), { kind: 'threw', message: 'unknown' })
  }
})
