/** What a previewed page and the server of the preview say to each other. */
import type { Problem } from '../errors/problem.ts'

/** Everything of the preview itself lies below this path. */
export const PREVIEW_PATH = '/_octavo/preview/'

/**
 * Server-sent events: `<path>events?page=<path of the open page>`. A `version` and a `notes` come at once, the next
 * ones whenever they change. A page whose version is another one is to be loaded again.
 */
export const PREVIEW_EVENTS = `${PREVIEW_PATH}events`

export interface PreviewVersion {
  /** Of the page as it would be served now; also in `data-version` of the preview's script in each page. */
  version: string
}

export interface PreviewNotes {
  /** Those of the page and of the settings, without hints. */
  problems: Problem[]
  /** The page does not compile: what is shown is how it was when it last did. */
  isBroken: boolean
}
