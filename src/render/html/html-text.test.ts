import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextReader } from './html-text.ts'
import { type HtmlNode, parseHtml } from './parse-html.ts'

function readInto(reader: TextReader, nodes: readonly HtmlNode[]): TextReader {
  for (const node of nodes) {
    if (typeof node === 'string') reader.words(node)
    else if ('tag' in node) {
      reader.open(node)
      readInto(reader, node.children)
      reader.close(node)
    }
  }
  return reader
}

test('splits text at headings, truncates long code and omits hidden elements and scripts', () => {
  const html =
    '<p>Intro &amp; <b>mo</b>re</p><h2 id="a" class="x y">A<a class="heading-anchor" href="#a">#</a></h2>' +
    '<ul><li>one</li><li>two</li></ul><span aria-hidden="true">no <span>no</span></span><script>no()</script>' +
    `<pre><code>${'x'.repeat(5000)}</code></pre><p title="a > b">end</p>`
  const { sections, classes } = readInto(
    new TextReader(new Map([['a', 'A']])),
    parseHtml(html).children,
  ).end()
  assert.deepEqual(sections[0], { id: null, title: null, text: 'Intro & more' })
  assert.equal(sections[1]?.title, 'A')
  assert.match(sections[1]?.text ?? '', /^one two x{2000} end$/)
  assert.deepEqual(classes, ['heading-anchor', 'x y'])
})

for (const [html, text] of [
  ['<div><a href="/a">One</a><a href="/b">two</a></div><p>T<a href="/c">hr</a>ee</p>', 'One two Three'],
  ['<p><span><b>Light</b> face</span><span><b>Bold</b> face</span></p>', 'Light face Bold face'],
  ['<p><strong>Status</strong><span>ready</span><code>a</code><kbd>b</kbd></p>', 'Status ready a b'],
  [
    '<p>Press<button>Order now</button><button class="code-block-copy-button">Copy</button>' +
      '<button class="color-item"><span class="color-name">Sky</span></button></p>',
    'Press Order now Sky',
  ],
  [
    '<p>H<span>2</span>O, <span>x</span><sup>2</sup>, <b>bo</b><i>ld</i>, <span>w</span>ord</p>',
    'H2O, x2, bold, word',
  ],
] as const)
  test(`separates adjacent inline elements with a space only where needed: ${text}`, () => {
    const { sections } = readInto(new TextReader(new Map()), parseHtml(html).children).end()
    assert.equal(sections[0]?.text, text)
  })
