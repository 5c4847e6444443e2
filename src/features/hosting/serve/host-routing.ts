/** Routes requests for published sites to the site server by host name, before the API's routes are matched. */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGE_CHOSEN_COOKIE } from '../../../base/api/language-choice.ts'
import { ORIGIN_HEADER_NAMES } from '../../../base/api/origins.ts'
import { parseHostname } from '../../../base/hostname.ts'
import { createId } from '../../../base/ids.ts'
import { AI_CATALOG_PATH, MCP_CARD_PATH, MCP_PATH } from '../../mcp/operations/mcp.ts'
import { isReaderAddress, MCP_READER_PATH } from '../../reader/operations/reader.ts'
import { noSiteAnswer } from '../access/reader-refusal.ts'
import { ACCESS_PATHS } from '../operations/site-access.ts'
import type { SiteServer } from './serve-site.ts'
import type { SiteAnswer, SiteRequest } from './site-request.ts'

const MAX_COOKIES = 100

export interface HostRoutingDeps {
  sites: SiteServer
  publicUrl: () => string
  /**
   * Whether domains named by members are served only once proved. If so, hosts without a site get no response from
   * the API either.
   */
  provesDomains: boolean
}

/**
 * The API responds at the host of the public URL and at loopback names. Other hosts without a site reach the API too,
 * unless domains must be proved or the public URL has a domain name; then they get a 404.
 */
export function routeByHost(app: FastifyInstance, deps: HostRoutingDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const host = hostName(request.host)
    const path = pathOf(request.raw)
    if (isServerRequest(deps, host, request.raw)) return
    const answer = await deps.sites.handle(siteRequest(request.raw, host, request.ip))
    // A site may have a catalog of its own, which takes precedence.
    if (DISCOVERY.has(path) && (answer === null || answer.status === 404)) return destroyBody(answer)
    if (answer === null && !(isUnknownHost(deps, host) && !PROBES.has(request.url))) return
    request.site = host
    return sendSiteAnswer(request, reply, answer ?? noSiteAnswer(request.headers.accept ?? ''))
  })
}

export interface HotPageDeps extends Pick<HostRoutingDeps, 'sites' | 'publicUrl'> {
  trustedProxies: number
  onAnswer(request: IncomingMessage, answer: PageAnswer): void
}

export interface PageAnswer {
  requestId: string
  /** Null: the client disconnected before the response was sent. */
  status: number | null
  ms: number
  address: string
  site: string
}

/**
 * Serves cached pages before the framework sees the request, with the same headers that it would send. Runs before
 * the listeners that `server` already has.
 */
export function answerHotPages(server: Server, deps: HotPageDeps, stopping: AbortSignal): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // A connection that becomes idle while the server stops would delay it until the keep-alive timeout.
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
  const site = hostName(requestedHost(request, trustedProxies))
  if (isServerRequest({ publicUrl }, site, request)) return false
  const address = clientAddress(request, trustedProxies)
  const answer = sites.answerHot?.(siteRequest(request, site, address))
  if (!answer) return false
  const requestId = createId('req')
  response.on('close', () => {
    const status = response.writableFinished ? response.statusCode : null
    onAnswer(request, { requestId, status, ms: performance.now() - began, address, site })
    onClose()
  })
  const isSecure = publicUrl().startsWith('https:')
  response.writeHead(answer.status, ['X-Request-Id', requestId, ...flattenHeaders(answer.headers, isSecure)])
  response.end(answer.body ?? undefined)
  return true
}

/** Requests with a body or an upgrade are left to the framework. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !('transfer-encoding' in headers || 'content-length' in headers || 'upgrade' in headers)
}

/** With several Host headers, Node uses the first, but a proxy in front may have used the last. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length === 1
}

/** Determines the host like the framework: with trusted proxies, the last `X-Forwarded-Host` counts. */
function requestedHost({ headers }: IncomingMessage, trustedProxies: number): string | undefined {
  const forwarded = trustedProxies > 0 ? headers['x-forwarded-host'] : undefined
  return forwarded ? String(forwarded).split(',').at(-1)?.trim() : headers.host
}

/** Returns the client address behind the trusted proxies. Hop 0 is the socket's address. */
function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? ''
  if (trustedProxies === 0) return own
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...forwarded.map((part) => part.trim()).filter((part) => part !== ''), own].reverse()
  return hops[Math.min(trustedProxies, hops.length - 1)] as string
}

/**
 * Converts headers to the form that Node writes fastest, alternating names and values. Cached per headers object,
 * because the same ones are sent repeatedly.
 */
function flattenHeaders(headers: Readonly<Record<string, string>>, isSecure: boolean): readonly string[] {
  const known = flattened.get(headers)
  if (known !== undefined) return known
  const made = Object.entries(headers).flat()
  if (isSecure) made.push('Strict-Transport-Security', 'max-age=31536000')
  flattened.set(headers, made)
  return made
}

const flattened = new WeakMap<Readonly<Record<string, string>>, readonly string[]>()

/**
 * Whether the server answers the request itself, regardless of sites. Below `/_octavo/` on a site, this is only the
 * reader API; everything else is a file.
 */
export function isServerRequest(
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

/** Converts a Node request for the site server. */
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

/**
 * Returns null if the reader has chosen a language or comes from a page of the site, so that this is no first visit.
 */
function wantedLanguage(headers: IncomingHttpHeaders, host: string): string | null {
  const cookies = headers.cookie?.split(';', MAX_COOKIES)
  const hasChosen = cookies?.some((cookie) => cookie.trim() === `${LANGUAGE_CHOSEN_COOKIE}=1`) ?? false
  if (hasChosen || headers['sec-fetch-site'] === 'same-origin') return null
  const from = headers.referer === undefined ? null : URL.parse(headers.referer)
  return from?.hostname === host ? null : (headers['accept-language'] ?? '')
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

/** A site may have a page at the path of its MCP server. Browsers get the page, all other clients the server. */
function isForAgents(
  { method, headers }: { method?: string; headers: IncomingHttpHeaders },
  path: string,
): boolean {
  if (path === MCP_READER_PATH) return true
  if (path !== MCP_PATH) return false
  const isRead = method === 'GET' || method === 'HEAD'
  return !isRead || !/\btext\/(?:html|markdown)\b/.test(headers.accept ?? '')
}

/** Unknown domains lead nowhere if domains must be proved, or if the operator has configured the API's domain. */
function isUnknownHost({ provesDomains, publicUrl }: HostRoutingDeps, host: string): boolean {
  return isDomain(host) && (provesDomains || isDomain(hostName(URL.parse(publicUrl())?.host)))
}

function text(header: string | string[] | undefined): string {
  return String(header ?? '')
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function destroyBody(answer: SiteAnswer | null): void {
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
  destroyBody(answer)
  return reply.send()
}

// A site is a separate origin and cacheable, so the API's protective headers do not fit it.
const API_ONLY_HEADERS = [...ORIGIN_HEADER_NAMES, 'Cache-Control']

/** Normalizes to lower case, without port and trailing dot. */
export function hostName(host: string | undefined): string {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

export function isOwnHost(host: string, publicUrl: string): boolean {
  return host === '' || LOOPBACK.has(host) || host === hostOfUrl(publicUrl)
}

/** Caches the last URL, because it is almost always the same. */
let parsed = { url: '', host: '' }
function hostOfUrl(url: string): string {
  if (url !== parsed.url) parsed = { url, host: hostName(URL.parse(url)?.host) }
  return parsed.host
}

/** Excludes IP addresses and names of the local network. */
function isDomain(host: string): boolean {
  return host.includes('.') && 'hostname' in parseHostname(host)
}

/** Monitoring requests these paths under any host name. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/metrics'])

const DISCOVERY: ReadonlySet<string> = new Set([MCP_CARD_PATH, AI_CATALOG_PATH])

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
