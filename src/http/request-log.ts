/** Logs one line per request, without the Authorization header, body and query, which may contain secrets. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../base/log.ts'
import type { PageResponse } from '../features/hosting/serve/host-routing.ts'
import './request-fields.ts'

/** Called for each response with the pattern of its route, never with the URL. */
export type ResponseWatch = (route: string, status: number, seconds: number) => void

export function logRequests(app: FastifyInstance, log: Log, watch?: ResponseWatch): void {
  app.addHook('onResponse', (request, reply, done) => {
    watch?.(routeOf(request), reply.statusCode, reply.elapsedTime / 1000)
    const level = HEALTH_CHECKS.has(request.routeOptions.url ?? '') ? 'debug' : 'info'
    log[level](lineOf(request, reply.statusCode, reply.elapsedTime), 'http.request')
    done()
  })
  // There is no response event when the client disconnects early.
  app.addHook('onRequestAbort', async (request) => {
    log.info(lineOf(request, null, performance.now() - request.startedAt), 'http.aborted')
  })
}

/** Logged at debug level, because load balancers request them every few seconds on each node. */
const HEALTH_CHECKS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz'])

export function logPage(
  log: Log,
  { method, url = '/' }: IncomingMessage,
  { requestId, status, ms, address, site }: PageResponse,
  watch?: ResponseWatch,
): void {
  if (status !== null) watch?.('site', status, ms / 1000)
  const times = { status, ms: Math.round(ms * 10) / 10 }
  const line = { requestId, method, path: safePath(url), route: null, ...times, address, site }
  log.info(line, status === null ? 'http.aborted' : 'http.request')
}

function lineOf(request: FastifyRequest, status: number | null, elapsedMs: number): object {
  return {
    requestId: request.id,
    method: request.method,
    path: safePath(request.url),
    route: request.routeOptions.url ?? null,
    status,
    ms: Math.round(elapsedMs * 10) / 10,
    address: request.ip,
    ...organizationOf(request),
    ...(request.site === null ? {} : { site: request.site }),
    ...(request.errorCode === null ? {} : { code: request.errorCode }),
  }
}

/** Returns the label of the route: one for all published sites, and one for unknown routes. */
function routeOf(request: FastifyRequest): string {
  if (request.site !== null) return 'site'
  const { url } = request.routeOptions
  return url === undefined ? 'none' : `${request.method} ${url}`
}

function organizationOf({ admission }: FastifyRequest): { organizationId?: string } {
  if (admission === null || admission.caller.kind === 'visitor') return {}
  return { organizationId: admission.caller.organizationId }
}

/** Paths with a secret: the token of a review link or an automation URL. */
const TOKEN_PATH = /^(\/+(?:reviews|hooks\/+automations)\/+[^/]+\/+)[^/]+/i

/** Returns the path without the query, which may contain secrets in any parameter. */
export function safePath(target: string): string {
  const [path = ''] = target.split('?', 1)
  return path.replace(TOKEN_PATH, '$1…').slice(0, 500)
}
