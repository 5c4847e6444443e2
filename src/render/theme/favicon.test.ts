import assert from 'node:assert/strict'
import test from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import type { Site } from '../../site/model.ts'
import { faviconTags } from './favicon.ts'

function tags(
  favicon: { light: string; dark: string } | null,
  assets: string[] = [],
  touchIcon: string | null = null,
): string {
  const config = { name: 'éclair docs', colors: { primary: '#ffe600' }, favicon }
  return markupText(faviconTags({ config, assets: new Set(assets) } as unknown as Site, touchIcon))
}

test('a raster favicon is also the touch icon and an SVG favicon has a separate one', () => {
  assert.equal(
    tags({ light: '/f.svg', dark: '/f.svg' }),
    '<link rel="icon" href="/f.svg" type="image/svg+xml" sizes="any">',
  )
  assert.equal(
    tags({ light: '/f.svg', dark: '/f.svg' }, [], '/_octavo/touch-icon.png'),
    '<link rel="icon" href="/f.svg" type="image/svg+xml" sizes="any"><link rel="apple-touch-icon" href="/_octavo/touch-icon.png">',
  )
  assert.equal(
    tags({ light: '/a.png', dark: '/b.png?v=2' }),
    '<link rel="icon" href="/a.png" type="image/png" media="(prefers-color-scheme: light)"><link rel="icon" href="/b.png?v=2" type="image/png" media="(prefers-color-scheme: dark)"><link rel="apple-touch-icon" href="/a.png">',
  )
})

test('without a favicon setting, uses favicon.ico or the first letter of the site name', () => {
  assert.equal(tags(null, ['favicon.ico']), '<link rel="icon" href="/favicon.ico" type="image/x-icon">')
  const letter = tags(null)
  assert.match(letter, /href="data:image\/svg\+xml,[^"]*%3E%C3%89%3C%2Ftext%3E/)
  assert.match(letter, /fill%3D%22%23111%22/)
})
