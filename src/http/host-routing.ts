/** Sends requests for published sites to the site server, by host name, before any route is looked at. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseHostname } from '../accounts/hostname.ts'
import { AI_CATALOG_PATH, MCP_CARD_PATH, MCP_PATH, MCP_READER_PATH } from '../contract/mcp.ts'
import { ORIGIN_HEADER_NAMES } from '../contract/origins.ts'
import { isReaderAddress } from '../contract/reader.ts'
import type { SiteAnswer, SiteServer } from '../hosting/serve-site.ts'

export interface HostRoutingDeps {
  sites: SiteServer
  publicUrl: () => string
  /** Domains that members name are served only once they are proved; a name that nobody is served at is nobody's. */
  provesDomains: boolean
}

/**
 * The API's own names are those of the public address and of this machine. A host that nobody has is the API's too; but
 * where domains are proved, a name that waits for its proof answers as one that nobody has: there is nothing.
 */
export function routeByHost(app: FastifyInstance, deps: HostRoutingDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const host = hostName(request.host)
    // Of `/_octavo/` on a site only the reader API is ours: all else is a file.
    const path = request.url.split('?', 1)[0] ?? ''
    if (isOwnHost(host, deps.publicUrl()) || isReaderAddress(path) || isForAgents(request, path)) return
    const answer = await deps.sites.handle({
      host,
      method: request.method,
      target: request.raw.url ?? '/',
      acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
      accept: String(request.headers.accept ?? ''),
      ifNoneMatch: request.headers['if-none-match'] ?? null,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    })
    // A site may have a catalog of its own.
    if (DISCOVERY.has(path) && (answer === null || answer.status === 404)) return drop(answer)
    if (answer === null && !(deps.provesDomains && isDomain(host) && !PROBES.has(request.url))) return
    request.site = host
    return sendSiteAnswer(request, reply, answer ?? NOBODY)
  })
}

/** A site may have a page where its MCP server is: browsers get that, and nobody else does. */
function isForAgents({ method, headers }: FastifyRequest, path: string): boolean {
  if (path === MCP_READER_PATH) return true
  if (path !== MCP_PATH) return false
  const isRead = method === 'GET' || method === 'HEAD'
  return !isRead || !/\btext\/(?:html|markdown)\b/.test(headers.accept ?? '')
}

function drop(answer: SiteAnswer | null): void {
  if (answer !== null && typeof answer.body === 'object') answer.body?.destroy()
}

function sendSiteAnswer(request: FastifyRequest, reply: FastifyReply, answer: SiteAnswer): FastifyReply {
  for (const name of API_ONLY_HEADERS) reply.removeHeader(name)
  reply.code(answer.status).headers(answer.headers)
  if (request.method !== 'HEAD') return reply.send(answer.body ?? undefined)
  if (typeof answer.body === 'object') answer.body?.destroy()
  return reply.send()
}

// A site is an origin of its own, and cached: what protects the API does not fit it.
const API_ONLY_HEADERS = [...ORIGIN_HEADER_NAMES, 'Cache-Control']

/** Lower case, without the port and without the dot of the root. */
export function hostName(host: string | undefined): string {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

function isOwnHost(host: string, publicUrl: string): boolean {
  return host === '' || LOOPBACK.has(host) || host === hostName(URL.parse(publicUrl)?.host)
}

/** Not an address, and not a name of the network that the server stands in. */
function isDomain(host: string): boolean {
  return host.includes('.') && 'hostname' in parseHostname(host)
}

const NOBODY: SiteAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'There is no site at this address.\n',
}

/** Asked by what watches the server, under whatever name it has there. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

const DISCOVERY: ReadonlySet<string> = new Set([MCP_CARD_PATH, AI_CATALOG_PATH])

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
