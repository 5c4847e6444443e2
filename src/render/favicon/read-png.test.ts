import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { encodePng } from './picture.ts'
import { readPng } from './read-png.ts'

interface Parts {
  width: number
  height: number
  depth: number
  colourType: number
  isInterlaced?: boolean
  /** Lines with the byte of their filter. */
  lines: number[]
  between?: Buffer[]
}

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const file = Buffer.alloc(body.length + 8)
  file.writeUInt32BE(content.length, 0)
  body.copy(file, 4)
  file.writeUInt32BE(crc32(body), body.length + 4)
  return file
}

function png({ width, height, depth, colourType, isInterlaced = false, lines, between = [] }: Parts): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colourType, 0, 0, isInterlaced ? 1 : 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const pixels = chunk('IDAT', deflateSync(Buffer.from(lines)))
  return Buffer.concat([signature, chunk('IHDR', header), ...between, pixels, chunk('IEND', Buffer.alloc(0))])
}

const pixelsOf = (file: Uint8Array) => [...readPng(file).data]

test('every kind of colour comes to red, green, blue and opacity', () => {
  const one = { width: 1, height: 1 }
  assert.deepEqual(pixelsOf(png({ ...one, depth: 8, colourType: 6, lines: [0, 1, 2, 3, 4] })), [1, 2, 3, 4])
  assert.deepEqual(pixelsOf(png({ ...one, depth: 8, colourType: 2, lines: [0, 1, 2, 3] })), [1, 2, 3, 255])
  assert.deepEqual(pixelsOf(png({ ...one, depth: 8, colourType: 4, lines: [0, 9, 7] })), [9, 9, 9, 7])
  const deep = png({ ...one, depth: 16, colourType: 6, lines: [0, 255, 255, 128, 0, 0, 0, 255, 255] })
  assert.deepEqual(pixelsOf(deep), [255, 128, 0, 255])
  const grey = png({
    width: 3,
    height: 2,
    depth: 2,
    colourType: 0,
    lines: [0, 0b00_01_10_00, 0, 0b11_00_11_00],
  })
  const reds = pixelsOf(grey).filter((_, index) => index % 4 === 0)
  assert.deepEqual(reds, [0, 85, 170, 255, 0, 255])
})

test('a palette has its own opacities, and a number beyond it is nothing', () => {
  const between = [chunk('PLTE', Buffer.from([10, 20, 30, 40, 50, 60])), chunk('tRNS', Buffer.from([128]))]
  const file = png({ width: 3, height: 1, depth: 8, colourType: 3, lines: [0, 0, 1, 2], between })
  assert.deepEqual(pixelsOf(file), [10, 20, 30, 128, 40, 50, 60, 255, 0, 0, 0, 0])
})

test('one colour of a picture without opacity may be a hole', () => {
  const between = [chunk('tRNS', Buffer.from([0, 1, 0, 2, 0, 3]))]
  const file = png({
    width: 3,
    height: 1,
    depth: 8,
    colourType: 2,
    lines: [0, 1, 2, 3, 1, 2, 4, 0, 0, 0],
    between,
  })
  assert.deepEqual(pixelsOf(file), [1, 2, 3, 0, 1, 2, 4, 255, 0, 0, 0, 255])
})

test('an interlaced picture is read', () => {
  // Passes of a 3 by 3 picture: (0,0) · (2,0) · (0,2) (2,2) · (1,0) (1,2) · (0..2,1)
  const lines = [0, 1, 0, 3, 0, 7, 9, 0, 2, 0, 8, 0, 4, 5, 6]
  const file = png({ width: 3, height: 3, depth: 8, colourType: 0, isInterlaced: true, lines })
  const reds = pixelsOf(file).filter((_, index) => index % 4 === 0)
  assert.deepEqual(reds, [1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('what is no picture, is too large or is not what its header says is told apart', () => {
  const one = { width: 1, height: 1, depth: 8, colourType: 0 }
  const whole = png({ ...one, lines: [0, 5] })
  const flipped = Buffer.from(whole)
  flipped[flipped.length - 16] = (flipped[flipped.length - 16] as number) ^ 1 // the checksum of the pixels
  const cases: [Uint8Array, RegExp][] = [
    [Buffer.from('GIF89a'), /no PNG/],
    [whole.subarray(0, -12), /ends before/],
    [png({ ...one, width: 5000, lines: [0] }), /5000 by 1 pixels/],
    [png({ ...one, width: 0, lines: [0] }), /no pixels/],
    [png({ ...one, colourType: 5, lines: [0, 5] }), /unknown kind/],
    [png({ ...one, depth: 1, isInterlaced: true, lines: [0, 5] }), /fewer than eight bits/],
    [png({ ...one, lines: [0, 5, 5] }), /other pixels/],
    [png({ ...one, lines: [0] }), /other pixels/],
    [flipped, /damaged/],
  ]
  for (const [file, message] of cases)
    assert.throws(() => readPng(file), { name: 'UnusableFaviconError', message })
})

test('a small file that would grow to a large one does not grow', () => {
  const bomb = deflateSync(Buffer.alloc(24 * 1024 * 1024))
  const profile = Buffer.concat([Buffer.from('x\0\0', 'latin1'), bomb])
  const one = { width: 1, height: 1, depth: 8, colourType: 0 }
  const before = process.memoryUsage().arrayBuffers
  assert.deepEqual(
    pixelsOf(png({ ...one, lines: [0, 5], between: [chunk('iCCP', profile)] })),
    [5, 5, 5, 255],
  )
  assert.throws(() => readPng(png({ ...one, lines: [0, 5], between: [chunk('IDAT', bomb)] })), /other pixels/)
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024)
})

test('what is written is read back, in the same bytes each time', () => {
  const picture = { width: 2, height: 1, data: Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 255]) }
  const opaque = { width: 1, height: 1, data: Uint8Array.from([1, 2, 3, 255]) }
  for (const one of [picture, opaque]) assert.deepEqual(readPng(encodePng(one)), one)
  assert.deepEqual(encodePng(picture), encodePng(picture))
})
