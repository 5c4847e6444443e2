/** Builds with any state of the cache match a build without one byte for byte and report the same problems. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { silentLog } from '../../src/base/log.ts'
import { type BuildFolderInput, buildFolder } from '../../src/features/export/build-folder.ts'
import { checkFolder } from '../../src/features/export/check-folder.ts'
import { sampleOf } from '../kit/whole-run.ts'

const CONFIG = {
  theme: 'mint',
  name: 'Kept',
  colors: { primary: '#0F766E' },
  variables: { product: 'Kept', unit: 'kg' },
  navigation: {
    versions: [
      { version: 'v2', default: true, groups: [{ group: 'Start', pages: ['index', 'v2/use', 'call'] }] },
      { version: 'v1', groups: [{ group: 'Start', pages: ['v1/use', 'v1/old', 'listed'] }] },
    ],
  },
}
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/things': { get: { summary: 'List things', responses: { 200: { description: 'Fine' } } } } },
}
const SITE: Record<string, string> = {
  'docs.json': JSON.stringify(CONFIG),
  'index.mdx':
    '---\ntitle: Home\n---\nimport Outer from "/snippets/outer.mdx"\n\n<Outer />\n\n## Part\n\n<Icon icon="rocket" />\n\n```ts\nconst a = 1\n```\n',
  'v2/use.mdx':
    '---\ntitle: Use\n---\nimport { Twice } from "/snippets/twice.jsx"\n\nWeigh it in {{unit}}. <Twice text="x" /> [There](/index#part) [gone](/v1/use#gone)\n',
  'v1/use.mdx': '---\ntitle: Use\n---\nWeigh it by hand.\n',
  'v1/old.mdx': '---\ntitle: Old\n---\nWords of old. <Unknown />\n',
  'call.mdx':
    '---\ntitle: Call\napi: GET https://example.com/calls\n---\n<ParamField path="id">Which.</ParamField>\n',
  'listed.mdx': '---\nopenapi: spec.json GET /things\n---\n',
  'snippets/outer.mdx': 'import Inner from "/snippets/inner.mdx"\n\nOuter. <Inner />\n',
  'snippets/inner.mdx': 'Inner {{product}}.\n',
  'snippets/twice.jsx': 'export const Twice = ({ text }) => <b>{text}{text}</b>\n',
  'spec.json': JSON.stringify(SPEC),
  'style.css': '.x { color: red }',
  'script.js': 'let seen = 1\n',
}

let place: string
let folder: string
let cacheFolder: string
before(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-build-cache-'))
  folder = join(place, 'site')
  cacheFolder = join(place, 'cache', 'octavo')
  reset()
})
after(() => rmSync(place, { recursive: true }))

function reset(): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of Object.entries(SITE)) write(path, text)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), 'utf8')
  assert.ok(text.includes(from), `${path}: ${from}`)
  write(path, text.replace(from, to))
}

function swap(one: string, other: string): void {
  const text = readFileSync(join(folder, one), 'utf8')
  write(one, readFileSync(join(folder, other), 'utf8'))
  write(other, text)
}

function configure(change: object): void {
  write('docs.json', JSON.stringify({ ...CONFIG, ...change }))
}

async function build(usesCache: boolean, wish: Partial<BuildFolderInput> = {}) {
  const out = join(place, usesCache ? 'warm' : 'cold')
  const input = { folder, deployment: 'client-hosted', log: silentLog, report() {} } as const
  const signal = new AbortController().signal
  const cached = usesCache ? { cacheFolder } : {}
  const { problems } = await buildFolder({ ...input, ...cached, out, signal, ...wish })
  const checked = await checkFolder({ ...input, ...cached, signal })
  const files = globSync('**', { cwd: out })
    .filter((path) => statSync(join(out, path)).isFile())
    .sort()
  return {
    files: Object.fromEntries(files.map((path) => [path, readFileSync(join(out, path), 'base64')])),
    problems,
    checked,
  }
}

const entries = () => globSync('??/*', { cwd: cacheFolder }).map((path) => join(cacheFolder, path))

/** Each edit applies to the result of the previous ones; a short run skips some. */
const EDITS: [string, () => void][] = [
  ['nothing', () => {}],
  ['a page', () => edit('index.mdx', '## Part', 'More. [gone](/v2/use#nowhere)\n\n## Part')],
  ['a title', () => edit('v2/use.mdx', 'title: Use', 'title: Apply')],
  ['a heading that another page links to', () => edit('index.mdx', '## Part', '## Piece')],
  ['a utility class', () => edit('v2/use.mdx', 'Weigh it', '<b className="pt-7">Weigh</b> it')],
  ['another utility class', () => edit('v1/use.mdx', 'by hand', '<b className="pt-9">by</b> hand')],
  ['a snippet of a snippet', () => edit('snippets/inner.mdx', 'Inner', 'Innermost')],
  ['a component', () => edit('snippets/twice.jsx', '<b>', '<b title="x">')],
  ['a component that is broken', () => write('snippets/twice.jsx', 'export const Twice = (\n')],
  ['a variable that only a snippet names', () => configure({ variables: { product: 'Held', unit: 'kg' } })],
  ['two pages that change places', () => swap('v1/use.mdx', 'v1/old.mdx')],
  ['a line more in front of a problem', () => edit('v1/use.mdx', '---\n', '---\n# nothing\n')],
  ['keywords alone', () => edit('v2/use.mdx', '---\n', '---\nkeywords: [balance]\n')],
  ['a description alone', () => edit('v2/use.mdx', '---\n', '---\ndescription: On scales\n')],
  ['a page that search leaves out', () => edit('v1/use.mdx', '---\n', '---\nnoindex: true\n')],
  ['colours of code', () => configure({ styling: { codeblocks: { theme: 'nord' } } })],
  ['another theme', () => configure({ theme: 'maple' })],
  ['a redirect', () => configure({ redirects: [{ source: '/then', destination: '/v1/old' }] })],
  ['an API description', () => edit('spec.json', 'List things', 'List all')],
  ['a call of another method', () => edit('call.mdx', 'GET', 'POST')],
  ['a style sheet', () => write('style.css', '.x { color: blue }')],
  ['a script that becomes a program for Node', () => write('script.js', 'module.exports = 2\n')],
  ['a file that an import finds first', () => write('snippets/inner', 'no module')],
  ['a new page', () => write('newer.mdx', '---\ntitle: Newer\n---\nWords that nobody has had.\n')],
  ['a page that moves', () => renameSync(join(folder, 'listed.mdx'), join(folder, 'moved.mdx'))],
  ['a page that is gone', () => rmSync(join(folder, 'call.mdx'))],
  ['rules that leave a page out', () => write('.mintignore', 'v1/old.mdx\n')],
]

test('a build and a check with a cache match those without one after every kind of edit', async (t) => {
  await build(true)
  for (const [what, change] of sampleOf(EDITS, 3)) {
    await t.test(what, async () => {
      change()
      assert.deepEqual(await build(true), await build(false))
    })
  }
  for (const wish of [{ deployment: 'air-gapped' }, { features: { search: false } }] as const)
    assert.deepEqual(await build(true, wish), await build(false, wish))
})

/** Damage to the cache between two builds, by the same user and by others. */
const DAMAGES: [string, () => void][] = [
  [
    'flipped bits',
    () =>
      eachEntry((path, bytes) =>
        writeFileSync(
          path,
          bytes.map((byte) => byte ^ 1),
        ),
      ),
  ],
  ['entries that are cut', () => eachEntry((path) => truncateSync(path, 40))],
  ['empty entries', () => eachEntry((path) => writeFileSync(path, ''))],
  ['the entry of another page', () => eachEntry((path) => writeFileSync(path, readFileSync(first())))],
  [
    'links to files elsewhere',
    () =>
      eachEntry((path) => {
        renameSync(path, `${path}.elsewhere`)
        symlinkSync(`${path}.elsewhere`, path)
      }),
  ],
  ['links without an end', () => eachEntry((path) => replaceBy(path, () => symlinkSync('/dev/zero', path)))],
  ['folders in their place', () => eachEntry((path) => replaceBy(path, () => mkdirSync(path)))],
  [
    'entries of another user',
    () => {
      if (process.getuid?.() === 0) eachEntry((path) => chownSync(path, 12_345, 12_345))
    },
  ],
  ['a folder that all may write', () => chmodSync(cacheFolder, 0o777)],
  ['a clock that is set back', () => eachEntry((path) => utimesSync(path, FUTURE, FUTURE))],
  ['nothing left', () => rmSync(cacheFolder, { recursive: true })],
]

const FUTURE = new Date(Date.now() + 1000 * 86_400_000)
const first = () => entries()[0] as string

function eachEntry(change: (path: string, bytes: Buffer) => void): void {
  for (const path of entries()) change(path, readFileSync(path))
}

function replaceBy(path: string, make: () => void): void {
  rmSync(path)
  make()
}

test('a damaged or tampered cache does not change the build output', async (t) => {
  reset()
  const made = await build(false)
  for (const [what, damage] of DAMAGES) {
    await t.test(what, async () => {
      rmSync(cacheFolder, { recursive: true, force: true })
      await build(true)
      damage()
      assert.deepEqual(await build(true), made)
    })
  }
})

test('only a changed page is rendered again, and the cache is private and outside the docs folder', async () => {
  rmSync(cacheFolder, { recursive: true, force: true })
  reset()
  await build(true)
  const before = entries()
  edit('v1/old.mdx', 'Words of old', 'Other words')
  await build(true)
  const added = entries().filter((path) => !before.includes(path))
  assert.equal(added.length, 2, 'its body, and that of the check')
  assert.equal(statSync(cacheFolder).mode & 0o777, 0o700)
  assert.ok(entries().every((path) => (statSync(path).mode & 0o077) === 0))
  assert.deepEqual(globSync('**/.octavo', { cwd: folder }), [])
})

test('killed builds and concurrent builds leave a valid cache', async () => {
  rmSync(cacheFolder, { recursive: true, force: true })
  for (let page = 0; page < 40; page++)
    write(`more/p${page}.mdx`, `---\ntitle: P${page}\n---\n${`Words of ${page}.\n\n`.repeat(40)}`)
  const start = (out: string): ChildProcess =>
    spawn(process.execPath, ['src/cli/main.ts', 'build', folder, '--out', join(place, out)], {
      stdio: 'ignore',
      env: { ...process.env, XDG_CACHE_HOME: dirname(cacheFolder) },
    })
  for (const wanted of [1, 12, 30]) {
    const child = start('killed')
    while (child.exitCode === null && entries().length < wanted) await setTimeout(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.ok(!existsSync(join(place, 'killed')), 'it was killed before its end')
  }
  const both = [start('one'), start('two')].map((child) => once(child, 'exit'))
  assert.deepEqual(
    (await Promise.all(both)).map(([code]) => code),
    [0, 0],
  )
  assert.deepEqual(await build(true), await build(false))
})
