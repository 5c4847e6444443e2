/** The HTTP server: hooks for every request, the routes, the central error handler, and a graceful shutdown. */
import { METHODS, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import { originHeaders } from '../base/api/origins.ts'
import type { ErrorBody } from '../base/api/schema.ts'
import { ERRORS } from '../base/errors/error-catalogue.ts'
import { AppError, type ErrorCode, errorSentence } from '../base/errors/errors.ts'
import { createId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { createSecretBox } from '../base/secret-box.ts'
import { addSignInRoutes } from '../features/accounts/routes/sign-in-routes.ts'
import { addReviewRoutes, type ReviewRouteDeps } from '../features/agent/review-page/review-routes.ts'
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
  answerHotPages,
  type HostRoutingDeps,
  type HotPageDeps,
  hasOneHost,
  hostName,
  isOwnHost,
  routeByHost,
} from '../features/hosting/serve/host-routing.ts'
import { createPublishedDocs } from '../features/mcp/published-docs.ts'
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
import { ARRIVAL_TIMES, boundConnections, boundRequests, type OpenBounds } from './open-requests.ts'
import {
  createDashboardHandlers,
  createHandlers,
  type DashboardHandlerDeps,
  type HandlerDeps,
} from './operation-handlers.ts'
import { addOperationRoutes } from './operation-route.ts'
import { declareRequestFields } from './request-fields.ts'
import { type AnswerWatch, logPage, logRequests } from './request-log.ts'
import type { OperationRouteDeps } from './route.ts'
import { addObjectRoutes, type ObjectRouteDeps } from './service/get-object.ts'
import { addServiceRoutes, type ServiceRouteDeps } from './service/service-routes.ts'

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export type { Readiness } from './service/service-routes.ts'

export interface ServerDeps
  extends AdmissionDeps,
    HostRoutingDeps,
    DiskSpaceDeps,
    Omit<ServiceRouteDeps, 'operations'> {
  log: Log
  /** Number of proxies in front that are trusted to state the client's address; 0 for none. */
  trustedProxies: number
  openBounds: OpenBounds
  /** Secret of the node. */
  secret: string
  /** Null when links lead to a bucket instead of this server. */
  objectLinks: ObjectRouteDeps | null
  /** If left out, there is no metrics route. */
  metricsRoute?: MetricsRouteDeps
  onAnswer?: AnswerWatch
  /** Grace period for requests in flight at shutdown, in milliseconds. Default 10,000. */
  graceMs?: number
}

export type HttpDeps = ServerDeps &
  Omit<ReaderDeps & McpRouteDeps, 'publishedDocs'> & { objects: ObjectStore } & Omit<
    HandlerDeps,
    'publishedDocs'
  > &
  DashboardHandlerDeps &
  ReviewRouteDeps &
  Omit<PushRouteDeps, 'onForgeMessage'> &
  AutomationHookDeps &
  SiteAccessRouteDeps &
  AppFilesDeps

export interface HttpServer extends AsyncDisposable {
  /**
   * Resolves when the server accepts connections. `port` 0 selects a free one. Rejects with the system's error
   * (EADDRINUSE).
   */
  listen(options: { host: string; port: number }): Promise<{ host: string; port: number }>
  /** Answers as before, but closes each connection with its answer: clients connect anew, a load balancer to another node. */
  drain(): void
  /** Stops accepting connections, lets requests in flight finish within the grace period, and cuts the rest. */
  close(): Promise<void>
}

/** Creates the server with the whole API. */
export function createServer(given: HttpDeps): Promise<HttpServer> {
  const deps = { ...given, publishedDocs: createPublishedDocs(given.objects) }
  return createApiServer(deps, OPERATIONS, createHandlers(deps), {
    addRoutes(app, routeDeps) {
      addOperationRoutes(app, routeDeps, DASHBOARD_OPERATIONS, createDashboardHandlers(deps))
      addSignInRoutes(app, deps)
      addAppFiles(app, deps)
      const intake = createReaderIntake(deps)
      addReaderRoutes(app, { ...deps, stopping: routeDeps.stopping }, readerHandlers(deps, intake))
      addMcpRoutes(app, deps, intake)
      addReviewRoutes(app, deps)
      addPushRoute(app, { ...deps, onForgeMessage: handleForgeMessage.bind(null, deps) })
      addAutomationHook(app, deps)
      addSiteAccessRoutes(app, deps)
      addUnsubscribeRoutes(app, deps)
    },
  })
}

/** Creates a server for any table of operations, whose handlers are type-checked against it. */
export async function createApiServer<Table extends Record<string, Operation>>(
  deps: ServerDeps,
  operations: Table,
  handlers: Handlers<Table>,
  more: {
    /** Adds routes that are not in the table. */
    addRoutes?: (app: FastifyInstance, deps: OperationRouteDeps) => void
  } = {},
): Promise<HttpServer> {
  const stopping = new AbortController()
  const app = createApp(deps)
  declareRequestFields(app)
  protect(app, deps)
  boundRequests(app, deps.openBounds)
  logRequests(app, deps.log, deps.onAnswer)
  // A connection that becomes idle while the server stops would delay it until the keep-alive timeout.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (stopping.signal.aborted) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  routeByHost(app, deps)
  readJsonBodies(app)
  refuseWritesWhenDiskFull(app, deps)
  const addMethodRefusals = watchMethods(app)

  const answerBox = createSecretBox(deps.secret, 'kept answers')
  const routeDeps: OperationRouteDeps = { ...deps, stopping: stopping.signal, storedResponses: answerBox }
  addOperationRoutes(app, routeDeps, operations, handlers)
  more.addRoutes?.(app, routeDeps)
  addServiceRoutes(app, { ...deps, operations })
  if (deps.metricsRoute !== undefined) addMetricsRoute(app, deps.metricsRoute)
  if (deps.objectLinks !== null) addObjectRoutes(app, deps.objectLinks)
  await app.after() // Registers routes with separate parsers.
  addMethodRefusals()
  await app.ready()
  app.server.on('connection', readAddress)
  boundConnections(app.server, deps.openBounds, deps.trustedProxies)
  keepUnsentAnswers(app.server)
  const onAnswer: HotPageDeps['onAnswer'] = (request, answer) =>
    logPage(deps.log, request, answer, deps.onAnswer)
  answerHotPages(app.server, { ...deps, onAnswer }, stopping.signal)
  return serverOf(app, stopping, deps.graceMs ?? 10_000)
}

function closeWithEachAnswer(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
}

/**
 * Node caches a client's address at the first read. After a disconnect there is none, and rate limits by address
 * would not count the request. Clients that disconnect before this are dropped.
 */
function readAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
}

/**
 * Node considers a connection idle once the end of its response is written, even if most of it still waits for a slow
 * reader, and would close it. Closing is attempted again at the end of each response.
 */
function keepUnsentAnswers(server: Server): void {
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

function createApp(deps: ServerDeps): FastifyInstance {
  const errorHandler = createErrorHandler(deps.log, ({ host }) => isOwnHost(hostName(host), deps.publicUrl()))
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => createId('req'),
    requestIdHeader: false,
    // Hop 0 is the socket's address: with one proxy in front, it belongs to that proxy.
    trustProxy: deps.trustedProxies > 0 && ((_address, hop) => hop < deps.trustedProxies),
    // Our routes handle HEAD themselves, because the built-in HEAD routes lose the Content-Length of the omitted
    // body.
    exposeHeadRoutes: false,
    // While closing, requests on open connections are still served, with Connection: close.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: ARRIVAL_TIMES.requestTimeout,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      setApiHeaders(reply, deps) // No hook runs for an invalid URL, and none logs it.
      errorHandler(error, request, reply as FastifyReply)
      deps.log.info(
        { requestId: request.id, code: request.errorCode, status: reply.statusCode },
        'http.unreadable',
      )
    },
    clientErrorHandler: answerBrokenRequest,
    // Node would refuse a missing Host with only a status. `protect` does so with the common error format.
    http: { requireHostHeader: false, ...ARRIVAL_TIMES },
  })
  // Node responds to unknown expectations with a bare 417, although a server may ignore them.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Known HTTP methods get 405 like the others, rather than a 404.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.setErrorHandler(errorHandler)
  app.setNotFoundHandler((request, reply) => errorHandler(new AppError('not_found'), request, reply))
  return app
}

function protect(app: FastifyInstance, deps: ServerDeps): void {
  app.addHook('onRequest', ({ raw, params }, reply, done) => {
    setApiHeaders(reply, deps)
    const isFine = hasOneHost(raw) || (raw.httpVersion === '1.0' && raw.headers.host === undefined)
    if (!isFine) done(new AppError('malformed_http', { sentence: ONE_HOST }))
    // The router takes `/jobs/` for `/jobs/{jobId}` with an empty id.
    else if (Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === ''))
      done(new AppError('not_found'))
    else done()
  })
}

const ONE_HOST = 'A request needs the header Host exactly once: send the name of the server.'
const API_HEADERS = originHeaders('api')

function setApiHeaders(reply: FastifyReply, deps: ServerDeps): void {
  reply.headers({
    'X-Request-Id': reply.request.id,
    'Cache-Control': 'no-store',
    ...API_HEADERS,
  })
  if (deps.publicUrl().startsWith('https:')) reply.header('Strict-Transport-Security', 'max-age=31536000')
}

/** Queue of connections not yet accepted. Beyond this, the system resets some connections of a burst. */
const BACKLOG = 4096

function serverOf(app: FastifyInstance, stopping: AbortController, graceMs: number): HttpServer {
  let closed: Promise<void> | null = null
  const close = () => {
    closed ??= closeWithin(app, stopping, graceMs)
    return closed
  }
  return {
    async listen({ host, port }) {
      await app.listen({ host, port, backlog: BACKLOG })
      const address = app.server.address()
      if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
      return { host, port: address.port }
    },
    drain: () => closeWithEachAnswer(app.server),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function closeWithin(app: FastifyInstance, stopping: AbortController, graceMs: number): Promise<void> {
  stopping.abort()
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close().finally(() => clearTimeout(cut))
}

/** GET /metrics: only for the addresses and the token configured by the operator. */
function addMetricsRoute(app: FastifyInstance, { access, scrape }: MetricsRouteDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    async handler(request, reply) {
      const { authorization } = request.headers
      // Forwarded requests come from the proxy's address. Only a trusted proxy states the original one.
      const isDirect = request.ip !== request.socket.remoteAddress || !isForwarded(request.headers)
      if (!canReadMetrics(access, { address: isDirect ? request.ip : null, authorization }))
        throw new AppError('metrics_refused')
      const { contentType, text } = await scrape()
      return reply.header('Content-Type', contentType).header('Cache-Control', 'no-store').send(text)
    },
  })
}

/** Responds to input that is not valid HTTP with the common error format, and closes the connection. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = CODES[error.code ?? ''] ?? 'malformed_http'
  const { status } = ERRORS[code]
  const body = JSON.stringify({ error: errorSentence(code), code } satisfies ErrorBody)
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
