/** Hands entries to the agent by opening a new job with them attached. */

import { useMayDo } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** API limit of entries per agent job. */
export const MOST_FOR_AGENT = 50

/** Returns the URL of a new job with the entries attached, limited to the maximum per job. */
export function agentHref(projectId: string, ids: readonly string[]): string {
  return `/p/${projectId}/agent?feedback=${ids.slice(0, MOST_FOR_AGENT).join(',')}`
}

/** Returns a function that opens the new job; null without entries or permission. */
export function useAskAgent(projectId: string, ids: readonly string[]): (() => void) | null {
  const go = useGo()
  const mayAsk = useMayDo('agent')
  return mayAsk && ids.length > 0 ? () => void go(agentHref(projectId, ids)) : null
}
