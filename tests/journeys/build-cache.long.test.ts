/** A build with any state of the cache is that of a cold one, byte for byte, and says the same of the site. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sha256 } from '../../src/base/hash.ts'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/export/build-folder.ts'
import { checkFolder } from '../../src/export/check-folder.ts'
import { openCacheFolder } from '../../src/objects/cache-folder.ts'
import { putBytes, putPlain, readBytes, readPlain } from '../../src/render/versions/cache-entries.ts'
import { sampleOf } from '../kit/whole-run.ts'

const SPEC = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/things': { get: { summary: 'List things', responses: { 200: { description: 'Fine' } } } } },
}
const SITE: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Kept',
    colors: { primary: '#0F766E' },
    variables: { product: 'Kept' },
    navigation: { pages: ['index', 'use', 'api'] },
  }),
  'index.mdx':
    '---\ntitle: Home\n---\nimport Note from "/snippets/note.mdx"\n\n<Note />\n\n## Part\n\n```ts\nconst a = 1\n```\n',
  'use.mdx':
    '---\ntitle: Use\n---\nimport { Twice } from "/snippets/twice.jsx"\n\n<Twice text="x" /> {{product}} [there](/index#part)\n',
  'api.mdx': '---\nopenapi: spec.json GET /things\n---\n',
  'snippets/note.mdx': 'Keep it.\n',
  'snippets/twice.jsx': 'export const Twice = ({ text }) => <b>{text}{text}</b>\n',
  'spec.json': JSON.stringify(SPEC),
  'style.css': '.x { color: red }',
  'script.js': 'let seen = 1\n',
}

let place: string
let folder: string
before(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-build-cache-'))
  folder = join(place, 'site')
  for (const [path, text] of Object.entries(SITE)) write(path, text)
})
after(() => rmSync(place, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

async function build(usesCache: boolean) {
  const out = join(place, usesCache ? 'warm' : 'cold')
  const input = { folder, deployment: 'client-hosted', log: silentLog, report() {}, usesCache } as const
  const signal = new AbortController().signal
  const { problems } = await buildFolder({ ...input, out, signal })
  const checked = await checkFolder({ ...input, signal })
  const files = globSync('**', { cwd: out })
    .filter((path) => statSync(join(out, path)).isFile())
    .sort()
  return {
    files: Object.fromEntries(files.map((path) => [path, readFileSync(join(out, path), 'base64')])),
    problems,
    checked,
  }
}

const cached = () => globSync('.octavo/cache/*/??/*', { cwd: folder }).map((path) => join(folder, path))

function swapEntries(): void {
  const [first = '', ...others] = cached()
  for (const path of others) writeFileSync(path, readFileSync(first))
}

/** With a seal that fits: a stranger can make one. */
async function putOtherImages(): Promise<void> {
  const cache = await openCacheFolder(join(folder, '.octavo/cache'))
  assert.ok(cache)
  for (const out of ['warm', 'cold']) {
    const key = `stamps/${sha256(join(place, out))}.bin`
    const image = await readBytes(cache, key)
    if (image) await putBytes(cache, key, Buffer.from(image.toString().replaceAll('Home', 'Lies')))
  }
}

function dropBodies(): void {
  for (const kind of ['bodies', 'plain-bodies'])
    rmSync(join(folder, '.octavo/cache', kind), { recursive: true, force: true })
}

test('whatever changes, a build and a check with what was kept are those without', async (t) => {
  write('later.mdx', '---\ntitle: Later\n---\nWords that nobody else has.\n')
  // A short run leaves steps out, those that take a page away among them.
  t.after(() => {
    for (const page of ['later', 'newer', 'sooner']) rmSync(join(folder, `${page}.mdx`), { force: true })
  })
  let before = await build(true)
  assert.deepEqual(await build(false), before)
  assert.ok(cached().length >= 6, 'bodies of three pages, coloured and plain')
  const steps: [string, () => void | Promise<void>][] = [
    ['nothing', () => {}],
    ['a page', () => write('index.mdx', `${SITE['index.mdx']}\nMore. [gone](/use#nowhere)\n`)],
    ['a title', () => write('use.mdx', (SITE['use.mdx'] ?? '').replace('title: Use', 'title: Apply'))],
    [
      'a heading that another page links to',
      () => write('index.mdx', (SITE['index.mdx'] ?? '').replace('Part', 'Piece')),
    ],
    ['a snippet', () => write('snippets/note.mdx', 'Keep it **well**.\n')],
    ['a component', () => write('snippets/twice.jsx', 'export const Twice = ({ text }) => <i>{text}</i>\n')],
    ['a component that is broken', () => write('snippets/twice.jsx', 'export const Twice = (\n')],
    [
      'docs.json: a variable',
      () => write('docs.json', (SITE['docs.json'] ?? '').replace('"product":"Kept"', '"product":"Held"')),
    ],
    [
      'docs.json: the theme',
      () => write('docs.json', (SITE['docs.json'] ?? '').replace('"mint"', '"maple"')),
    ],
    ['an API description', () => write('spec.json', JSON.stringify(SPEC).replace('List things', 'List all'))],
    ['a style sheet', () => write('style.css', '.x { color: blue }')],
    ['a script', () => write('script.js', 'let seen = 2\n')],
    ['a script that becomes a program for Node', () => write('script.js', 'module.exports = 2\n')],
    ['a hidden file', () => write('.hidden/settings.yaml', 'a: 1')],
    ['code beside the pages', () => write('tool.ts', 'export const a = 1')],
    ['a new page', () => write('newer.mdx', '---\ntitle: Newer\n---\nWords that nobody has had.\n')],
    ['a page that moves', () => renameSync(join(folder, 'later.mdx'), join(folder, 'sooner.mdx'))],
    ['a page that is gone', () => rmSync(join(folder, 'sooner.mdx'))],
    ['rules that leave a page out', () => write('.mintignore', 'newer.mdx\n')],
    [
      'a page, and an image that the stamp does not name',
      async () => {
        write('index.mdx', `${SITE['index.mdx']}\nOther words.\n`)
        await putOtherImages()
      },
    ],
    ['a page, and another one', () => write('index.mdx', `${SITE['index.mdx']}\nOthers. [gone](/gone)\n`)],
    ['nothing, without bodies', () => dropBodies()],
    ['an entry that is cut', () => truncateSync(cached()[0] as string, 40)],
    ['entries of another', swapEntries],
    ['everything kept', () => rmSync(join(folder, '.octavo'), { recursive: true })],
  ]
  for (const [what, change] of sampleOf(steps, 2)) {
    await t.test(what, async () => {
      await change()
      const warm = await build(true)
      assert.deepEqual(warm, await build(false))
      const isSeen = !/^(nothing|an entry|entries|everything)/.test(what)
      assert.equal(JSON.stringify(warm) !== JSON.stringify(before), isSeen)
      const pages = Object.keys(warm.files).filter((path) => path.endsWith('.html'))
      const changed = pages.filter((path) => warm.files[path] !== before.files[path])
      // Nothing that stands around pages says what is in one of them.
      if (what === 'a page') assert.deepEqual(changed, ['index.html'])
      before = warm
    })
  }
})

test('what has not changed is not made anew, and whatever has is', async (t) => {
  const out = join(place, 'stamped')
  const made: number[] = []
  const again = (change: Partial<Parameters<typeof buildFolder>[0]> = {}) =>
    buildFolder({
      folder,
      out,
      deployment: 'client-hosted',
      log: silentLog,
      usesCache: true,
      report: ({ pagesDone }) => made.push(pagesDone),
      signal: new AbortController().signal,
      ...change,
    })
  const first = await again()
  assert.equal(first.isUnchanged, false)
  const page = join(out, 'index.html')
  const inode = statSync(page).ino
  made.length = 0
  assert.deepEqual(
    { ...(await again()), seconds: 0 },
    { ...first, isUnchanged: true, seconds: 0 },
    'all that it says is the same',
  )
  assert.deepEqual(made, [])
  assert.equal(statSync(page).ino, inode)

  const source = join(folder, 'index.mdx')
  await t.test('a file that was written again with the same text', async () => {
    writeFileSync(source, readFileSync(source))
    assert.equal((await again()).isUnchanged, true)
  })
  const eachStamp = (change: (path: string) => void) => {
    for (const path of globSync('.octavo/cache/stamps/??/*', { cwd: folder })) change(join(folder, path))
  }
  const steps: [string, () => void][] = [
    [
      'a text of the same length, with the old times',
      () => {
        const { atime, mtime } = statSync(source)
        writeFileSync(source, readFileSync(source, 'utf8').replace('Home', 'Hope'))
        utimesSync(source, atime, mtime)
      },
    ],
    ['a new file', () => write('words.txt', 'Words.')],
    ['a file that is gone', () => rmSync(join(folder, 'words.txt'))],
    ['a page that was changed in the output', () => writeFileSync(page, readFileSync(page))],
    ['a page that is gone from the output', () => rmSync(page)],
    ['a file beside the pages', () => writeFileSync(join(out, 'deep.txt'), '')],
    ['no output', () => rmSync(out, { recursive: true })],
    ['a stamp that is cut', () => eachStamp((stamp) => truncateSync(stamp, 50))],
    ['a stamp of nothing', () => eachStamp((stamp) => writeFileSync(stamp, ''))],
    ['no stamp', () => eachStamp((stamp) => rmSync(stamp))],
  ]
  for (const [what, change] of steps) {
    await t.test(what, async () => {
      change()
      assert.equal((await again()).isUnchanged, false)
      assert.equal((await again()).isUnchanged, true)
    })
  }
  await t.test('other wishes', async () => {
    for (const wish of [{ deployment: 'air-gapped' }, { features: { search: false } }] as const) {
      assert.equal((await again(wish)).isUnchanged, false)
      assert.equal((await again(wish)).isUnchanged, true)
    }
    assert.equal((await again({ usesCache: false })).isUnchanged, false)
    assert.equal((await again({ usesCache: false })).isUnchanged, false)
  })
})

test('bodies of pages that have not changed are not read', async () => {
  await build(true)
  dropBodies()
  // Its title stays: every page shows that.
  const text = readFileSync(join(folder, 'index.mdx'), 'utf8')
  write('index.mdx', `${text}\nOther words, and again others.\n`)
  const warm = await build(true)
  const made = ['bodies', 'plain-bodies'].map((kind) =>
    globSync(`.octavo/cache/${kind}/??/*`, { cwd: folder }),
  )
  assert.deepEqual(warm, await build(false))
  // Of the page, and of the one that shows an interface, which is made of more than its file; by the check too.
  assert.deepEqual(
    made.map(({ length }) => length),
    [2, 2],
    made.join(),
  )
})

test('another version of the program makes everything, the same one installed anew nothing', async () => {
  const run = async (...flags: string[]) => {
    const line = ['src/cli/main.ts', 'build', folder, '--out', join(place, 'versions'), ...flags]
    const { stdout } = await promisify(execFile)(process.execPath, line)
    return stdout
  }
  const others = async (change: object) => {
    const cache = await openCacheFolder(join(folder, '.octavo/cache'))
    assert.ok(cache)
    const key = `stamps/${sha256(join(place, 'versions'))}.json`
    const kept = await readPlain<object>(cache, key)
    assert.ok(kept && Object.keys(change).every((name) => name in kept))
    await putPlain(cache, key, JSON.stringify({ ...kept, ...change }))
  }
  await run()
  assert.match(await run(), /3 pages, .*\nNothing has changed/)
  // As after an installation: other files with the same bytes.
  const own = 'src/export/build-stamp.ts'
  utimesSync(own, statSync(own).atime, new Date())
  assert.match(await run(), /Nothing has changed/)
  await others({ program: 'other' })
  assert.match(await run(), /Nothing has changed/)
  await others({ program: 'other', content: 'other' })
  assert.doesNotMatch(await run(), /Nothing has changed/)
  assert.equal(JSON.parse(await run('--json')).isUnchanged, true)
  assert.equal(JSON.parse(await run('--json', '--no-cache')).isUnchanged, false)
})

test('a build that is killed leaves a cache that the next one may trust, and two at once do', async () => {
  rmSync(join(folder, '.octavo'), { recursive: true, force: true })
  for (let page = 0; page < 40; page++)
    write(`more/p${page}.mdx`, `---\ntitle: P${page}\n---\n${`Words of ${page}.\n\n`.repeat(40)}`)
  const start = (out: string): ChildProcess =>
    spawn(process.execPath, ['src/cli/main.ts', 'build', folder, '--out', join(place, out)], {
      stdio: 'ignore',
    })
  for (const wanted of [1, 12, 30]) {
    const child = start('killed')
    while (child.exitCode === null && cached().length < wanted) await setTimeout(5)
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
