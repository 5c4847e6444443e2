import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageFolder } from '../../base/files/program-files.ts'
import { fontFormat, fontMetrics } from './font-metrics.ts'

const inter = readFileSync(
  join(packageFolder('@fontsource-variable/inter'), 'files/inter-latin-wght-normal.woff2'),
)
const katex = (name: string) => readFileSync(join(packageFolder('katex'), 'dist/fonts', name))

test('reads ascent, descent, width and weights of a font', () => {
  const metrics = fontMetrics(inter)
  assert.deepEqual(metrics && { ...metrics, width: metrics.width.toFixed(3) }, {
    ascent: 0.96875,
    descent: 0.2412109375,
    lineGap: 0,
    width: '0.472',
    weight: '100 900',
  })
})

test('reads the same metrics from woff2, woff and ttf', () => {
  const formats = ['woff2', 'woff', 'ttf'].map((ending) => katex(`KaTeX_Main-Bold.${ending}`))
  assert.deepEqual(formats.map(fontFormat), ['woff2', 'woff', 'truetype'])
  const [first, ...others] = formats.map(fontMetrics)
  assert.equal(first?.weight, '700')
  for (const other of others) assert.deepEqual(other, first)
})

test('returns null for truncated fonts and files that are not fonts', () => {
  assert.equal(fontFormat(Buffer.from('<html>')), null)
  assert.equal(fontMetrics(Buffer.from('<html>')), null)
  for (const size of [0, 3, 4, 12, 47, 60, 100, 1000]) {
    for (const font of [inter, katex('KaTeX_Main-Bold.woff'), katex('KaTeX_Main-Bold.ttf')])
      assert.equal(fontMetrics(font.subarray(0, size)), null)
  }
})

test('a font with any changed byte does not crash the parser', () => {
  const font = new Uint8Array(katex('KaTeX_Main-Bold.ttf'))
  for (let at = 0; at < 400; at++) {
    const damaged = font.slice()
    damaged[at] = 255 - (damaged[at] as number)
    fontMetrics(damaged)
  }
  assert.ok(fontMetrics(font))
})
