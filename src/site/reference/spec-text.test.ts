import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJsonOrYaml } from './spec-text.ts'

test('replaces lone surrogate escapes with U+FFFD in keys and values of JSON and YAML', () => {
  const read = { '/a\ufffd': { summary: '\ufffd😀', pattern: '[\\ud800-\\udfff]' } }
  const json = '{"/a\\ud800": {"summary": "\\uDC00\\ud83d\\ude00", "pattern": "[\\\\ud800-\\\\udfff]"}}'
  const yaml = '"/a\\uD800":\n  summary: "\\uDC00\\U0001F600"\n  pattern: \'[\\ud800-\\udfff]\'\n'
  assert.deepEqual(parseJsonOrYaml(json), read)
  assert.deepEqual(parseJsonOrYaml(yaml), read)
})
