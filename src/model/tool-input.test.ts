import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseToolInput, uniqueCallId } from './tool-input.ts'

test('parses JSON, repairs near misses and keeps anything else as text', () => {
  const comma = 'a trailing comma was removed'
  const twice = 'it was encoded as JSON twice'
  const rows: [string, unknown, string?][] = [
    ['{"path":"a.mdx"}', { path: 'a.mdx' }],
    ['', {}],
    ['{"path":', '{"path":'],
    ['[['.repeat(1e5), '[['.repeat(1e5)],
    [`{"text":"${'['.repeat(1000)}"}`, { text: '['.repeat(1000) }],
    ['{"path":"a,}","lines":[1,2,],}', { path: 'a,}', lines: [1, 2] }, comma],
    [JSON.stringify('{"path":"a.mdx"}'), { path: 'a.mdx' }, twice],
    ['"only a text"', 'only a text'],
    [JSON.stringify('['.repeat(1e5)), '['.repeat(1e5)],
  ]
  for (const [text, input, repair] of rows)
    assert.deepEqual(parseToolInput(text), repair === undefined ? { input } : { input, repair })
})

test('parsed tool input contains no U+0000 or lone surrogates and can be stored in a database', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      const kept = JSON.stringify(parseToolInput(text))
      assert.doesNotMatch(kept, /\\u0000|\\ud[89a-f]/)
    }),
  )
  assert.deepEqual(parseToolInput('{"a\\u0000":["\\ud800x\\u0000"]}').input, {
    'a\ufffd': ['\ufffdx\ufffd'],
  })
})

test('call ids are plain, unique and at most 64 characters long', () => {
  const taken = new Set(['call_1'])
  assert.equal(uniqueCallId('call_1', taken), 'call_1-2')
  assert.equal(uniqueCallId('call_1', taken), 'call_1-3')
  assert.equal(uniqueCallId('', taken), 'call')
  assert.equal(uniqueCallId('☃ id: "7"', taken), 'id7')
  assert.ok(uniqueCallId('x'.repeat(500), taken).length <= 64)
})
