import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFrameReader, encodeFrame } from './frames.ts'

test('decodes messages and their binary content regardless of how the bytes are chunked', () => {
  const messages = [{ a: 1 }, 'ü'.repeat(1000), null, { text: 'x\ny' }]
  const content = Buffer.from([0, 255, 10, 0])
  const bytes = Buffer.concat(messages.flatMap((message) => [...encodeFrame(message, content)]))
  for (const size of [1, 3, 7, 1000, bytes.length]) {
    const got: unknown[] = []
    const read = createFrameReader((message, with_) => {
      got.push(message)
      assert.deepEqual(Buffer.from(with_), content)
    })
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
    assert.deepEqual(got, messages)
  }
})

test('throws RangeError for invalid frame lengths', () => {
  const read = () => createFrameReader(() => {})
  assert.throws(() => read()(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])), RangeError)
  assert.throws(() => read()(Buffer.from([0, 0, 0, 8, 0, 0, 0, 5])), RangeError)
})
