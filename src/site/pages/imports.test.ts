import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'
import type { Site } from '../model.ts'
import { listReachableModules } from './imports.ts'

async function siteOf(pages: string[], files: Record<string, string>): Promise<Site> {
  const settings = { name: 'Test', theme: 'mint', colors: { primary: '#123456' }, navigation: { pages } }
  return loadSite(openMemoryTree({ 'docs.json': JSON.stringify(settings), ...files }))
}

const codes = (site: Site) => site.problems.map((problem) => problem.code)

test('imported files and snippets are not pages, and imports are resolved transitively', async () => {
  const site = await siteOf(['index'], {
    'index.mdx': 'import A from "/snippets/a.mdx"\nimport { C } from "./parts/c"\n\n<A />',
    'snippets/a.mdx': "import B from './b.mdx'\n\n<B />",
    'snippets/b.mdx': 'text',
    'snippets/unused.mdx': 'text',
    'parts/c.jsx': 'export const C = () => null',
    'legacy.mdx': '<Snippet file="unused.mdx" />',
  })
  assert.deepEqual(site.problems, [])
  assert.deepEqual([...site.pages.keys()], ['/', '/legacy'])
  assert.deepEqual([...site.snippets].sort(), [
    'parts/c.jsx',
    'snippets/a.mdx',
    'snippets/b.mdx',
    'snippets/unused.mdx',
  ])
  assert.deepEqual(
    listReachableModules(site, 'index.mdx').map(({ path }) => path),
    ['parts/c.jsx', 'snippets/a.mdx', 'snippets/b.mdx'],
  )
  assert.deepEqual(site.imports.get('legacy.mdx'), [
    { specifier: 'unused.mdx', path: 'snippets/unused.mdx', line: 1 },
  ])
})

test('an import of a folder resolves to its index file', async () => {
  const site = await siteOf(['index'], {
    'index.mdx': 'import { B } from "/snippets/button"\nimport { C } from "./parts"\n\n<B />',
    'snippets/button/index.mdx': 'export const B = () => null',
    'parts/index.jsx': 'export const C = () => null',
  })
  assert.deepEqual(site.problems, [])
  assert.deepEqual(
    site.imports.get('index.mdx')?.map(({ path }) => path),
    ['snippets/button/index.mdx', 'parts/index.jsx'],
  )
})

test('reports imports of missing files and of packages with their lines', async () => {
  const site = await siteOf(['index'], {
    'index.mdx':
      '---\ntitle: x\n---\nimport A from "/snippets/itro.mdx"\nimport { useState } from "react"\nimport T from "@theme/Tabs"\n',
    'snippets/intro.mdx': 'x',
  })
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.level, problem.line]),
    [
      ['import.missing', 'error', 4],
      ['import.package', 'hint', 5],
      ['import.package', 'warning', 6],
    ],
  )
  assert.match(site.problems[0]?.remedy ?? '', /snippets\/intro\.mdx/)
})

test('breaks and reports an import cycle between snippets where it closes', async () => {
  const site = await siteOf(['index'], {
    'index.mdx': 'import A from "/snippets/a.mdx"',
    'snippets/a.mdx': 'x\n\nimport B from "/snippets/b.mdx"',
    'snippets/b.mdx': 'import A from "/snippets/a.mdx"',
  })
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file, problem.line]),
    [['import.cycle', 'snippets/b.mdx', 1]],
  )
  assert.equal(site.imports.get('snippets/b.mdx')?.[0]?.path, null)
})

test('a page listed in the navigation stays a page when another file imports it', async () => {
  const site = await siteOf(['a', 'b'], { 'a.mdx': 'import B from "/b.mdx"', 'b.mdx': 'x' })
  assert.deepEqual([...site.pages.keys()], ['/a', '/b'])
  assert.deepEqual(codes(site), ['navigation.names_snippet'])
})
