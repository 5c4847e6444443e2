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
    test(`a file in UTF-16 ${order}${isMarked ? ' with a mark' : ''} loses what can run and is UTF-8 afterwards`, () => {
      const made = text(sanitizeSvg(utf16(`<?xml version="1.0" encoding="utf-16"?>${EVIL}`, order, isMarked)))
      assert.doesNotMatch(made, /script|onload|encoding|\0/)
      assert.match(made, /<circle r="1"/)
    })

test('a name that escapes of an encoding divide is seen whole', () => {
  const hidden = EVIL.replaceAll('script', 'scr\u001b(Bipt').replace('onload', 'onlo\u001b(Bad')
  const made = text(
    sanitizeSvg(Buffer.from(`<?xml version="1.0" encoding="iso-2022-jp"?>${hidden}`, 'latin1')),
  )
  assert.doesNotMatch(made, /scr.*ipt|alert|onlo|encoding/)
})

test('letters of an older encoding are kept', () => {
  const source = '<?xml version="1.0" encoding="ISO-8859-1"?><svg><title>Größe</title></svg>'
  assert.equal(
    text(sanitizeSvg(Buffer.from(source, 'latin1'))),
    '<?xml version="1.0"?><svg><title>Größe</title></svg>',
  )
})

test('a file in UTF-8 in which nothing can run keeps its bytes', () => {
  const bytes = Buffer.from('\ufeff<svg><title>Größe</title></svg>')
  assert.equal(sanitizeSvg(bytes), bytes)
})

test('what browsers read as UTF-8 is filtered as UTF-8, whatever it says of itself', () => {
  for (const name of ['utf-16', 'no-such', 'utf-7', 'UTF-8']) {
    const made = text(sanitizeSvg(Buffer.from(`<?xml version="1.0" encoding="${name}"?>${EVIL}`)))
    assert.doesNotMatch(made, /script|onload/, name)
  }
})

test('bytes that are no text are an empty picture', () => {
  const wide = Buffer.from([...EVIL].flatMap((letter) => [0, 0, 0, letter.charCodeAt(0)]))
  assert.equal(text(sanitizeSvg(wide)), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})
