/** Which pages of other origins may use the reader API: those of the project's own domains, exactly. */

import { READER_CORS } from '../base/api/origins.ts'
import { AppError } from '../base/errors/errors.ts'

/**
 * The headers for an answer. Without an Origin the sender is no browser page: there is nothing to allow. Credentials are
 * never allowed. Throws AppError `origin_refused`.
 */
export function checkOrigin(origin: string | undefined, domains: readonly string[]): Record<string, string> {
  if (origin === undefined) return {}
  if (!isOriginOf(origin, domains)) throw new AppError('origin_refused')
  return READER_CORS.answer(origin)
}

/** `https://` and a domain of the project, nothing more; names of this machine also by http and with any port. */
function isOriginOf(origin: string, domains: readonly string[]): boolean {
  const match = /^(https?):\/\/([a-z0-9.-]+)(:\d{1,5})?$/.exec(origin)
  if (match === null) return false
  const [, scheme, host = '', port] = match
  if (!domains.includes(host)) return false
  const isThisMachine = host === 'localhost' || host.endsWith('.localhost')
  return isThisMachine || (scheme === 'https' && port === undefined)
}
