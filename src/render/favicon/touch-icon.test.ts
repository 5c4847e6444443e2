import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyPicture, type Picture } from './picture.ts'
import { TOUCH_SIDE, touchIcon } from './touch-icon.ts'

/** A square of one colour whose first pixel is free. */
function disc(side: number, colour: number[]): Picture {
  const made = emptyPicture(side, side)
  for (let at = 4; at < made.data.length; at += 4) made.data.set(colour, at)
  return made
}

const pixel = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
]

test('a picture that can be seen through stands on white with a margin', () => {
  const icon = touchIcon((side) => disc(side, [200, 0, 0, 255]), '#0c0d0f')
  assert.deepEqual([icon.width, icon.height], [TOUCH_SIDE, TOUCH_SIDE])
  assert.deepEqual(pixel(icon, 0, 0), [255, 255, 255, 255])
  assert.deepEqual(pixel(icon, 19, 90), [255, 255, 255, 255])
  assert.deepEqual(pixel(icon, 20, 90), [200, 0, 0, 255])
  assert.deepEqual(pixel(icon, 159, 90), [200, 0, 0, 255])
  assert.deepEqual(pixel(icon, 160, 90), [255, 255, 255, 255])
})

test('a picture that white would swallow stands on the dark ground of the site', () => {
  const icon = touchIcon((side) => disc(side, [255, 255, 255, 128]), '#0c0d0f')
  assert.deepEqual(pixel(icon, 0, 0), [12, 13, 15, 255])
  assert.deepEqual(pixel(icon, 90, 90), [134, 134, 135, 255])
})

test('a picture that covers its square is used to the edge', () => {
  const whole = (side: number) => {
    const made = disc(side, [1, 2, 3, 255])
    made.data.set([1, 2, 3, 255])
    return made
  }
  assert.deepEqual(pixel(touchIcon(whole, '#000000'), 0, 0), [1, 2, 3, 255])
})
