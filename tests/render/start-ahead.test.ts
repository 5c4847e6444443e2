import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { openMemoryTree } from '../../src/base/memory-tree.ts'
import { createSourceReader } from '../../src/render/bodies/page-source.ts'
import { startAhead } from '../../src/render/start-ahead.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { bodyText } from '../kit/markup-text.ts'

const PAGES = ['one', 'two', 'three', 'four']
const tree = openMemoryTree({
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: { pages: PAGES },
  }),
  ...Object.fromEntries(
    PAGES.map((page) => [`${page}.mdx`, `---\ntitle: ${page}\n---\n\nWords of ${page}.\n`]),
  ),
})

/** How many pages were rendered when all are asked for, of which so many are new. */
async function renderedOf(news: readonly string[]): Promise<{ begun: number; rendered: number }> {
  const counts: number[] = []
  const log = {
    ...silentLog,
    debug: (fields: unknown, event: unknown) => {
      if (event === 'render.bodies_done') counts.push((fields as { pages: number }).pages)
    },
  }
  const site = await loadSite(tree)
  const sources = createSourceReader(site, tree)
  const signal = AbortSignal.timeout(120_000)
  const isKnown = (path: string) => !news.includes(path)
  const open = async () => {
    const renderer = await startAhead(tree, isKnown, { children: 1, log })
    assert.ok(renderer)
    await renderer.begin(site, tree, signal)
    return renderer
  }
  const asked = await open()
  for (const page of site.pages.values()) {
    const { request } = await sources.read(page)
    const { html } = bodyText(await asked.render(request, signal))
    assert.match(html, new RegExp(`Words of ${page.file?.replace('.mdx', '')}`))
  }
  await asked[Symbol.asyncDispose]()
  // What was begun comes out, though nobody asks for it: another page waits behind it.
  const unasked = await open()
  const [last] = [...site.pages.values()].slice(-1)
  assert.ok(last)
  const { request } = await sources.read(last)
  await unasked.render({ ...request, source: 'Other words.\n' }, signal)
  await unasked[Symbol.asyncDispose]()
  const [rendered = 0, behind = 0] = counts
  return { begun: behind - 1, rendered }
}

test('pages of a few new files are rendered before they are asked for, and once', async () => {
  assert.deepEqual(await renderedOf(['two.mdx', 'three.mdx']), { begun: 2, rendered: 4 })
})

test('of many new files no page is begun, and where none is new no process starts', async () => {
  assert.deepEqual(await renderedOf(PAGES.map((page) => `${page}.mdx`)), { begun: 0, rendered: 4 })
  assert.equal(await startAhead(tree, () => true, { children: 1 }), null)
})
