import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceNode } from '../tree/source-node.ts'
import { parseBody } from './compile-repair.ts'

const textOf = (node: SourceNode): string =>
  /^(?:mdxjsEsm|comment)$/.test(node.type) || /Expression$/.test(node.type)
    ? ''
    : (node.value ?? (node.children ?? []).map(textOf).join(''))
const namesOf = (node: SourceNode): string[] => [
  ...((node.name ?? node.tagName) ? [node.name ?? node.tagName ?? ''] : []),
  ...(node.children ?? []).flatMap(namesOf),
]
const parse = (source: string, isMarkdownFile = false, hasMath = true) => {
  const { root, notices } = parseBody(source, { isMarkdownFile, hasMath })
  return { root, text: textOf(root), names: namesOf(root), notices, lines: notices.map(({ line }) => line) }
}

test('parses valid MDX without notices', () => {
  const { names, notices } = parse('# A\n\n<Card>{1}</Card>\n')
  assert.deepEqual(names, ['h1', 'Card'])
  assert.deepEqual(notices, [])
})

/** Sources, the resulting text of the page, and the tags that are not plain Markdown. */
const WORDS: readonly (readonly [source: string, text: string, tags?: string])[] = [
  ['Run <your-api-key> or <slug>.', 'Run <your-api-key> or <slug>.'],
  ['a Promise<void> b', 'a Promise<void> b'],
  ['## Using <name> here', 'Using <name> here'],
  ['| a | b |\n|---|---|\n| <dir>/<file>.md | <x_y_z> |', 'a b <dir>/<file>.md <x_y_z>'],
  ['<Note>Replace <region> please</Note>', 'Replace <region> please', 'Note'],
  ['<__init__> and <a*b*c>', '<__init__> and <a*b*c>'],
  ['<Mine title="x {y}">**b**</Mine>', '<Mine title="x {y}">b</Mine>'],
  ['export const Mine = () => 1\n\n<Mine>b</Mine>', 'b', 'Mine'],
  ['import { Mine as Own } from "x"\n\n<Own.Part>b</Own.Part>', 'b', 'Own.Part'],
  ['cp <source> <target>, see <title> and <object>', 'cp <source> <target>, see <title> and <object>'],
  ['<path> is a word, <svg><path d="M0 0"/></svg> none', '<path> is a word, none', 'svg path'],
  ['a <5 and b <= c and List<String>', 'a <5 and b <= c and List<String>'],
  ['a {b c} d {e', 'a {b c} d {e'],
  ['`<a` {x} [b](<c d> "<e>") \\<f> $$<g>$$', '<a b <f> <g>'],
  ['# [A <b>](c) {d:e}', 'A <b> {d:e}'],
  ['<b>one\n\ntwo</b>', 'onetwo', 'b'],
  ['<Note>a\n</Note>\n\nb', 'a b', 'Note'],
  ['- <Note>a\n  </Note>\n- b', 'a b', 'Note'],
  ['> x <Note>\n>\n> y\n>\n> </Note> z', 'x y z', 'Note'],
  ['<details><summary>S</summary>\n\nx\n\n</details>', 'Sx', 'details summary'],
  ['<b><i>x</b></i> y', 'x y', 'b'],
  ['<Card title="T">\n\nx', '<Card title="T"> x'],
  ['x </Card> y </div>', 'x </Card> y'],
  ['<ul><li>a<li>b</ul>', 'ab', 'ul'],
  ['a <br> b <img src=x> c <hr> <BR>', 'a b c', 'br img hr br'],
  ['a <Link href="/x">b</Link> c', 'a b c', 'Link'],
  ['<style>\na{b:c}\n\nd{e:f}\n</style>\n\nx', 'x', 'style'],
  ['<!-- a\n\n- b */ --> c <!doctype html>', 'c'],
  ['<!-- never closed', '<!– never closed'],
  ['<Card\n\n title="x">y</Card>', 'y', 'Card'],
  ['<Card a={b c} d=e @f="g">h</Card>', 'h', 'Card'],
  ['export your data.\n\nimport follows', 'export your data. import follows'],
  ['export const A = () => 1\nexport your data {n w} <x>\n\n<A>b</A>', 'export your data {n w} <x> b', 'A'],
  ['export {your\n\ndata', 'export {your data'],
]

test('parses only elements and components as tags and keeps all other words as text', () => {
  for (const [source, expected, tags = ''] of WORDS) {
    const { text, root } = parse(source)
    assert.equal(text.replace(/\s+/g, ' ').trim(), expected, source)
    const found: string[] = []
    const walk = (node: SourceNode) => {
      if (node.name) found.push(node.name)
      for (const child of node.children ?? []) walk(child)
    }
    walk(root)
    assert.equal(found.join(' '), tags, source)
  }
})

test('reports each repair at its line and in plain words', () => {
  const source = 'ok\n\na {b c} d\n\n</Card> e\n\n<!-- x\n\ny -->\n\n<Note>a\n</Note>\n\nexport it\n\n<key>\n'
  const { notices, lines } = parse(source)
  assert.deepEqual(lines, [3, 5, 7, 11, 14, 16])
  for (const { message } of notices) assert.doesNotMatch(message, /oxc|mdx-jsx|U\+/)
  assert.deepEqual(
    notices.map(({ level }) => level),
    [...Array(5).fill('warning'), 'hint'],
  )
})

test('a void element with a closing tag appears once and causes no notice', () => {
  const { names, notices } = parse('a<br></br>\nb <img src="x"> </img>\n')
  assert.deepEqual([names, notices], [['p', 'br', 'img'], []])
})

test('an attribute expression may contain empty lines', () => {
  const { names, notices } = parse(
    '<button\n  title="x"\n  onClick={() => {\n    a()\n\n    b()\n  }}\n>\n  y\n</button>\n',
  )
  assert.deepEqual([names, notices], [['button', 'p'], []])
})

test('positions match the source after multi-line components, comments and formulas', () => {
  const { root } = parse('<Note>a\n</Note>\n\n<!-- b\n\nc -->\n\n$$d\ne$$\n\nend\n')
  assert.equal(root.children?.at(-1)?.position?.start.line, 11)
})

test('many syntax errors do not affect the content around them', () => {
  const mistakes = Array.from(
    { length: 300 },
    (_, index) => `List<String> {bad ${index}} <Card title="T${index}">\n`,
  )
  const { text, names } = parse(
    `<Tabs>\n<Tab title="a">\nx\n</Tab>\n</Tabs>\n\n${mistakes.join('\n')}\n| a |\n|---|\n| b |\n`,
  )
  for (let index = 0; index < 300; index++)
    assert.ok(text.includes(`List<String> {bad ${index}} <Card title="T${index}">`), `${index}`)
  for (const name of ['Tabs', 'Tab', 'table']) assert.ok(names.includes(name), name)
})

test('a Markdown file without components is parsed as Markdown with HTML', () => {
  const source =
    'a {b c} <!-- d --> <br> <key> e\n\n<p>f\n\n    <code> g\n\n<div>\n<word> `<h>`\n</div>\n\nexport i $x^2$\n'
  const { text, notices, names } = parse(source, true)
  assert.match(text, /a \{b c\}\s+<key> e\s+f\s+<code> g\s+<word> `<h>`\s+export i x\^2/)
  assert.deepEqual(
    notices.map(({ level }) => level),
    ['hint', 'hint', 'hint'],
  )
  for (const name of ['br', 'p', 'pre', 'div']) assert.ok(names.includes(name), name)
})

test('comments and void tags cause no notices in a Markdown file with components', () => {
  const source = '<!-- c -->\n\na <br> b\n\n<Card title="T">x</Card>\n'
  assert.deepEqual(parse(source, true).notices, [])
  assert.equal(parse(source).notices.length, 2)
})

const FORMULAS: readonly (readonly [source: string, ...formulas: string[]])[] = [
  ['Energy $E = mc^2$, $w_{i}$ and $\\frac{50}{100}$.', 'E = mc^2', 'w_{i}', '\\frac{50}{100}'],
  ['| a | $|x|$ |\n|---|---|\n| $x_1$ | $P \\leq 0$ |', '|x|', 'x_1', 'P \\leq 0'],
  ['the $i$-th of $n$ and $\\{1, 2\\}$', 'i', 'n', '\\{1, 2\\}'],
  ['It costs $5 and $10, $5-$10, $5/mo or $10/mo, US$1=$2.'],
  ['`$a_1$` and $HOME/$USER or $MY_VAR/$OTHER_VAR, \\$x$ here'],
  ['a $ x_1 $ b $x_1 $ c $x_1$2'],
  ['$$a\n+ b$$\n\nc', 'a\n+ b'],
  ['$$\na\n+ b$$\n\nc', '\na\n+ b'],
  ['a $$b$$ c', 'b'],
]

test('parses formulas between dollar signs and keeps prices as text', () => {
  const formulas = (node: SourceNode): string[] =>
    JSON.stringify(node.properties?.className ?? '').includes('math-')
      ? [textOf(node)]
      : (node.children ?? []).flatMap(formulas)
  for (const isMarkdownFile of [false, true])
    for (const [source, ...expected] of FORMULAS) {
      const { root, text } = parse(source, isMarkdownFile)
      assert.deepEqual(
        formulas(root),
        expected.map((tex) => tex.trim()),
        source,
      )
      assert.ok(!source.endsWith('c') || text.endsWith('c'), source)
      const off = parse(source, isMarkdownFile, false)
      assert.deepEqual(formulas(off.root), [], source)
    }
})
