/** What a hosted site is asked, and what it answers. */

import type { Readable } from 'node:stream'

/** By what a gate knows who asks. */
export interface ReaderPapers {
  /** Host name that was asked, in the one spelling. */
  host: string
  cookie?: string | undefined
  authorization?: string | undefined
}

export interface SiteRequest extends ReaderPapers {
  /** Host name without port, lower case. */
  host: string
  /** `GET`, `HEAD`, … */
  method: string
  /** Path and query as they came. */
  target: string
  acceptEncoding: string
  /** `Accept` header; who asks for Markdown gets the twin of a page. */
  accept: string
  ifNoneMatch: string | null
  /** What the browser says of the language that is wanted; null for who has chosen one, or comes from a page of the site. */
  acceptLanguage?: string | null
  /** Headers `Range` and `If-Range`. */
  range?: string | undefined
  ifRange?: string | undefined
  /** Of the one who asks. */
  address: string
  userAgent: string
}

export interface SiteAnswer {
  status: number
  headers: Record<string, string>
  body: Readable | Uint8Array | string | null
}
