import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectImage, storeImage } from '../../src/features/agent/edit/inspect-picture.ts'
import { ToolRefusal } from '../../src/features/agent/loop/tool.ts'
import { contentBytes, toImage } from '../../src/features/agent/review/change-content.ts'
import { png } from '../kit/pictures.ts'
import { openTools } from './tool-scene.ts'

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
const svg = (inner: string, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"${more}>${inner}</svg>`

const refusal = (path: string, bytes: Buffer | string): string => {
  try {
    inspectImage(path, Buffer.from(bytes))
  } catch (error) {
    assert.ok(error instanceof ToolRefusal, String(error))
    return error.message
  }
  return 'taken'
}

test('detects image types by content and rejects a mismatching extension', () => {
  assert.equal(inspectImage('a.png', png(8, 4)).description, 'PNG, 8 × 4 pixels')
  assert.equal(inspectImage('a.gif', GIF).description, 'GIF, 1 × 1 pixels')
  assert.equal(inspectImage('a.webp', WEBP).description, 'WebP, 1 × 1 pixels')
  assert.equal(inspectImage('a.svg', Buffer.from(svg('<path d="M0 0"/>'))).description, 'SVG, 40 × 20')
  assert.match(refusal('a.jpg', png(8, 4)), /its content is PNG\. Use a path that ends in \.png/)
  assert.match(refusal('a.svg', png(8, 4)), /its content is PNG, but the path ends in \.svg/)
  assert.match(refusal('a.png', '<html><script>alert(1)</script>'), /not a picture in a supported format/)
  assert.match(refusal('a.exe', png(8, 4)), /does not have the extension of a picture/)
  assert.match(refusal('a.png', ''), /empty/)
  assert.match(refusal('a.png', 'version https://git-lfs.github.com/spec/v1\noid x\n'), /Git LFS/)
})

test('rejects images with too many bytes, too many pixels or a missing end', () => {
  assert.match(refusal('a.png', Buffer.concat([png(8, 4), Buffer.alloc(6 << 20)])), /more than 5242880/)
  assert.match(
    refusal('a.png', png(8, 1, [0, 0, 0], { width: 50_000, height: 50_000 })),
    /50000 × 50000 pixels/,
  )
  assert.match(
    refusal('a.png', png(8, 1, [0, 0, 0], { width: 16_000, height: 16_000 })),
    /40 million in total/,
  )
  assert.match(refusal('a.png', png(8, 4).subarray(0, -12)), /is incomplete/)
  assert.match(refusal('a.png', png(8, 1, [0, 0, 0], { width: 0, height: 4 })), /has no size/)
  assert.match(refusal('a.svg', svg('x'.repeat(2 << 20))), /more than 1048576/)
})

test('rejects SVGs with scripts, event handlers or external references and names the reason', () => {
  const hostile: [string, RegExp][] = [
    [svg('<script>alert(1)</script>'), /the element script/],
    [svg('<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>'), /the element script/],
    [svg('<foreignObject><p>hi</p></foreignObject>'), /the element foreignObject/],
    [svg('', ' onload="alert(1)"'), /event handler \(onload\)/],
    [svg('<rect\n\tOnClick = "x()"/>'), /event handler \(onclick\)/],
    [svg('<a href="javascript:alert(1)">x</a>'), /external reference .*javascript/],
    [svg('<a xlink:href="&#106;avascript:alert(1)">x</a>'), /external reference .*javascript/],
    [svg('<image href="https://evil.example/x.png"/>'), /external reference .*evil\.example/],
    [svg('<use href="other.svg#a"/>'), /external reference/],
    [svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>'), /external reference/],
    [svg('<rect style="fill:url(https://evil.example/a)"/>'), /external reference/],
    [svg('<rect fill="url( \'//evil.example/a#b\' )"/>'), /external reference/],
    [svg('<style>@import "https://evil.example/a.css";</style>'), /styles load files/],
    [svg('<style><![CDATA[a{b:u\\72l(x)}]]></style>'), /styles load files/],
    [svg('<style>a{b:url(//evil.example)}'), /external reference/],
    [svg('<animate attributeName="href" to="javascript:1"/>'), /animates href/],
    [svg('<set attributeName="onclick" to="x()"/>'), /animates onclick/],
    [svg('', ' xml:base="https://evil.example/"'), /another base URL/],
    [`<?xml-stylesheet href="x.xsl"?>${svg('')}`, /style sheet/],
    [`<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('&a;')}`, /declares entities/],
    ['<html><body>no drawing</body></html>', /is incomplete/],
    ['<html><svg></svg>', /root element is not <svg>/],
    [svg('').slice(0, -6), /is incomplete/],
  ]
  for (const [text, reason] of hostile) assert.match(refusal('a.svg', text), reason, text)
  const latin = Buffer.concat([Buffer.from(svg('').slice(0, -6)), Buffer.from([0xe9]), Buffer.from('</svg>')])
  assert.match(refusal('a.svg', latin), /not UTF-8/)
  const plain = svg(
    '<defs><linearGradient id="a"/></defs><rect fill="url(#a)"/><use href="#a"/><image href="data:image/png;base64,AA=="/><style>a{fill:url(#a)}</style>',
  )
  assert.equal(
    refusal('a.svg', `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD" "x.dtd">${plain}`),
    'taken',
  )
})

test('inspecting an SVG with a megabyte of tags, styles or quotes does not hang', () => {
  const size = 1 << 20
  for (const piece of ['<style>', '<g ', '<a href="', 'url(', '<!DOCTYPE ', 'style'])
    refusal('a.svg', `<svg>${piece.repeat(Math.floor(size / piece.length) - 20)}</svg>`)
})

test('an image can be added, read, moved, replaced and deleted, and counts toward the byte limit', async () => {
  const { workspace, context, use, refused } = openTools(undefined, { files: 20, bytes: 10_000 })
  const picture = (bytes: Buffer, path: string) => ({
    path,
    picture: toImage(bytes),
    source: 'api, x.png at 12',
  })
  const bytes = png(30, 20)
  assert.match(
    await storeImage(context, picture(bytes, 'images/a.png')),
    /Added "images\/a\.png": PNG, 30 × 20/,
  )
  assert.deepEqual(Buffer.from(await workspace.tree.read('images/a.png')), bytes)
  assert.match(await use('read_file', { path: 'images/a.png' }), /PNG, 30 × 20 pixels/)
  await use('move_file', { from: 'images/a.png', to: 'images/b.png' })
  assert.deepEqual(workspace.changedFiles(), [{ path: 'images/b.png', change: 'added' }])
  assert.match(
    await refused('move_file', { from: 'images/b.png', to: 'images/b.mdx' }),
    /not a type of file that you can write/,
  )
  assert.match(
    await refused('write_file', { path: 'images/b.png', text: 'x' }),
    /not a type of file that you can write/,
  )
  assert.match(await storeImage(context, picture(png(9, 9), 'p.png')), /Replaced "p\.png"/)
  await assert.rejects(storeImage(context, picture(png(9, 9), '../p.png')), ToolRefusal)
  await assert.rejects(storeImage(context, picture(png(9, 9), '.github/p.png')), ToolRefusal)
  const large = Buffer.concat([png(8, 4).subarray(0, -12), Buffer.alloc(20_000), png(8, 4).subarray(-12)])
  await assert.rejects(storeImage(context, picture(large, 'images/c.png')), /at most 10000 bytes/)
  await use('delete_file', { path: 'images/b.png' })
  assert.deepEqual(
    workspace.changedFiles().map(({ path }) => path),
    ['p.png'],
  )
  const [held] = [...workspace.changes.values()]
  assert.ok(typeof held === 'object' && held !== null)
  assert.deepEqual(contentBytes(held), png(9, 9))
})

test('rejects SVGs whose references multiply or are obfuscated', () => {
  const level = (index: number, element: (target: string) => string) =>
    `<g id="l${index}">${element(`l${index + 1}`).repeat(10)}</g>`
  const levels = (element: (target: string) => string) =>
    Array.from({ length: 8 }, (_, index) => level(index, element)).join('')
  const last = '<g id="l8"><rect/></g>'
  const tooMany = /references expand to more than 500000 elements/
  for (const element of [
    (target: string) => `<use href="#${target}"/>`,
    (target: string) => `<use xlink:href=" #l%3${target.slice(1)} "></use>`,
    (target: string) => `<rect fill="url(#${target})"/>`,
    (target: string) => `<rect style="mask:url( '#${target}' )"/>`,
    (target: string) => `<use href="&#35;${target}"/>`,
  ])
    assert.match(refusal('a.svg', svg(levels(element) + last)), tooMany, element('l1'))
  const byClass = Array.from(
    { length: 8 },
    (_, index) => `<pattern id="p${index}">${`<rect class="c${index + 1}"/>`.repeat(10)}</pattern>`,
  ).join('')
  const rules = Array.from({ length: 8 }, (_, index) => `.c${index}{fill:url(#p${index})}`).join('')
  assert.match(refusal('a.svg', svg(`<style>${rules}</style>${byClass}<rect class="c0"/>`)), tooMany)
  assert.match(refusal('a.svg', svg('<g id="a"><use href="#a"/></g>')), /references itself/)
  assert.match(
    refusal('a.svg', svg('<g>'.repeat(600) + '</g>'.repeat(600))),
    /nested more than 500 levels deep/,
  )
  const chain = Array.from({ length: 600 }, (_, index) => `<use id="u${index}" href="#u${index + 1}"/>`)
  assert.match(refusal('a.svg', svg(chain.join(''))), /nested more than 500 levels deep/)
  assert.match(refusal('a.svg', svg('<rect fill="u\\72l(//evil.example)"/>')), /contain escapes/)
  for (const hidden of ['u&#x0000072;l(//evil.example)', 'url&lpar;//evil.example&rpar;'])
    assert.match(refusal('a.svg', svg(`<rect fill="${hidden}"/>`)), /unusual character references/)
  const icons = svg(
    `<defs><g id="a">${'<path d="M0 0"/>'.repeat(50)}</g></defs>${'<use href="#a"/>'.repeat(500)}<a href="#a"/><rect id="r"><animate href="#r"/></rect>`,
  )
  assert.equal(refusal('a.svg', icons), 'taken')
})
