import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse as browserTree, serialize } from 'parse5'
import { markupText } from '../../../tests/kit/markup-text.ts'
import { parseHtml } from './parse-html.ts'
import { readMarkup } from './write-html.ts'

const written = (html: string) => markupText(readMarkup(html))
/** Parses as a browser does, with text and attributes normalized. */
const read = (html: string) => serialize(browserTree(html))

test('serialized HTML is equivalent to its source in a browser, even if malformed', () => {
  const part = fc.constantFrom(
    ...[
      '<a href="x">',
      '</a>',
      '<',
      '>',
      '"',
      "'",
      '<!-- c -->',
      '<b>',
      '</b>',
      '<i id=1>',
      '</i>',
      '<p>',
      '</p>',
    ],
    ...[
      '<div>',
      '</div>',
      '<br>',
      '<img alt>',
      '<ul><li>',
      '</ul>',
      ' b=c',
      '/',
      'é',
      '\n',
      '&amp;',
      '&lt;b>',
      '&',
    ],
    ...[
      '<svg viewBox="0 0 1 1"><path d="M0"/><![CDATA[a<b]]></svg>',
      '</svg>',
      '<![CDATA[c]]>',
      '<?php d ?>',
      '<td>',
      '<table>',
      '</table>',
      '<textarea>a &lt; &amp;</textarea>',
    ],
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const html = parts.join('')
      assert.equal(read(written(html)), read(html))
    }),
    { numRuns: 500 },
  )
})

test('decodes attributes on read, encodes them on write and keeps the first duplicate', () => {
  const [, element] = parseHtml(`x<A Href=x b c='"&amp;<'d="&#x41;&#66;&quot;"e = f href=y>`).children
  assert.ok(typeof element === 'object' && 'tag' in element)
  assert.equal(element.tag, 'a')
  assert.deepEqual(element.attributes, ['href', 'x', 'b', null, 'c', '"&<', 'd', 'AB"', 'e', 'f'])
  assert.equal(written(`<b c='"&amp;<' d>`), '<b c="&quot;&amp;&lt;" d>')
})

test('SVG names get the case that browsers use and end where browsers end them', () => {
  const html =
    '<SVG VIEWBOX="0 0 1 1"><LINEARGRADIENT GradientUnits=x /><foreignObject><P>a</P></FOREIGNOBJECT><A HREF=b>c</A></SVG><i>'
  assert.equal(
    written(html),
    '<svg viewBox="0 0 1 1"><linearGradient gradientUnits="x"/><foreignObject><p>a</p></foreignObject><a href="b">c</a></svg><i>',
  )
  assert.equal(read(written(html)), read(html))
})

test('comments, scripts and styles are unchanged', () => {
  const html = '<!-- <a href="/x"> --><script>if (a < b && c) "</b>"</script><style>a > b{}</style>'
  assert.equal(written(html), html)
})

test('parses unclosed tags, quotes and comments in linear time and at any depth', () => {
  for (const piece of [
    '<a href="',
    '<',
    '<!--',
    '<a ',
    '</script',
    "<style>'",
    '<a b=c',
    '<b>',
    '</b>',
    '<p><i>',
    '<svg>',
    '&amp',
  ]) {
    const some = `${piece.repeat(150)}"'>--></style></script>`
    assert.equal(read(written(some)), read(some), piece)
    // These would exceed the test's time limit if the rest was parsed again at each of them.
    written(piece.repeat(300_000))
  }
  const names = Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join(' ')
  assert.equal(written(`<p ${names}>`).length, `<p ${names}>`.length + 200_000)
})
