/** One line for each request. Never the Authorization header, a body or a query. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../base/log.ts'
import type { PageAnswer } from '../features/hosting/serve/host-routing.ts'
import './request-fields.ts'

/** Called for each response with the pattern of its route, never with the actual URL. */
export type AnswerWatch = (route: string, status: number, seconds: number) => void

export function logRequests(app: FastifyInstance, log: Log, watch?: AnswerWatch): void {
  app.addHook('onResponse', (request, reply, done) => {
    watch?.(routeOf(request), reply.statusCode, reply.elapsedTime / 1000)
    const level = HEALTH_CHECKS.has(request.routeOptions.url ?? '') ? 'debug' : 'info'
    log[level](lineOf(request, reply.statusCode, reply.elapsedTime), 'http.request')
    done()
  })
  // The client disconnected before the response was complete, so no response event follows.
  app.addHook('onRequestAbort', async (request) => {
    log.info(lineOf(request, null, performance.now() - request.startedAt), 'http.aborted')
  })
}

/** Load balancers call these every few seconds on each node. */
const HEALTH_CHECKS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz'])

/** Logs a page that was served before the framework saw the request. */
export function logPage(
  log: Log,
  { method, url = '/' }: IncomingMessage,
  { requestId, status, ms, address, site }: PageAnswer,
  watch?: AnswerWatch,
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

/** Returns one label for all published sites, and one for requests without a route. */
function routeOf(request: FastifyRequest): string {
  if (request.site !== null) return 'site'
  const { url } = request.routeOptions
  return url === undefined ? 'none' : `${request.method} ${url}`
}

function organizationOf({ admission }: FastifyRequest): { organizationId?: string } {
  if (admission === null || admission.caller.kind === 'visitor') return {}
  return { organizationId: admission.caller.organizationId }
}

/** The token in a review link grants access, and the one in an automation URL allows sending. */
const TOKEN_PATH = /^(\/+(?:reviews|hooks\/+automations)\/+[^/]+\/+)[^/]+/i

/** The path without its query, in which callers paste secrets whatever the parameter is called. */
export function safePath(target: string): string {
  const [path = ''] = target.split('?', 1)
  return path.replace(TOKEN_PATH, '$1…').slice(0, 500)
}
