import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileGlob, compilePattern, PatternCostError, PatternError } from './line-pattern.ts'

const plenty = () => ({ left: 10_000_000 })
const isFound = (source: string, line: string, ignoreCase = false) =>
  compilePattern(source, { ignoreCase }).find(line, plenty()) !== null

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\d',
  '\\b',
  '\\B',
  'é',
  '(?:ab|c)',
  '(b|)',
  '^',
  '$',
  ' ',
)
const count = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,}', '*?')
const pattern = fc
  .array(fc.tuple(atom, count), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([one, many]) => one + (/^(?:\\[bB]|\^|\$)$/.test(one) ? '' : many)).join(''))
  .chain((one) => fc.constantFrom(one, `(${one})`, `(?:${one})*c`, `${one}|bb`))
const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', ' ', '1', 'é', '😀'), maxLength: 12 })

/** Tries a match at each character: an unanchored search in V8 also looks between surrogate halves. */
function isFoundByCharacters(source: string, text: string, ignoreCase: boolean): boolean {
  const sticky = new RegExp(source, ignoreCase ? 'iuy' : 'uy')
  const places = [0]
  for (const one of text) places.push((places.at(-1) ?? 0) + one.length)
  return places.some((place) => {
    sticky.lastIndex = place
    return sticky.test(text)
  })
}

test('a pattern matches exactly the lines that a JavaScript RegExp matches', () => {
  fc.assert(
    fc.property(pattern, line, fc.boolean(), (source, text, ignoreCase) => {
      const expected = isFoundByCharacters(source, text, ignoreCase)
      assert.equal(isFound(source, text, ignoreCase), expected, `/${source}/ on ${JSON.stringify(text)}`)
    }),
    { numRuns: 2000 },
  )
})

test('returns the start and end of a match', () => {
  assert.deepEqual(compilePattern('b+c', { ignoreCase: false }).find('abbbc', plenty()), { start: 1, end: 5 })
  assert.deepEqual(compilePattern('x', { ignoreCase: true }).find('😀X', plenty()), { start: 2, end: 3 })
})

test('patterns prone to backtracking take steps linear in the length of the line', () => {
  const line = `${'a'.repeat(5000)}!`
  for (const source of [
    '(a+)+$',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*)*x',
    '(a*)*b',
    '^([a-z]+)*$',
    '(?:a?){50}a{50}b',
  ]) {
    const cost = { left: 5000 * 400 }
    assert.equal(compilePattern(source, { ignoreCase: false }).find(line, cost), null, source)
    assert.ok(cost.left > 0)
  }
})

test('a search that exceeds its step budget throws PatternCostError', () => {
  assert.throws(
    () => compilePattern('(a|b)*c', { ignoreCase: false }).find('ab'.repeat(100), { left: 50 }),
    PatternCostError,
  )
})

for (const source of [
  '(',
  ')',
  '[a',
  'a{2,1}',
  '*a',
  '\\',
  '(?=a)',
  '(?<!a)b',
  '(a)\\1',
  '[b-a]',
  '\\p{Nothing}',
  '\\q',
  'a{1001}',
  'a'.repeat(1001),
  '((((a{100}){100}){100}){100})',
  '((){500}){500}{500}{500}',
  'a{0}{500}{500}{500}{500}',
  '(?:(?:(?:(?:a{0}){500}){500}){500}){500}',
  '[^a]{1000}'.repeat(90),
]) {
  test(`rejects the pattern ${source.slice(0, 30)} with PatternError`, () => {
    assert.throws(() => compilePattern(source, { ignoreCase: false }), PatternError)
  })
}

test('globs match whole paths', () => {
  const isMatch = (glob: string, path: string) => compileGlob(glob).find(path, plenty()) !== null
  assert.ok(isMatch('**/*.mdx', 'a/b/c.mdx'))
  assert.ok(isMatch('**/*.mdx', 'c.mdx'))
  assert.ok(isMatch('guides/**', 'guides/a/b.md'))
  assert.ok(isMatch('guides/*.{md,mdx}', 'guides/a.md'))
  assert.ok(isMatch('a?c(1)[x].md', 'abc(1)[x].md'))
  assert.ok(!isMatch('guides/*.md', 'guides/a/b.md'))
  assert.ok(!isMatch('*.md', 'a.mdx'))
  assert.ok(!isMatch('a.md', 'axmd'))
})
