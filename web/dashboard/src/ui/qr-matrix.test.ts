import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMasked, qrMatrix } from './qr-matrix.ts'

const URI =
  'otpauth://totp/Octavo:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Octavo&digits=6&period=30'

/** Version 1 has no alignment pattern and one block: what was written can be read straight back. */
function readVersionOne(rows: boolean[][]): number[] {
  const size = rows.length
  const isPattern = (x: number, y: number) =>
    x === 6 || y === 6 || (x < 9 && y < 9) || (x > size - 9 && y < 9) || (x < 9 && y > size - 9)
  const formatBits = [0, 1, 2, 3, 4, 5].map((y) => (rows[y]?.[8] ? 1 << y : 0))
  const format = (formatBits.reduce((sum, bit) => sum | bit, 0) | (rows[7]?.[8] ? 64 : 0)) ^ (0x5412 & 0x7f)
  const full = [...Array(15).keys()]
    .map((at): boolean => {
      if (at < 8) return rows[8]?.[size - 1 - at] === true
      return rows[size - 15 + at]?.[8] === true
    })
    .reduce((sum, isDark, at) => sum | (isDark ? 1 << at : 0), 0)
  assert.equal((full ^ 0x5412) & 0x7f, format, 'both copies of the format agree')
  const mask = ((full ^ 0x5412) >>> 10) & 7
  assert.equal((full ^ 0x5412) >>> 13, 0, 'level M')
  const bits: number[] = []
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (!isPattern(x, y)) bits.push((rows[y]?.[x] === true) !== isMasked(mask, x, y) ? 1 : 0)
      }
    }
  }
  return Array.from({ length: bits.length >>> 3 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  )
}

/** Powers of 2 in the field, to evaluate the block as a polynomial: a right one is zero at every root. */
function syndromes(words: readonly number[], count: number): number[] {
  const times = (a: number, b: number) => {
    let [product, factor] = [0, a]
    for (let rest = b; rest > 0; rest >>>= 1) {
      if (rest & 1) product ^= factor
      factor = (factor << 1) ^ (factor & 0x80 ? 0x11d : 0)
    }
    return product
  }
  let root = 1
  return Array.from({ length: count }, () => {
    const value = words.reduce((sum, word) => times(sum, root) ^ word, 0)
    root = times(root, 2)
    return value
  })
}

test('a short text is read back, and its check bytes are right', () => {
  const rows = qrMatrix('OCTAVO docs')
  assert.equal(rows.length, 21)
  const words = readVersionOne(rows)
  assert.equal(words.length, 26)
  assert.deepEqual(syndromes(words, 10), new Array(10).fill(0))
  const bits = words.map((word) => word.toString(2).padStart(8, '0')).join('')
  assert.equal(bits.slice(0, 4), '0100')
  const length = Number.parseInt(bits.slice(4, 12), 2)
  const bytes = Array.from({ length }, (_, at) => Number.parseInt(bits.slice(12 + at * 8, 20 + at * 8), 2))
  assert.equal(new TextDecoder().decode(new Uint8Array(bytes)), 'OCTAVO docs')
})

test('the address of a secret fits, with a version that says itself twice', () => {
  const rows = qrMatrix(URI)
  const version = (rows.length - 17) / 4
  assert.ok(version >= 7 && version <= 10)
  const size = rows.length
  const one = [...Array(18).keys()].map((at) => rows[Math.floor(at / 3)]?.[size - 11 + (at % 3)])
  const other = [...Array(18).keys()].map((at) => rows[size - 11 + (at % 3)]?.[Math.floor(at / 3)])
  assert.deepEqual(one, other)
  const bits = one.reduce<number>((sum, isDark, at) => sum | (isDark ? 1 << at : 0), 0)
  assert.equal(bits >>> 12, version)
})

test('what is too long is refused', () => {
  assert.throws(() => qrMatrix('x'.repeat(300)), /too long/)
})
