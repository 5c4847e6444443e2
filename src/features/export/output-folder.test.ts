import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
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
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { openOutputFolder } from './output-folder.ts'

let place: string
let out: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-output-'))
  out = join(place, 'out')
})
afterEach(() => rmSync(place, { recursive: true }))

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function contentOf(folder: string): Record<string, string> {
  const paths = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

const OWN = { 'manifest.json': '{"octavo":"1"}', '_octavo/x': '' }

async function build(files: Record<string, string>): Promise<void> {
  await using output = await openOutputFolder(out, place)
  write(output.folder, { ...OWN, ...files })
  await output.replace()
}

test('a build removes the files and folders of an earlier build', async () => {
  await build({ 'a.html': 'a', 'old/c.html': 'c', d: 'd' })
  const before = statSync(out).ino
  await build({ 'a.html': 'A', 'd/g.html': 'g' })
  assert.notEqual(statSync(out).ino, before)
  assert.deepEqual(contentOf(out), { ...OWN, 'a.html': 'A', 'd/g.html': 'g' })
  assert.deepEqual(readdirSync(place), ['out'])
})

test('builds that finish at the same time replace the output one after another', async () => {
  await build({ 'a.html': 'a' })
  const outputs = await Promise.all(['1', '2', '3'].map(() => openOutputFolder(out, join(place, 'site'))))
  for (const { folder } of outputs) write(folder, { 'manifest.json': '{}', 'a.html': folder })
  for (const output of outputs) output.replace()
  assert.ok(outputs.some(({ folder }) => readFileSync(join(out, 'a.html'), 'utf8') === folder))
  for (const output of outputs) await output[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(place), ['out'])
})

/** Simulates a build that was killed after writing `files` and, with `takes`, after moving the earlier build away. */
function killedBuild(files: Record<string, string>, takes: boolean): string {
  const program = `
    import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
    import { openOutputFolder } from ${JSON.stringify(new URL('output-folder.ts', import.meta.url).href)}
    const [out, site, files, takes] = process.argv.slice(1)
    const { folder } = await openOutputFolder(out, site)
    for (const [path, text] of Object.entries(JSON.parse(files))) writeFileSync(folder + '/' + path, text)
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

test('leftovers of a killed build are removed by the next build to the same folder only', async () => {
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

test('a replacement interrupted by a kill is completed by the next build', async () => {
  await build({ 'a.html': 'a', 'b.html': 'b' })
  killedBuild({ 'a.html': 'A' }, true)
  assert.ok(!existsSync(out))
  await assert.rejects(openOutputFolder(out, join(place, 'site')), /was not created by octavo/)
  assert.deepEqual(readdirSync(place), ['out'])
  assert.deepEqual(contentOf(out), { 'a.html': 'A' })
})

test('leftovers of another machine are removed once they are old', async () => {
  mkdirSync(join(place, '.out.00000000-1-a-00000000.new'))
  mkdirSync(join(place, '.out.00000000-1-a-11111111.new'))
  mkdirSync(join(place, '.out.backup.new'))
  utimesSync(join(place, '.out.00000000-1-a-00000000.new'), 1, 1)
  await build({})
  assert.deepEqual(readdirSync(place).sort(), ['.out.00000000-1-a-11111111.new', '.out.backup.new', 'out'])
})
