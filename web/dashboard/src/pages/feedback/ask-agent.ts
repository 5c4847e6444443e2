/** Hands entries to the agent: a job that is to be described begins with them. */

import { useMayDo } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** As the API takes them for one agent job. */
export const MOST_FOR_AGENT = 50

/** Of as many as one job takes. */
export function agentHref(projectId: string, ids: readonly string[]): string {
  return `/p/${projectId}/agent?feedback=${ids.slice(0, MOST_FOR_AGENT).join(',')}`
}

/** What goes there; null without entries, and for those who may not ask. */
export function useAskAgent(projectId: string, ids: readonly string[]): (() => void) | null {
  const go = useGo()
  const mayAsk = useMayDo('agent')
  return mayAsk && ids.length > 0 ? () => void go(agentHref(projectId, ids)) : null
}
