/** A hosted build reuses only entries of its own project, and they equal what it would have rendered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { cachePrefix } from '../../src/objects/object-cache.ts'
import { openSiteProcess } from '../../src/render/site-process.ts'
import { encodeManifest } from '../../src/render/versions/manifest-text.ts'
import { openMemoryStore } from '../kit/memory-store.ts'

const SITE = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Hosted',
    colors: { primary: '#0F766E' },
    navigation: { pages: ['index', 'use', 'inner'] },
  }),
  'index.mdx': '---\ntitle: Home\n---\n\n## Part\n\n<Icon icon="no-such-icon" />\n',
  'use.mdx': '---\ntitle: Use\n---\n\n[There](/index#part) [gone](/index#gone)\n',
  'inner.mdx': '---\ntitle: Inner\ngroups: [staff]\n---\nFor staff.\n',
}

const objects = openMemoryStore()

async function build(projectId: string, files: Record<string, string>, isFresh = false) {
  const rendered: number[] = []
  const log: Log = {
    ...silentLog,
    child: () => log,
    info: (fields: object, event: string) => {
      if (event === 'site.rendered') rendered.push((fields as { rendered: number }).rendered)
    },
  }
  await using guardedFetch = createGuardedFetch()
  const deps = { objects, guardedFetch, log, renderChildren: 1, siteMemoryMb: 512, projectId, isFresh }
  await using site = openSiteProcess(deps)
  const request = {
    deployment: 'cloud' as const,
    features: { ...resolveFeatures('cloud'), assistant: true },
    origin: 'https://docs.example.com',
    siteId: 'site_1',
    platformUrl: 'https://octavo.example.com',
    widgets: {},
    repository: null,
  }
  const texts: unknown[] = []
  for (const audience of [[], ['staff']]) {
    const signal = AbortSignal.timeout(120_000)
    const tree = openMemoryTree(files)
    const { manifest, problems } = await site.build(tree, { ...request, audience }, () => {}, signal)
    texts.push([(await encodeManifest(manifest)).toString(), problems])
  }
  return { texts, rendered }
}

test('a page is rendered once for all audiences of a project, and again for another project', async () => {
  const first = await build('prj_one', SITE)
  assert.deepEqual(first.rendered, [2, 1])
  const again = await build('prj_one', SITE)
  assert.deepEqual(again, { ...first, rendered: [0, 0] })
  const edited = { ...SITE, 'use.mdx': SITE['use.mdx'].replace('gone', 'lost') }
  const warm = await build('prj_one', edited)
  assert.deepEqual(warm.rendered, [1, 0])
  const other = await build('prj_two', edited)
  assert.deepEqual(other, { ...warm, rendered: [2, 1] })
  const fresh = await build('prj_one', edited, true)
  assert.deepEqual(fresh, { ...warm, rendered: [2, 3] })
  const keys = await Array.fromAsync(objects.list('cache/'), ({ key }) => key)
  assert.ok(
    keys.every((key) => [cachePrefix('prj_one'), cachePrefix('prj_two')].some((one) => key.startsWith(one))),
  )
})
