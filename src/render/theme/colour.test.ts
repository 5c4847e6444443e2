import assert from 'node:assert/strict'
import test from 'node:test'
import { contrast, cssColour, ensureContrast, parseHex, WHITE } from './colour.ts'

const BLACK = { l: 0, c: 0, h: 0 }

function hex(value: string) {
  const colour = parseHex(value)
  assert.ok(colour)
  return colour
}

test('contrast follows the WCAG definition', () => {
  assert.equal(Math.round(contrast(BLACK, WHITE)), 21)
  assert.equal(contrast(hex('#767676'), WHITE).toFixed(2), '4.54')
})

test('parses hex colours of every length and rejects anything else', () => {
  assert.deepEqual(parseHex('#fff'), parseHex('#FFFFFF'))
  assert.deepEqual(parseHex('#ff0000'), parseHex('#ff0000cc'))
  assert.equal(parseHex('red'), null)
  assert.equal(parseHex('#ff'), null)
  assert.equal(cssColour(hex('#ffffff')), 'oklch(100% 0 0)')
})

test('adjusts a low-contrast colour until it is readable and keeps its hue', () => {
  for (const faint of ['#ffe600', '#8F74E0', '#00ffcc', '#cccccc', '#16A34A']) {
    const readable = ensureContrast(hex(faint), [WHITE, hex('#f5f5f5')], 4.5)
    assert.ok(contrast(readable, hex('#f5f5f5')) >= 4.5, faint)
    assert.ok(Math.abs(readable.h - hex(faint).h) < 0.01, faint)
  }
  const onDark = ensureContrast(hex('#34050d'), [hex('#0a0a0a')], 4.5)
  assert.ok(contrast(onDark, hex('#0a0a0a')) >= 4.5)
})

test('keeps a colour that is already readable', () => {
  assert.deepEqual(ensureContrast(hex('#0000aa'), [WHITE], 4.5), hex('#0000aa'))
})
