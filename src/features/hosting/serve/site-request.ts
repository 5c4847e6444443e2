/** Request and response of a hosted site. */

import type { Readable } from 'node:stream'

/** Credentials of a reader. */
export interface ReaderCredentials {
  /** Requested host name, normalized. */
  host: string
  cookie?: string | undefined
  authorization?: string | undefined
}

export interface SiteRequest extends ReaderCredentials {
  /** Host name without port, lower case. */
  host: string
  /** `GET`, `HEAD`, … */
  method: string
  /** Path and query as received. */
  target: string
  acceptEncoding: string
  /** `Accept` header. Requests for Markdown get the twin of a page. */
  accept: string
  ifNoneMatch: string | null
  /** `Accept-Language` header; null for readers who have chosen a language or come from a page of the site. */
  acceptLanguage?: string | null
  /** `Range` and `If-Range` headers. */
  range?: string | undefined
  ifRange?: string | undefined
  /** Client address. */
  address: string
  userAgent: string
}

export interface SiteAnswer {
  status: number
  headers: Record<string, string>
  body: Readable | Uint8Array | string | null
}
