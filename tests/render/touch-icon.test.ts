/** Touch icons rendered from valid, broken and hostile favicons. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from 'fast-png'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { openArtist } from '../../src/render/thumbnail/open-artist.ts'
import { touchIcon, touchIconStamp } from '../../src/render/thumbnail/touch-icon.ts'
import type { Site } from '../../src/site/model.ts'

const svg = (content: string, size = 'viewBox="0 0 40 20"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`

function scopeOf(files: Record<string, string | Uint8Array>, light?: string, dark = light) {
  const config = { favicon: light === undefined ? null : { light, dark } }
  const site = { config, assets: new Set(Object.keys(files)) } as unknown as Site
  return { site, tree: openMemoryTree(files) }
}

test('renders an SVG favicon on white at 180 by 180, with the same bytes every time', async () => {
  const half = '<rect width="40" height="20" fill="#f00" fill-opacity=".5"/>'
  const scope = scopeOf({ 'images/sign.svg': svg(half) }, '/images/sign.svg?v=2', '/dark.png')
  const { file, problems } = await touchIcon(scope)
  assert.deepEqual(problems, [])
  assert.match(file?.path ?? '', /^_octavo\/touch-icon\.[0-9a-f]{10}\.png$/)
  const { width, height, data, channels } = decode(file?.content as Uint8Array)
  assert.deepEqual([width, height], [180, 180])
  const at = (y: number) => [...data.subarray((y * 180 + 90) * channels, (y * 180 + 90) * channels + 3)]
  assert.deepEqual(at(20), [255, 255, 255])
  assert.deepEqual(at(90), [255, 127, 127])
  assert.deepEqual((await touchIcon(scope)).file, file)
})

test('an SVG favicon reads no file and renders in the light color scheme', async () => {
  const content = `<style>rect{fill:#0f0}@media (prefers-color-scheme:dark){rect{fill:#f00}}</style><rect width="40" height="20"/><image width="40" height="20" xlink:href="${import.meta.filename}"/><image width="40" height="20" xlink:href="http://127.0.0.1:9/x.png"/>`
  const { file } = await touchIcon(scopeOf({ 'favicon.svg': svg(content) }))
  const { data, channels } = decode(file?.content as Uint8Array)
  assert.deepEqual([...data.subarray(90 * 181 * channels, 90 * 181 * channels + 3)], [0, 255, 0])
})

test('leaves an unset, raster, remote or missing favicon as it is', async () => {
  const files = { 'a.png': 'any bytes', 'b.ico': 'any bytes' }
  for (const href of [
    undefined,
    '/a.png',
    '/b.ico',
    'https://x.example/a.svg',
    '//x.example/a.svg',
    '/gone.svg',
  ])
    assert.deepEqual(await touchIcon(scopeOf(files, href)), { file: null, problems: [] })
})

const wide = Buffer.from(
  encode({ width: 20_000, height: 20_000, depth: 1, channels: 1, data: new Uint8Array(20_000 ** 2 / 8) }),
)

for (const [name, content, level, fault] of [
  ['is cut off', '<svg', 'warning', /cannot be rendered/],
  ['is empty', svg(''), 'warning', /is invisible on white/],
  ['is white', svg('<rect width="40" height="20" fill="#fff"/>'), 'warning', /is invisible on white/],
  ['holds letters, which browsers show', svg('<text y="10">🎯</text>'), 'hint', /contains text/],
  ['has 5 MB', svg('<path d=""/>'.repeat(450_000)), 'warning', /larger than 4 MB/],
  [
    'would fill the memory',
    svg(`<image width="40" height="20" href="data:image/png;base64,${wide.toString('base64')}"/>`),
    'warning',
    /cannot be rendered|invisible/,
  ],
] as const)
  test(`an SVG favicon that ${name} is left as it is and reported`, async () => {
    const { file, problems } = await touchIcon(scopeOf({ 'favicon.svg': content }))
    assert.equal(file, null)
    assert.deepEqual(
      problems.map(({ file, line, code, level }) => [file, line, code, level]),
      [['favicon.svg', null, 'favicon.unusable', level]],
    )
    assert.match(problems[0]?.message ?? '', fault)
  })

test('abandons an SVG favicon that takes too long to render', async () => {
  const step = '<feTurbulence baseFrequency=".9" numOctaves="100000000"/>'
  const busy = svg(`<filter id="f">${step}</filter><rect width="40" height="20" filter="url(#f)"/>`)
  await using artist = openArtist(500)
  assert.equal(await artist.draw({ kind: 'touch-icon', svg: busy }), null)
})

test('the touch icon stamp changes with the content of the favicon', () => {
  const [red, blue] = ['red', 'blue'].map((fill) =>
    touchIconStamp(scopeOf({ 'favicon.svg': svg(`<rect fill="${fill}"/>`), 'b.txt': 'x' })),
  )
  assert.notEqual(red, blue)
})
