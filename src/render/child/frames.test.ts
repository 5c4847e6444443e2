import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFrameReader, encodeFrame } from './frames.ts'

test('messages arrive whole however the bytes are cut', () => {
  const messages = [{ a: 1 }, 'ü'.repeat(1000), null, { text: 'x\ny' }]
  const bytes = Buffer.concat(messages.map(encodeFrame))
  for (const size of [1, 3, 7, 1000, bytes.length]) {
    const got: unknown[] = []
    const read = createFrameReader((message) => void got.push(message))
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
    assert.deepEqual(got, messages)
  }
})

test('a length that cannot be is refused', () => {
  const read = createFrameReader(() => {})
  assert.throws(() => read(Buffer.from([255, 255, 255, 255])), RangeError)
})
