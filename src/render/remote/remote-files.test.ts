import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { createGuardedFetch } from '../../base/net/guarded-fetch.ts'
import { createMemoryCache } from '../cache/memory-cache.ts'
import { createRemoteFetch, type RemoteFile } from './remote-files.ts'

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/a.png`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const signal = AbortSignal.timeout(600_000)

test('fetches a file once per render and uses the cached copy on 304 or a server error', async () => {
  const tags: (string | undefined)[] = []
  await using server = await serve((request, response) => {
    tags.push(request.headers['if-none-match'])
    if (tags.length === 3) return response.writeHead(503).end()
    if (request.headers['if-none-match'] === '"one"') return response.writeHead(304).end()
    response.writeHead(200, { etag: '"one"', 'content-type': 'Image/PNG; q=1' })
    return response.end('picture')
  })
  const cache = createMemoryCache()
  await using guardedFetch = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  for (let round = 0; round < 3; round++) {
    const fetchRemote = createRemoteFetch({ guardedFetch, cache, log: silentLog }, signal)
    const [first, second] = await Promise.all([fetchRemote(server.url), fetchRemote(server.url)])
    assert.equal(first, second)
    const file = first as RemoteFile
    assert.deepEqual([Buffer.from(file.bytes).toString(), file.type], ['picture', 'image/png'])
  }
  assert.deepEqual(tags, [undefined, '"one"', '"one"'])
})

test('reports a failed request and refuses private addresses', async () => {
  await using server = await serve((_, response) => response.writeHead(404).end())
  const cache = createMemoryCache()
  await using open = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  await using closed = createGuardedFetch()
  const deps = { cache, log: silentLog }
  assert.deepEqual(await createRemoteFetch({ ...deps, guardedFetch: open }, signal)(server.url), {
    fault: 'The server answered 404.',
  })
  const refused = await createRemoteFetch({ ...deps, guardedFetch: closed }, signal)(server.url)
  assert.match((refused as { fault: string }).fault, /not on the public internet/)
})

test('stops requesting an unresponsive server after three attempts', async () => {
  let count = 0
  await using server = await serve((request) => {
    count += 1
    request.socket.destroy()
  })
  const cache = createMemoryCache()
  await using guardedFetch = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  const fetchRemote = createRemoteFetch({ guardedFetch, cache, log: silentLog }, signal)
  const faults: string[] = []
  for (let index = 0; index < 5; index++) {
    const answer = await fetchRemote(`${server.url}?${index}`)
    faults.push((answer as { fault: string }).fault)
  }
  assert.equal(count, 3)
  assert.match(faults[4] as string, /does not respond/)
})
