import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sanitizeSvg } from './svg-bytes.ts'

const EVIL =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><circle r="1" onload="x()"/></svg>'
const text = (made: Uint8Array | string) => (typeof made === 'string' ? made : new TextDecoder().decode(made))

function utf16(source: string, order: 'le' | 'be', isMarked: boolean): Uint8Array {
  const bytes = Buffer.from(isMarked ? `\ufeff${source}` : source, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

for (const order of ['le', 'be'] as const)
  for (const isMarked of [true, false])
    test(`sanitizes an SVG in UTF-16 ${order}${isMarked ? ' with a mark' : ''} and returns UTF-8`, () => {
      const made = text(sanitizeSvg(utf16(`<?xml version="1.0" encoding="utf-16"?>${EVIL}`, order, isMarked)))
      assert.doesNotMatch(made, /script|onload|encoding|\0/)
      assert.match(made, /<circle r="1"/)
    })

test('removes names that are split by escape sequences of their encoding', () => {
  const hidden = EVIL.replaceAll('script', 'scr\u001b(Bipt').replace('onload', 'onlo\u001b(Bad')
  const made = text(
    sanitizeSvg(Buffer.from(`<?xml version="1.0" encoding="iso-2022-jp"?>${hidden}`, 'latin1')),
  )
  assert.doesNotMatch(made, /scr.*ipt|alert|onlo|encoding/)
})

test('keeps letters of a legacy encoding', () => {
  const source = '<?xml version="1.0" encoding="ISO-8859-1"?><svg><title>Größe</title></svg>'
  assert.equal(
    text(sanitizeSvg(Buffer.from(source, 'latin1'))),
    '<?xml version="1.0"?><svg><title>Größe</title></svg>',
  )
})

test('a script-free UTF-8 file keeps its bytes', () => {
  const bytes = Buffer.from('\ufeff<svg><title>Größe</title></svg>')
  assert.equal(sanitizeSvg(bytes), bytes)
})

test('sanitizes UTF-8 files as UTF-8 even if they declare another encoding', () => {
  for (const name of ['utf-16', 'no-such', 'utf-7', 'UTF-8']) {
    const made = text(sanitizeSvg(Buffer.from(`<?xml version="1.0" encoding="${name}"?>${EVIL}`)))
    assert.doesNotMatch(made, /script|onload/, name)
  }
})

test('bytes that are not text become an empty SVG', () => {
  const wide = Buffer.from([...EVIL].flatMap((letter) => [0, 0, 0, letter.charCodeAt(0)]))
  assert.equal(text(sanitizeSvg(wide)), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})
