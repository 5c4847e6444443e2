import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileTree } from '../base/files/file-tree.ts'
import { openMemoryTree } from '../base/files/memory-tree.ts'
import { type LoadedSite, loadSite } from './load-site.ts'
import type { Site } from './model.ts'
import { SiteUnloadableError } from './problems.ts'
import { loadSiteIncrementally } from './site-loader.ts'

const SETTINGS = {
  theme: 'mint',
  name: 'Acme',
  colors: { primary: '#5B5BD6' },
  navigation: {
    groups: [
      { group: 'Guides', pages: ['index', 'guide'] },
      { group: 'API', openapi: 'api.yaml', pages: ['GET /things'] },
    ],
  },
}
const FILES: Record<string, string> = {
  'docs.json': JSON.stringify(SETTINGS),
  'index.mdx': '---\ntitle: Home\n---\n\n[Guide](/guide) and [gone](/gone).\n',
  'guide.mdx': "---\ntitle: Guide\n---\nimport Part from '/snippets/part.mdx'\n\n<Part />\n",
  'snippets/part.mdx': '[Home](/)\n',
  'api.yaml': 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /things:\n    $ref: paths.yaml\n',
  'paths.yaml': 'get:\n  summary: List things\n  responses: {}\n',
  'images/a.png': 'one',
  'one.js': 'let shared = 1\n',
  'two.js': 'let own = 1\n',
}

function createLoader(begun: LoadedSite | null = null) {
  let last = begun
  return {
    load: async (tree: FileTree): Promise<Site> => {
      last = await loadSiteIncrementally(last, tree)
      return last.site
    },
    last: () => last,
  }
}

test('changing the text of a page changes only the problems of the site', async () => {
  const loader = createLoader()
  const before = await loader.load(openMemoryTree(FILES))
  const files = { ...FILES, 'index.mdx': '---\ntitle: Home\n---\n\n[Guide](/guid).\n' }
  const after = await loader.load(openMemoryTree(files))
  assert.equal(after.pages, before.pages)
  assert.equal(after.sidebars, before.sidebars)
  assert.deepEqual(
    after.problems.map(({ file, line, message }) => ({ file, line, message })),
    [{ file: 'index.mdx', line: 5, message: 'The link “/guid” does not match any page or file.' }],
  )
})

/** Changes are cumulative; null removes a file. */
const CHANGES: Record<string, Record<string, string | null>> = {
  'the text of a snippet': { 'snippets/part.mdx': '[Nowhere](/nowhere)\n' },
  'the title of a page': { 'index.mdx': '---\ntitle: Start\n---\n\n[Guide](/guide)\n' },
  'a field that is no YAML': { 'index.mdx': '---\ntitle: [Start\n---\n\n[Guide](/guide)\n' },
  'an import that leads nowhere': {
    'guide.mdx': "---\ntitle: Guide\n---\nimport Part from '/snippets/parts.mdx'\n",
  },
  'a new page': { 'more.mdx': 'More [text](/guide).\n' },
  'a page that moves': { 'more.mdx': null, 'else/more.mdx': 'More [text](/guide).\n' },
  'a page that goes': { 'else/more.mdx': null },
  'an image': { 'images/a.png': 'two' },
  'a part of an API description': { 'paths.yaml': 'get:\n  summary: Every thing\n  responses: {}\n' },
  'a part that is gone': { 'paths.yaml': null },
  'a part that is back': { 'paths.yaml': 'get:\n  summary: Things again\n  responses: {}\n' },
  'the navigation': {
    'docs.json': JSON.stringify({ ...SETTINGS, navigation: { pages: ['guide', 'index'] } }),
  },
  'rules that leave a page out': { '.mintignore': 'guide.mdx\n' },
  'no rules any more': { '.mintignore': null },
  'a page in another encoding': { 'index.mdx': 'caf\u00e9 [x](/x)' },
  'a script with a name of another one': { 'two.js': 'let shared = 2\n' },
  'a script that becomes a program for Node': { 'two.js': 'module.exports = 2\n' },
  'a head that has no end': { 'guide.mdx': '---\ntitle: Guide\n\nText.\n' },
  'groups of readers below a head that has no end': {
    'guide.mdx': '---\ntitle: Guide\n\nText.\n\ngroups: [some]\n',
  },
}

test('an incremental load equals a full load after every kind of change', async () => {
  const loader = createLoader()
  const files: Record<string, string> = { ...FILES }
  await loader.load(openMemoryTree(files))
  for (const [name, change] of Object.entries(CHANGES)) {
    for (const [path, text] of Object.entries(change)) {
      if (text === null) delete files[path]
      else files[path] = text
    }
    const tree = openMemoryTree(files)
    assert.deepEqual(await loader.load(tree), await loadSite(tree), name)
    assert.deepEqual(await loader.load(tree), await loadSite(tree), `${name}, and nothing more`)
  }
})

test('rejects unreadable settings and loads the next valid state', async () => {
  const loader = createLoader()
  await loader.load(openMemoryTree(FILES))
  await assert.rejects(
    loader.load(openMemoryTree({ ...FILES, 'docs.json': '{"name": ' })),
    SiteUnloadableError,
  )
  const tree = openMemoryTree({ ...FILES, 'guide.mdx': '---\ntitle: Other\n---\n' })
  assert.deepEqual(await loader.load(tree), await loadSite(tree))
})

test('an incremental load does not modify the state it started from', async () => {
  const first = await loadSiteIncrementally(null, openMemoryTree(FILES))
  const reads: string[] = []
  const text = openMemoryTree({ ...FILES, 'index.mdx': '---\ntitle: Home\n---\n\n[Guide](/guid).\n' })
  const read = (path: string) => {
    reads.push(path)
    return text.read(path)
  }
  const changed = await loadSiteIncrementally(first, { ...text, read })
  assert.deepEqual(reads, ['index.mdx'])
  assert.equal(changed.site.pages, first.site.pages)
  assert.deepEqual(changed.site, await loadSite(text))
  const files: Record<string, string> = { ...FILES }
  for (const [name, change] of Object.entries(CHANGES)) {
    for (const [path, content] of Object.entries(change)) {
      if (content === null) delete files[path]
      else files[path] = content
    }
    const tree = openMemoryTree(files)
    assert.deepEqual(
      (await loadSiteIncrementally(first, tree)).site,
      await loadSite(tree),
      `${name}, from the first state`,
    )
  }
  assert.deepEqual(first.site, await loadSite(openMemoryTree(FILES)))
})
