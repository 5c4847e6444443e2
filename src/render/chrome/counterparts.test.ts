import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../../site/load-site.ts'
import type { DivisionKind } from '../../site/model.ts'
import { createCounterparts } from './counterparts.ts'
import type { SiteView } from './site-view.ts'

const BASE = { name: 'T', theme: 'mint', colors: { primary: '#123456' } }

async function counterpartsOf(navigation: object, pages: string[]) {
  const files = Object.fromEntries(pages.map((page) => [`${page}.mdx`, 'x']))
  const site = await loadSite(
    openMemoryTree({ 'docs.json': JSON.stringify({ ...BASE, navigation }), ...files }),
  )
  const counterparts = createCounterparts({ site } as SiteView)
  /** Returns the counterpart of a page for each choice, in order. */
  return (route: string, kind: DivisionKind) => {
    const page = site.pages.get(route)
    assert.ok(page, route)
    const sidebar = site.sidebars.find(({ id }) => id === page.placements[0]?.sidebar)
    const level = sidebar?.levels.find((one) => one.kind === kind)
    assert.ok(level)
    return level.choices.map((choice) => counterparts.exact(page, level, choice))
  }
}

test('matches pages whose paths differ by one changed, added or removed folder', async () => {
  const languages = [
    { language: 'en', pages: ['index', 'guides/a', 'guides/b'] },
    { language: 'fr', pages: ['fr/index', 'fr/guides/a'] },
    { language: 'de', pages: ['de/guides/a', 'de/guides/b'] },
  ]
  const all = languages.flatMap(({ pages }) => pages)
  const of = await counterpartsOf({ languages }, all)
  assert.deepEqual(of('/guides/a', 'languages'), ['/guides/a', '/fr/guides/a', '/de/guides/a'])
  assert.deepEqual(of('/fr/guides/a', 'languages'), ['/guides/a', '/fr/guides/a', '/de/guides/a'])
  assert.deepEqual(of('/guides/b', 'languages'), ['/guides/b', null, '/de/guides/b'])
  // The first pages of two languages are counterparts even if their URLs have nothing in common.
  assert.deepEqual(of('/', 'languages'), ['/', '/fr', '/de/guides/a'])
})

test('a version prefix of several folders is replaced as a whole', async () => {
  const versions = [
    { version: '2', pages: ['guides/a', 'guides/b'] },
    { version: '1', pages: ['archive/old/v1/guides/a', 'archive/old/v1/guides/c'] },
  ]
  const of = await counterpartsOf(
    { versions },
    versions.flatMap(({ pages }) => pages),
  )
  assert.deepEqual(of('/archive/old/v1/guides/a', 'versions'), ['/guides/a', '/archive/old/v1/guides/a'])
  assert.deepEqual(of('/guides/b', 'versions'), ['/guides/b', null])
})

test('a page listed in both versions is its own counterpart', async () => {
  const versions = [
    { version: '2', pages: ['a', 'shared'] },
    { version: '1', pages: ['v1/a', 'shared'] },
  ]
  const of = await counterpartsOf({ versions }, ['a', 'v1/a', 'shared'])
  assert.deepEqual(of('/shared', 'versions'), ['/shared', '/shared'])
})
