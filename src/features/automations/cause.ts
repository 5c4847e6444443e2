/** Why a run begins, and what its job is told. */

import type { Told } from '../../database/schema/agent.ts'
import type { SeenCode } from '../../database/schema/automations.ts'
import { maskPersonal } from '../agent/publish/mask-personal.ts'

export interface Cause {
  /** One open pull request at a time. */
  topic: string
  told: Told[]
  /** Entries that a job takes up. */
  feedbackIds: string[]
  /** What it is not told of again, by names of our own. */
  items: string[]
  /** The commit of a code repository that its job brings the pages up to. */
  code?: SeenCode | null
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

/** Characters of what others wrote that a job is told. */
const TEXT_LENGTH = 10_000

/** Without what looks like personal data. */
export function toldText(text: string): string {
  const masked = maskPersonal(text)
  return masked.length > TEXT_LENGTH ? `${masked.slice(0, TEXT_LENGTH - 1).toWellFormed()}…` : masked
}
