/** Request and response of a hosted site. */

import type { Readable } from 'node:stream'

export interface ReaderCredentials {
  /** Requested host name, normalized. */
  host: string
  cookie?: string | undefined
  authorization?: string | undefined
}

export interface SiteRequest extends ReaderCredentials {
  /** Host name without port, in lower case. */
  host: string
  method: string
  /** Path and query as received. */
  target: string
  acceptEncoding: string
  /** `Accept` header. Requests for Markdown get the twin of a page. */
  accept: string
  ifNoneMatch: string | null
  /** `Accept-Language` header; null after the first visit. */
  acceptLanguage?: string | null
  range?: string | undefined
  ifRange?: string | undefined
  address: string
  userAgent: string
}

export interface SiteResponse {
  status: number
  headers: Record<string, string>
  body: Readable | Uint8Array | string | null
}
