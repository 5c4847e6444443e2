/** DNS lookups with limits. */
import { Resolver } from 'node:dns/promises'

export type TxtAnswer =
  | { kind: 'found'; texts: string[] }
  | { kind: 'none' }
  | { kind: 'unanswered'; code: string }

export type TxtLookup = (name: string) => Promise<TxtAnswer>

const ATTEMPT_TIMEOUT_MS = 2000
const MAX_ATTEMPTS = 2
/** Time limit for all attempts at all servers. */
const TOTAL_TIMEOUT_MS = 8000
/** Maximum number of TXT records per name; legitimate names have fewer. */
const MAX_TXT_RECORDS = 200

const NOT_FOUND_CODES = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** Creates a lookup for TXT records. `servers` are addresses with an optional port; empty uses the system's. */
export function createTxtLookup(servers: readonly string[]): TxtLookup {
  return async (name) => {
    const answer = await queryDns(servers, (resolver) => resolver.resolveTxt(name))
    if (answer.kind !== 'found') return answer
    return { kind: 'found', texts: answer.records.slice(0, MAX_TXT_RECORDS).map((parts) => parts.join('')) }
  }
}

export type DnsAnswer<Record> = { kind: 'found'; records: Record[] } | Exclude<TxtAnswer, { kind: 'found' }>

/** Returns the IPv4 addresses of a name, or its IPv6 addresses if it has none. */
export async function lookUpAddresses(servers: readonly string[], name: string): Promise<DnsAnswer<string>> {
  const ipv4 = await queryDns(servers, (resolver) => resolver.resolve4(name))
  return ipv4.kind === 'none' ? await queryDns(servers, (resolver) => resolver.resolve6(name)) : ipv4
}

async function queryDns<Record>(
  servers: readonly string[],
  query: (resolver: Resolver) => Promise<Record[]>,
): Promise<DnsAnswer<Record>> {
  const resolver = new Resolver({ timeout: ATTEMPT_TIMEOUT_MS, tries: MAX_ATTEMPTS })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), TOTAL_TIMEOUT_MS)
  try {
    return { kind: 'found', records: await query(resolver) }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return NOT_FOUND_CODES.has(code) ? { kind: 'none' } : { kind: 'unanswered', code }
  } finally {
    clearTimeout(timer)
  }
}

export function areDnsServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers(servers)
    return true
  } catch {
    return false
  }
}
