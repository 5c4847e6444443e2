/** What a hosted build takes from the one before it is what it would have made, and is there. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { openFolderTree } from '../../src/base/folder-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import { resolveFeatures } from '../../src/contract/features.ts'
import { openMemoryStore } from '../../src/objects/memory-store.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { type BuildRequest, buildSite } from '../../src/render/build-site.ts'
import type { RenderedSite } from '../../src/render/render-site.ts'
import { putPlain, readPlain } from '../../src/render/versions/cache-entries.ts'
import { blobKey } from '../../src/render/versions/manifest.ts'
import { encodeManifest } from '../../src/render/versions/manifest-text.ts'
import type { Audience } from '../../src/site/page-readers.ts'
import { sampleOf } from '../kit/whole-run.ts'

const CONFIG = {
  theme: 'mint',
  name: 'Kept',
  colors: { primary: '#0F766E' },
  api: { openapi: 'https://api.example.com/spec.json' },
  navigation: { groups: [{ group: 'Start', pages: ['index', 'use', 'call', 'inner', 'GET /far'] }] },
}
/** Asks no other server for a description. */
const NEAR = { api: {}, navigation: { pages: ['index', 'use', 'call', 'inner'] } }
const specOf = (path: string, summary: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { [path]: { get: { summary, responses: { 200: { description: 'Fine' } } } } },
  })
const drawing = (width: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"><path d="M0 0h9"/></svg>`
const SITE: Record<string, string> = {
  'docs.json': JSON.stringify(CONFIG),
  'index.mdx':
    '---\ntitle: Home\n---\nimport Note from "/snippets/note.mdx"\n\n<Note />\n\n## Part\n\n![x](https://img.example.com/a.png)\n',
  'use.mdx':
    '---\ntitle: Use\n---\nimport { Box } from "/box.jsx"\n\n<Box />\n\n[There](/index#part) [gone](/call#gone)\n\n![](/shown.svg) ![](/missing.svg) [List](/list.csv)\n',
  'call.mdx': '---\ntitle: Call\nopenapi: spec.json GET /things\n---\n',
  'inner.mdx': '---\ntitle: Inner\ngroups: [staff]\n---\nFor staff.\n',
  'snippets/note.mdx': 'Note.\n',
  'box.jsx': 'export const Box = () => <b>boxed</b>\n',
  'spec.json': specOf('/things', 'List things'),
  'style.css': '.x{color:red}',
  'site.js': 'document.title += "."',
  'shown.svg': drawing(8),
  'list.csv': 'a,b',
  '.hidden/settings.yaml': 'a: 1',
  'tool.ts': 'export const a = 1',
  'README.md': 'Notes.',
}

/** Nothing of the site is made of these. */
const UNUSED: [string, () => void][] = [
  ['a hidden file', () => write('.hidden/settings.yaml', 'a: 2')],
  ['a hidden file that is new', () => write('.hidden/new/ci.yaml', 'a: 2')],
  ['code beside the pages', () => write('tool.ts', 'export const a = 2')],
  ['a program beside the pages', () => write('tool.py', 'a = 2')],
  ['notes about the repository', () => write('README.md', 'Other notes.')],
  ['a page for other readers', () => edit('inner.mdx', 'For staff.', 'For the staff.')],
]

let folder: string
let objects: ObjectStore
/** What the other server answers. */
let far: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-hosted-memory-'))
  objects = openMemoryStore()
  far = specOf('/far', 'Far away')
  for (const [path, text] of Object.entries(SITE)) write(path, text)
})
after(async () => {
  rmSync(folder, { recursive: true })
  await objects[Symbol.asyncDispose]()
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), 'utf8')
  assert.ok(text.includes(from), `${path}: ${from}`)
  write(path, text.replace(from, to))
}

function configure(change: object): void {
  write('docs.json', JSON.stringify({ ...CONFIG, ...change }))
}

const PLACE = 'stamps/prj_kept/site/all/'

interface Wish {
  memory?: string
  audience?: Audience
  request?: Partial<BuildRequest>
  store?: ObjectStore
}

async function build({ memory, audience = [], request = {}, store = objects }: Wish): Promise<RenderedSite> {
  await using tree = await openFolderTree(folder)
  const deps = {
    objects: store,
    log: silentLog,
    children: 1,
    fetchSpec: async () => ({ bytes: Buffer.from(far) }),
    fetchSizes: {
      ask: () => {},
      find: async () => new Map([['https://img.example.com/a.png', { width: 3, height: 4, isFluid: false }]]),
    },
    ...(memory === undefined ? {} : { memory }),
  }
  const wish: BuildRequest = {
    deployment: 'cloud',
    features: { ...resolveFeatures('cloud'), assistant: true },
    origin: 'https://docs.example.com',
    siteId: 'site_kept',
    platformUrl: 'https://octavo.example.com',
    widgets: { thumbs: true },
    repository: null,
    audience,
    ...request,
  }
  return await buildSite(deps, tree, wish, () => undefined, new AbortController().signal)
}

/** As it is stored. */
async function texts(built: Promise<RenderedSite>): Promise<{ manifest: string; problems: unknown }> {
  const { manifest, problems } = await built
  return { manifest: (await encodeManifest(manifest)).toString(), problems }
}

async function assertWhole({ manifest }: RenderedSite): Promise<void> {
  const keys = Object.values(manifest.files).map(({ sha256 }) => blobKey(sha256))
  assert.deepEqual(await objects.missing(keys), [])
}

/** A store that notes which files of sites are looked for one by one, or put, and which are read. */
function noting(inner: ObjectStore): { store: ObjectStore; made: string[]; read: string[] } {
  const made: string[] = []
  const read: string[] = []
  const note = (notes: string[], key: string) => {
    if (key.startsWith('blobs/')) notes.push(key)
  }
  const store: ObjectStore = {
    ...inner,
    put: (key, body, options) => {
      note(made, key)
      return inner.put(key, body, options)
    },
    head: (key) => {
      note(made, key)
      return inner.head(key)
    },
    read: (key) => {
      note(read, key)
      return inner.read(key)
    },
  }
  return { store, made, read }
}

test('whatever changes, a version made after another is the one that would be made alone', async (t) => {
  await build({ memory: PLACE })
  const steps: [string, () => void][] = [
    ['nothing', () => undefined],
    ['the text of a page', () => edit('use.mdx', '[There]', 'More. [There]')],
    ['a title', () => edit('use.mdx', 'title: Use', 'title: Used')],
    ['a picture for links', () => edit('use.mdx', 'title:', 'og:image: /own.png\ntitle:')],
    ['no picture for links', () => edit('use.mdx', 'og:image: /own.png\n', '')],
    ['a snippet', () => edit('snippets/note.mdx', 'Note', 'A note')],
    ['a component', () => edit('box.jsx', 'boxed', 'in a box')],
    ['an interface', () => write('spec.json', specOf('/things', 'All things'))],
    [
      'an interface of another server',
      () => {
        far = specOf('/far', 'Far off')
      },
    ],
    ['a style sheet', () => write('style.css', '.x{color:blue}')],
    ...UNUSED,
    ['the size of a picture', () => write('shown.svg', drawing(7))],
    ['a picture that a page names already', () => write('missing.svg', drawing(6))],
    ['a linked file that is gone', () => rmSync(join(folder, 'list.csv'), { force: true })],
    ['a script of the site', () => write('site.js', 'document.title += "!"')],
    ['code that a page names from now on', () => edit('box.jsx', '', 'import { a } from "/tool.ts"\n')],
    ['code that a page names', () => write('tool.ts', 'export const a = 3')],
    ['the theme', () => configure({ theme: 'maple' })],
    ['colours', () => configure({ colors: { primary: '#123456' } })],
    ['a navigation of other names', () => configure({ navigation: { pages: ['index', 'call', 'use'] } })],
    // From here on the site is kept as a whole.
    ['nothing of another server', () => configure(NEAR)],
    [
      'the text of a page, with nothing of another server',
      () => edit('use.mdx', '[There]', 'Again. [There]'),
    ],
    ['a link that leads nowhere', () => edit('index.mdx', '## Part', '[Gone](/nowhere)\n\n## Part')],
    ['a script that becomes a program for Node', () => write('site.js', 'module.exports = 1')],
    ['a description of the site', () => write('spec.json', specOf('/things', 'Our things'))],
    ['a page that nobody has named', () => write('more.mdx', 'More.')],
    ['a page that is gone', () => rmSync(join(folder, 'more.mdx'))],
    [
      'who may read a page, with nothing of another server',
      () => edit('inner.mdx', '[staff', '[others, staff'),
    ],
    ['all of it again', () => configure({})],
    ['nothing of another server once more', () => configure(NEAR)],
    ['all of it once more', () => configure({})],
    ['an icon that there is not', () => edit('use.mdx', 'More.', '<Icon icon="no-such-icon" />')],
    ['an icon that there is', () => edit('use.mdx', 'no-such-icon', 'rocket')],
    ['the text of another page', () => edit('index.mdx', '## Part', 'Words.\n\n## Part')],
    ['who may read a page', () => edit('inner.mdx', 'staff]', 'staff, friends]')],
    [
      'a page of another name',
      () => {
        write('useful.mdx', readFileSync(join(folder, 'use.mdx'), 'utf8'))
        rmSync(join(folder, 'use.mdx'))
      },
    ],
  ]
  for (const [what, change] of sampleOf(steps, 5)) {
    await t.test(what, async () => {
      try {
        change()
      } catch (error) {
        // A step that an untried one has prepared.
        assert.ok(error instanceof assert.AssertionError)
      }
      const warm = build({ memory: PLACE })
      assert.deepEqual(await texts(warm), await texts(build({})))
      await assertWhole(await warm)
    })
  }
})

test('a version of the same makes no file, and one of a changed page not those of the others', async () => {
  const place = 'stamps/prj_few/site/all/'
  const first = await build({ memory: place })
  const { store, made, read } = noting(objects)
  assert.deepEqual(await build({ memory: place, store }), first)
  assert.equal(made.length, 0)
  assert.equal(read.length, 2, 'of all files those two are read that are put together from pages')
  edit('index.mdx', '## Part', 'Other words.\n\n## Part')
  const { manifest } = await build({ memory: place, store })
  const others = Object.entries(manifest.files).filter(([path]) => /^(?:call|use|useful)\./.test(path))
  assert.equal(others.length, 4)
  const remade = others.filter(([, { sha256 }]) => made.includes(blobKey(sha256)))
  assert.ok(made.length > 0)
  assert.deepEqual(remade, [])
})

test('what is neither served nor read makes no page anew', async () => {
  const place = 'stamps/prj_unused/site/all/'
  for (const path of ['.hidden', 'tool.py']) rmSync(join(folder, path), { recursive: true, force: true })
  for (const [path, text] of Object.entries(SITE)) write(path, text)
  const before = await build({ memory: place })
  for (const [, change] of UNUSED) change()
  const { store, made } = noting(objects)
  const { manifest } = await build({ memory: place, store })
  assert.notEqual(manifest.revision, before.manifest.revision)
  const pages = Object.entries(manifest.files).filter(([path]) => /\.(?:html|md)$/.test(path))
  assert.ok(pages.length > 5)
  const remade = pages.filter(([path, { sha256 }]) => path !== '404.html' && made.includes(blobKey(sha256)))
  assert.deepEqual(remade, [])
  assert.deepEqual(manifest, (await build({})).manifest)
})

test('a file that is served as it is makes those pages anew that show it in another size', async () => {
  const place = 'stamps/prj_served/site/all/'
  rmSync(join(folder, 'useful.mdx'), { force: true })
  for (const [path, text] of Object.entries(SITE)) write(path, text)
  await build({ memory: place })
  write('shown.svg', drawing(5))
  write('list.csv', 'a,b,c')
  const { store, made } = noting(objects)
  const { manifest } = await build({ memory: place, store })
  const files = Object.entries(manifest.files).filter(([path]) => /^[^4]+\.(?:html|md|csv|svg)$/.test(path))
  const remade = files.filter(([, { sha256 }]) => made.includes(blobKey(sha256))).map(([path]) => path)
  assert.deepEqual(remade, ['list.csv', 'shown.svg', 'use.html'])
  assert.deepEqual(manifest, (await build({})).manifest)
})

test('files that are gone from the store are made again', async () => {
  const place = 'stamps/prj_gone/site/all/'
  const { manifest } = await build({ memory: place })
  const gone = Object.entries(manifest.files).filter(([path]) => /\.html$|\.md$|search/.test(path))
  assert.ok(gone.length > 5)
  for (const [, { sha256 }] of gone) await objects.delete(blobKey(sha256))
  const again = await build({ memory: place })
  assert.deepEqual(again.manifest, manifest)
  await assertWhole(again)
})

test('other wishes and other readers make a version of their own', async () => {
  const place = 'stamps/prj_wish/site/all/'
  await build({ memory: place })
  for (const wish of [
    { audience: 'all' as const },
    { audience: ['staff'] },
    { request: { origin: 'https://other.example.com' } },
    { request: { siteId: 'site_other' } },
    { request: { widgets: {} } },
    { request: { features: { ...resolveFeatures('cloud'), assistant: false } } },
    { request: { features: { ...resolveFeatures('cloud'), search: false } } },
  ])
    assert.deepEqual(await texts(build({ memory: place, ...wish })), await texts(build(wish)))
})

interface Left {
  files: [path: string, key: string, sha256: string, sizeBytes: number][]
  texts: [
    name: string,
    sha256: string,
    pieces: [name: string, sizeBytes: number][],
    segments: [pieces: number, packedBytes: number][],
  ][]
}

test('what has not the form, or names what is not there, is as good as nothing', async () => {
  const place = 'stamps/prj_odd/site/all/'
  const alone = await texts(build({}))
  const key = `${place}files.json`
  await build({ memory: place })
  const kept = await readPlain<Left>(objects, key)
  const digest = 'f'.repeat(64)
  assert.ok(kept)
  const { files, texts: pieces } = kept
  assert.equal(pieces.length, 2)
  const lefts: unknown[] = [
    null,
    ['no', 'object'],
    { files: 7, texts: 'no' },
    { files: [null, 7, ['index.html']], texts: [null, [1, 2, 3]] },
    { files: files.map(([path, made, , size]) => [path, made, digest, size]), texts: pieces },
    { files: files.map(([path, made, sha256]) => [path, made, sha256, -1]), texts: pieces },
    { files: files.map(([path, , sha256, size]) => [path, 'another', sha256, size]), texts: [] },
    { files: files.map(([path, made, , size]) => [path, made, '../../x', size]), texts: pieces },
    { files, texts: pieces.map(([name, sha256, some]) => [name, sha256, some]) },
    { files, texts: pieces.map(([name, sha256, some, packed]) => [name, sha256, some.slice(1), packed]) },
    {
      files,
      texts: pieces.map(([name, sha256, some, packed]) => [
        name,
        sha256,
        some.map(([one]) => [one, -1]),
        packed,
      ]),
    },
    { files, texts: pieces.map(([name, , some, packed]) => [name, digest, some, packed]) },
    { files, texts: pieces.map(([name, sha256, some]) => [name, sha256, some, [[some.length, 1]]]) },
    { files, texts: pieces.map(([name, sha256, some]) => [name, sha256, some, [[1, -1], 'x']]) },
  ]
  for (const left of lefts) {
    await putPlain(objects, key, JSON.stringify(left))
    assert.deepEqual(await texts(build({ memory: place })), alone)
  }
  await objects.put(key, Buffer.from('no entry at all'))
  assert.deepEqual(await texts(build({ memory: place })), alone)
})

test('two builds at once leave what the next may trust', async () => {
  const place = 'stamps/prj_two/site/all/'
  await Promise.all([build({ memory: place }), build({ memory: place })])
  assert.deepEqual(await texts(build({ memory: place })), await texts(build({})))
})
