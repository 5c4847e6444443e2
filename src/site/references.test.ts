import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../base/errors/problem.ts'
import { openMemoryTree } from '../base/files/memory-tree.ts'
import { isFields, isList, type JsonNode, parseJson } from './json.ts'
import { loadSite } from './load-site.ts'
import { expandReferences } from './references.ts'

test('resolves $ref across files, merges sibling keys and reports errors in the file they occur in', async () => {
  const site = await loadSite(
    openMemoryTree({
      'docs.json':
        '{\n"$ref": "./config/base.json",\n"name": "Mine",\n"redirects": {"$ref": "redirects.json"},\n"footer": {"$ref": "../outside.json"},\n"navbar": {"$ref": "config/loop.json"},\n"banner": {"$ref": "./config/bse.json"}\n}',
      'config/base.json':
        '{"name": "Base", "theme": "maple",\n"colors": {"$ref": "./colors.json", "dark": "#000000"},\n"navigation": {"pages": [{"$ref": "nav/one.json"}]}}',
      'config/colors.json': '{"primary": "#111111", "dark": "#222222",\n"light": 3}',
      'config/nav/one.json': '{"group": "G", "pages": ["a",\n"gone"]}',
      'config/loop.json': '{"links": {"$ref": "loop.json"}}',
      'redirects.json': '[{"source": "/x", "destination": "/a"}]',
      'a.mdx': 'x',
    }),
  )
  assert.deepEqual([site.config.name, site.config.theme], ['Mine', 'maple'])
  assert.deepEqual(site.config.colors, { primary: '#111111', light: '#111111', dark: '#000000' })
  assert.equal(site.redirects.length, 1)
  assert.deepEqual([...site.assets], [])
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file, problem.line]),
    [
      ['config.value', 'config/colors.json', 2],
      ['config.ref_cycle', 'config/loop.json', 1],
      ['navigation.page_missing', 'config/nav/one.json', 2],
      ['config.ref_outside', 'docs.json', 5],
      ['config.ref_missing', 'docs.json', 7],
    ],
  )
})

test('stops expanding files that multiply through $ref', async () => {
  const files: Record<string, string> = { 'a.mdx': 'x' }
  for (let i = 0; i < 24; i++)
    files[`r${i}.json`] = `[{"$ref": "r${i + 1}.json"}, {"$ref": "r${i + 1}.json"}]`
  files['r24.json'] = '{}'
  const settings = {
    name: 'T',
    colors: { primary: '#123456' },
    navigation: { pages: ['a'] },
    seo: { $ref: 'r0.json' },
  }
  const site = await loadSite(openMemoryTree({ ...files, 'docs.json': JSON.stringify(settings) }))
  assert.equal(site.problems.filter((problem) => problem.code === 'config.ref_too_large').length, 1)
  assert.equal(site.pages.size, 1)
})

test('stops expanding a large file that is referenced many times', async () => {
  const links = Array.from({ length: 2000 }, (_, number) => ({ label: `L${number}` }))
  const uses = Array.from({ length: 9000 }, () => ({ $ref: 'large.json' }))
  const settings = {
    name: 'T',
    colors: { primary: '#123456' },
    navigation: { pages: ['a'] },
    footer: { links: uses },
  }
  const problems: Problem[] = []
  const tree = openMemoryTree({
    'docs.json': JSON.stringify(settings),
    'large.json': JSON.stringify(links),
    'a.mdx': 'x',
  })
  const root = parseJson(problems, 'docs.json', JSON.stringify(settings))
  assert.ok(root)
  const expanded = await expandReferences(tree, problems, root)
  let nodes = 0
  const count = (node: JsonNode) => {
    nodes += 1
    if (isList(node.value) || isFields(node.value)) for (const child of node.value.values()) count(child)
  }
  count(expanded.root)
  assert.ok(nodes < 1_100_000, `${nodes} nodes`)
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['config.ref_too_large'],
  )
})
