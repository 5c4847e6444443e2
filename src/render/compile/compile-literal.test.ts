import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isComment, parseLiteral, parseLiteralExports } from './compile-literal.ts'

test('parses literals of every kind', () => {
  assert.deepEqual(parseLiteral(' 2 ')?.value, 2)
  assert.deepEqual(parseLiteral('-1.5e2')?.value, -150)
  assert.deepEqual(parseLiteral('" "')?.value, ' ')
  assert.deepEqual(parseLiteral("'it\\'s \\u00e9\\n'")?.value, "it's é\n")
  assert.deepEqual(parseLiteral('`a\nb`')?.value, 'a\nb')
  assert.deepEqual(parseLiteral('{ color: "red", "a-b": [1, true, null,], }')?.value, {
    color: 'red',
    'a-b': [1, true, null],
  })
  assert.deepEqual(parseLiteral('/* why */ false // so')?.value, false)
})

test('rejects expressions that would need evaluation', () => {
  for (const source of [
    'a',
    'x()',
    '`${a}`',
    '{...a}',
    '{a}',
    '[a]',
    '1 + 1',
    '{__proto__: {}}',
    '',
    'truex',
    '1n',
  ]) {
    assert.equal(parseLiteral(source), null, source)
  }
})

test('distinguishes exports of plain data from code', () => {
  assert.deepEqual(parseLiteralExports('export const a = 1\n\nexport const b = { c: "d" };\n'), {
    a: 1,
    b: { c: 'd' },
  })
  assert.equal(parseLiteralExports('export const a = () => 1'), null)
  assert.equal(parseLiteralExports('export const a = 1 + b'), null)
  assert.equal(parseLiteralExports('const a = 1'), null)
})

test('distinguishes comments from expressions', () => {
  assert.ok(isComment(' /* a */ // b'))
  assert.ok(!isComment('/* a */ b'))
})
