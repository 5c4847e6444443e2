import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../base/memory-tree.ts'
import { type LoadedSite, loadAfter } from './load-site.ts'
import { siteImage, siteOfImage } from './site-image.ts'
import { loadOn } from './site-loader.ts'

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Kept',
    colors: { primary: '#0F766E' },
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index', 'use', 'gone'] },
        { group: 'API', openapi: 'api.yaml', pages: ['GET /things'] },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Home\nsince: 2020-01-01\nlimit: .inf\n---\n[Gone](/gone) [there](/use)\n',
  'use.mdx': '---\ntitle: [Use\n---\nimport Note from "/snippets/note.mdx"\n\n<Note />\n',
  'snippets/note.mdx': '[Home](/)\n',
  'api.yaml':
    'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /things:\n    get: {responses: {}}\n',
  'script.js': 'let seen = 1\n',
}

/** Without what is asked, and told where it stands. */
function comparable({ tree, facts, linkCheck, ...rest }: LoadedSite): unknown {
  const lines = [...facts.values()].map(({ frontmatter, ...one }) => ({
    ...one,
    ...frontmatter,
    lineOf: frontmatter?.lineOf('title'),
  }))
  const names = [...linkCheck.files.keys()]
  return { ...rest, lines, links: { ...linkCheck, files: names }, files: tree.files, refused: tree.refused }
}

test('a site that comes back from its image is the one that was loaded', async () => {
  const loaded = await loadAfter(openMemoryTree(FILES), null)
  const image = siteImage(loaded)
  assert.ok(image)
  assert.deepEqual(comparable(siteOfImage(image)), comparable(loaded))
})

/** Null removes a file. */
const CHANGES: Record<string, Record<string, string | null>> = {
  nothing: {},
  'the text of a page': { 'use.mdx': '---\ntitle: Use\n---\n[Nowhere](/nowhere)\n' },
  'the title of a page': { 'index.mdx': '---\ntitle: Start\n---\nText.\n' },
  'a new page': { 'more.mdx': 'More.\n' },
  'a page that moves': { 'use.mdx': null, 'else/use.mdx': 'Use.\n' },
  'a snippet': { 'snippets/note.mdx': '[Nowhere](/nowhere)\n' },
  'a script': { 'script.js': 'module.exports = 1\n' },
  'a description': { 'api.yaml': 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n' },
  'rules that leave a page out': { '.mintignore': 'use.mdx\n' },
}

test('a site that is loaded on an image is the one that a first load makes', async () => {
  const image = siteImage(await loadAfter(openMemoryTree(FILES), null))
  assert.ok(image)
  for (const [name, change] of Object.entries(CHANGES)) {
    const files = Object.entries({ ...FILES, ...change }).flatMap(([path, text]) =>
      text === null ? [] : [[path, text] as const],
    )
    const tree = openMemoryTree(Object.fromEntries(files))
    const warm = await loadOn(siteOfImage(image), tree, {})
    const cold = await loadAfter(tree, null)
    assert.deepEqual(comparable(warm), comparable(cold), name)
    assert.equal(warm.tree, tree)
  }
})

test('a page that is for other readers, and then for these, comes with its change', async () => {
  const files = { ...FILES, 'inner.mdx': '---\ngroups: [staff]\n---\nInner.\n' }
  const options = { audience: [] }
  const image = siteImage(await loadAfter(openMemoryTree(files), null, options))
  assert.ok(image)
  for (const head of ['groups: [staff, friends]', 'title: Inner']) {
    const tree = openMemoryTree({ ...files, 'inner.mdx': `---\n${head}\n---\nInner.\n` })
    const warm = await loadOn(siteOfImage(image), tree, options)
    assert.deepEqual(comparable(warm), comparable(await loadAfter(tree, null, options)), head)
  }
})

test('of the files that have not changed, nothing is read', async () => {
  const image = siteImage(await loadAfter(openMemoryTree(FILES), null))
  assert.ok(image)
  const tree = openMemoryTree({ ...FILES, 'index.mdx': `${FILES['index.mdx']}More.\n` })
  const reads: string[] = []
  const read = (path: string) => {
    reads.push(path)
    return tree.read(path)
  }
  await loadOn(siteOfImage(image), { ...tree, read }, {})
  assert.deepEqual(reads, ['index.mdx'])
})
