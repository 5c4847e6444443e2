/**
 * The short way for pages that are in memory: answered before the framework has looked at the request, with the headers
 * and the line in the log that it would have had on the long way.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { hostName, isServersOwn, siteRequest } from '../features/hosting/serve/host-routing.ts'
import type { SiteServer } from '../features/hosting/serve/serve-site.ts'
import { type AnswerWatch, safeTarget } from './request-log.ts'

export interface HotLaneDeps {
  sites: SiteServer
  log: Log
  trustedProxies: number
  publicUrl: () => string
  onAnswer?: AnswerWatch
}

/** Puts itself before what listens to `server` already. */
export function openHotLane(server: Server, deps: HotLaneDeps, stopping: AbortSignal): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // A connection that falls idle while the server stops would hold it up for as long as it is kept alive.
    const onClose = () => stopping.aborted && setImmediate(() => server.closeIdleConnections())
    if (!stopping.aborted && answeredHot(deps, request, response, onClose)) return
    for (const listener of listeners) listener.call(server, request, response)
  })
}

function answeredHot(
  deps: HotLaneDeps,
  request: IncomingMessage,
  response: ServerResponse,
  onClose: () => void,
): boolean {
  if (!isPlainRead(request) || !hasOneHost(request)) return false
  const began = performance.now()
  const host = hostName(askedHost(deps, request))
  if (isServersOwn(deps, host, request)) return false
  const address = addressOf(deps, request)
  const answer = deps.sites.answerHot?.(siteRequest(request, host, address))
  if (!answer) return false
  const requestId = createId('req')
  response.on('close', () => {
    tellOf(deps, request, response, { requestId, address, site: host, began })
    onClose()
  })
  const isSecure = deps.publicUrl().startsWith('https:')
  response.writeHead(answer.status, ['X-Request-Id', requestId, ...linesOf(answer.headers, isSecure)])
  response.end(answer.body ?? undefined)
  return true
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

/** Node reads the first of several, and what stands in front of it may have read the last. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length === 1
}

/** A body, or an upgrade, is for who knows what to do with it. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined) return false
  return headers.upgrade === undefined
}

interface Asked {
  requestId: string
  address: string
  site: string
  /** In milliseconds. */
  began: number
}

function tellOf(
  { log, onAnswer }: HotLaneDeps,
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  { requestId, address, site, began }: Asked,
): void {
  const ms = performance.now() - began
  const isSent = response.writableFinished
  const status = isSent ? response.statusCode : null
  if (status !== null) onAnswer?.('site', status, ms / 1000)
  const line = {
    requestId,
    method,
    path: safeTarget(url),
    route: null,
    status,
    ms: Math.round(ms * 10) / 10,
    address,
    site,
  }
  log.info(line, isSent ? 'http.request' : 'http.aborted')
}

/** As the framework reads it: of proxies that are trusted, the last one says which host was meant. */
function askedHost({ trustedProxies }: HotLaneDeps, { headers }: IncomingMessage): string | undefined {
  const forwarded = trustedProxies > 0 ? headers['x-forwarded-host'] : undefined
  if (!forwarded) return headers.host
  return String(forwarded).split(',').at(-1)?.trim()
}

/** The address behind the proxies that are trusted: the socket's own is hop 0. */
function addressOf({ trustedProxies }: HotLaneDeps, { headers, socket }: IncomingMessage): string {
  const own = socket.remoteAddress ?? ''
  if (trustedProxies === 0) return own
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const hops = [own, ...forwarded.reverse()]
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? own
}
