import type { OutsideText } from '../../database/schema/agent.ts'
import type { SeenCommit } from '../../database/schema/automations.ts'
import { maskPersonalData } from '../agent/publish/mask-personal.ts'

export interface Cause {
  /** Identifies the subject; each topic has at most one open pull request. */
  topic: string
  externalTexts: OutsideText[]
  feedbackIds: string[]
  /** Ids of findings that must not be reported again. */
  items: string[]
  /** Commit of a code repository; the job updates the pages to match it. */
  code?: SeenCommit | null
}

/** New findings since an automation's last action. */
export interface Causes {
  causes: Cause[]
  /** Number of the newest deployment examined; null if there is none. */
  seenDeployment: number | null
  /** True if all changes came from jobs of this automation. */
  isOwnChange: boolean
}

/** Maximum number of topics per check; the next check finds the others. */
export const MAX_CAUSES = 5

export const NO_CAUSES: Causes = { causes: [], seenDeployment: null, isOwnChange: false }

export function emptyCause(topic: string): Cause {
  return { topic, externalTexts: [], feedbackIds: [], items: [] }
}

/** Maximum number of characters of third-party text passed to a job. */
const MAX_TEXT_LENGTH = 10_000

export function maskText(text: string): string {
  const masked = maskPersonalData(text)
  return masked.length > MAX_TEXT_LENGTH ? `${masked.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}…` : masked
}
