import assert from 'node:assert/strict'
import { test } from 'node:test'
import { icoFile } from './ico.ts'

test('the directory says where each picture lies', () => {
  const entries = [
    { side: 16, png: Uint8Array.from([1, 2, 3]) },
    { side: 256, png: Uint8Array.from([4, 5]) },
  ]
  const file = Buffer.from(icoFile(entries))
  assert.deepEqual([file.readUInt16LE(0), file.readUInt16LE(2), file.readUInt16LE(4)], [0, 1, 2])
  const found = entries.map((_, index) => {
    const at = 6 + 16 * index
    const start = file.readUInt32LE(at + 12)
    return {
      side: file[at] || 256,
      png: Uint8Array.from(file.subarray(start, start + file.readUInt32LE(at + 8))),
    }
  })
  assert.deepEqual(found, entries)
})
