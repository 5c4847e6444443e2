/** The reader API: questions to the assistant of a site. */

import { AppError } from '../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../base/errors/fault.ts'
import { networkOf } from '../../base/net/address-network.ts'
import { takeFromWindow } from '../../routing/rate-window.ts'
import type { Assistant } from '../assistant/assistant.ts'
import { ASSISTANT_LENGTHS } from '../assistant/operations/assistant.ts'
import { canonicalPagePath } from '../feedback/intake/page-path.ts'
import type { ReaderHandlers, ReaderRouteDeps } from './readers.ts'

export function questionHandler(
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
      const sharer = `${site.siteId}:${networkOf(call.address)}`
      const question = await commit({ limit: 'questions', sharer }, async (tx) => {
        const window = { bucket: `siteQuestions:${site.siteId}`, limit: count, windowSeconds: seconds }
        const ofSite = await takeFromWindow(tx, window)
        if (!ofSite.accepted) call.tellWindow('siteQuestions', ofSite)
        return assistant.begin(tx, asked)
      })
      return assistant.answer(question, asked, signal)
    },
  }
}

/** What the schema of the body cannot say. */
function questionFaults(body: unknown): Fault[] {
  const { messages } = (body ?? {}) as { messages?: unknown }
  if (!Array.isArray(messages) || messages.length === 0) return []
  const last = messages.length - 1
  const { role, parts } = (messages[last] ?? {}) as { role?: unknown; parts?: { text?: unknown }[] }
  const at = `/messages/${last}`
  if (role === 'assistant') return [faultAt(`${at}/role`, 'must be `user`: the question stands last')]
  const text = Array.isArray(parts) ? parts[0]?.text : null
  if (typeof text === 'string' && text.length > ASSISTANT_LENGTHS.question)
    return [faultAt(`${at}/parts/0/text`, `must not be longer than ${ASSISTANT_LENGTHS.question} characters`)]
  return []
}
