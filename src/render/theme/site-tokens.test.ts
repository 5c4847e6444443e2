import assert from 'node:assert/strict'
import test from 'node:test'
import type { SiteConfig } from '../../site/settings/config.ts'
import { contrast, hexColour, type Oklch, parseHex, WHITE } from './colour.ts'
import { modeTokens, siteTokens } from './site-tokens.ts'

function read(css: string | undefined): Oklch {
  const [, l, c, h] = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)/.exec(css ?? '') ?? []
  // Rounded as on a screen.
  return parseHex(hexColour({ l: Number(l) / 100, c: Number(c), h: Number(h) })) as Oklch
}

const BRANDS = [
  '#600014',
  '#16A34A',
  '#07C983',
  '#ffe600',
  '#8F74E0',
  '#000000',
  '#ffffff',
  '#0060FF',
  '#ff5c00',
  '#345DD9',
  '#5286FF',
]
const PAGES = ['#ffffff', '#f5f5f7', '#09090b', '#000000', '#0b1021']

test('text, links and buttons are readable with any brand colour on any page colour', () => {
  for (const brand of BRANDS) {
    for (const page of PAGES) {
      const accent = parseHex(brand) as Oklch
      const tokens = modeTokens(parseHex(page) as Oklch, accent, [accent])
      const name = `${brand} on ${page}`
      for (const step of [10, 11, 12]) {
        for (const ground of [1, 2, 3]) {
          const ratio = contrast(read(tokens[`--neutral-${step}`]), read(tokens[`--neutral-${ground}`]))
          assert.ok(ratio >= 4.5, `neutral ${step} on ${ground}, ${name}: ${ratio}`)
        }
      }
      for (const ground of ['--neutral-1', '--neutral-2', '--accent-2', '--accent-3']) {
        const ratio = contrast(read(tokens['--accent-11']), read(tokens[ground]))
        assert.ok(ratio >= 4.5, `accent text on ${ground}, ${name}: ${ratio}`)
      }
      assert.ok(contrast(read(tokens['--accent-9']), read(tokens['--neutral-1'])) >= 2.95, `shape, ${name}`)
      assert.ok(contrast(read(tokens['--button-on']), read(tokens['--button'])) >= 4.5, `button, ${name}`)
    }
  }
})

test('borders are visible on a black page', () => {
  const tokens = modeTokens(parseHex('#000000') as Oklch, parseHex('#8888ff') as Oklch, [WHITE])
  assert.ok(read(tokens['--neutral-6']).l > 0.25)
})

function configOf(light: string, dark: string): SiteConfig {
  return {
    colors: { primary: '#0060FF', light: '#0060FF', dark: '#0060FF' },
    background: { color: { light: null, dark: null }, image: null, decoration: null },
    styling: { codeblocks: { light, dark } },
    fonts: { heading: null, body: null },
  } as unknown as SiteConfig
}

test('a code theme that sets a background in one color scheme does not affect the other scheme', async () => {
  for (const [light, dark] of [
    ['snazzy-light', 'dark-plus'],
    ['github-light-default', 'dracula'],
  ] as const) {
    const sheet = await siteTokens(configOf(light, dark), { faces: [], fallbacks: new Map() })
    for (const name of ['--code-ground', '--code-edge', '--code-muted']) {
      const [ofLight, ofDark] = [':root', 'html.dark'].map(
        (mode) => new RegExp(`${mode}\\{[^}]*${name}:([^;}]+)`).exec(sheet)?.[1],
      )
      assert.notEqual(ofDark, undefined, `${name} of ${light} is in the dark scheme`)
      if (light === 'snazzy-light') assert.notEqual(ofLight, ofDark)
      else assert.equal(ofLight, undefined)
    }
  }
})
