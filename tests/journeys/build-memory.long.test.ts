/** What a build remembers of pages is used for what it was learnt of, and for nothing that is only like it. */
import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { type BuildFolderInput, buildFolder } from '../../src/export/build-folder.ts'
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
  'v2/use.mdx': '---\ntitle: Use\n---\nWeigh it in {{unit}}. [There](/index#part) [gone](/v1/use#gone)\n',
  'v1/use.mdx': '---\ntitle: Use\n---\nWeigh it by hand.\n',
  'v1/old.mdx': '---\ntitle: Old\n---\nWords of old. <Unknown />\n',
  'call.mdx':
    '---\ntitle: Call\napi: GET https://example.com/calls\n---\n<ParamField path="id">Which.</ParamField>\n',
  'listed.mdx': '---\nopenapi: spec.json GET /things\n---\n',
  'snippets/outer.mdx': 'import Inner from "/snippets/inner.mdx"\n\nOuter. <Inner />\n',
  'snippets/inner.mdx': 'Inner {{product}}.\n',
  'spec.json': JSON.stringify(SPEC),
}

let place: string
let folder: string
before(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-build-memory-'))
  folder = join(place, 'site')
  for (const [path, text] of Object.entries(SITE)) write(path, text)
})
after(() => rmSync(place, { recursive: true }))

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

async function build(out: string, wish: Partial<BuildFolderInput> = {}) {
  const { problems } = await buildFolder({
    folder,
    out: join(place, out),
    deployment: 'client-hosted',
    log: silentLog,
    report() {},
    usesCache: true,
    signal: new AbortController().signal,
    ...wish,
  })
  const files = globSync('**', { cwd: join(place, out) })
    .filter((path) => statSync(join(place, out, path)).isFile())
    .sort()
  const read = (path: string) => readFileSync(join(place, out, path), 'base64')
  return { files: Object.fromEntries(files.map((path) => [path, read(path)])), problems }
}

/** The second build to a place takes what the first has left. */
test('what is remembered of a page is of that page, and of all that it is made of', async (t) => {
  await build('warm')
  const swap = (one: string, other: string) => {
    const text = readFileSync(join(folder, one), 'utf8')
    write(one, readFileSync(join(folder, other), 'utf8'))
    write(other, text)
  }
  const steps: [string, () => void][] = [
    ['a utility class', () => edit('v2/use.mdx', 'Weigh it', '<b className="pt-7">Weigh</b> it')],
    ['another utility class', () => edit('v2/use.mdx', 'pt-7', 'pt-9')],
    ['no utility class', () => edit('v2/use.mdx', ' className="pt-9"', '')],
    ['a snippet of a snippet', () => edit('snippets/inner.mdx', 'Inner', 'Innermost')],
    ['a variable that only a snippet names', () => configure({ variables: { product: 'Held', unit: 'kg' } })],
    ['two pages that change places', () => swap('v1/use.mdx', 'v1/old.mdx')],
    ['a line more in front of a problem', () => edit('v1/use.mdx', '---\ntitle', '---\n# nothing\ntitle')],
    ['keywords alone', () => edit('v2/use.mdx', 'title: Use', 'title: Use\nkeywords: [balance]')],
    ['a description alone', () => edit('v2/use.mdx', 'title: Use', 'title: Use\ndescription: On scales')],
    [
      'a page without the frame of the others',
      () => edit('v2/use.mdx', 'title: Use', 'title: Use\nmode: custom'),
    ],
    ['a page that search leaves out', () => edit('v1/use.mdx', 'title:', 'noindex: true\ntitle:')],
    ['a page that search has again', () => edit('v1/use.mdx', 'noindex: true\n', '')],
    ['colours of code', () => configure({ styling: { codeblocks: { theme: 'nord' } } })],
    ['another set of icons', () => configure({ icons: { library: 'lucide' } })],
    ['a redirect', () => configure({ redirects: [{ source: '/then', destination: '/v1/old' }] })],
    [
      'versions that are languages',
      () =>
        configure({
          navigation: {
            languages: [
              { language: 'en', groups: [{ group: 'Start', pages: ['index', 'v2/use', 'call'] }] },
              { language: 'de', groups: [{ group: 'Anfang', pages: ['v1/use', 'v1/old', 'listed'] }] },
            ],
          },
        }),
    ],
    ['versions again', () => configure({})],
    ['a file that an import finds first', () => write('snippets/inner', 'no module')],
    ['a call of another method', () => edit('call.mdx', 'GET', 'POST')],
    [
      'a page that has become one of a description',
      () => edit('v1/old.mdx', 'title: Use', 'openapi: GET /things'),
    ],
    ['settings of interfaces', () => configure({ api: { playground: { display: 'none' } } })],
    [
      'a page of another name',
      () => {
        write('v1/older.mdx', readFileSync(join(folder, 'v1/old.mdx'), 'utf8'))
        rmSync(join(folder, 'v1/old.mdx'))
      },
    ],
  ]
  for (const [what, change] of sampleOf(steps, 3)) {
    await t.test(what, async () => {
      change()
      assert.deepEqual(await build('warm'), await build('cold', { usesCache: false }))
    })
  }
})

test('a build of other wishes, or to another place, uses what fits it', async () => {
  for (const [path, text] of Object.entries(SITE)) write(path, text)
  const wishes: Partial<BuildFolderInput>[] = [
    { origin: 'https://docs.example.com' },
    { origin: 'https://other.example.com' },
    {},
    { features: { search: false } },
    { deployment: 'air-gapped' },
    {},
  ]
  for (const wish of wishes) {
    const made = await build('cold', { ...wish, usesCache: false })
    assert.deepEqual(await build('warm', wish), made)
    assert.deepEqual(await build('elsewhere', wish), made)
  }
})

test('what is written into the output while a build links it is gone with the next one', async () => {
  await build('edited')
  edit('v2/use.mdx', 'Weigh', 'Put')
  let isEdited = false
  const page = 'v1/use.html'
  const during = await build('edited', {
    report: ({ pagesLaidOut }) => {
      // Every page but those at the end has its second name by now.
      if (isEdited || pagesLaidOut < 5) return
      isEdited = true
      writeFileSync(join(place, 'edited', page), 'Somebody was here.')
    },
  })
  assert.ok(isEdited)
  const made = await build('cold', { usesCache: false })
  assert.deepEqual(await build('edited'), made)
  assert.deepEqual(during.problems, made.problems)
})
