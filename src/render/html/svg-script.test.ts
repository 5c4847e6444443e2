import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeScript } from './svg-script.ts'

test('an SVG in which nothing can run keeps its bytes', () => {
  const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><!-- on --><path d='M0 0'/></svg>`
  assert.equal(removeScript(svg), svg)
})

test('scripts, handlers and script addresses are taken out, whatever their spelling', () => {
  const svg = removeScript(
    `<svg xmlns:x="http://www.w3.org/2000/svg" onload="alert(1)"><x:script>alert(2)</x:script><script href="a.js"/>
<a xlink:href=" java&#x09;script:alert(3)"><set attributeName="href" to="javascript:alert(4)"/><path d="M0"/></a></svg>`,
  )
  assert.doesNotMatch(svg, /alert|script|onload/i)
  assert.match(svg, /<path d="M0"\/>/)
})

test('entities of drawing programs keep their meaning, and those that hide markup are emptied', () => {
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
  test(`script is seen behind ${what}`, () => {
    const svg = removeScript(`<svg xmlns="http://www.w3.org/2000/svg">${body}<path d="M0"/></svg>`)
    assert.doesNotMatch(svg, /alert/)
    assert.match(svg, /<path d="M0"\/>/)
  })

test('a style sheet that would transform the drawing is taken out', () => {
  assert.equal(removeScript('<?xml-stylesheet type="text/xsl" href="a.xsl"?><svg/>'), '<svg/>')
})
