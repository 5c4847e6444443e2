/**
 * A proxy in front of a forge that reports the critical steps of a job. At each step the caller can delay the request,
 * drop the connection or respond instead of the forge.
 */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ForgeMoment =
  /** A push was received completely but not yet forwarded to the forge. */
  | 'pushing'
  /** The forge has accepted the push, and its response was not yet sent. */
  | 'pushed'
  /** The request to create a pull request was received but not yet forwarded to the forge. */
  | 'creating'
  /** The pull request exists, and the response was not yet sent. */
  | 'created'

/** The proxy waits for the result. `cut` closes the connection instead of continuing. */
export type HoldMoment = (moment: ForgeMoment, branch: string) => Promise<'go on' | 'cut'>

export interface HoldingProxy {
  /** Replaces the forge's origin, without a trailing slash. */
  origin: string
  host: string
  hold: HoldMoment
  /** Returns a status to respond with instead of the forge; null forwards the request. */
  refuse: (path: string) => number | null
  [Symbol.asyncDispose](): Promise<void>
}

const CHALLENGE = { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="git"' }

export async function startHoldingProxy(forgeOrigin: string): Promise<HoldingProxy> {
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy())
  })

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    const refused = proxy.refuse(incoming.url ?? '')
    if (refused !== null) return void response.writeHead(refused, CHALLENGE).end('{"message":"no"}')
    const [before, after, branch] = momentsOf(incoming, body)
    if (before !== null && (await proxy.hold(before, branch)) === 'cut') return void response.destroy()
    const answer = await forward(forgeOrigin, incoming, body)
    if (after !== null && (await proxy.hold(after, branch)) === 'cut') return void response.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const proxy: HoldingProxy = {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    hold: async () => 'go on',
    refuse: () => null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

function momentsOf(
  { method, url = '' }: IncomingMessage,
  body: Buffer,
): [before: ForgeMoment | null, after: ForgeMoment | null, branch: string] {
  const branch = /octavo\/[a-z0-9-]+/.exec(body.toString('latin1'))?.[0]
  if (method !== 'POST' || branch === undefined) return [null, null, '']
  if (url.endsWith('/git-receive-pack')) return ['pushing', 'pushed', branch]
  return /\/(pulls|merge_requests)$/.test(url) ? ['creating', 'created', branch] : [null, null, '']
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

async function forward(
  origin: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { 'transfer-encoding': _chunked, expect: _expect, ...kept } = headers
  const asked = ask(new URL(url ?? '/', origin), {
    method,
    headers: { ...kept, connection: 'close', 'content-length': String(body.length) },
  })
  asked.on('response', resolve).on('error', reject).end(body)
  const response = await promise
  const { 'transfer-encoding': _pieces, connection: _connection, ...answered } = response.headers
  return {
    status: response.statusCode ?? 502,
    headers: answered,
    body: Buffer.concat(await response.toArray()),
  }
}
