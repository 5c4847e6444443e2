import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyPicture, type Picture } from './picture.ts'
import { squaresOf } from './scale.ts'

type Colour = [number, number, number, number]

function picture(width: number, height: number, colourAt: (x: number, y: number) => Colour): Picture {
  const made = emptyPicture(width, height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) made.data.set(colourAt(x, y), (y * width + x) * 4)
  return made
}

const WHITE: Colour = [255, 255, 255, 255]
const BLACK: Colour = [0, 0, 0, 255]

test('the mean of black and white is what gives half the light, not half the number', () => {
  const board = picture(8, 8, (x, y) => ((x + y) % 2 === 0 ? WHITE : BLACK))
  assert.deepEqual([...squaresOf(board)(1).data], [188, 188, 188, 255])
})

test('what cannot be seen leaves no trace of its colour', () => {
  const half = picture(2, 2, (x) => (x === 0 ? [200, 100, 50, 255] : [0, 255, 0, 0]))
  assert.deepEqual([...squaresOf(half)(1).data], [200, 100, 50, 128])
})

test('pixels that lie under two new ones are shared between them', () => {
  const thirds = picture(3, 3, (x) => (x === 1 ? WHITE : BLACK))
  const reds = [...squaresOf(thirds)(2).data].filter((_, index) => index % 4 === 0)
  assert.deepEqual(reds, [156, 156, 156, 156])
})

test('a picture that is no square stands whole in the middle of one', () => {
  const wide = picture(40, 20, () => WHITE)
  const { width, height, data } = squaresOf(wide)(8)
  assert.deepEqual([width, height], [8, 8])
  const opacities = Array.from({ length: 8 }, (_, y) => data[y * 32 + 3])
  assert.deepEqual(opacities, [0, 0, 255, 255, 255, 255, 0, 0])
})

test('a very large picture keeps its colours on the way through a smaller one', () => {
  const large = picture(1300, 1300, (x) => (x < 650 ? [255, 0, 0, 255] : [0, 0, 255, 255]))
  const { data } = squaresOf(large)(2)
  assert.deepEqual([...data], [255, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0, 255, 0, 0, 255, 255])
})
