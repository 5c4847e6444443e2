/** Servers that the platform may call on behalf of the readers of a site. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deployment, resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { renderSite } from '../../src/render/build.ts'
import { readPlaygroundServers } from '../../src/render/outputs/version-files.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { patience } from '../kit/until.ts'

const PAGE = '---\ntitle: Get\napi: GET https://api.acme.dev/v1/orders\n---\n\nAn order.\n'

async function serversOf(deployment: Deployment, api: object = {}, siteId: string | null = 'site_1') {
  const objects = openMemoryStore()
  const about = {
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: { pages: ['index'] },
  }
  const tree = openMemoryTree({ 'docs.json': JSON.stringify({ ...about, api }), 'index.mdx': PAGE })
  const { manifest } = await renderSite(
    renderDeps(objects),
    {
      site: await loadSite(tree),
      tree,
      deployment,
      features: resolveFeatures(deployment, { search: false, playground: true }),
      origin: null,
      siteId,
      platformUrl: 'https://octavo.acme.dev',
      widgets: {},
      repository: null,
    },
    () => {},
    patience(),
  )
  return readPlaygroundServers(objects, manifest)
}

test('a published site lists the servers that its API playground may call', async () => {
  assert.deepEqual(await serversOf('cloud'), ['https://api.acme.dev'])
})

test('lists no playground servers without a proxy, playground or site id, or for an air-gapped site', async () => {
  assert.deepEqual(await serversOf('cloud', { playground: { proxy: false } }), [])
  assert.deepEqual(await serversOf('cloud', { playground: { display: 'none' } }), [])
  assert.deepEqual(await serversOf('air-gapped'), [])
  assert.deepEqual(await serversOf('client-hosted', {}, null), [])
})
