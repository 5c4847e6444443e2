import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { searchPages } from '../../src/features/agent/edit/page-search.ts'
import { openWorkspace } from '../../src/features/agent/publish/workspace.ts'
import { SITE } from './tool-scene.ts'

test("jobs at one commit share a search index but do not see each other's changes", async () => {
  const tree = openMemoryTree(SITE)
  const read: string[] = []
  const base: typeof tree = {
    ...tree,
    read: (path) => {
      read.push(path)
      return tree.read(path)
    },
  }
  const { signal } = new AbortController()
  const [one, other] = [openWorkspace(base, new Map()), openWorkspace(base, new Map())]
  const filesFor = async (workspace: typeof one, query: string) =>
    (await searchPages(workspace, query, signal)).map(({ file }) => file)

  assert.deepEqual(await filesFor(one, 'configure port'), ['guides/setup.mdx'])
  assert.ok(read.length > 0)
  read.length = 0
  assert.deepEqual(await filesFor(other, 'configure port'), ['guides/setup.mdx'])
  assert.deepEqual(read, [], 'the index is made anew')

  await one.write('guides/setup.mdx', '---\ntitle: Set up\n---\nNow about giraffes\n')
  assert.deepEqual(await filesFor(one, 'giraffes'), ['guides/setup.mdx'])
  assert.deepEqual(await filesFor(other, 'giraffes'), [])
  assert.deepEqual(await filesFor(other, 'configure port'), ['guides/setup.mdx'])
  assert.deepEqual([...new Set(read)], ['guides/setup.mdx'], 'more is read than what has changed')
})
