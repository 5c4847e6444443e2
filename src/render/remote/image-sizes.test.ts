import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import { fillPlaceholders } from '../html/markup.ts'
import { readMarkup } from '../html/write-html.ts'
import { createImageSizes, type ImageSizes } from './image-sizes.ts'

function sizedIn(sizes: ImageSizes, html: string): string {
  const sized = fillPlaceholders(readMarkup(html), (place) =>
    place.kind === 'picture'
      ? { ...place, attributes: sizes.withSize(place.picture, place.attributes) }
      : place,
  )
  return markupText(sized)
}

/** The first 24 bytes of a PNG contain its size (PNG specification, 5.6 and 11.2.2). */
function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(33)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.writeUInt32BE(13, 8)
  bytes.write('IHDR', 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('an image without a size gets the size of its file', () => {
  const sizes = createImageSizes()
  sizes.addAsset('images/a b.png', png(640, 480))
  assert.equal(
    sizedIn(sizes, '<p><img src="/images/a%20b.png" alt="A"></p>'),
    '<p><img width="640" height="480" src="/images/a%20b.png" alt="A"></p>',
  )
})

test('preserves explicit sizes and leaves unknown, remote and damaged images unchanged', () => {
  const sizes = createImageSizes()
  sizes.addAsset('a.png', png(10, 10))
  sizes.addAsset('broken.png', Buffer.from('no image'))
  for (const html of [
    '<img src="/a.png" width="5" height="7">',
    '<img class="aspect-video w-full" src="/a.png">',
    '<img src="/b.png">',
    '<img src="/broken.png">',
    '<img src="https://example.com/a.png">',
    '<imgx src="/a.png">',
  ])
    assert.equal(sizedIn(sizes, html), html)
})

test('an image with only one dimension gets the aspect ratio of its file', () => {
  const sizes = createImageSizes()
  sizes.addAsset('a.png', png(40, 30))
  const shape = 'aspect-ratio:auto 40/30'
  assert.equal(
    sizedIn(sizes, '<img src="/a.png" width="5">'),
    `<img style="${shape}" src="/a.png" width="5">`,
  )
  assert.equal(
    sizedIn(sizes, '<img style="width:50%;" src="/a.png">'),
    `<img style="width:50%;${shape}" src="/a.png">`,
  )
  assert.equal(
    sizedIn(sizes, '<img class="rounded md:h-8" src="/a.png">'),
    `<img style="${shape}" class="rounded md:h-8" src="/a.png">`,
  )
})

test('an SVG has its declared size, or the aspect ratio of its viewBox and a fluid width', () => {
  const sizes = createImageSizes()
  const drawing = (attributes: string) =>
    Buffer.from(`<?xml version="1.0"?>\n<svg ${attributes}><path/></svg>`)
  const shown = (attributes: string) => {
    sizes.addAsset('a.svg', drawing(attributes))
    return sizedIn(sizes, '<img src="/a.svg">')
  }
  const sized = '<img width="48" height="24" src="/a.svg">'
  assert.equal(shown('width="48" height="24"'), sized)
  assert.equal(shown('width="48px" height="23.6" viewBox="0 0 9 9"'), sized)
  assert.equal(shown('width="48" viewBox="0 0 200 100"'), sized)
  assert.equal(shown('viewBox="0,0,200,100" height="24"'), sized)
  const fluid = '<img data-fluid style="aspect-ratio:auto 200/100" src="/a.svg">'
  assert.equal(shown('viewBox="0 0 200 100"'), fluid)
  assert.equal(shown('width="100%" viewBox="0 0 200 100"'), fluid)
  for (const unknown of [
    '',
    'width="3em" height="2em"',
    'width="50%" viewBox="0 0 2 1"',
    'viewBox="0 0 x 1"',
  ])
    assert.equal(shown(unknown), '<img src="/a.svg">')
})
