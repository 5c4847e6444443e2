/** The cause of a run, and the texts given to its job. */

import type { OutsideText } from '../../database/schema/agent.ts'
import type { SeenCode } from '../../database/schema/automations.ts'
import { maskPersonal } from '../agent/publish/mask-personal.ts'

export interface Cause {
  /** Subject of the cause; at most one pull request per topic is open. */
  topic: string
  told: OutsideText[]
  /** Feedback entries assigned to the job. */
  feedbackIds: string[]
  /** Ids of findings that must not be reported again. */
  items: string[]
  /** The commit of a code repository that its job brings the pages up to. */
  code?: SeenCode | null
}

/** New findings since an automation's last action. */
export interface Causes {
  /** One per topic. */
  causes: Cause[]
  /** Number of the newest deployment examined; null when there was none. */
  seenDeployment: number | null
  /** True when all changes came from jobs of the automation itself. */
  isOwnChange: boolean
}

/** Maximum number of topics per check; the next check finds the rest. */
export const MAX_CAUSES = 5

export const NO_CAUSES: Causes = { causes: [], seenDeployment: null, isOwnChange: false }

/** Returns a cause with nothing to add to the prompt. */
export function emptyCause(topic: string): Cause {
  return { topic, told: [], feedbackIds: [], items: [] }
}

/** Maximum number of characters of third-party text given to a job. */
const MAX_TEXT_LENGTH = 10_000

/** Masks what looks like personal data. */
export function maskedText(text: string): string {
  const masked = maskPersonal(text)
  return masked.length > MAX_TEXT_LENGTH ? `${masked.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}…` : masked
}
