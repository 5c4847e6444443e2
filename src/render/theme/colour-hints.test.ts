import assert from 'node:assert/strict'
import test from 'node:test'
import type { SiteConfig } from '../../site/settings/config.ts'
import { contrast, type Oklch, parseHex, WHITE } from './colour.ts'
import { colourHints } from './colour-hints.ts'

function hints(colors: SiteConfig['colors'], light: string | null = null): string[] {
  const config = { colors, background: { color: { light, dark: null } } } as unknown as SiteConfig
  return colourHints(config).map(({ message, remedy }) => `${message} ${remedy}`)
}

test('reports a low-contrast colour with its contrast and a readable alternative', () => {
  const [first, ...others] = hints({ primary: '#07C983', light: '#222222', dark: '#000000' })
  assert.match(first ?? '', /^colors\.primary #07C983 has a contrast of 2\.\d on light pages/)
  assert.match(others.join(), /^colors\.light #222222 has a contrast of 1\.\d on dark pages/)
  const like = /#[0-9a-f]{6}\.$/.exec(first ?? '')?.[0].slice(0, 7) ?? ''
  assert.ok(contrast(parseHex(like) as Oklch, WHITE) >= 4.5, like)
})

test('does not report a colour that was recommended', () => {
  for (const primary of ['#9285e4', '#47d2be', '#50a3ec']) {
    const [told] = hints({ primary, light: primary, dark: primary })
    const like = /#[0-9a-f]{6}\.$/.exec(told ?? '')?.[0].slice(0, 7) ?? ''
    assert.deepEqual(hints({ primary: like, light: like, dark: like }), [], like)
  }
})

test('does not report readable colours or a dark scheme without a configured colour', () => {
  assert.deepEqual(hints({ primary: '#4F46E5', light: '#A5B4FC', dark: '#4F46E5' }), [])
  assert.deepEqual(hints({ primary: '#4F46E5', light: '#4F46E5', dark: '#4F46E5' }), [])
  assert.equal(hints({ primary: '#4F46E5', light: '#4F46E5', dark: '#4F46E5' }, '#777777').length, 1)
})
