/** Sends requests for published sites to the site server, by host name, before any route is looked at. */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGE_CHOSEN_COOKIE } from '../../../base/api/language-choice.ts'
import { ORIGIN_HEADER_NAMES } from '../../../base/api/origins.ts'
import { parseHostname } from '../../../base/hostname.ts'
import { createId } from '../../../base/ids.ts'
import { AI_CATALOG_PATH, MCP_CARD_PATH, MCP_PATH } from '../../mcp/operations/mcp.ts'
import { isReaderAddress, MCP_READER_PATH } from '../../reader/operations/reader.ts'
import { noSite } from '../access/reader-refusal.ts'
import { ACCESS_PATHS } from '../operations/site-access.ts'
import type { SiteServer } from './serve-site.ts'
import type { SiteAnswer, SiteRequest } from './site-request.ts'

const MOST_COOKIES = 100

export interface HostRoutingDeps {
  sites: SiteServer
  publicUrl: () => string
  /** Domains that members name are served only once they are proved; a name that nobody is served at is nobody's. */
  provesDomains: boolean
}

/**
 * The API's own names are those of the public address and of this machine. A host that nobody has is the API's too, while
 * nobody has said otherwise: where domains are proved, or the public address is a domain, there is nothing at any other.
 */
export function routeByHost(app: FastifyInstance, deps: HostRoutingDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const host = hostName(request.host)
    const path = pathOf(request.raw)
    if (isServersOwn(deps, host, request.raw)) return
    const answer = await deps.sites.handle(siteRequest(request.raw, host, request.ip))
    // A site may have a catalog of its own.
    if (DISCOVERY.has(path) && (answer === null || answer.status === 404)) return drop(answer)
    if (answer === null && !(isNobodys(deps, host) && !PROBES.has(request.url))) return
    request.site = host
    return sendSiteAnswer(request, reply, answer ?? noSite(request.headers.accept ?? ''))
  })
}

export interface HotPageDeps extends Pick<HostRoutingDeps, 'sites' | 'publicUrl'> {
  trustedProxies: number
  onAnswer(request: IncomingMessage, answer: PageAnswer): void
}

export interface PageAnswer {
  requestId: string
  /** Null: the reader went before it was sent. */
  status: number | null
  ms: number
  address: string
  site: string
}

/**
 * Answers pages that are in memory before the framework has looked at the request, with the headers that they would have
 * had from there. Puts itself before what listens to `server` already.
 */
export function answerHotPages(server: Server, deps: HotPageDeps, stopping: AbortSignal): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // A connection that falls idle while the server stops would hold it up for as long as it is kept alive.
    const onClose = () => stopping.aborted && setImmediate(() => server.closeIdleConnections())
    if (!stopping.aborted && answerHotPage(deps, request, response, onClose)) return
    for (const listener of listeners) listener.call(server, request, response)
  })
}

function answerHotPage(
  { sites, publicUrl, trustedProxies, onAnswer }: HotPageDeps,
  request: IncomingMessage,
  response: ServerResponse,
  onClose: () => void,
): boolean {
  if (!isPlainRead(request) || !hasOneHost(request)) return false
  const began = performance.now()
  const site = hostName(askedHost(request, trustedProxies))
  if (isServersOwn({ publicUrl }, site, request)) return false
  const address = addressOf(request, trustedProxies)
  const answer = sites.answerHot?.(siteRequest(request, site, address))
  if (!answer) return false
  const requestId = createId('req')
  response.on('close', () => {
    const status = response.writableFinished ? response.statusCode : null
    onAnswer(request, { requestId, status, ms: performance.now() - began, address, site })
    onClose()
  })
  const isSecure = publicUrl().startsWith('https:')
  response.writeHead(answer.status, ['X-Request-Id', requestId, ...linesOf(answer.headers, isSecure)])
  response.end(answer.body ?? undefined)
  return true
}

/** A body, or an upgrade, is for who knows what to do with it. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !('transfer-encoding' in headers || 'content-length' in headers || 'upgrade' in headers)
}

/** Node reads the first of several, and what stands in front of it may have read the last. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length === 1
}

/** As the framework reads it: of proxies that are trusted, the last one says which host was meant. */
function askedHost({ headers }: IncomingMessage, trustedProxies: number): string | undefined {
  const forwarded = trustedProxies > 0 ? headers['x-forwarded-host'] : undefined
  return forwarded ? String(forwarded).split(',').at(-1)?.trim() : headers.host
}

/** The address behind the proxies that are trusted: the socket's own is hop 0. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? ''
  if (trustedProxies === 0) return own
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...forwarded.map((part) => part.trim()).filter((part) => part !== ''), own].reverse()
  return hops[Math.min(trustedProxies, hops.length - 1)] as string
}

/** As Node takes them the quickest: names and values in turns. Made once for headers that are given again and again. */
function linesOf(headers: Readonly<Record<string, string>>, isSecure: boolean): readonly string[] {
  const known = lines.get(headers)
  if (known !== undefined) return known
  const made = Object.entries(headers).flat()
  if (isSecure) made.push('Strict-Transport-Security', 'max-age=31536000')
  lines.set(headers, made)
  return made
}

const lines = new WeakMap<Readonly<Record<string, string>>, readonly string[]>()

/** What is no site's to answer. Of `/_octavo/` on a site that is the reader API alone: all else is a file. */
export function isServersOwn(
  { publicUrl }: Pick<HostRoutingDeps, 'publicUrl'>,
  host: string,
  request: IncomingMessage,
): boolean {
  const path = pathOf(request)
  return (
    isOwnHost(host, publicUrl()) ||
    isReaderAddress(path) ||
    ACCESS_PATHS.has(path) ||
    isForAgents(request, path)
  )
}

/** What a site is asked. */
export function siteRequest(request: IncomingMessage, host: string, address: string): SiteRequest {
  const { headers, method = '', url = '/' } = request
  return {
    host,
    method,
    target: url,
    acceptEncoding: text(headers['accept-encoding']),
    accept: text(headers.accept),
    acceptLanguage: wantedLanguage(headers, host),
    ifNoneMatch: headers['if-none-match'] ?? null,
    range: headers.range,
    ifRange: single(headers['if-range']),
    address,
    userAgent: headers['user-agent'] ?? '',
    cookie: headers.cookie,
    authorization: headers.authorization,
  }
}

/** Null for who has chosen a language, or comes from a page of the site: that is no first visit. */
function wantedLanguage(headers: IncomingHttpHeaders, host: string): string | null {
  const cookies = headers.cookie?.split(';', MOST_COOKIES)
  const hasChosen = cookies?.some((cookie) => cookie.trim() === `${LANGUAGE_CHOSEN_COOKIE}=1`) ?? false
  if (hasChosen || headers['sec-fetch-site'] === 'same-origin') return null
  const from = headers.referer === undefined ? null : URL.parse(headers.referer)
  return from?.hostname === host ? null : (headers['accept-language'] ?? '')
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

/** A site may have a page where its MCP server is: browsers get that, and nobody else does. */
function isForAgents(
  { method, headers }: { method?: string; headers: IncomingHttpHeaders },
  path: string,
): boolean {
  if (path === MCP_READER_PATH) return true
  if (path !== MCP_PATH) return false
  const isRead = method === 'GET' || method === 'HEAD'
  return !isRead || !/\btext\/(?:html|markdown)\b/.test(headers.accept ?? '')
}

/** Where domains are proved, and where the operator has said under which domain the API is: others are no way to it. */
function isNobodys({ provesDomains, publicUrl }: HostRoutingDeps, host: string): boolean {
  return isDomain(host) && (provesDomains || isDomain(hostName(URL.parse(publicUrl())?.host)))
}

function text(header: string | string[] | undefined): string {
  return String(header ?? '')
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function drop(answer: SiteAnswer | null): void {
  if (answer?.body instanceof Readable) answer.body.destroy()
}

export function sendSiteAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SiteAnswer,
): FastifyReply {
  for (const name of API_ONLY_HEADERS) reply.removeHeader(name)
  reply.code(answer.status).headers(answer.headers)
  if (request.method !== 'HEAD') return reply.send(answer.body ?? undefined)
  drop(answer)
  return reply.send()
}

// A site is an origin of its own, and cached: what protects the API does not fit it.
const API_ONLY_HEADERS = [...ORIGIN_HEADER_NAMES, 'Cache-Control']

/** Lower case, without the port and without the dot of the root. */
export function hostName(host: string | undefined): string {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

export function isOwnHost(host: string, publicUrl: string): boolean {
  return host === '' || LOOPBACK.has(host) || host === hostOfUrl(publicUrl)
}

/** Of the address that was asked for last, which is always the same as a rule. */
let parsed = { url: '', host: '' }
function hostOfUrl(url: string): string {
  if (url !== parsed.url) parsed = { url, host: hostName(URL.parse(url)?.host) }
  return parsed.host
}

/** Not an address, and not a name of the network that the server stands in. */
function isDomain(host: string): boolean {
  return host.includes('.') && 'hostname' in parseHostname(host)
}

/** Asked by what watches the server, under whatever name it has there. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/metrics'])

const DISCOVERY: ReadonlySet<string> = new Set([MCP_CARD_PATH, AI_CATALOG_PATH])

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
