/** Shared setup of the MCP tests: small published sites and the official client. */

import { request as httpRequest } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { renderSite } from '../../src/render/build.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { makeSite, publishManifest, type Site } from '../feedback/feedback-scene.ts'
import type { ApiUnderTest } from '../http/api-under-test.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { patience } from '../kit/until.ts'

const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        summary: 'Get an order',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The order.' } },
      },
    },
    '/orders': { post: { summary: 'Create an order', responses: { 201: { description: 'Made.' } } } },
  },
}

export const SHOP: Readonly<Record<string, string>> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Shop docs',
    description: 'How to sell.',
    colors: { primary: '#123456' },
    navigation: {
      languages: [
        {
          language: 'en',
          groups: [
            {
              group: 'Guides',
              pages: ['index', 'guides/refunds', 'guides/shipping', 'guides/long', 'quiet'],
            },
            { group: 'API', openapi: 'openapi.json' },
          ],
        },
        { language: 'fr', groups: [{ group: 'Guides', pages: ['fr/guides/remboursement'] }] },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\nStart here.',
  'guides/refunds.mdx':
    '---\ntitle: Refunds\ndescription: Give money back.\n---\nA refund takes three days.\n\n## Partial refunds\n\nName the amount in `cents`.\n\n### Rounding\n\nDown.\n\n## Fees\n\nNone.',
  'guides/shipping.mdx': '---\ntitle: Shipping\n---\nParcels leave at noon.',
  'guides/long.mdx': `---\ntitle: Long\n---\n${'A line of a long page about warehouses.\n\n'.repeat(2500)}`,
  'quiet.mdx': '---\ntitle: Quiet\nnoindex: true\n---\nA secret giraffe.',
  'hidden.mdx': '---\ntitle: Hidden\nhidden: true\n---\nA hidden zebra.',
  'fr/guides/remboursement.mdx': '---\ntitle: Remboursements\n---\nTrois jours.',
  '.mintlify/skills/refund/SKILL.md':
    '---\nname: refund\ndescription: Refunds an order.\n---\nAsk for the order.',
  '.mintlify/skills/refund/parts/steps.md': 'Steps of a refund.',
  'openapi.json': JSON.stringify(SPEC),
}

/** Creates a project at `<name>.example.com` and publishes these files. */
export async function publishSite(
  api: ApiUnderTest,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<Site> {
  const site = await makeSite(api, name)
  const tree = openMemoryTree(files)
  const { manifest } = await renderSite(
    renderDeps(api.objects),
    {
      site: await loadSite(tree),
      tree,
      deployment: 'cloud',
      features: resolveFeatures('cloud'),
      origin: `https://${name}.example.com`,
      siteId: site.siteId,
      platformUrl: null,
      widgets: {},
      repository: null,
    },
    () => {},
    patience(),
  )
  await publishManifest(api, site, manifest)
  return site
}

/** Sends requests to the local API with this Host header, regardless of the host in the URL. */
export function fetchAs(api: ApiUnderTest, host: string): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host }
    const asked = httpRequest(
      { host: '127.0.0.1', port: api.port, path: pathname + search, method: init.method ?? 'GET', headers },
      async (answer) => {
        const body = Buffer.concat(await answer.toArray())
        const status = answer.statusCode ?? 0
        const given = Object.entries(answer.headers).map(([key, value]): [string, string] => [
          key,
          String(value),
        ])
        resolve(new Response(body.length === 0 ? null : body, { status, headers: given }))
      },
    )
    asked.on('error', reject)
    asked.end(init.body as string | undefined)
    return promise
  }
}

export type Era = 'legacy' | '2026-07-28'

export async function connectTo(url: string, fetchWith: typeof fetch, era: Era): Promise<Client> {
  const client = clientOf(era)
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: fetchWith }))
  return client
}

export function clientOf(era: Era): Client {
  const mode = era === 'legacy' ? era : { pin: era }
  return new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
}
