import assert from 'node:assert/strict'
import test from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import type { Site } from '../../site/model.ts'
import { type FaviconIcons, faviconTags } from './favicon.ts'

const NONE: FaviconIcons = { tabs: [], touch: null }

function tags(
  favicon: { light: string; dark: string } | null,
  assets: string[] = [],
  icons = { light: NONE, dark: NONE },
): string {
  const config = { name: 'éclair docs', colors: { primary: '#ffe600' }, favicon }
  return markupText(faviconTags({ config, assets: new Set(assets) } as unknown as Site, icons))
}

test('a file that no icons were made of is given as it is, a picture to home screens too', () => {
  assert.equal(
    tags({ light: '/f.svg', dark: '/f.svg' }),
    '<link rel="icon" href="/f.svg" type="image/svg+xml" sizes="any">',
  )
  assert.equal(
    tags({ light: '/a.png', dark: '/b.png?v=2' }),
    '<link rel="icon" href="/a.png" type="image/png" media="(prefers-color-scheme: light)"><link rel="icon" href="/b.png?v=2" type="image/png" media="(prefers-color-scheme: dark)"><link rel="apple-touch-icon" href="/a.png">',
  )
})

test('a site that names none has its file of the usual name, or the first letter of its name', () => {
  assert.equal(tags(null, ['favicon.ico']), '<link rel="icon" href="/favicon.ico" type="image/x-icon">')
  const letter = tags(null)
  assert.match(letter, /href="data:image\/svg\+xml,[^"]*%3E%C3%89%3C%2Ftext%3E/)
  assert.match(letter, /fill%3D%22%23111%22/)
})

const made = (name: string): FaviconIcons => ({
  tabs: [16, 32].map((side) => ({ href: `/_octavo/${name}-${side}.png`, sizes: `${side}x${side}` })),
  touch: `/_octavo/${name}-touch.png`,
})

test('a drawing comes behind the picture made of it, and home screens have their own', () => {
  const icons = { tabs: made('x').tabs.slice(1), touch: '/_octavo/x-touch.png' }
  assert.equal(
    tags({ light: '/f.svg', dark: '/f.svg' }, [], { light: icons, dark: icons }),
    '<link rel="icon" href="/_octavo/x-32.png" type="image/png" sizes="32x32"><link rel="icon" href="/f.svg" type="image/svg+xml" sizes="any"><link rel="apple-touch-icon" href="/_octavo/x-touch.png">',
  )
})

test('pictures made of a PNG stand in its place, each mode has its own, and home screens that of the light one', () => {
  const html = tags({ light: '/a.png', dark: '/b.png' }, [], { light: made('a'), dark: made('b') })
  assert.deepEqual(
    html
      .split('<link')
      .slice(1)
      .map((tag) => [/href="([^"]+)"/.exec(tag)?.[1], /scheme: (\w+)/.exec(tag)?.[1]]),
    [
      ['/_octavo/a-16.png', 'light'],
      ['/_octavo/a-32.png', 'light'],
      ['/_octavo/b-16.png', 'dark'],
      ['/_octavo/b-32.png', 'dark'],
      ['/_octavo/a-touch.png', undefined],
    ],
  )
})
