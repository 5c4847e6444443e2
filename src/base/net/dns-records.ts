/** DNS lookups with limits. */
import { Resolver } from 'node:dns/promises'

export type TxtAnswer =
  | { kind: 'found'; texts: string[] }
  /** The name does not exist or has no such record. */
  | { kind: 'none' }
  /** No server answered; with the error code. */
  | { kind: 'unanswered'; code: string }

export type TxtLookup = (name: string) => Promise<TxtAnswer>

const TRY_MS = 2000
const TRIES = 2
/** Time limit for all attempts at all servers. */
const WHOLE_MS = 8000
/** Maximum number of TXT records per name; legitimate names have fewer. */
const MOST_TEXTS = 200

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** Creates a lookup for TXT records. `servers` are addresses with an optional port; empty uses the system's. */
export function createTxtLookup(servers: readonly string[]): TxtLookup {
  return async (name) => {
    const answer = await askDns(servers, (resolver) => resolver.resolveTxt(name))
    if (answer.kind !== 'found') return answer
    return { kind: 'found', texts: answer.records.slice(0, MOST_TEXTS).map((parts) => parts.join('')) }
  }
}

export type DnsAnswer<Record> = { kind: 'found'; records: Record[] } | Exclude<TxtAnswer, { kind: 'found' }>

/** Returns the IPv4 addresses of a name, or its IPv6 addresses if it has none. */
export async function addressesOf(servers: readonly string[], name: string): Promise<DnsAnswer<string>> {
  const ofFour = await askDns(servers, (resolver) => resolver.resolve4(name))
  return ofFour.kind === 'none' ? await askDns(servers, (resolver) => resolver.resolve6(name)) : ofFour
}

async function askDns<Record>(
  servers: readonly string[],
  ask: (resolver: Resolver) => Promise<Record[]>,
): Promise<DnsAnswer<Record>> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  const late = setTimeout(() => resolver.cancel(), WHOLE_MS)
  try {
    return { kind: 'found', records: await ask(resolver) }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return NOT_THERE.has(code) ? { kind: 'none' } : { kind: 'unanswered', code }
  } finally {
    clearTimeout(late)
  }
}

/** Returns whether these are valid DNS server addresses. */
export function areDnsServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers(servers)
    return true
  } catch {
    return false
  }
}
