import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { stampsBelow } from '../base/file-stamps.ts'
import { openOutputFolder } from './output-folder.ts'

let place: string
let out: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-output-'))
  out = join(place, 'out')
})
afterEach(() => rmSync(place, { recursive: true }))

const NOTHING = { stamps: new Map<string, string>(), taken: new Set<string>() }

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function contentOf(folder: string): Record<string, string> {
  const paths = [...stampsBelow(folder).keys()].sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** As a build leaves it. */
async function build(files: Record<string, string>): Promise<void> {
  await using output = await openOutputFolder(out, place)
  write(output.folder, { 'manifest.json': '{"octavo":"1"}', '_octavo/x': '', ...files })
  await output.replace(NOTHING)
}

async function openAgain(taken: readonly string[]) {
  const output = await openOutputFolder(out, join(place, 'site'))
  return { output, kept: { stamps: stampsBelow(out), taken: new Set(taken) } }
}

const OWN = ['manifest.json', '_octavo/x']

test('what is kept stays, what is made comes beside it, and all else is gone', async () => {
  await build({ 'a.html': 'a', 'b.html': 'b', 'old/c.html': 'c', d: 'd' })
  mkdirSync(join(out, 'e.html'))
  const { output, kept } = await openAgain(['a.html', ...OWN])
  write(output.folder, { 'b.html': 'B', 'new/f.html': 'f', 'd/g.html': 'g', 'e.html': 'e' })
  const now = await output.replace(kept)
  await output[Symbol.asyncDispose]()
  assert.deepEqual(contentOf(out), {
    '_octavo/x': '',
    'a.html': 'a',
    'b.html': 'B',
    'd/g.html': 'g',
    'e.html': 'e',
    'manifest.json': '{"octavo":"1"}',
    'new/f.html': 'f',
  })
  assert.ok(!existsSync(join(out, 'old')), 'a folder that nothing is in any longer')
  assert.deepEqual([...(now ?? [])].sort(), [...stampsBelow(out)].sort())
  assert.deepEqual(readdirSync(place), ['out'])
})

test('where most has changed, what is kept gets a second name', async () => {
  await build({ 'a.html': 'a', 'gone.html': 'gone' })
  const { output, kept } = await openAgain(['a.html', ...OWN])
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, number) => [`p${number}.html`, 'p']))
  write(output.folder, many)
  const now = await output.replace(kept)
  await output[Symbol.asyncDispose]()
  assert.equal(now?.size, 603)
  assert.deepEqual([...(now ?? [])].sort(), [...stampsBelow(out)].sort())
  assert.ok(!existsSync(join(out, 'gone.html')))
  assert.deepEqual(readdirSync(place), ['out'])
})

test('nothing is kept of a folder that another build has filled meanwhile', async () => {
  await build({ 'a.html': 'a' })
  const { output, kept } = await openAgain(['a.html', ...OWN])
  write(output.folder, { 'b.html': 'b' })
  await build({ 'a.html': 'of another' })
  assert.equal(await output.replace(kept), null)
  assert.equal(readFileSync(join(out, 'a.html'), 'utf8'), 'of another')
  rmSync(out, { recursive: true })
  assert.equal(await output.replace(kept), null, 'nor of one that is gone')
  output.clear()
  write(output.folder, { 'manifest.json': 'whole' })
  await output.replace(NOTHING)
  await output[Symbol.asyncDispose]()
  assert.deepEqual(contentOf(out), { 'manifest.json': 'whole' })
})
