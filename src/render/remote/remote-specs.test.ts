import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { createGuardedFetch } from '../../base/net/guarded-fetch.ts'
import { createMemoryCache } from '../cache/memory-cache.ts'
import { createSpecFetch } from './remote-specs.ts'

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/openapi.json`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const textOf = (answer: { bytes: Uint8Array } | { fault: string }) =>
  'bytes' in answer ? Buffer.from(answer.bytes).toString() : answer.fault

test('revalidates a description by its ETag and uses the cached copy on 304 or a server error', async () => {
  const seen: (string | undefined)[] = []
  await using server = await serve((request, response) => {
    const tag = request.headers['if-none-match']
    seen.push(tag)
    if (seen.length === 3) return response.writeHead(500).end()
    if (tag === '"one"') return response.writeHead(304).end()
    response.setHeader('etag', '"one"')
    return response.end('{"openapi":"3.1.0"}')
  })
  const cache = createMemoryCache()
  await using guardedFetch = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  const signal = AbortSignal.timeout(600_000)
  for (let round = 0; round < 3; round++) {
    const fetchSpec = createSpecFetch({ guardedFetch, cache, log: silentLog }, signal)
    assert.equal(textOf(await fetchSpec(server.url)), '{"openapi":"3.1.0"}')
  }
  assert.deepEqual(seen, [undefined, '"one"', '"one"'])
})

test('reports a failed request and refuses private addresses', async () => {
  await using server = await serve((_, response) => response.writeHead(404).end())
  const cache = createMemoryCache()
  await using open = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  await using closed = createGuardedFetch()
  const signal = AbortSignal.timeout(600_000)
  const missing = createSpecFetch({ guardedFetch: open, cache, log: silentLog }, signal)
  assert.equal(textOf(await missing(server.url)), 'The server answered 404.')
  const refused = createSpecFetch({ guardedFetch: closed, cache, log: silentLog }, signal)
  assert.match(textOf(await refused(server.url)), /not on the public internet/)
})

test('aborting the build rejects with the abort reason instead of a server fault', async () => {
  await using server = await serve(() => {})
  const cache = createMemoryCache()
  await using guardedFetch = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  const stop = new AbortController()
  const asking = createSpecFetch({ guardedFetch, cache, log: silentLog }, stop.signal)(server.url)
  stop.abort(new Error('stopped'))
  await assert.rejects(asking, /stopped/)
})
