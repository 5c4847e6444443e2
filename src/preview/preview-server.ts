/** HTTP server of the preview. Only reachable from this machine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { originHeaders } from '../base/api/origins.ts'
import { PREVIEW_EVENTS, PREVIEW_PATH } from '../base/api/preview.ts'
import { sha256 } from '../base/hash.ts'
import type { Log } from '../base/log.ts'
import { wantsMarkdown } from '../base/net/prefers-markdown.ts'
import { resolveAddress } from '../features/hosting/serve/resolve-address.ts'
import { getContentType } from '../render/versions/content-types.ts'
import { isStaleTreeError } from './folder-states.ts'
import type { PageEvents } from './page-events.ts'
import type { PreviewPages } from './preview-pages.ts'

const SCRIPT_PATH = `${PREVIEW_PATH}preview.js`

export interface PreviewServer {
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

interface ServerDeps extends ResponseDeps {
  events: PageEvents
  log: Log
}

export interface PortOptions {
  /** 0 selects a free port. */
  port: number
  /** Number of subsequent ports to try if the port is taken. */
  more: number
}

const HOST_ADDRESS = '127.0.0.1'
/**
 * Allowed host names. Protects against DNS rebinding, where a foreign host name resolves to this machine:
 * browsers still send the foreign name.
 */
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]'])
const HEADERS = { 'cache-control': 'no-cache', ...originHeaders('sitePreview') }

export async function startPreviewServer(deps: ServerDeps, portOptions: PortOptions): Promise<PreviewServer> {
  const server = createServer((request, response) => {
    answer(deps, request, response).catch((error: unknown) => sendError(deps, response, error))
  })
  await listen(server, portOptions)
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

class PortTakenError extends Error {
  override name = 'PortTakenError'
}

async function listen(server: Server, { port, more }: PortOptions): Promise<void> {
  for (let tried = port; ; tried++) {
    const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once('error', resolve)
      server.listen(tried, HOST_ADDRESS, () => {
        server.off('error', resolve)
        resolve(null)
      })
    })
    if (fault === null) return
    if (fault.code !== 'EADDRINUSE') throw fault
    if (tried >= port + more)
      throw new PortTakenError(`Port ${port} is already in use. Choose another one with --port.`)
  }
}

async function answer(deps: ServerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  if (!LOCAL_HOSTS.has((headers.host ?? '').replace(/:\d+$/, '').toLowerCase()))
    return sendRefusal(response, 421, 'This server only responds to localhost.')
  if (method !== 'GET' && method !== 'HEAD') return sendRefusal(response, 405, 'Only GET and HEAD.')
  const [path, query] = url.split('?', 2)
  if (path === PREVIEW_EVENTS && method === 'GET')
    return deps.events.open(new URLSearchParams(query).get('page') ?? '/', response, HEADERS)
  const reply = await answerTo(deps, url, headers.accept ?? '')
  const isNotModified = reply.headers.etag !== undefined && headers['if-none-match'] === reply.headers.etag
  response.writeHead(isNotModified ? 304 : reply.status, {
    ...HEADERS,
    ...reply.headers,
    ...(isNotModified ? {} : { 'content-length': Buffer.byteLength(reply.body) }),
  })
  response.end(isNotModified || method === 'HEAD' ? undefined : reply.body)
}

function sendRefusal(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${sentence}\n`)
}

/** Responds with an error. Logs the cause, unless files changed during rendering. */
function sendError({ log }: ServerDeps, response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else if (isStaleTreeError(error))
    sendRefusal(response, 503, 'The files of this page are temporarily missing.')
  else sendRefusal(response, 500, 'The preview failed. See the terminal for the reason.')
  if (!isStaleTreeError(error)) log.error({ error }, 'preview.answer_failed')
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string
}

interface ResponseDeps {
  pages: PreviewPages
  script: string
}

/** Resolves a URL in the same order as a published site: redirects, pages, files. */
async function answerTo({ pages, script }: ResponseDeps, target: string, accept: string): Promise<Answer> {
  if (target.split('?', 1)[0] === SCRIPT_PATH) return createFileResponse(SCRIPT_PATH, script)
  const site = pages.site()
  const address = resolveAddress(
    { hasPage: pages.has, redirects: site?.redirects ?? [], start: pages.start() },
    target,
  )
  if (address.kind === 'refused')
    return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Bad path\n' }
  if (site === null) return createPageResponse(503, await pages.page('/'))
  if (address.kind === 'moved') return createRedirect(address.location)
  const { path } = address

  const isPage = pages.has(path)
  if (isPage && !wantsMarkdown(accept)) return createPageResponse(200, await pages.page(path))
  const file = isPage ? `${path === '/' ? 'index' : path.slice(1)}.md` : path.slice(1)
  const content = await pages.file(file)
  if (content !== null) return createFileResponse(file, content)
  return createPageResponse(isPage ? 200 : 404, await pages.page(path))
}

function createPageResponse(status: number, html: string): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

function createFileResponse(path: string, content: Uint8Array | string): Answer {
  const type = getContentType(path)
  const headers = { 'content-type': type, etag: `"${sha256(content)}"` }
  const drawing = type.startsWith('image/svg') ? originHeaders('siteDrawing') : {}
  return { status: 200, headers: { ...headers, ...drawing }, body: content }
}

/** Creates a temporary redirect, because an edit may change the target. */
function createRedirect(location: string): Answer {
  return { status: 307, headers: { location }, body: '' }
}
