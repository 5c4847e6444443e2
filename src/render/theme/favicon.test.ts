import assert from 'node:assert/strict'
import test from 'node:test'
import type { Site } from '../../site/model.ts'
import { faviconTags } from './favicon.ts'

function tags(favicon: { light: string; dark: string } | null, assets: string[] = []): string {
  const config = { name: 'éclair docs', colors: { primary: '#ffe600' }, favicon }
  return faviconTags({ config, assets: new Set(assets) } as unknown as Site)
}

test('a drawing is for every size, a picture is for home screens too, and each mode may have its own', () => {
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
