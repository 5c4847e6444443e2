/** HTTP server: hooks, routes, the error handler, and graceful shutdown. */
import { METHODS, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import { originHeaders } from '../base/api/origins.ts'
import type { ErrorBody } from '../base/api/schema.ts'
import { ERRORS } from '../base/errors/catalogue.ts'
import { AppError, type ErrorCode, errorMessage } from '../base/errors/errors.ts'
import { createId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { createSecretBox } from '../base/secret-box.ts'
import { addSignInRoutes } from '../features/accounts/routes/sign-in-routes.ts'
import { addReviewRoutes } from '../features/agent/review/preview-routes.ts'
import type { ReviewDeps } from '../features/agent/review/review.ts'
import {
  type AutomationHookDeps,
  addAutomationHook,
  handleForgeMessage,
} from '../features/automations/routes.ts'
import { type AppFilesDeps, addAppFiles } from '../features/dashboard/app-files.ts'
import { DASHBOARD_OPERATIONS } from '../features/dashboard-operations.ts'
import { addPushRoute, type PushRouteDeps } from '../features/hosting/routes/publishing.ts'
import { addSiteAccessRoutes, type SiteAccessRouteDeps } from '../features/hosting/routes/sign-in-page.ts'
import {
  type HostRoutingDeps,
  type HotPageDeps,
  hasSingleHostHeader,
  hostName,
  isOwnHost,
  routeByHost,
  serveHotPages,
} from '../features/hosting/serve/host-routing.ts'
import { createPublishedDocs, type PublishedDocs } from '../features/mcp/published-docs.ts'
import { addUnsubscribeRoutes } from '../features/notifications/routes/unsubscribe-route.ts'
import { OPERATIONS } from '../features/operations.ts'
import { addMcpRoutes, type McpRouteDeps } from '../features/reader/mcp-routes.ts'
import { addReaderRoutes } from '../features/reader/readers.ts'
import { createReaderIntake, type ReaderDeps, readerHandlers } from '../features/reader/routes.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { Handlers } from '../routing/handler.ts'
import { watchMethods } from '../routing/method-refusals.ts'
import { BODY_LIMIT_BYTES, readJsonBodies } from '../routing/request-body.ts'
import type { AdmissionDeps } from './admission.ts'
import { METRICS_PATH } from './description/service-paths.ts'
import { type DiskSpaceDeps, refuseWritesWhenDiskFull } from './disk-space.ts'
import { createErrorHandler } from './error-handler.ts'
import type { MetricsRouteDeps } from './metrics-access.ts'
import { canReadMetrics, isForwarded } from './metrics-access.ts'
import { ARRIVAL_TIMEOUTS, type ConcurrencyLimits, limitConnections, limitRequests } from './open-requests.ts'
import {
  createDashboardHandlers,
  createHandlers,
  type DashboardHandlerDeps,
  type HandlerDeps,
} from './operation-handlers.ts'
import { addOperationRoutes } from './operation-route.ts'
import { declareRequestFields } from './request-fields.ts'
import { logPage, logRequests, type ResponseWatch } from './request-log.ts'
import type { OperationRouteDeps } from './route.ts'
import { addObjectRoutes, type ObjectRouteDeps } from './service/get-object.ts'
import { addServiceRoutes, type ServiceRouteDeps } from './service/service-routes.ts'

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export type { Readiness } from './service/service-routes.ts'

export interface BaseServerDeps extends HostRoutingDeps, DiskSpaceDeps, Omit<ServiceRouteDeps, 'operations'> {
  log: Log
  /** Number of trusted proxies, which report the client's address; 0 for none. */
  trustedProxies: number
  openBounds: ConcurrencyLimits
  secret: string
  /** Null if links to objects lead to a bucket instead of this server. */
  objectLinks: ObjectRouteDeps | null
  metricsRoute?: MetricsRouteDeps
  onAnswer?: ResponseWatch
  /** Milliseconds that requests in flight have to finish at shutdown. Default 10,000. */
  graceMs?: number
}

export type ServerDeps = BaseServerDeps & AdmissionDeps
export type ReaderServerDeps = BaseServerDeps &
  Omit<ReaderDeps & McpRouteDeps, 'publishedDocs'> & { objects: ObjectStore } & SiteAccessRouteDeps

export type HttpDeps = ReaderServerDeps &
  AdmissionDeps &
  Omit<HandlerDeps, 'publishedDocs'> &
  DashboardHandlerDeps &
  ReviewDeps &
  Omit<PushRouteDeps, 'onForgeMessage'> &
  AutomationHookDeps &
  AppFilesDeps

export interface HttpServer extends AsyncDisposable {
  /**
   * Resolves when the server accepts connections. Port 0 selects a free one. Rejects with system errors
   * (EADDRINUSE).
   */
  listen(options: { host: string; port: number }): Promise<{ host: string; port: number }>
  /** Closes each connection after its response, so that a load balancer sends the client to another node. */
  drain(): void
  /** Stops accepting connections, waits for requests in flight within the grace period, and aborts the rest. */
  close(): Promise<void>
}

export function createServer(given: HttpDeps): Promise<HttpServer> {
  const deps = { ...given, publishedDocs: createPublishedDocs(given.objects) }
  return createApiServer(deps, OPERATIONS, createHandlers(deps), {
    addRoutes(app, routeDeps) {
      addOperationRoutes(app, routeDeps, DASHBOARD_OPERATIONS, createDashboardHandlers(deps))
      addSignInRoutes(app, deps)
      addAppFiles(app, deps)
      mountReaderRoutes(app, deps, routeDeps.stopping)
      addReviewRoutes(app, deps)
      addPushRoute(app, { ...deps, onForgeMessage: handleForgeMessage.bind(null, deps) })
      addAutomationHook(app, deps)
      addUnsubscribeRoutes(app, deps)
    },
  })
}

/** Creates a server for hosted sites and their reader API, without the API and the dashboard. */
export function createReaderServer(given: ReaderServerDeps): Promise<HttpServer> {
  const deps = { ...given, publishedDocs: createPublishedDocs(given.objects) }
  return createBaseServer(deps, null, (app, stopping) => mountReaderRoutes(app, deps, stopping))
}

function mountReaderRoutes(
  app: FastifyInstance,
  deps: ReaderServerDeps & { publishedDocs: PublishedDocs },
  stopping: AbortSignal,
): void {
  const intake = createReaderIntake(deps)
  addReaderRoutes(app, { ...deps, stopping }, readerHandlers(deps, intake))
  addMcpRoutes(app, deps, intake)
  addSiteAccessRoutes(app, deps)
}

export function createApiServer<Table extends Record<string, Operation>>(
  deps: ServerDeps,
  operations: Table,
  handlers: Handlers<Table>,
  more: {
    addRoutes?: (app: FastifyInstance, deps: OperationRouteDeps) => void
  } = {},
): Promise<HttpServer> {
  // The key is derived from this label: with another one, stored responses could not be opened.
  const storedResponses = createSecretBox(deps.secret, 'kept answers')
  return createBaseServer(deps, operations, (app, stopping) => {
    const routeDeps: OperationRouteDeps = { ...deps, stopping, storedResponses }
    addOperationRoutes(app, routeDeps, operations, handlers)
    more.addRoutes?.(app, routeDeps)
  })
}

async function createBaseServer(
  deps: BaseServerDeps,
  operations: Record<string, Operation> | null,
  addRoutes: (app: FastifyInstance, stopping: AbortSignal) => void,
): Promise<HttpServer> {
  const stopping = new AbortController()
  const app = createApp(deps)
  declareRequestFields(app)
  protect(app, deps)
  limitRequests(app, deps.openBounds)
  logRequests(app, deps.log, deps.onAnswer)
  // Idle connections would delay shutdown until the keep-alive timeout.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (stopping.signal.aborted) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  routeByHost(app, deps)
  readJsonBodies(app)
  refuseWritesWhenDiskFull(app, deps)
  const addMethodRefusals = watchMethods(app)

  addRoutes(app, stopping.signal)
  addServiceRoutes(app, { ...deps, operations })
  if (deps.metricsRoute !== undefined) addMetricsRoute(app, deps.metricsRoute)
  if (deps.objectLinks !== null) addObjectRoutes(app, deps.objectLinks)
  await app.after() // Registers the routes that have their own body parsers.
  addMethodRefusals()
  await app.ready()
  app.server.on('connection', cacheClientAddress)
  limitConnections(app.server, deps.openBounds, deps.trustedProxies)
  keepUnsentResponses(app.server)
  const onAnswer: HotPageDeps['onAnswer'] = (request, answer) =>
    logPage(deps.log, request, answer, deps.onAnswer)
  serveHotPages(app.server, { ...deps, onAnswer }, stopping.signal)
  return createHttpServer(app, stopping, deps.graceMs ?? 10_000)
}

function closeWithEachResponse(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
}

/**
 * Reads the client's address, so that Node caches it. After a disconnect, the address would be unavailable, and rate
 * limits by address would not count the request. Clients that have already disconnected are dropped.
 */
function cacheClientAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
}

/**
 * Prevents Node from closing connections whose response is not fully sent. Node considers a connection idle
 * once the response is written, even if most of it is still buffered for a slow reader. Closing is attempted
 * again at the end of each response.
 */
function keepUnsentResponses(server: Server): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeIdleConnections = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    if (open.values().every((socket) => socket.writableLength === 0)) closeIdleConnections()
  }
}

function createApp(deps: BaseServerDeps): FastifyInstance {
  const errorHandler = createErrorHandler(deps.log, ({ host }) => isOwnHost(hostName(host), deps.publicUrl()))
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => createId('req'),
    requestIdHeader: false,
    // Hop 0 is the remote address of the socket, which is the nearest proxy.
    trustProxy: deps.trustedProxies > 0 && ((_address, hop) => hop < deps.trustedProxies),
    // Our routes handle HEAD, because Fastify's HEAD routes lose the Content-Length of the omitted body.
    exposeHeadRoutes: false,
    // Requests on open connections are still served during shutdown, with Connection: close.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: ARRIVAL_TIMEOUTS.requestTimeout,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      setApiHeaders(reply, deps) // Fastify runs no hooks for an invalid URL, so the request is logged here.
      errorHandler(error, request, reply as FastifyReply)
      deps.log.info(
        { requestId: request.id, code: request.errorCode, status: reply.statusCode },
        'http.unreadable',
      )
    },
    clientErrorHandler: respondToInvalidHttp,
    // `protect` refuses a missing Host with the common error format. Node would respond without a body.
    http: { requireHostHeader: false, ...ARRIVAL_TIMEOUTS },
  })
  // Servers may ignore unknown expectations. Node would respond with 417 and no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Registers all HTTP methods, so that unsupported ones result in 405 instead of 404.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.setErrorHandler(errorHandler)
  app.setNotFoundHandler((request, reply) => errorHandler(new AppError('not_found'), request, reply))
  return app
}

function protect(app: FastifyInstance, deps: BaseServerDeps): void {
  app.addHook('onRequest', ({ raw, params }, reply, done) => {
    setApiHeaders(reply, deps)
    const isFine = hasSingleHostHeader(raw) || (raw.httpVersion === '1.0' && raw.headers.host === undefined)
    if (!isFine) done(new AppError('malformed_http', { params: { reason: 'host' } }))
    // The router matches `/jobs/` as `/jobs/{jobId}` with an empty id.
    else if (Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === ''))
      done(new AppError('not_found'))
    else done()
  })
}

const API_HEADERS = originHeaders('api')

function setApiHeaders(reply: FastifyReply, deps: BaseServerDeps): void {
  reply.headers({
    'X-Request-Id': reply.request.id,
    'Cache-Control': 'no-store',
    ...API_HEADERS,
  })
  if (deps.publicUrl().startsWith('https:')) reply.header('Strict-Transport-Security', 'max-age=31536000')
}

/** Maximum length of the queue of pending connections. In a burst, the system resets connections beyond it. */
const BACKLOG = 4096

function createHttpServer(app: FastifyInstance, stopping: AbortController, graceMs: number): HttpServer {
  let closed: Promise<void> | null = null
  const close = () => {
    closed ??= closeWithin(app, stopping, graceMs)
    return closed
  }
  return {
    async listen({ host, port }) {
      await app.listen({ host, port, backlog: BACKLOG })
      const address = app.server.address()
      if (address === null || typeof address === 'string')
        throw new Error('the server is not listening on a port')
      return { host, port: address.port }
    },
    drain: () => closeWithEachResponse(app.server),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function closeWithin(app: FastifyInstance, stopping: AbortController, graceMs: number): Promise<void> {
  stopping.abort()
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close().finally(() => clearTimeout(cut))
}

/** Adds GET /metrics for the addresses and the token configured by the operator. */
function addMetricsRoute(app: FastifyInstance, { access, scrape }: MetricsRouteDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    async handler(request, reply) {
      const { authorization } = request.headers
      // For a forwarded request, the socket's address is that of the proxy. If `request.ip` is this address, the proxy
      // is not trusted.
      const isDirect = request.ip !== request.socket.remoteAddress || !isForwarded(request.headers)
      if (!canReadMetrics(access, { address: isDirect ? request.ip : null, authorization }))
        throw new AppError('metrics_refused')
      const { contentType, text } = await scrape()
      return reply.header('Content-Type', contentType).header('Cache-Control', 'no-store').send(text)
    },
  })
}

/** Responds to invalid HTTP with the common error format and closes the connection. */
function respondToInvalidHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = CODES[error.code ?? ''] ?? 'malformed_http'
  const { status } = ERRORS[code]
  const body = JSON.stringify({ error: errorMessage(code), code } satisfies ErrorBody)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${createId('req')}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
