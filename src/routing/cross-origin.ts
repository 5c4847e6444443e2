/** Checks which origins may use the reader API from a page: only the project's own domains. */

import { READER_CORS } from '../base/api/origins.ts'
import { AppError } from '../base/errors/errors.ts'

/**
 * Returns the CORS headers of a response. Without an Origin, the sender is not a page, so none are needed.
 * Credentials are never allowed. Throws AppError `origin_refused`.
 */
export function checkOrigin(origin: string | undefined, domains: readonly string[]): Record<string, string> {
  if (origin === undefined) return {}
  if (!isOriginOf(origin, domains)) throw new AppError('origin_refused')
  return READER_CORS.answer(origin)
}

/** Accepts `https://` with a domain of the project; for names of this machine also http and any port. */
function isOriginOf(origin: string, domains: readonly string[]): boolean {
  const match = /^(https?):\/\/([a-z0-9.-]+)(:\d{1,5})?$/.exec(origin)
  if (match === null) return false
  const [, scheme, host = '', port] = match
  if (!domains.includes(host)) return false
  const isThisMachine = host === 'localhost' || host.endsWith('.localhost')
  return isThisMachine || (scheme === 'https' && port === undefined)
}
