import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeScript } from './svg-script.ts'

test('a script-free SVG is unchanged', () => {
  const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><!-- on --><path d='M0 0'/></svg>`
  assert.equal(removeScript(svg), svg)
})

test('removes scripts, handlers and script URLs in any spelling', () => {
  const svg = removeScript(
    `<svg xmlns:x="http://www.w3.org/2000/svg" onload="alert(1)"><x:script>alert(2)</x:script><script href="a.js"/>
<a xlink:href=" java&#x09;script:alert(3)"><set attributeName="href" to="javascript:alert(4)"/><path d="M0"/></a></svg>`,
  )
  assert.doesNotMatch(svg, /alert|script|onload/i)
  assert.match(svg, /<path d="M0"\/>/)
})

test('resolves harmless entities and empties those that contain markup', () => {
  const svg = removeScript(
    `<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY bad "<script>alert(1)</script>">]><svg xmlns="&ns;">&bad;</svg>`,
  )
  assert.equal(svg, `<svg xmlns="http://www.w3.org/2000/svg"></svg>`)
})

for (const [what, body] of Object.entries({
  'a title': '<title><script>alert(1)</script></title>',
  'a style': '<style><script>alert(1)</script></style>',
  'a prefix that is no letter': '<_:script xmlns:_="http://www.w3.org/2000/svg">alert(1)</_:script>',
  'a prefix of another alphabet': '<é:script xmlns:é="http://www.w3.org/2000/svg">alert(1)</é:script>',
  'comment marks in character data': '<![CDATA[ > <!-- ]]><script>alert(1)</script><!-- -->',
  'comment marks in an instruction': '<?x > <!-- ?><script>alert(1)</script><!-- -->',
  'a reference in an address': '<a href="java&#115;cript:alert(1)"/>',
  'a reference in an animation': '<set attributeName="href" to="&#x6a;avascript:alert(1)"/>',
}))
  test(`removes script hidden by ${what}`, () => {
    const svg = removeScript(`<svg xmlns="http://www.w3.org/2000/svg">${body}<path d="M0"/></svg>`)
    assert.doesNotMatch(svg, /alert/)
    assert.match(svg, /<path d="M0"\/>/)
  })

test('removes an XSL style sheet instruction', () => {
  assert.equal(removeScript('<?xml-stylesheet type="text/xsl" href="a.xsl"?><svg/>'), '<svg/>')
})
