/** Protocol between a previewed page and the preview server. */
import type { Problem } from '../errors/problem.ts'

export const PREVIEW_PATH = '/_octavo/preview/'

/**
 * Server-sent events: `<path>events?page=<path of the open page>`. Sends a `version` and a `notes` event immediately,
 * and again whenever they change. A page with a different version must reload.
 */
export const PREVIEW_EVENTS = `${PREVIEW_PATH}events`

export interface PreviewVersion {
  /** Version of the page as currently served; also in `data-version` of the preview script in each page. */
  version: string
}

export interface PreviewNotes {
  problems: Problem[]
  /** The page does not compile, so its last working state is shown. */
  isBroken: boolean
}
