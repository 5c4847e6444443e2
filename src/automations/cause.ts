/** Why a run begins, and what its job is told. */
import type { Told } from '../database/schema-agent.ts'

export interface Cause {
  /** One open pull request at a time. */
  topic: string
  told: Told[]
  /** Entries that a job takes up. */
  feedbackIds: string[]
  /** What it is not told of again, by names of our own. */
  items: string[]
}

/** What a look finds that an automation has not acted on yet. */
export interface Causes {
  /** One for each topic. */
  causes: Cause[]
  /** Number of the newest deployment that was looked at; null: none was. */
  seenDeployment: number | null
  /** All that was there came from a job of the automation. */
  isOwnChange: boolean
}

/** Topics of one look: what is left is there at the next one. */
export const MOST_CAUSES = 5

export const NOTHING: Causes = { causes: [], seenDeployment: null, isOwnChange: false }

/** With nothing to tell beside the prompt. */
export function bareCause(topic: string): Cause {
  return { topic, told: [], feedbackIds: [], items: [] }
}
