/** Gives programs with a key access to a site's published text: assistant, search and pages of the reader API. */
import { AppError } from '../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../base/errors/fault.ts'
import type { CallOf, Handlers } from '../../routing/handler.ts'
import { inProgressError } from '../../routing/idempotency-key.ts'
import type { Assistant } from '../assistant/assistant.ts'
import { ASSISTANT_LENGTHS, type AskAssistantBody } from '../assistant/operations/assistant.ts'
import { readAnswer } from '../assistant/questions.ts'
import { canonicalPagePath } from '../feedback/intake/page-path.ts'
import { hostName } from '../hosting/serve/host-routing.ts'
import type { ReaderSite, ReaderSites } from '../hosting/serve/reader-sites.ts'
import { siteOrigin } from '../hosting/serve/site-origin.ts'
import { normalizeRoute } from '../mcp/page-lookup.ts'
import type { PublishedDocs } from '../mcp/published-docs.ts'
import type { SiteDocs } from '../mcp/site-docs.ts'
import { dataStream, pageUrl, uiMessages } from './message-streams.ts'
import {
  type DISCOVERY_OPERATIONS,
  type DiscoveryMessageBody,
  type DiscoveryResult,
  type DiscoverySearchBody,
  MAX_ANSWER_PASSAGES,
} from './operations/discovery.ts'
import { loadDocs, throwUnavailable } from './published-docs.ts'
import { findInDocs, languageOf } from './search-routes.ts'

type Call = CallOf<typeof DISCOVERY_OPERATIONS.searchDiscovery>

interface DiscoveryDeps {
  readerSites: ReaderSites
  publishedDocs: PublishedDocs
  /** Null if no model is configured. */
  assistant: () => Assistant | null
  publicUrl: () => string
  database: { queries: Call['db'] }
}

export function discoveryHandlers(deps: DiscoveryDeps): Handlers<typeof DISCOVERY_OPERATIONS> {
  return {
    sendDiscoveryMessage: {
      ...messageHandler(deps, uiMessages),
    },
    sendDiscoveryMessageV1: {
      ...messageHandler(deps, dataStream),
    },
    async searchDiscovery({ caller, params, body }) {
      const site = await publicSite(deps, caller, params.domain)
      return { body: await search(deps, site, params.domain, body) }
    },
    async getDiscoveryPage({ caller, params, body }) {
      const docs = await loadDocs(deps.publishedDocs, await publicSite(deps, caller, params.domain))
      const page = docs.byRoute.get(normalizeRoute(body.path))
      const content = page === undefined ? null : await docs.markdown(page).catch(throwUnavailable)
      if (page === undefined || content === null)
        throw new AppError('not_found', { params: { reason: 'page' } })
      return { body: { path: page.route, content } }
    },
  }
}

/**
 * Domains of projects outside the caller's scope count as unknown. A private site has no public API, because
 * keys do not grant reader access. Throws AppError `not_found`, `site_private`.
 */
async function publicSite(
  { readerSites }: DiscoveryDeps,
  { organizationId, projectIds }: Call['caller'],
  domain: string,
): Promise<ReaderSite> {
  const site = await readerSites.byHost(hostName(domain))
  const isOwn =
    site?.organizationId === organizationId && (projectIds === null || projectIds.includes(site.projectId))
  if (site === null || !isOwn) throw new AppError('not_found')
  if (site.access.isPrivate) throw new AppError('site_private')
  return site
}

/** Response body stored with the Idempotency-Key of a message. */
interface StoredMessage {
  questionId: string
  threadId: string
  projectId: string
  origin: string
}

function messageHandler(deps: DiscoveryDeps, streamOf: typeof uiMessages | typeof dataStream) {
  type MessageCall = CallOf<typeof DISCOVERY_OPERATIONS.sendDiscoveryMessage>
  return {
    parse: ({ body }: { body: unknown }) => ({ value: null, faults: messageFaults(body) }),
    async handle({ tx, caller, params: { domain }, body }: MessageCall) {
      const site = await publicSite(deps, caller, domain)
      if (site.isArchived) throw new AppError('site_archived')
      const assistant = deps.assistant()
      if (assistant === null) throw new AppError('assistant_unavailable')
      const asked = {
        projectId: site.projectId,
        place: 'hosted' as const,
        body: toAskBody(body),
        caller: 'api' as const,
      }
      const question = await assistant.begin(tx, asked)
      const origin = siteOrigin(deps.publicUrl(), hostName(domain))
      const stored: StoredMessage = {
        ...{ questionId: question.id, threadId: question.threadId },
        ...{ projectId: site.projectId, origin },
      }
      return {
        body: stored,
        headers: { 'X-Thread-Id': question.threadId, ...streamOf.headers },
        stream: (signal: AbortSignal) => streamOf(assistant.answer(question, asked, signal), origin),
      }
    },
    async replay(body: unknown) {
      const { questionId, threadId, projectId, origin } = body as StoredMessage
      const events = await readAnswer(deps.database.queries, { projectId, questionId, threadId })
      if (events === null) throw inProgressError()
      return streamOf(events, origin)
    },
  }
}

function messageFaults(body: unknown): Fault[] {
  const { messages } = (body ?? {}) as { messages?: unknown }
  if (!Array.isArray(messages) || messages.length === 0) return []
  const at = `/messages/${messages.length - 1}`
  const last = (messages.at(-1) ?? {}) as Message
  if (last.role !== 'user') return [faultAt(`${at}/role`, 'last_role')]
  const text = textOf(last)
  if (text === '') return [faultAt(at, 'no_question')]
  if (text.length <= ASSISTANT_LENGTHS.question) return []
  return [faultAt(at, 'too_long', { max: ASSISTANT_LENGTHS.question })]
}

type Message = DiscoveryMessageBody['messages'][number]

function textOf({ parts, content }: Message): string {
  const texts = Array.isArray(parts)
    ? parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
    : []
  return texts.length > 0 ? texts.join('\n') : typeof content === 'string' ? content : ''
}

/** Applies the same limits as the site's pages: keeps only the newest messages and truncates long ones. */
function toAskBody(body: DiscoveryMessageBody): AskAssistantBody {
  const { threadId, filter, context, retrievalPageSize = 5 } = body
  const currentPath = body.currentPath === undefined ? null : canonicalPagePath(body.currentPath)
  const said = body.messages.flatMap((message) => {
    const text = textOf(message).slice(0, ASSISTANT_LENGTHS.text).toWellFormed()
    const { role } = message
    if (text === '' || (role !== 'user' && role !== 'assistant')) return []
    return [{ role, parts: [{ type: 'text' as const, text }] }]
  })
  const { language, version } = filter ?? {}
  return {
    messages: said.slice(-ASSISTANT_LENGTHS.messages),
    retrievalPageSize: Math.min(retrievalPageSize, MAX_ANSWER_PASSAGES),
    filter: { ...(language && { language }), ...(version && { version }) },
    ...(threadId && { threadId }),
    ...(currentPath !== null && { currentPath }),
    ...(context && { context: context.map(({ elementId: _, ...one }) => one) }),
  }
}

/** Returns a result for each passage, grouped by page. */
async function search(
  deps: DiscoveryDeps,
  site: ReaderSite,
  domain: string,
  { query, pageSize = 10, scoreThreshold = 0, filter = {} }: DiscoverySearchBody,
): Promise<DiscoveryResult[]> {
  const docs: SiteDocs = await loadDocs(deps.publishedDocs, site)
  const language = languageOf(docs, filter.language)
  const { version, tag } = filter
  const found = await findInDocs(docs, query, language, version ?? null, pageSize)
  const best = Math.max(...found.map(({ score }) => score), Number.MIN_VALUE)
  const origin = siteOrigin(deps.publicUrl(), hostName(domain))
  return found
    .filter(
      ({ page, score }) =>
        score / best >= scoreThreshold &&
        (version === undefined || page.version === version) &&
        (tag === undefined || page.tag === tag),
    )
    .flatMap(({ page, score, passages }) =>
      passages.map(({ heading, anchor, text }) => ({
        content: text,
        path: page.route,
        metadata: {
          ...{ title: page.title, heading, language: page.language, version: page.version },
          tag: page.tag ?? null,
          url: pageUrl(origin, page.route, anchor),
          score: score / best,
        },
      })),
    )
    .slice(0, pageSize)
}
