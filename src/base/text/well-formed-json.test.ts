import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wellFormedJson } from './well-formed-json.ts'

test('lone surrogates become U+FFFD in keys and values', () => {
  const text = '{"a\\ud83d": ["\\uD800\\ud800x", "\\udc00"]}'
  assert.deepEqual(JSON.parse(wellFormedJson(text)), { 'a\ufffd': ['\ufffd\ufffdx', '\ufffd'] })
})

test('surrogate pairs and escaped backslashes stay unchanged', () => {
  for (const text of ['"\\ud83d\\ude00"', '"[\\\\ud800-\\\\udfff]"', '"\\\\\\ud83d\\ude00 \\n"', '"plain"'])
    assert.equal(wellFormedJson(text), text)
  assert.equal(wellFormedJson('"\\\\\\ud800"'), '"\\\\\\ufffd"')
})
