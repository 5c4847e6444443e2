/** Icons made in their thread: of drawings that are good, broken and hostile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from 'fast-png'
import { readPng } from '../../src/render/favicon/read-png.ts'
import { runIconWorker } from '../../src/render/favicon/run-worker.ts'

const svg = (content: string, size = 'viewBox="0 0 40 20"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`
const draw = (content: string, deadline?: number) =>
  runIconWorker({ kind: 'svg', content, darkGround: '#000000' }, deadline)

async function fault(content: string, deadline?: number): Promise<string> {
  const answer = await draw(content, deadline)
  return 'fault' in answer ? answer.fault : assert.fail('icons were made')
}

test('a drawing gives one picture for tabs, one for home screens and two for the root', async () => {
  const first = await draw(svg('<rect width="40" height="20" fill="#f00" fill-opacity=".5"/>'))
  assert.ok('made' in first)
  const { icons, given, touch, ico } = first.made
  assert.deepEqual([icons.map(({ side }) => side), given], [[32], null])
  const tab = readPng(icons[0]?.png as Uint8Array)
  const at = (y: number) => [...tab.data.subarray((y * 32 + 16) * 4, (y * 32 + 16) * 4 + 4)]
  assert.deepEqual(
    [at(7), at(8), at(23), at(24)],
    [
      [0, 0, 0, 0],
      [255, 0, 0, 128],
      [255, 0, 0, 128],
      [0, 0, 0, 0],
    ],
  )
  assert.equal(decode(touch as Uint8Array).width, 180)
  assert.equal(Buffer.from(ico).readUInt16LE(4), 2)
  const second = await draw(svg('<rect width="40" height="20" fill="#f00" fill-opacity=".5"/>'))
  assert.deepEqual(second, first)
})

test('a drawing reads no file and looks as it does on a light page', async () => {
  const content = `<style>rect{fill:#0f0}@media (prefers-color-scheme:dark){rect{fill:#f00}}</style><rect width="40" height="20"/><image width="40" height="20" xlink:href="${import.meta.filename}"/><image width="40" height="20" xlink:href="http://127.0.0.1:9/x.png"/>`
  const answer = await draw(svg(content))
  assert.ok('made' in answer)
  const tab = readPng(answer.made.icons[0]?.png as Uint8Array)
  assert.deepEqual([...tab.data.subarray((16 * 32 + 16) * 4, (16 * 32 + 16) * 4 + 4)], [0, 255, 0, 255])
})

test('a drawing of which nothing can be made says why', async () => {
  assert.match(await fault('<svg'), /no drawing that can be read/)
  assert.match(await fault(svg('')), /empty when it is drawn/)
  assert.match(await fault(svg('<text y="10">🎯</text>')), /letters set in a font/)
  assert.match(await fault(svg('<rect width="9" height="9"/>', 'viewBox="0 0 1 90000"')), /./)
})

test('letters in a drawing are no mistake, since browsers show them', async () => {
  const answer = await draw(svg('<text y="10">A</text>'))
  assert.equal('level' in answer && answer.level, 'hint')
})

test('a small drawing that would fill the memory is given up', async () => {
  const side = 20_000
  const pixels = new Uint8Array((side * side) / 8)
  const large = Buffer.from(encode({ width: side, height: side, depth: 1, channels: 1, data: pixels }))
  const href = `data:image/png;base64,${large.toString('base64')}`
  assert.match(await fault(svg(`<image width="40" height="20" href="${href}"/>`)), /memory/)
})

test('a drawing that keeps the thread busy is given up', { timeout: 30_000 }, async () => {
  const step = '<feTurbulence baseFrequency=".9" numOctaves="100000000"/>'
  const busy = svg(
    `<filter id="f" width="1" height="1">${step}</filter><rect width="40" height="20" filter="url(#f)"/>`,
  )
  assert.match(await fault(busy, 2000), /too long/)
})
