import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseToolInput, settleCallId } from './tool-input.ts'

test('JSON is parsed, anything else stays the text it was', () => {
  assert.deepEqual(parseToolInput('{"path":"a.mdx"}'), { path: 'a.mdx' })
  assert.deepEqual(parseToolInput(''), {})
  assert.equal(parseToolInput('{"path":'), '{"path":')
  assert.equal(parseToolInput('[['.repeat(1e5)), '[['.repeat(1e5))
  assert.deepEqual(parseToolInput(`{"text":"${'['.repeat(1000)}"}`), { text: '['.repeat(1000) })
})

test('whatever was written, the result can be kept in a database', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      const kept = JSON.stringify(parseToolInput(text))
      assert.doesNotMatch(kept, /\\u0000|\\ud[89a-f]/)
    }),
  )
  assert.deepEqual(parseToolInput('{"a\\u0000":["\\ud800x\\u0000"]}'), {
    'a\ufffd': ['\ufffdx\ufffd'],
  })
})

test('ids are settled once, plain and unique', () => {
  const taken = new Set(['call_1'])
  assert.equal(settleCallId('call_1', taken), 'call_1-2')
  assert.equal(settleCallId('call_1', taken), 'call_1-3')
  assert.equal(settleCallId('', taken), 'call')
  assert.equal(settleCallId('☃ id: "7"', taken), 'id7')
  assert.ok(settleCallId('x'.repeat(500), taken).length <= 64)
})
