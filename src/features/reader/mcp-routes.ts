/**
 * The MCP server of each site: at `/mcp` and below `/_octavo/` on its host name, and by site id on the API's
 * host. It is public like the reader API, but browsers can call it only from the project's own domains, which
 * protects against DNS rebinding by other pages. It stores no state between messages and opens no stream.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MCP_CORS } from '../../base/api/origins.ts'
import { AppError, assertNoFaults, type ErrorCode } from '../../base/errors/errors.ts'
import { networkPrefix } from '../../base/net/address-network.ts'
import { getIdempotencyKey, writeOnce } from '../../routing/idempotency-key.ts'
import type { ReceivedBody } from '../../routing/request-body.ts'
import { JSON_TYPE } from '../../routing/request-parts.ts'
import { idempotencyKeyFaults } from '../../routing/request-shape.ts'
import { createSenderWindows } from '../analytics/intake/sender-windows.ts'
import { applyCacheScope, cacheScope } from '../hosting/serve/cache-headers.ts'
import { hostName } from '../hosting/serve/host-routing.ts'
import type { AdmittedSite, ReaderSite } from '../hosting/serve/reader-sites.ts'
import { siteOrigin } from '../hosting/serve/site-origin.ts'
import { docsServer } from '../mcp/docs-server.ts'
import { AI_CATALOG_PATH, MCP_CARD_PATH, MCP_PATH } from '../mcp/operations/mcp.ts'
import { handleMcpMessage, type McpHeaders } from '../mcp/protocol.ts'
import type { PublishedDocs } from '../mcp/published-docs.ts'
import { aiCatalog, CARD_TYPE, CATALOG_TYPE, serverCard, serverName } from '../mcp/server-card.ts'
import { type SubmitFeedback, ToolFault } from '../mcp/tool.ts'
import { MCP_READER_PATH, MCP_SITE_PATH } from './operations/reader.ts'
import { loadDocs, throwUnavailable } from './published-docs.ts'
import {
  admitReader,
  admitToSite,
  type ReaderRouteDeps,
  readerCall,
  reportWindow,
  resolveSite,
  takeSlot,
} from './readers.ts'
import type { ReaderIntake } from './routes.ts'

export interface McpRouteDeps extends ReaderRouteDeps {
  publishedDocs: PublishedDocs
  publicUrl: () => string
}

interface McpScope {
  deps: McpRouteDeps
  docs: PublishedDocs
  intake: ReaderIntake
  /** Throws AppError `rate_limited`. */
  count(request: FastifyRequest, reply: FastifyReply, site: ReaderSite): void
}

export function addMcpRoutes(app: FastifyInstance, deps: McpRouteDeps, intake: ReaderIntake): void {
  const scope: McpScope = {
    deps,
    docs: deps.publishedDocs,
    intake,
    count: createCallCounter(deps),
  }
  for (const url of [MCP_PATH, MCP_READER_PATH, MCP_SITE_PATH.replace('{siteId}', ':siteId')]) {
    app.route({
      method: 'POST',
      url,
      async onRequest(request, reply) {
        request.readerSite = await admitReader(deps, request, reply)
        scope.count(request, reply, request.readerSite)
      },
      handler: (request, reply) => answer(scope, request, reply),
    })
    app.route({
      method: 'OPTIONS',
      url,
      async handler(request, reply) {
        reply.header('Allow', 'OPTIONS, POST')
        await resolveSite(deps, request, reply)
        return reply.code(204).headers(MCP_CORS).send()
      },
    })
  }
  addServerCardRoutes(app, scope)
}

function createCallCounter(deps: McpRouteDeps): McpScope['count'] {
  const senders = createSenderWindows(deps.limits.mcp)
  const sites = createSenderWindows(deps.limits.siteMcp)
  return (request, reply, { siteId }) => {
    reportWindow(deps, reply, 'mcp', senders.consume(`${siteId} ${networkPrefix(request.ip)}`, 1))
    const ofSite = sites.consume(siteId, 1)
    if (!ofSite.accepted) reportWindow(deps, reply, 'siteMcp', ofSite)
  }
}

async function answer(
  { deps, docs, intake }: McpScope,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = request.readerSite
  if (site === null) throw new Error('the route was reached without its site')
  assertNoFaults(idempotencyKeyFaults(getIdempotencyKey(request)))
  const location = siteLocation(deps, request, site)
  const read = await loadDocs(docs, site)
  const submitFeedback = read.site.takesFeedback
    ? createFeedbackSubmitter(deps, intake, { request, reply, site })
    : null
  const server = docsServer(
    { docs: read, base: `${location.origin}/`, submitFeedback },
    { name: serverName(location.host), cacheScope: cacheScope(site, site.reader) },
  )
  const message = (request.body as ReceivedBody | undefined)?.json
  const { status, body } = await handleMcpMessage(server, message, headersOf(request)).catch(throwUnavailable)
  if (body === null) return reply.code(status).send()
  return reply.code(status).header('Content-Type', JSON_TYPE).send(JSON.stringify(body))
}

/** Returns the requested host and origin if it is a domain of the site, else the site's first domain. */
function siteLocation({ publicUrl }: McpRouteDeps, request: FastifyRequest, { siteId, domains }: ReaderSite) {
  const requestedHost = hostName(request.host)
  const host = domains.includes(requestedHost) ? requestedHost : (domains[0] ?? `${siteId}.invalid`)
  return { host, origin: siteOrigin(publicUrl(), host) }
}

function headersOf({ headers }: FastifyRequest): McpHeaders {
  const text = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    protocolVersion: text('mcp-protocol-version'),
    method: text('mcp-method'),
    name: text('mcp-name'),
  }
}

/** Errors that the client program must handle instead of the model. */
const IDEMPOTENCY_ERRORS: ReadonlySet<string> = new Set<ErrorCode>([
  'idempotency_in_progress',
  'idempotency_body_differs',
])

/** Reports rejections to the model, which can react to them. */
function createFeedbackSubmitter(
  deps: McpRouteDeps,
  intake: ReaderIntake,
  { request, reply, site }: { request: FastifyRequest; reply: FastifyReply; site: ReaderSite },
): SubmitFeedback {
  const key = getIdempotencyKey(request)
  return async ({ path, feedback }) => {
    try {
      return await intake.submit({
        site,
        body: { path, feedback },
        address: request.ip,
        commit: (location, write) =>
          deps.database.transaction(async (tx) => {
            await takeSlot(deps, reply, tx, location)
            if (key === undefined) return write(tx)
            return writeOnce(tx, reply, readerCall(request, site, key), 200, () => write(tx))
          }),
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500 || IDEMPOTENCY_ERRORS.has(error.code))
        throw error
      if (error.code === 'proof_required' || error.code === 'rate_limited')
        throw new ToolFault('This site receives too many messages at the moment. Try again later.')
      throw new ToolFault([error.message, ...error.details.map(({ message }) => `${message}.`)].join(' '))
    }
  }
}

/** Adds the discovery documents. A file of the site takes precedence, see host-routing.ts. */
function addServerCardRoutes(app: FastifyInstance, { deps, docs }: McpScope): void {
  const siteAt = async (request: FastifyRequest): Promise<AdmittedSite> => {
    const site = await deps.readerSites.byHost(hostName(request.host))
    if (site === null || site.manifestKey === null) throw new AppError('not_found')
    return admitToSite(deps, site, request)
  }
  const send = (request: FastifyRequest, reply: FastifyReply, site: AdmittedSite, card: Card) => {
    const bytes = Buffer.from(JSON.stringify(card.document))
    const headers = {
      ...CARD_HEADERS,
      'content-type': card.type,
      'content-length': String(bytes.byteLength),
    }
    const answer = applyCacheScope({ status: 200, headers, body: bytes }, cacheScope(site, site.reader))
    return reply.headers(answer.headers).send(request.method === 'HEAD' ? undefined : bytes)
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: MCP_CARD_PATH,
    async handler(request, reply) {
      const site = await siteAt(request)
      const { site: about } = await loadDocs(docs, site)
      const document = serverCard(about, siteLocation(deps, request, site))
      return send(request, reply, site, { type: CARD_TYPE, document })
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: AI_CATALOG_PATH,
    async handler(request, reply) {
      const site = await siteAt(request)
      const document = aiCatalog(siteLocation(deps, request, site))
      return send(request, reply, site, { type: CATALOG_TYPE, document })
    },
  })
}

interface Card {
  type: string
  document: object
}

const CARD_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=3600',
}
