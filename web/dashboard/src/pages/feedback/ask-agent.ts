/** Hands entries to the agent by opening a new job with them attached. */

import { useHasPermission } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** API limit of entries per agent job. */
export const MAX_ENTRIES_PER_JOB = 50

export function buildFeedbackJobHref(projectId: string, ids: readonly string[]): string {
  return `/p/${projectId}/agent?feedback=${ids.slice(0, MAX_ENTRIES_PER_JOB).join(',')}`
}

/** Returns a function that opens the new job; null without entries or permission. */
export function useAskAgent(projectId: string, ids: readonly string[]): (() => void) | null {
  const go = useGo()
  const mayAsk = useHasPermission('agent')
  return mayAsk && ids.length > 0 ? () => void go(buildFeedbackJobHref(projectId, ids)) : null
}
