/** HTTP server of the preview, reachable from this machine only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { originHeaders } from '../base/api/origins.ts'
import { PREVIEW_EVENTS, PREVIEW_PATH } from '../base/api/preview.ts'
import { sha256 } from '../base/hash.ts'
import type { Log } from '../base/log.ts'
import { wantsMarkdown } from '../base/net/wants-markdown.ts'
import { resolveAddress } from '../features/hosting/serve/resolve-address.ts'
import { contentTypeOf } from '../render/versions/content-types.ts'
import { isTooEarly } from './folder-states.ts'
import type { PageEvents } from './page-events.ts'
import type { PreviewPages } from './preview-pages.ts'

const SCRIPT_PATH = `${PREVIEW_PATH}preview.js`

export interface PreviewServer {
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

interface ServerDeps extends AnswerDeps {
  events: PageEvents
  log: Log
}

export interface PortWish {
  /** 0 picks any free port. */
  port: number
  /** Number of higher ports to try if it is taken. */
  more: number
}

const ADDRESS = '127.0.0.1'
/** Allowed host names. With DNS rebinding, a foreign name may point here, but browsers still send that name. */
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

/** The message includes the remedy. */
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

/** Responds with an error; the next attempt renders the page again. The cause is logged to the terminal. */
function fail({ log }: ServerDeps, response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else if (isTooEarly(error)) refuse(response, 503, 'The files of this page are not there at the moment.')
  else refuse(response, 500, 'The preview failed to answer; the terminal says why.')
  if (!isTooEarly(error)) log.error({ error }, 'preview.answer_failed')
}

/** Response to a request. Only GET and HEAD requests get here. */
interface Answer {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string
}

interface AnswerDeps {
  pages: PreviewPages
  /** Source of the script included in every page. */
  script: string
}

/** Looks up a URL as a published site does: redirects, then pages, then files. */
async function answerTo({ pages, script }: AnswerDeps, target: string, accept: string): Promise<Answer> {
  if (target.split('?', 1)[0] === SCRIPT_PATH) return fileAnswer(SCRIPT_PATH, script)
  const site = pages.site()
  const address = resolveAddress(
    { hasPage: pages.has, redirects: site?.redirects ?? [], start: pages.start() },
    target,
  )
  if (address.kind === 'refused')
    return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Bad path\n' }
  if (site === null) return pageAnswer(503, await pages.page('/'))
  if (address.kind === 'moved') return moved(address.location)
  const { path } = address

  const isPage = pages.has(path)
  if (isPage && !wantsMarkdown(accept)) return pageAnswer(200, await pages.page(path))
  const file = isPage ? `${path === '/' ? 'index' : path.slice(1)}.md` : path.slice(1)
  const content = await pages.file(file)
  if (content !== null) return fileAnswer(file, content)
  return pageAnswer(isPage ? 200 : 404, await pages.page(path))
}

function pageAnswer(status: number, html: string): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

function fileAnswer(path: string, content: Uint8Array | string): Answer {
  const type = contentTypeOf(path)
  const headers = { 'content-type': type, etag: `"${sha256(content)}"` }
  const drawing = type.startsWith('image/svg') ? originHeaders('siteDrawing') : {}
  return { status: 200, headers: { ...headers, ...drawing }, body: content }
}

/** Always a temporary redirect: the next edit may change the destination. */
function moved(location: string): Answer {
  return { status: 307, headers: { location }, body: '' }
}
