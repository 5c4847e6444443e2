/**
 * Adds the two routes of a reader API operation: one on the host name of a hosted site, and one by site id on the
 * API's host. Calls need no key. Checks the site (404), origin (403) and schema (400), then the handler's own
 * conditions. Browsers can call the operation only from the project's own domains.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Limit } from '../../base/api/limits.ts'
import { READER_CORS } from '../../base/api/origins.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { Fault } from '../../base/errors/fault.ts'
import type { Database, Tx } from '../../database/database.ts'
import { createEventStream, type ServerEvent, whileConnected } from '../../routing/event-stream.ts'
import type { IdempotentCall } from '../../routing/idempotency.ts'
import { getIdempotencyKey, idempotentCall, writeOnce } from '../../routing/idempotency-key.ts'
import { withHead } from '../../routing/method-refusals.ts'
import { limitReached, type RateState, rateHeaders } from '../../routing/rate-limit-headers.ts'
import { consumeSlot, type RateVerdict, type RateWindow } from '../../routing/rate-window.ts'
import type { ReceivedBody } from '../../routing/request-body.ts'
import { getQueryString, JSON_TYPE } from '../../routing/request-parts.ts'
import { compileShape, type RequestShape } from '../../routing/request-shape.ts'
import type { ReaderGate } from '../hosting/access/site-access.ts'
import { hostName } from '../hosting/serve/host-routing.ts'
import type { AdmittedSite, ReaderSite, ReaderSites } from '../hosting/serve/reader-sites.ts'
import type { ReaderVersions } from '../hosting/serve/reader-version.ts'
import type { ReaderLimitName } from './operations/limits.ts'
import {
  READER_OPERATIONS,
  READER_PATH,
  READER_SITE_PATH,
  type ReaderOperation,
  type ReaderOperationId,
} from './operations/reader.ts'

export interface ReaderRouteDeps {
  database: Database
  limits: Readonly<Record<ReaderLimitName, Limit>>
  readerSites: ReaderSites
  gate: ReaderGate
  readerVersions: ReaderVersions
}

export interface ReaderServer {
  stopping: AbortSignal
}

type BodyOf<Id extends ReaderOperationId> = (typeof READER_OPERATIONS)[Id]['body'] extends infer Body extends
  TSchema
  ? Static<Body>
  : null
type QueryOf<Id extends ReaderOperationId> = (typeof READER_OPERATIONS)[Id] extends {
  query: infer Query extends TSchema
}
  ? Static<Query>
  : object
type SuccessOf<Id extends ReaderOperationId> = (typeof READER_OPERATIONS)[Id]['success'] extends {
  contentType: 'text/event-stream'
}
  ? AsyncIterable<ServerEvent>
  : Static<(typeof READER_OPERATIONS)[Id]['success']['schema']>

export interface ReaderCall<Id extends ReaderOperationId> {
  site: ReaderSite
  body: BodyOf<Id>
  query: QueryOf<Id>
  address: string
  userAgent: string
  /** True if the client sends Do Not Track or Global Privacy Control. */
  refusesTracking: boolean
  isServedHere: boolean
  /**
   * Reports an in-process rate limit window in the response headers. Throws AppError `rate_limited` if the window
   * was full.
   */
  reportWindow(limit: ReaderLimitName, verdict: RateVerdict): void
  /**
   * Takes a rate limit slot, runs `write` and stores the Idempotency-Key in one transaction. Resolves after the
   * commit. Throws AppError `rate_limited`.
   */
  commit<Result extends object>(slot: ReaderSlot | null, write: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Aborts when the response is complete, the client disconnects, or the server stops. */
  signal: AbortSignal
  hasIdempotencyKey: boolean
}

export interface ReaderSlot {
  limit: ReaderLimitName
  windowKey: string
}

/** Checks the rules that the schema of the body cannot express. */
export type ReaderRule = (given: { site: ReaderSite; body: unknown }) => Promise<Fault[]>

export type ReaderHandlers = {
  [Id in ReaderOperationId]: {
    rule?: ReaderRule
    handle: (call: ReaderCall<Id>) => Promise<SuccessOf<Id>>
  }
}

interface ReaderRoute {
  operation: ReaderOperation
  handler: { rule?: ReaderRule; handle: (call: unknown) => Promise<unknown> }
  shape: RequestShape
}

export function addReaderRoutes(
  app: FastifyInstance,
  deps: ReaderRouteDeps & ReaderServer,
  handlers: ReaderHandlers,
): void {
  const preflights = new Set<string>()
  for (const [id, operation] of Object.entries(READER_OPERATIONS)) {
    const route: ReaderRoute = {
      operation,
      handler: handlers[id as ReaderOperationId] as unknown as ReaderRoute['handler'],
      shape: compileShape({
        ...operation,
        params: null,
        query: 'query' in operation ? operation.query : null,
      }),
    }
    for (const prefix of [READER_PATH, READER_SITE_PATH.replace('{siteId}', ':siteId')]) {
      const url = `${prefix}${operation.path}`
      app.route({
        method: withHead(operation.method),
        url,
        config: { needsRoom: operation.method !== 'GET' },
        async onRequest(request, reply) {
          request.readerSite = await admitReader(deps, request, reply)
          if (request.readerSite.isArchived && OPERATIONS_REFUSED_WHEN_ARCHIVED.has(id))
            throw new AppError('site_archived')
        },
        handler: (request, reply) => answer(deps, route, request, reply),
      })
      preflights.add(url)
    }
  }
  for (const url of preflights) addPreflight(app, deps, url)
}

/**
 * Checks the site, the origin and the reader's access before the body is read, on every route. A site id is
 * not secret, so it grants no access. Throws AppError `signed_out`.
 */
export async function admitReader(
  deps: ReaderRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AdmittedSite> {
  return admitToSite(deps, await resolveSite(deps, request, reply), request)
}

/** Returns the site with the version that the reader may read, which can differ from the public version. */
export async function admitToSite(
  { gate, readerVersions }: Pick<ReaderRouteDeps, 'gate' | 'readerVersions'>,
  site: ReaderSite,
  { headers, host }: FastifyRequest,
): Promise<AdmittedSite> {
  const reader = await gate.admit(site, { ...headers, host: hostName(host) })
  if (reader === null) throw new AppError('signed_out', { params: { reason: 'site' } })
  const { manifestKey } = site
  return {
    ...site,
    reader,
    manifestKey: manifestKey === null ? null : await readerVersions(manifestKey, reader),
  }
}

/** Checks only the site and the origin, for a preflight request, which has no credentials. */
export async function resolveSite(
  { readerSites }: ReaderRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReaderSite> {
  reply.header('Vary', 'Origin')
  const { siteId } = request.params as { siteId?: string }
  const site =
    siteId === undefined
      ? await readerSites.byHost(hostName(request.host))
      : await readerSites.bySiteId(siteId)
  if (site === null) throw new AppError('not_found')
  const { origin } = request.headers
  const isSameOrigin =
    siteId === undefined && origin !== undefined && URL.parse(origin)?.host === request.host
  if (!isSameOrigin) reply.headers(checkOrigin(origin, site.domains))
  return site
}

/**
 * Returns the CORS headers of a response; none for a request without Origin, which does not come from a page.
 * Credentials are never allowed. Throws AppError `origin_refused`.
 */
function checkOrigin(origin: string | undefined, domains: readonly string[]): Record<string, string> {
  if (origin === undefined) return {}
  if (!isOriginOf(origin, domains)) throw new AppError('origin_refused')
  return READER_CORS.answer(origin)
}

/** Accepts `https://` with a domain of the project; for localhost and its subdomains, also http and any port. */
function isOriginOf(origin: string, domains: readonly string[]): boolean {
  const match = /^(https?):\/\/([a-z0-9.-]+)(:\d{1,5})?$/.exec(origin)
  if (match === null) return false
  const [, scheme, host = '', port] = match
  if (!domains.includes(host)) return false
  const isThisMachine = host === 'localhost' || host.endsWith('.localhost')
  return isThisMachine || (scheme === 'https' && port === undefined)
}

/** Operations refused for an archived site. Feedback is not listed, because the intake refuses it, also for MCP. */
const OPERATIONS_REFUSED_WHEN_ARCHIVED: ReadonlySet<string> = new Set<ReaderOperationId>([
  'recordEvents',
  'askAssistant',
  'rateAnswer',
  'forwardCall',
])

function addPreflight(app: FastifyInstance, deps: ReaderRouteDeps, url: string): void {
  const methods = Object.values(READER_OPERATIONS)
    .filter((operation) => url.endsWith(operation.path))
    .flatMap((operation) => withHead(operation.method))
  app.route({
    method: 'OPTIONS',
    url,
    async handler(request, reply) {
      const allow = [...methods, 'OPTIONS'].sort().join(', ')
      reply.header('Allow', allow)
      await resolveSite(deps, request, reply)
      return reply.code(204).headers(READER_CORS.preflight(methods)).send()
    },
  })
}

async function answer(
  deps: ReaderRouteDeps & ReaderServer,
  { operation, handler, shape }: ReaderRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = request.readerSite
  if (site === null) throw new Error('the route was reached without its site')
  const received = request.body as ReceivedBody | undefined
  const isStream = operation.success.contentType !== undefined
  // Streams are not stored, so a repeated call runs again.
  const idempotencyKey = isStream ? undefined : getIdempotencyKey(request)
  const signal = whileConnected(reply, deps.stopping)
  const faults = (await handler.rule?.({ site, body: received?.json })) ?? []
  const queryString = getQueryString(request)
  const { body, query } = shape.check({ queryString, body: received?.json, idempotencyKey, faults })
  const result = await handler.handle({
    site,
    body,
    query,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    refusesTracking: request.headers.dnt === '1' || request.headers['sec-gpc'] === '1',
    isServedHere: (request.params as { siteId?: string }).siteId === undefined,
    reportWindow: (limit: ReaderLimitName, verdict: RateVerdict) => reportWindow(deps, reply, limit, verdict),
    commit: (slot: ReaderSlot | null, write: (tx: Tx) => Promise<object>) =>
      deps.database.transaction(async (tx) => {
        if (slot !== null) await takeSlot(deps, reply, tx, slot)
        if (idempotencyKey === undefined) return write(tx)
        const call = readerCall(request, site, idempotencyKey)
        return writeOnce(tx, reply, call, operation.success.status, () => write(tx))
      }),
    signal,
    hasIdempotencyKey: idempotencyKey !== undefined,
  })
  if (isStream) return sendEvents(reply, result as AsyncIterable<ServerEvent>, signal)
  return reply.code(operation.success.status).header('Content-Type', JSON_TYPE).send(JSON.stringify(result))
}

/** Readers are anonymous, so all readers of a site share one namespace of idempotency keys. */
export function readerCall(request: FastifyRequest, { siteId }: ReaderSite, key: string): IdempotentCall {
  const { bytes } = (request.body ?? {}) as Partial<ReceivedBody>
  return idempotentCall(request, { callerId: `reader:${siteId}`, key, bytes })
}

function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<ServerEvent>,
  signal: AbortSignal,
): FastifyReply {
  reply.header('Content-Type', 'text/event-stream; charset=utf-8')
  reply.header('X-Accel-Buffering', 'no') // Disables buffering in proxies, which would delay events.
  return reply.send(createEventStream(events, { lastEventId: undefined, signal }))
}

export async function takeSlot(
  deps: ReaderRouteDeps,
  reply: FastifyReply,
  tx: Tx,
  slot: ReaderSlot,
): Promise<void> {
  reportWindow(deps, reply, slot.limit, await consumeSlot(tx, windowOf(deps, slot)))
}

function windowOf({ limits }: ReaderRouteDeps, { limit: name, windowKey }: ReaderSlot): RateWindow {
  const { count, seconds } = limits[name]
  return { bucket: `${name}:${windowKey}`, limit: count, windowSeconds: seconds }
}

export function reportWindow(
  { limits }: ReaderRouteDeps,
  reply: FastifyReply,
  name: ReaderLimitName,
  verdict: RateVerdict,
): void {
  const state: RateState = { ...verdict, name, seconds: limits[name].seconds }
  reply.headers(rateHeaders(state))
  if (!state.accepted) throw limitReached(state)
}
