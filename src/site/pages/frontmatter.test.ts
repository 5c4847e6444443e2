import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import type { Problem } from '../../base/errors/problem.ts'
import { type Frontmatter, parseFrontmatter } from './frontmatter.ts'

function read(text: string): Frontmatter & { problems: Problem[]; body: string } {
  const problems: Problem[] = []
  const frontmatter = parseFrontmatter(problems, 'page.mdx', text)
  return { ...frontmatter, problems, body: text.slice(frontmatter.bodyOffset) }
}

test('separates fields from the body and returns the line of the body', () => {
  const { fields, body, bodyLine, problems } = read('---\ntitle: "A: b"\nhidden: true\nboost: 3\n---\n# Hi\n')
  assert.deepEqual(fields, { title: 'A: b', hidden: true, boost: 3 })
  assert.deepEqual([body, bodyLine, problems], ['# Hi\n', 5 + 1, []])
})

test('gives a hint for numbers that change when parsed and comments in titles, and keeps title numbers', () => {
  const { fields, problems } = read(
    '---\ntitle: 1.10\nsidebarTitle: Update #2\ndescription: "C #1" # a comment\ntag: 2 # of 3\nboost: 1.50\nicon: #fff\n---\n',
  )
  assert.deepEqual(fields, {
    title: '1.10',
    sidebarTitle: 'Update',
    description: 'C #1',
    tag: 2,
    boost: 1.5,
    icon: null,
  })
  assert.deepEqual(
    problems.map(({ code, level, line }) => [code, level, line]),
    [2, 3, 7].map((line) => ['frontmatter.unquoted', 'hint', line]),
  )
})

test('a page without frontmatter starts at line 1', () => {
  const { fields, body, bodyLine } = read('# Hi\n---\ntext\n---\n')
  assert.deepEqual([fields, body, bodyLine], [{}, '# Hi\n---\ntext\n---\n', 1])
})

test('accepts a byte order mark and CRLF line endings', () => {
  const { fields, body, bodyLine } = read('\ufeff---\r\ntitle: Hi there\r\ntag: "x"\r\n---\r\nBody')
  assert.deepEqual([fields, body, bodyLine], [{ title: 'Hi there', tag: 'x' }, 'Body', 5])
})

test('a double-quoted value may continue unindented on the next line', () => {
  const { fields, problems } = read(
    '---\ntitle: "One\ntwo: three"\ndescription: x: y\n---\n'.replace('x: y', 'x'),
  )
  assert.deepEqual(fields, { title: 'One two: three', description: 'x' })
  assert.deepEqual(problems, [])
})

test('falls back to simple lines when frontmatter is not valid YAML, and reports the line', () => {
  const { fields, problems } = read('---\ntitle: A: b: c\nmode: wide\nlist: [x\n---\nBody')
  assert.equal(fields.title, 'A: b: c')
  assert.equal(fields.mode, 'wide')
  assert.deepEqual(
    problems.map((problem) => [problem.code, problem.line]),
    [['frontmatter.yaml', 2]],
  )
})

test('reports frontmatter that is a list or a string', () => {
  assert.equal(read('---\n- a\n- b\n---\n').problems[0]?.code, 'frontmatter.yaml')
  assert.equal(read('---\njust words\n---\n').problems[0]?.code, 'frontmatter.yaml')
})

test('reads the leading key lines when the closing line is missing', () => {
  const { fields, body, bodyLine, problems } = read('---\ntitle: Hi\nmode: wide\n\n# Body\n')
  assert.deepEqual([fields, body, bodyLine], [{ title: 'Hi', mode: 'wide' }, '\n# Body\n', 4])
  assert.equal(problems[0]?.code, 'frontmatter.unclosed')
})

test('reports a closing line that comes too late as such', () => {
  const { problems } = read(`---\ntitle: ${'x'.repeat(200_001)}\n---\n`)
  assert.match(problems[0]?.message ?? '', /no closing --- line within 200,000 characters/)
})

test('replaces a lone surrogate escape with U+FFFD', () => {
  assert.deepEqual(read('---\ntitle: "a\\uD800"\n---\n').fields, { title: 'a\ufffd' })
})

test('rejects a YAML alias bomb', () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) => `k${i}: &a${i} [${i ? `*a${i - 1}, `.repeat(9) : 'x, '}y]`,
  )
  const { fields, problems } = read(`---\ntitle: Hi\n${levels.join('\n')}\n---\n`)
  assert.equal(problems[0]?.code, 'frontmatter.yaml')
  assert.equal(fields.title, 'Hi')
})

test('YAML tags create no custom objects, and __proto__ does not pollute the prototype', () => {
  const { fields } = read(
    '---\na: !!js/function "x"\n__proto__:\n  polluted: true\nb:\n  __proto__: {c: 1}\n---\n',
  )
  assert.deepEqual(fields, { a: 'x', b: {} })
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('lineOf returns the line of a field', () => {
  const { lineOf } = read('---\ntitle: Hi\n\nopenapi: GET /x\n---\n')
  assert.equal(lineOf('openapi'), 4)
})

test('the fast path reads the same values as the YAML library', () => {
  const word = fc.constantFrom(
    'a',
    'Title',
    '12',
    '3.5',
    'true',
    'null',
    'no',
    '-',
    '#',
    ':',
    "it's",
    '"q"',
    "'s'",
    '[x]',
    'é',
    '1e3',
    '0x1f',
    '{',
    '&a',
    '*',
    '!',
    '%',
    '@',
    ',',
    '~',
    '~x',
  )
  const value = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
    fc.array(word, { maxLength: 3 }).map((words) => `[${words.join(', ')}]`),
    fc.array(word, { maxLength: 3 }).map((words) => words.join('')),
    fc.array(word, { maxLength: 3 }).map((words) => `"${words.join(' ').replaceAll('"', '')}"`),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('mode', 'icon', 'groups', 'b-c'), value)), (pairs) => {
      const block = pairs.map(([key, text]) => `${key}: ${text}`).join('\n')
      let expected: unknown
      try {
        expected = parse(block, { schema: 'core', uniqueKeys: false, logLevel: 'error' }) ?? {}
      } catch {
        return
      }
      const { fields, problems } = read(`---\n${block}\n---\n`)
      const faults = problems.filter(({ level }) => level !== 'hint')
      assert.deepEqual([fields, faults], [expected, []])
    }),
    { numRuns: 300 },
  )
})

const laughs = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`).join(
  '\n',
)
for (const [name, block] of Object.entries({
  'a list that holds itself': 'a: &a [*a, *a, *a]',
  'a map that holds itself': 'a: &a\n  b: *a\n  c: *a',
  'lists that multiply': `l0: &l0 [x]\n${laughs}`,
  'brackets without end': `a: ${'['.repeat(90_000)}`,
  'aliases without end': `a: &a x\nb: [${'*a,'.repeat(6000)}]`,
  'marks without end': `a: ${'!'.repeat(90_000)}`,
  'values in values': `a: ${'['.repeat(100)}${']'.repeat(100)}`,
})) {
  test(`${name}: keeps the simple lines and reports the error`, () => {
    const { fields, problems, body } = read(`---\ntitle: Hi\n${block}\n---\nWords\n`)
    assert.deepEqual([fields.title, body], ['Hi', 'Words\n'])
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['frontmatter.yaml'],
    )
    assert.ok((problems[0]?.message.length ?? 0) < 300)
  })
}

test('rejects frontmatter with more than 20000 brackets before parsing', () => {
  const { problems } = read(`---\ntitle: Hi\na: ${'['.repeat(90_000)}\n---\nWords\n`)
  assert.match(problems[0]?.message ?? '', /more than 20000 brackets/)
})
