/** Reader API: feedback of readers and agents, withdrawal of a vote without text, and page events. */

import { AppError } from '../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../base/errors/fault.ts'
import { networkPrefix } from '../../base/net/address-network.ts'
import { limitReached } from '../../routing/rate-limit-headers.ts'
import { consumeSlot } from '../../routing/rate-window.ts'
import type { Countries } from '../analytics/intake/countries.ts'
import { createInbox, insertBatches } from '../analytics/intake/inbox.ts'
import { eventFaults, recordEvents } from '../analytics/intake/intake.ts'
import { createSenderWindows } from '../analytics/intake/sender-windows.ts'
import { createVisitorHashes } from '../analytics/intake/visitors.ts'
import type { Assistant } from '../assistant/assistant.ts'
import { ASSISTANT_LENGTHS } from '../assistant/operations/assistant.ts'
import { rateAnswer } from '../assistant/questions.ts'
import type { FeedbackEventDeps } from '../feedback/intake/events.ts'
import { createFloodWatch } from '../feedback/intake/flood-watch.ts'
import { type IntakeCall, PAGE_FAULT, submitFeedback } from '../feedback/intake/intake.ts'
import { canonicalPagePath } from '../feedback/intake/page-path.ts'
import { submissionFaults } from '../feedback/intake/submission.ts'
import { deleteVote } from '../feedback/store.ts'
import type { ReaderSite } from '../hosting/serve/reader-sites.ts'
import type { FeedbackReceipt } from './operations/reader.ts'
import { type CallDeps, callHandler } from './playground-routes.ts'
import type { ReaderHandlers, ReaderRouteDeps } from './readers.ts'
import { type SearchDeps, searchHandler } from './search-routes.ts'

export type ReaderDeps = ReaderRouteDeps &
  CallDeps &
  SearchDeps &
  FeedbackEventDeps & {
    secret: string
    /** Null if no model is configured. */
    assistant: () => Assistant | null
    /** Null if countries of readers are not counted. */
    countries: Countries | null
  }

/** Intake shared by all routes that receive feedback. */
export interface ReaderIntake {
  findPage: FindPage
  submit(call: Omit<IntakeCall, 'findPage' | 'site'> & { site: ReaderSite }): Promise<FeedbackReceipt>
}

export function createReaderIntake(deps: ReaderDeps): ReaderIntake {
  const flood = createFloodWatch(deps.database.queries, deps.limits.siteFeedback)
  const { count, seconds } = deps.limits.siteFeedback
  const full = {
    accepted: false,
    limit: count,
    remaining: 0,
    resetSeconds: seconds,
    retryAfterSeconds: seconds,
  }
  const floodHeaders = limitReached({ ...full, name: 'siteFeedback', seconds }).headers
  const findPage: FindPage = async (site, given) => {
    const path = canonicalPagePath(given)
    return path !== null && (await deps.readerSites.hasPage(site, path)) ? path : null
  }
  return {
    findPage,
    async submit(call) {
      if (!call.site.takesFeedback) throw new AppError('site_archived')
      return submitFeedback(
        { ...deps, flood, floodHeaders },
        { ...call, findPage: (path) => findPage(call.site, path) },
      )
    },
  }
}

export function readerHandlers(deps: ReaderDeps, { findPage, submit }: ReaderIntake): ReaderHandlers {
  return {
    submitFeedback: {
      async rule({ site, body }) {
        const path = (body as { path?: unknown } | null | undefined)?.path
        const isNoPage = typeof path === 'string' && path !== '' && (await findPage(site, path)) === null
        return [...submissionFaults(body), ...(isNoPage ? [PAGE_FAULT] : [])]
      },
      handle: submit,
    },
    withdrawFeedback: {
      handle: ({ site, body, commit }) =>
        commit(null, async (tx) => ({ removed: await deleteVote(tx, site.projectId, body.id) })),
    },
    recordEvents: pageEvents(deps, findPage),
    searchPages: searchHandler(deps),
    forwardCall: callHandler(deps),
    askAssistant: questionHandler(deps),
    rateAnswer: {
      handle: ({ site, body, commit }) =>
        commit(null, async (tx) => ({ rated: await rateAnswer(tx, site.projectId, body) })),
    },
  }
}

type FindPage = (site: ReaderSite, given: string) => Promise<string | null>

/**
 * A batch counts as at least this many events in a site's window. The request and its id cost the server about as much
 * as ten events; without this minimum, splitting events into many small batches would circumvent the limit.
 */
const MIN_EVENTS_PER_BATCH = 10

/** Uses in-process windows, because a database query per batch would itself cause load. */
function pageEvents(deps: ReaderDeps, findPage: FindPage): ReaderHandlers['recordEvents'] {
  const { countries } = deps
  const { queries } = deps.database
  const inbox = createInbox(queries)
  const visitors = createVisitorHashes(queries)
  const senders = createSenderWindows(deps.limits.pageEvents)
  const sites = createSenderWindows(deps.limits.sitePageEvents)
  return {
    rule: async ({ body }) => eventFaults(body),
    async handle(call) {
      const { site, body, commit } = call
      const ofSender = senders.consume(`${site.siteId} ${networkPrefix(call.address)}`, 1)
      call.reportWindow('pageEvents', ofSender)
      const ofSite = sites.consume(site.siteId, Math.max(body.events.length, MIN_EVENTS_PER_BATCH))
      if (!ofSite.accepted) call.reportWindow('sitePageEvents', ofSite)
      const record = (put: typeof inbox.put) =>
        recordEvents(
          { visitors, countries, put },
          {
            projectId: site.projectId,
            body,
            sender: call,
            isServedHere: call.isServedHere,
            findPage: (path) => findPage(site, path),
          },
        )
      return call.hasIdempotencyKey
        ? commit(null, (tx) => record((batch) => insertBatches(tx, [batch])))
        : record(inbox.put)
    },
  }
}

function questionHandler(
  deps: ReaderRouteDeps & { assistant: () => Assistant | null },
): ReaderHandlers['askAssistant'] {
  return {
    rule: async ({ body }) => questionFaults(body),
    async handle(call) {
      const assistant = deps.assistant()
      if (assistant === null) throw new AppError('assistant_unavailable')
      const { site, body, commit, isServedHere, signal } = call
      const { count, seconds } = deps.limits.siteQuestions
      const currentPath = body.currentPath === undefined ? null : canonicalPagePath(body.currentPath)
      const { currentPath: _, ...rest } = body
      const asked = {
        projectId: site.projectId,
        place: isServedHere ? ('hosted' as const) : ('bundle' as const),
        body: currentPath === null ? rest : { ...rest, currentPath },
      }
      const sharer = `${site.siteId}:${networkPrefix(call.address)}`
      const question = await commit({ limit: 'questions', windowKey: sharer }, async (tx) => {
        const window = { bucket: `siteQuestions:${site.siteId}`, limit: count, windowSeconds: seconds }
        const ofSite = await consumeSlot(tx, window)
        if (!ofSite.accepted) call.reportWindow('siteQuestions', ofSite)
        return assistant.begin(tx, asked)
      })
      return assistant.answer(question, asked, signal)
    },
  }
}

function questionFaults(body: unknown): Fault[] {
  const { messages } = (body ?? {}) as { messages?: unknown }
  if (!Array.isArray(messages) || messages.length === 0) return []
  const last = messages.length - 1
  const { role, parts } = (messages[last] ?? {}) as { role?: unknown; parts?: { text?: unknown }[] }
  const at = `/messages/${last}`
  if (role === 'assistant') return [faultAt(`${at}/role`, 'last_role')]
  const text = Array.isArray(parts) ? parts[0]?.text : null
  if (typeof text === 'string' && text.length > ASSISTANT_LENGTHS.question)
    return [faultAt(`${at}/parts/0/text`, 'too_long', { max: ASSISTANT_LENGTHS.question })]
  return []
}
