import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceNode } from '../tree/source-node.ts'
import { parseBody } from './compile-repair.ts'

const textOf = (node: SourceNode): string => node.value ?? (node.children ?? []).map(textOf).join('')

test('MDX is taken as it is', () => {
  const { how, mistakes } = parseBody('# A\n\n<Card>{1}</Card>\n', false)
  assert.equal(how, 'exact')
  assert.deepEqual(mistakes, [])
})

test('each mistake is repaired where it is, and told with its line in plain words', () => {
  const parsed = parseBody('ok\n\na {b c} d\n\n</Card> e\n\n`{x y}` <!-- c -->\n', false)
  assert.equal(parsed.how, 'repaired')
  assert.deepEqual(
    parsed.mistakes.map((mistake) => mistake.line),
    [3, 5],
  )
  for (const { message } of parsed.mistakes) assert.doesNotMatch(message, /oxc|mdx-jsx|U\+/)
  assert.match(textOf(parsed.root), /a \{b c\} d[\s\S]*<\/Card> e[\s\S]*\{x y\}/)
})

test('code is left alone by repairs', () => {
  const source = 'a <br> b\n\n```html\n<br>\n<!-- c -->\n```\n\n`<br>` {#}\n'
  const parsed = parseBody(source, false)
  assert.match(textOf(parsed.root), /<br>\n<!-- c -->/)
})

test('a comment that speaks of code is a comment, and code that shows one is code', () => {
  const source =
    '<!-- made by `run` from `a.yaml`. -->\n\n# H\n\n`<!-- shown` and `-->` <br> end\n\n```\n<!-- `x`\n```\n'
  const parsed = parseBody(source, false)
  assert.equal(parsed.how, 'repaired')
  assert.match(
    textOf(parsed.root),
    /^\/\* made by `run` from `a\.yaml`\. \*\/\s+H\s+<!-- shown and --> +end\s+<!-- `x`\s*$/,
  )
})

test('comments and void tags are no mistakes in a Markdown file, with components or without', () => {
  const source = '<!-- c -->\n\na <br> b\n\n<Card title="T">x</Card>\n'
  assert.deepEqual(parseBody(source, true).mistakes, [])
  assert.equal(parseBody(source, false).mistakes.length, 1)
})

test('what cannot be repaired is read as Markdown and keeps its titles', () => {
  const broken = Array.from({ length: 200 }, (_, index) => `{bad ${index}} <Card title="T${index}">\n`).join(
    '\n',
  )
  const parsed = parseBody(`# H\n\n${broken}`, false)
  assert.equal(parsed.how, 'markdown')
  assert.match(textOf(parsed.root), /H[\s\S]*bad 0[\s\S]*T0[\s\S]*T199/)
})

test('a Markdown file without components is plain Markdown', () => {
  const parsed = parseBody('a {b c} <!-- d --> <br> e\n', true)
  assert.deepEqual(parsed.mistakes, [])
  assert.match(textOf(parsed.root), /a \{b c\}/)
})

test('a mistake is told without the notes of the compiler', () => {
  const [mistake] = parseBody('text <1 more\n', false).mistakes
  assert.equal(mistake?.message, 'Unexpected character after `<`, expected a valid JSX tag')
})
