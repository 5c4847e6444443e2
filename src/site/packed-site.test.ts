import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../base/memory-tree.ts'
import { loadAfter } from './load-site.ts'
import { packSite, unpackSite } from './packed-site.ts'

const FILES = {
  'docs.json': JSON.stringify({ name: 'Acme', navigation: { pages: ['index', 'use'] } }),
  'index.mdx':
    '---\ntitle: Home\nopenapi: GET /none\ntags: [a, "b"]\n---\nimport Note from "/snippets/note.mdx"\n\n<Note /> [gone](/nowhere) ![](/no.png)\n',
  'use.mdx': '---\ntitle: Use\nwhen: 2026-01-01\nnumber: .inf\n---\nText.\n',
  'bad.mdx': '---\ntitle: Bad\ngroups: 7\n',
  'snippets/note.mdx': 'Words.\n',
  'own.js': 'const a = 1\nfunction b() {}\n',
}

test('a site of what was kept is that of the files', async () => {
  const tree = openMemoryTree(FILES)
  const first = await loadAfter(tree, null)
  const kept = unpackSite(JSON.parse(packSite(first) ?? ''))
  assert.ok(kept !== null && kept.facts.size >= 4)
  let reads = 0
  const counted = {
    ...tree,
    read: (path: string) => {
      if (path.endsWith('.mdx')) reads += 1
      return tree.read(path)
    },
  }
  const again = await loadAfter(counted, kept)
  assert.equal(JSON.stringify([...again.site.pages]), JSON.stringify([...first.site.pages]))
  assert.deepEqual(again.site.problems, first.site.problems)
  assert.deepEqual(again.site.scripts, first.site.scripts)
  // What has no form as JSON is read again.
  assert.ok(reads <= 1, String(reads))
  const changed = { ...FILES, 'index.mdx': FILES['index.mdx'].replace('/nowhere', '/use') }
  const other = openMemoryTree(changed)
  const [warm, cold] = [await loadAfter(other, kept), await loadAfter(other, null)]
  assert.deepEqual(warm.site.problems, cold.site.problems)
})

test('what has not the form of a kept site is as good as missing', async () => {
  const packed = packSite(await loadAfter(openMemoryTree(FILES), null)) ?? ''
  const spoil = (change: (file: Record<string, unknown>) => void) => {
    const value = JSON.parse(packed) as { files: Record<string, unknown>[] }
    for (const file of value.files) change(file)
    return value
  }
  const forged: unknown[] = [
    null,
    [],
    {},
    { places: 'x', files: [null] },
    { files: [] },
    ...['file', 'digest', 'head', 'readers', 'imports', 'links', 'problems', 'linkProblems', 'script'].map(
      (name) =>
        spoil((file) => {
          file[name] = 7
        }),
    ),
    spoil((file) => {
      file.links = [{ href: 'x', line: 1, use: 'other' }]
    }),
    spoil((file) => {
      file.frontmatter = { fields: [], block: '', bodyOffset: 0, bodyLine: 1 }
    }),
    spoil((file) => {
      file.frontmatter = { fields: {}, block: '', bodyOffset: -1, bodyLine: 1 }
    }),
  ]
  for (const value of forged) assert.equal(unpackSite(value), null)
  assert.notEqual(unpackSite(JSON.parse(packed)), null)
})
