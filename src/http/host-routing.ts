/** Sends requests for published sites to the site server, by host name, before any route is looked at. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ORIGIN_HEADER_NAMES } from '../contract/origins.ts'
import { isReaderAddress } from '../contract/reader.ts'
import type { SiteAnswer, SiteServer } from '../hosting/serve-site.ts'

export interface HostRoutingDeps {
  sites: SiteServer
  publicUrl: () => string
}

/** The API's own names are those of the public address and of this machine; a host that nobody has is the API's too. */
export function routeByHost(app: FastifyInstance, deps: HostRoutingDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const host = hostName(request.host)
    // Of `/_octavo/` on a site only the reader API is ours: all else is a file.
    if (isOwnHost(host, deps.publicUrl()) || isReaderAddress(request.url.split('?', 1)[0] ?? '')) return
    const answer = await deps.sites.handle({
      host,
      method: request.method,
      target: request.raw.url ?? '/',
      acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
      accept: String(request.headers.accept ?? ''),
      ifNoneMatch: request.headers['if-none-match'] ?? null,
    })
    if (answer === null) return
    request.site = host
    return sendSiteAnswer(request, reply, answer)
  })
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

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
