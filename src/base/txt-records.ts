/** TXT records of a name, asked of DNS within bounds. Nothing that is answered is connected to. */
import { Resolver } from 'node:dns/promises'

export type TxtAnswer =
  | { kind: 'found'; texts: string[] }
  /** The name is not there, or has no such record. */
  | { kind: 'none' }
  /** Nobody said anything of it; with the code of the failure. */
  | { kind: 'unanswered'; code: string }

export type TxtLookup = (name: string) => Promise<TxtAnswer>

const TRY_MS = 2000
const TRIES = 2
/** For all tries at all servers. */
const WHOLE_MS = 8000
/** Of one name; more is nobody's record. */
const MOST_TEXTS = 200

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** `servers` are addresses, with a port or without; none: those of the system. */
export function createTxtLookup(servers: readonly string[]): TxtLookup {
  return async (name) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers.length > 0) resolver.setServers(servers)
    const late = setTimeout(() => resolver.cancel(), WHOLE_MS)
    try {
      const records = await resolver.resolveTxt(name)
      return { kind: 'found', texts: records.slice(0, MOST_TEXTS).map((parts) => parts.join('')) }
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      return NOT_THERE.has(code) ? { kind: 'none' } : { kind: 'unanswered', code }
    } finally {
      clearTimeout(late)
    }
  }
}

/** Whether these can be asked. */
export function areDnsServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers(servers)
    return true
  } catch {
    return false
  }
}
