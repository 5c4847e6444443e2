import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanModule } from './scan-imports.ts'
import { maskCode, scanPage } from './scan-page.ts'

const hrefs = (text: string) => scanPage(text, 0).links.map((link) => link.href)
const specifiers = (text: string) => scanPage(text, 0).imports.map((found) => found.specifier)

test('finds links, images, definitions and attributes with their lines', () => {
  const { links } = scanPage(
    '[a](/a) and ![b](./b.png "t")\n\n[ref]: <c d> "t"\n<Card href="/e" img={"/f.png"} />\n<img\n  src=\'/g\'\n/>\n[x](<h i>)\n',
    0,
  )
  assert.deepEqual(links, [
    { href: '/a', line: 1, use: 'link' },
    { href: './b.png', line: 1, use: 'image' },
    { href: 'c d', line: 3, use: 'link' },
    { href: '/e', line: 4, use: 'link' },
    { href: '/f.png', line: 4, use: 'image' },
    { href: '/g', line: 6, use: 'image' },
    { href: 'h i', line: 8, use: 'link' },
  ])
})

test('distinguishes a link target with spaces from a title and from text in parentheses', () => {
  const { links } = scanPage('[a](/my page) ![b](a b.png "t") [c](see below) [d](/e (t))', 0)
  assert.deepEqual(links, [
    { href: '/my page', line: 1, use: 'link', isSpaced: true },
    { href: 'a b.png', line: 1, use: 'image', isSpaced: true },
    { href: '/e', line: 1, use: 'link' },
  ])
})

test('a linked image yields both the link and the image', () => {
  assert.deepEqual(hrefs('[![alt](/pic.png)](/page)'), ['/page', '/pic.png'])
})

test('a link label may span lines but not paragraphs', () => {
  assert.deepEqual(scanPage('[one\ntwo](/a)\n[one\n\ntwo](/b)', 0).links, [
    { href: '/a', line: 2, use: 'link' },
  ])
})

test('reads link targets with parentheses and escapes completely', () => {
  assert.deepEqual(hrefs('[a](/x_(y)) [b](/x\\_y)'), ['/x_(y)', '/x_y'])
})

for (const [what, text] of [
  ['a fence', '```js\n[a](/a)\n```'],
  ['a fence in a list', '1. x\n\n   ```\n   [a](/a)\n   ```'],
  ['a fence right after a list mark', '- ```\n  [a](/a)\n  ```'],
  ['a fence in a quote', '> ~~~\n> [a](/a)\n> ~~~'],
  ['a longer fence around a fence', '````md\n```\n[a](/a)\n```\n[a](/a)\n````'],
  ['two fences in a row', '```\n[a](/a)\n```\n```\n[a](/a)\n```'],
  ['a fence that is never closed', '```\n[a](/a)\n'],
  ['a fence with CRLF', '```\r\n[a](/a)\r\n```\r\n'],
  ['a code span', 'text `[a](/a)` and ``x ` [a](/a)``'],
  ['a code span over two lines', 'text `[a](/a)\nmore` text'],
  ['an expression comment', '{/* [a](/a)\n\n <img src="/b"/> */}'],
  ['an HTML comment', '<!-- [a](/a) -->'],
  ['a template string', '<X code={`\n\n[a](/a)\n`} />'],
  ['a script', '<script>{"[a](/a)"}</script>'],
] as const) {
  test(`finds no links in ${what}`, () => {
    assert.deepEqual(
      hrefs(`${text}\n\n[z](/z)\n`).filter((href) => href !== '/z'),
      [],
    )
  })
}

for (const [what, text] of [
  ['a lone backtick', 'it`s [a](/a)'],
  ['a backtick in another paragraph', 'one ` here\n\n[a](/a) and ` there'],
  ['an escaped backtick', '\\`[a](/a)\\`'],
  ['a fence that is closed', '```\nx\n```\n[a](/a)'],
  ['a code span at the line start', '```x``` [a](/a)'],
] as const) {
  test(`finds links after ${what}`, () => {
    assert.deepEqual(hrefs(text), ['/a'])
  })
}

test('finds every form of import at the line start, also after content', () => {
  const text = [
    "import A from '/snippets/a.mdx'",
    'import { B, C as D } from "./b.jsx";',
    'import E, { F } from "../e"',
    'import * as G from "/g.js"',
    'import {',
    '  H,',
    '  I,',
    '} from "/h.jsx"',
    '',
    '# Text',
    '',
    'export { x } from "/x.mdx"',
    'import Z from "/z.mdx"',
  ].join('\n')
  assert.deepEqual(specifiers(text), [
    '/snippets/a.mdx',
    './b.jsx',
    '../e',
    '/g.js',
    '/h.jsx',
    '/x.mdx',
    '/z.mdx',
  ])
})

test('ignores imports in code fences, in indented lines and inside a line', () => {
  assert.deepEqual(
    specifiers('```js\nimport a from "/a"\n```\n  import b from "/b"\nTo import c from "/c" do this.\n'),
    [],
  )
})

test('the legacy Snippet element counts as an import', () => {
  assert.deepEqual(scanPage('text\n<Snippet file="a/b.mdx" />', 0).imports, [
    { specifier: 'a/b.mdx', isLegacy: true, line: 2 },
  ])
})

test('ignores imports in comments of component files', () => {
  const found = scanModule('/* import a from "/a" */\n// import b from "/b"\nimport { c } from "./c.jsx"\n')
  assert.deepEqual(
    found.map((one) => [one.specifier, one.line]),
    [['./c.jsx', 3]],
  )
})

test('masking code keeps the text length and the number of lines', () => {
  const text = 'a `b` c\n```\nd\n```\n{/* e */}\n'
  assert.equal(maskCode(text, 0).length, text.length)
  assert.equal(maskCode(text, 0).split('\n').length, text.split('\n').length)
})

test('scans pathological pages without hanging', () => {
  // Would take hours if the rest was searched again at each of them.
  for (const unit of [
    '[',
    '`',
    '{/*',
    '<!--',
    '<script',
    'import a\n',
    '![',
    '- ',
    '> ',
    ' ',
    '[a](',
    '{`\\`',
    '~~~\n',
    '"href="',
  ]) {
    assert.ok(scanPage(unit.repeat(Math.ceil(500_000 / unit.length)), 0))
  }
})
