/** Minimal server for presigned objects, like `/_octavo/objects/*` of the real server. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { TestContext } from 'node:test'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { OBJECTS_PATH, verifyLink } from '../../src/objects/presigned-link.ts'
import { serveObject } from '../../src/objects/serve-object.ts'

export const LINK_SECRET = 'a secret of the test, long enough'

export interface LinkServer {
  publicUrl: string
  /** Must be set before the first request. */
  store: ObjectStore | null
}

export async function startLinkServer(t: TestContext): Promise<LinkServer> {
  const served: LinkServer = { publicUrl: '', store: null }
  const server = createServer((request, response) => {
    answer(served, request, response).catch((error: Error) => {
      t.diagnostic(String(error.stack))
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  served.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return served
}

async function answer(served: LinkServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', served.publicUrl)
  const key = url.pathname.slice(OBJECTS_PATH.length)
  const verdict = verifyLink(LINK_SECRET, key, url.searchParams)
  if (verdict.kind !== 'ok') {
    response.writeHead(403).end(verdict.kind)
    return
  }
  if (served.store === null) throw new Error('no store is served yet')
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  const plan = await serveObject(served.store, {
    key,
    filename: verdict.filename,
    method,
    headers: request.headers,
  })
  response.writeHead(plan.status, plan.headers)
  if (plan.body === null) response.end()
  else await pipeline(plan.body, response)
}

/** Returns one altered link for each part of a link that can be changed. */
export function alterLink(link: string): string[] {
  const change = (edit: (url: URL) => void) => {
    const url = new URL(link)
    edit(url)
    return url.href
  }
  const signature = new URL(link).searchParams.get('signature') ?? ''
  const flipped = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
  return [
    change((url) => {
      url.pathname = url.pathname.replace(/1$/, '2')
    }),
    change((url) => url.searchParams.set('expires', '99999999999')),
    change((url) => url.searchParams.set('expires', '0')),
    change((url) => url.searchParams.set('filename', 'other.html')),
    change((url) => url.searchParams.set('signature', flipped)),
    change((url) => url.searchParams.set('signature', signature.slice(1))),
    change((url) => url.searchParams.set('signature', '')),
    change((url) => url.searchParams.append('filename', 'second')),
    change((url) => url.searchParams.set('more', '1')),
    change((url) => url.searchParams.delete('expires')),
    change((url) => url.searchParams.delete('filename')),
    change((url) => url.searchParams.delete('signature')),
  ]
}
