import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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

test('where most is gone, the whole folder is replaced', async () => {
  await build(Object.fromEntries(Array.from({ length: 600 }, (_, number) => [`p${number}.html`, 'p'])))
  const before = statSync(out).ino
  const { output, kept } = await openAgain(OWN)
  write(output.folder, { 'a.html': 'a' })
  assert.equal((await output.replace(kept))?.size, 3)
  await output[Symbol.asyncDispose]()
  assert.notEqual(statSync(out).ino, before)
  assert.deepEqual(Object.keys(contentOf(out)), ['_octavo/x', 'a.html', 'manifest.json'])
})

test('builds that end at once take turns', async () => {
  await build({ 'a.html': 'a' })
  const outputs = await Promise.all(['1', '2', '3'].map(() => openOutputFolder(out, join(place, 'site'))))
  for (const { folder } of outputs) write(folder, { 'manifest.json': '{}', 'a.html': folder })
  const all = await Promise.all(outputs.map((output) => output.replace(NOTHING)))
  assert.ok(all.every((now) => now?.size === 2))
  assert.ok(outputs.some(({ folder }) => readFileSync(join(out, 'a.html'), 'utf8') === folder))
  for (const output of outputs) await output[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(place), ['out'])
})

test('nothing is kept where somebody has put a file in the place of a folder meanwhile', async () => {
  await build({ 'deep/sub/a.html': 'a', 'b.html': 'b' })
  const { output, kept } = await openAgain(['b.html', ...OWN])
  write(output.folder, { 'deep/sub/a.html': 'A' })
  rmSync(join(out, 'deep/sub'), { recursive: true })
  writeFileSync(join(out, 'deep/sub'), 'a file')
  assert.equal(await output.replace(kept), null)
  assert.ok(existsSync(join(out, 'b.html')))
  await output[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(place), ['out'])
})

/** Killed when it has made `files`, and when `takes`, with the earlier build taken from its place. */
function killedBuild(files: Record<string, string>, takes: boolean): string {
  const program = `
    import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
    import { openOutputFolder } from ${JSON.stringify(new URL('output-folder.ts', import.meta.url).href)}
    const [out, site, files, takes] = process.argv.slice(1)
    const { folder } = await openOutputFolder(out, site)
    for (const [path, text] of Object.entries(JSON.parse(files))) writeFileSync(folder + '/' + path, text)
    writeFileSync(folder + '.text', 'half')
    if (takes === 'true') renameSync(out, folder.replace(/new$/, 'old'))
    process.stdout.write(folder)
    process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'))
  `
  const args = [
    '--input-type=module',
    '-e',
    program,
    out,
    join(place, 'site'),
    JSON.stringify(files),
    `${takes}`,
  ]
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(signal, 'SIGKILL', stderr)
  return stdout
}

test('what a killed build has left is removed by the next one to its place, and by no other', async () => {
  await build({ 'a.html': 'a' })
  const left = killedBuild({ 'a.html': 'half' }, false)
  const running = await openOutputFolder(join(place, 'out2'), join(place, 'site'))
  assert.ok(existsSync(left), 'a build to another place')
  const same = await openOutputFolder(out, join(place, 'site'))
  assert.ok(!existsSync(left))
  const third = await openOutputFolder(out, join(place, 'site'))
  assert.ok(existsSync(same.folder), 'of one that runs')
  for (const output of [running, same, third]) await output[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(place), ['out'])
  assert.equal(readFileSync(join(out, 'a.html'), 'utf8'), 'a')
})

test('pages that a killed build has taken from their place are put back, with what it was to bring', async () => {
  await build({ 'a.html': 'a', 'b.html': 'b' })
  killedBuild({ 'a.html': 'A' }, true)
  assert.ok(!existsSync(out))
  const { output } = await openAgain([])
  await output[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(place), ['out'])
  assert.deepEqual(contentOf(out), {
    '_octavo/x': '',
    'a.html': 'A',
    'b.html': 'b',
    'manifest.json': '{"octavo":"1"}',
  })
})

test('what another machine has left is removed when it is old', async () => {
  mkdirSync(join(place, '.out.00000000-1-a-00000000.new'))
  mkdirSync(join(place, '.out.00000000-1-a-11111111.new'))
  mkdirSync(join(place, '.out.backup.new'))
  utimesSync(join(place, '.out.00000000-1-a-00000000.new'), 1, 1)
  await build({})
  assert.deepEqual(readdirSync(place).sort(), ['.out.00000000-1-a-11111111.new', '.out.backup.new', 'out'])
})
