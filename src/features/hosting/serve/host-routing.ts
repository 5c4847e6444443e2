/** Routes requests for published sites by host name, before the API's routes are matched. */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGE_CHOSEN_COOKIE } from '../../../base/api/language-choice.ts'
import { ORIGIN_HEADER_NAMES } from '../../../base/api/origins.ts'
import { parseHostname } from '../../../base/hostname.ts'
import { createId } from '../../../base/ids.ts'
import { AI_CATALOG_PATH, MCP_CARD_PATH, MCP_PATH } from '../../mcp/operations/mcp.ts'
import { isReaderAddress, MCP_READER_PATH } from '../../reader/operations/reader.ts'
import { noSiteResponse } from '../access/reader-refusal.ts'
import { ACCESS_PATHS } from '../operations/site-access.ts'
import type { SiteServer } from './serve-site.ts'
import type { SiteRequest, SiteResponse } from './site-request.ts'

const MAX_COOKIES = 100

export interface HostRoutingDeps {
  sites: SiteServer
  publicUrl: () => string
  /**
   * Whether members' domains are served only after verification. If so, the API does not respond at hosts
   * without a site.
   */
  provesDomains: boolean
}

/**
 * The API responds at the host of the public URL and at loopback names. It also responds at other hosts
 * without a site, unless domains must be verified or the public URL has a domain name; those hosts then get a
 * 404.
 */
export function routeByHost(app: FastifyInstance, deps: HostRoutingDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const host = hostName(request.host)
    const path = pathOf(request.raw)
    if (isServerRequest(deps, host, request.raw)) return
    const answer = await deps.sites.handle(siteRequest(request.raw, host, request.ip))
    // A catalog of the site takes precedence over the server's.
    if (DISCOVERY_PATHS.has(path) && (answer === null || answer.status === 404)) return destroyBody(answer)
    if (answer === null && !(isUnknownHost(deps, host) && !PROBE_PATHS.has(request.url))) return
    request.site = host
    return sendSiteResponse(request, reply, answer ?? noSiteResponse(request.headers.accept ?? ''))
  })
}

export interface HotPageDeps extends Pick<HostRoutingDeps, 'sites' | 'publicUrl'> {
  trustedProxies: number
  onAnswer(request: IncomingMessage, answer: PageResponse): void
}

export interface PageResponse {
  requestId: string
  /** Null if the client disconnected before the response was sent. */
  status: number | null
  ms: number
  address: string
  site: string
}

/**
 * Serves cached pages without the framework, with the headers that the framework would send. Runs before the
 * existing listeners of `server`.
 */
export function serveHotPages(server: Server, deps: HotPageDeps, stopping: AbortSignal): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // Closes connections that become idle during shutdown, which would otherwise wait for the keep-alive timeout.
    const onClose = () => stopping.aborted && setImmediate(() => server.closeIdleConnections())
    if (!stopping.aborted && serveHotPage(deps, request, response, onClose)) return
    for (const listener of listeners) listener.call(server, request, response)
  })
}

function serveHotPage(
  { sites, publicUrl, trustedProxies, onAnswer }: HotPageDeps,
  request: IncomingMessage,
  response: ServerResponse,
  onClose: () => void,
): boolean {
  if (!isPlainRead(request) || !hasSingleHostHeader(request)) return false
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

/** Returns false for requests with a body or an upgrade, which the framework handles. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !('transfer-encoding' in headers || 'content-length' in headers || 'upgrade' in headers)
}

/** Several Host headers are ambiguous: Node uses the first, but a proxy in front may have used the last. */
export function hasSingleHostHeader({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length === 1
}

/** Like the framework, uses the last `X-Forwarded-Host` if proxies are trusted. */
function requestedHost({ headers }: IncomingMessage, trustedProxies: number): string | undefined {
  const forwarded = trustedProxies > 0 ? headers['x-forwarded-host'] : undefined
  return forwarded ? String(forwarded).split(',').at(-1)?.trim() : headers.host
}

/** Returns the client address reported by the trusted proxies; hop 0 is the socket's address. */
function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? ''
  if (trustedProxies === 0) return own
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...forwarded.map((part) => part.trim()).filter((part) => part !== ''), own].reverse()
  return hops[Math.min(trustedProxies, hops.length - 1)] as string
}

/**
 * Converts headers to alternating names and values, the form that Node writes fastest. Cached by headers
 * object, because the same objects are sent repeatedly.
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
 * Returns true if the API handles the request, whether or not the host has a site: every request to the API's own
 * host, and on any host those for the reader API, the sign-in and the MCP server. Other paths below `/_octavo/` on a
 * site's host are files.
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

/** Returns null unless this is a first visit: no language was chosen, and the reader comes from another site. */
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

/** A site may have a page at the path of its MCP server. Browsers get the page, other clients the MCP server. */
function isForAgents(
  { method, headers }: { method?: string; headers: IncomingHttpHeaders },
  path: string,
): boolean {
  if (path === MCP_READER_PATH) return true
  if (path !== MCP_PATH) return false
  const isRead = method === 'GET' || method === 'HEAD'
  return !isRead || !/\btext\/(?:html|markdown)\b/.test(headers.accept ?? '')
}

/** Unknown domains get no API if domains must be verified or the API has a configured domain. */
function isUnknownHost({ provesDomains, publicUrl }: HostRoutingDeps, host: string): boolean {
  return isDomain(host) && (provesDomains || isDomain(hostName(URL.parse(publicUrl())?.host)))
}

function text(header: string | string[] | undefined): string {
  return String(header ?? '')
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function destroyBody(answer: SiteResponse | null): void {
  if (answer?.body instanceof Readable) answer.body.destroy()
}

export function sendSiteResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SiteResponse,
): FastifyReply {
  for (const name of API_ONLY_HEADERS) reply.removeHeader(name)
  reply.code(answer.status).headers(answer.headers)
  if (request.method !== 'HEAD') return reply.send(answer.body ?? undefined)
  destroyBody(answer)
  return reply.send()
}

// Sites are separate origins and cacheable, so the API's security headers do not apply to them.
const API_ONLY_HEADERS = [...ORIGIN_HEADER_NAMES, 'Cache-Control']

/** Normalizes to lower case, without port and trailing dot. */
export function hostName(host: string | undefined): string {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

export function isOwnHost(host: string, publicUrl: string): boolean {
  return host === '' || LOOPBACK_HOSTS.has(host) || host === hostOfUrl(publicUrl)
}

/** Caches the last public URL, which rarely changes. */
let parsed = { url: '', host: '' }
function hostOfUrl(url: string): string {
  if (url !== parsed.url) parsed = { url, host: hostName(URL.parse(url)?.host) }
  return parsed.host
}

/** Excludes IP addresses and names of the local network. */
function isDomain(host: string): boolean {
  return host.includes('.') && 'hostname' in parseHostname(host)
}

/** Paths requested by monitoring, under any host name. */
const PROBE_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/metrics'])

const DISCOVERY_PATHS: ReadonlySet<string> = new Set([MCP_CARD_PATH, AI_CATALOG_PATH])

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
