import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileTree } from '../../base/files/file-tree.ts'
import { loadSite } from '../../site/load-site.ts'
import { iconProblems } from './icon-problems.ts'

function treeOf(texts: Record<string, string>): FileTree {
  const files = new Map(
    Object.entries(texts).map(([path, text]) => [path, { sizeBytes: text.length, digest: path }]),
  )
  return {
    revision: 'content:test',
    files,
    refused: [],
    read: async (path) => new TextEncoder().encode(texts[path]),
    async [Symbol.asyncDispose]() {},
  }
}

test('reports an unknown icon at every location that names it', async () => {
  const tree = treeOf({
    'docs.json':
      '{\n"name": "x", "navigation": { "pages": [\n{ "group": "G", "icon": "gone",\n"pages": ["a"] }] } }',
    'a.mdx':
      '---\nicon: gone\n---\nimport Part from "/snippets/part.mdx"\n\n<Card icon="gone" />\n\nIt is gone. <Icon icon="gone-far" />\n\n<Part />\n',
    'snippets/part.mdx': 'Text\n\n<Card icon={"gone"} />\n',
    'unused.txt': 'icon="gone"',
  })
  const problems = await iconProblems({ site: await loadSite(tree), tree }, ['gone', 'made-by-code'])
  assert.deepEqual(
    problems.map(({ file, line }) => `${file}:${line}`),
    ['a.mdx:2', 'a.mdx:6', 'docs.json:3', 'snippets/part.mdx:3', 'docs.json:null'],
  )
})
