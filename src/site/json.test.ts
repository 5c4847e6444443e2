import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../base/errors/problem.ts'
import { getField, getNodeLine, isList, parseJson, toPlain } from './json.ts'

function read(text: string): { value: unknown; problems: Problem[] } {
  const problems: Problem[] = []
  const node = parseJson(problems, 'docs.json', text)
  return { value: node && toPlain(node), problems }
}

test('parses valid JSON like JSON.parse', () => {
  const text = '{"a": [1, -2.5e3, true, null, "x\\n\\u00e9\\\\", {"b": {}}, []], "": "é\\"q\\""}'
  assert.deepEqual(read(text), { value: JSON.parse(text), problems: [] })
})

test('every value has the line number it starts on', () => {
  const node = parseJson([], 'docs.json', '{\n  "a": 1,\n  "b": [\n    "x",\n    "y"\n  ]\n}')
  const list = getField(node, 'b')
  assert.ok(list && isList(list.value) && list.value[1])
  assert.deepEqual([getNodeLine(list), getNodeLine(list.value[1])], [3, 5])
})

test('skips a byte order mark', () => {
  assert.deepEqual(read('\ufeff{"a": 1}'), { value: { a: 1 }, problems: [] })
})

for (const [slip, text, line, code = 'config.json_slip'] of [
  ['a line comment', '{\n// c\n"a": 1, "b": [1, 2] }', 2],
  ['a block comment', '{"a": 1,\n/* c\n */ "b": [1, 2] }', 2],
  ['a comma before a bracket', '{"a": 1,\n"b": [1, 2,\n] }', 2],
  ['a missing comma', '{"a": 1\n"b": [1, 2] }', 2],
  ['a bracket that is never closed', '{"a": 1,\n"b": [1, 2]', 1, 'config.json_unclosed'],
  ['text after the end', '{"a": 1, "b": [1, 2]}\nx', 2],
] as const) {
  test(`parses past ${slip} and reports its line`, () => {
    const { value, problems } = read(text)
    assert.deepEqual(value, { a: 1, b: [1, 2] })
    assert.deepEqual(
      problems.map((problem) => [problem.code, problem.level, problem.line]),
      [[code, 'warning', line]],
    )
  })
}

test('the last value of a repeated key wins', () => {
  const { value, problems } = read('{"a": 1, "a": 2}')
  assert.deepEqual(value, { a: 2 })
  assert.equal(problems.length, 1)
})

test('keeps and reports a line break inside a string', () => {
  const { value, problems } = read('{"a": "x\ny"}')
  assert.deepEqual(value, { a: 'x\ny' })
  assert.equal(problems.length, 1)
})

for (const [what, text, line] of [
  ['an empty file', ' ', 1],
  ['a key without quotes', '{\n a: 1}', 2],
  ['an unknown word', '{\n\n"a": yes}', 3],
  ['a text without an end', '{"a":\n"b}', 2],
  ['nesting without end', '['.repeat(100_000), 1],
] as const) {
  test(`reports ${what} as a syntax error with its line`, () => {
    const { value, problems } = read(text)
    assert.equal(value, null)
    const fault = problems.find((problem) => problem.code === 'config.json_syntax')
    assert.deepEqual([fault?.level, fault?.line], ['error', line])
  })
}

test('a __proto__ key does not pollute the prototype', () => {
  const { value } = read('{"__proto__": {"polluted": true}, "a": 1}')
  assert.deepEqual(value, { a: 1 })
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})
