/** The preview over HTTP: for browsers on this machine alone. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { originHeaders } from '../base/api/origins.ts'
import { PREVIEW_EVENTS } from '../base/api/preview.ts'
import type { Log } from '../base/log.ts'
import { type AnswerDeps, answerTo } from './answer.ts'
import { isTooEarly } from './folder-states.ts'
import type { PageEvents } from './page-events.ts'

export interface PreviewServer {
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

interface ServerDeps extends AnswerDeps {
  events: PageEvents
  log: Log
}

export interface PortWish {
  /** 0 takes any free one. */
  port: number
  /** How many ports above it are tried when it is taken. */
  more: number
}

const ADDRESS = '127.0.0.1'
/** A page elsewhere can make its own name lead to this machine, but it cannot send another name than its own. */
const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])
const HEADERS = { 'cache-control': 'no-cache', ...originHeaders('sitePreview') }

export async function startPreviewServer(deps: ServerDeps, wish: PortWish): Promise<PreviewServer> {
  const server = createServer((request, response) => {
    answer(deps, request, response).catch((error: unknown) => fail(deps, response, error))
  })
  await listen(server, wish)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      deps.events.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** The message says what to do. */
class PortTakenError extends Error {
  override name = 'PortTakenError'
}

async function listen(server: Server, { port, more }: PortWish): Promise<void> {
  for (let tried = port; ; tried++) {
    const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once('error', resolve)
      server.listen(tried, ADDRESS, () => {
        server.off('error', resolve)
        resolve(null)
      })
    })
    if (fault === null) return
    if (fault.code !== 'EADDRINUSE') throw fault
    if (tried >= port + more) throw new PortTakenError(`Port ${port} is taken; name another one with --port.`)
  }
}

async function answer(deps: ServerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  if (!OWN_NAMES.has((headers.host ?? '').replace(/:\d+$/, '').toLowerCase()))
    return refuse(response, 421, 'This server answers only for localhost.')
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD.')
  const [path, query] = url.split('?', 2)
  if (path === PREVIEW_EVENTS && method === 'GET')
    return deps.events.open(new URLSearchParams(query).get('page') ?? '/', response, HEADERS)
  const made = await answerTo(deps, url, headers.accept ?? '')
  const known = made.headers.etag !== undefined && headers['if-none-match'] === made.headers.etag
  response.writeHead(known ? 304 : made.status, {
    ...HEADERS,
    ...made.headers,
    ...(known ? {} : { 'content-length': Buffer.byteLength(made.body) }),
  })
  response.end(known || method === 'HEAD' ? undefined : made.body)
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${sentence}\n`)
}

/** The page is there again at the next try: what failed is told in the terminal. */
function fail({ log }: ServerDeps, response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else if (isTooEarly(error)) refuse(response, 503, 'The files of this page are not there at the moment.')
  else refuse(response, 500, 'The preview failed to answer; the terminal says why.')
  if (!isTooEarly(error)) log.error({ error }, 'preview.answer_failed')
}
