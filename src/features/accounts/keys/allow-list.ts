/** Addresses from which a key may be used: IPv4 and IPv6 addresses and CIDR ranges. */
import { BlockList, isIP, SocketAddress } from 'node:net'

export const MAX_ALLOW_LIST_ENTRIES = 100

/** Returns the entries in canonical form without duplicates, or one sentence per rejected entry. */
export function parseAllowList(entries: readonly string[]): { entries: string[]; problems: string[] } {
  const parsed = entries.map(parseEntry)
  const problems = parsed.flatMap((entry) => ('problem' in entry ? [entry.problem] : []))
  if (entries.length > MAX_ALLOW_LIST_ENTRIES) {
    problems.push(`The allow-list takes at most ${MAX_ALLOW_LIST_ENTRIES} entries`)
  }
  const texts = parsed.flatMap((entry) => ('text' in entry ? [entry.text] : []))
  return { entries: [...new Set(texts)], problems }
}

/** An empty list allows every address. IPv4-mapped addresses of sockets (`::ffff:10.0.0.1`) match as IPv4. */
export function isAddressAllowed(entries: readonly string[], address: string): boolean {
  if (entries.length === 0) return true
  const version = isIP(address)
  if (version === 0) return false
  const plain = canonicalAddress(address.replace(/%.*$/s, ''), version)
  const list = new BlockList()
  for (const entry of entries) {
    const [base = '', prefix] = entry.split('/')
    const family = isIP(base) === 4 ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(base, family)
    else list.addSubnet(base, Number(prefix), family)
  }
  return list.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}

function parseEntry(entry: string): { text: string } | { problem: string } {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0) {
    return {
      problem: `\`${entry}\` is not an IPv4 or IPv6 address or range, such as 203.0.113.7 or 2001:db8::/32`,
    }
  }
  if (isMapped(address, version))
    return { problem: `\`${entry}\` must be written as the IPv4 address it stands for` }
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return { problem: `\`${entry}\` has a prefix longer than ${bits} bits` }
  const text = canonicalAddress(address, version)
  if (length === 0 || text === '0.0.0.0' || text === '::') {
    return { problem: `\`${entry}\` would allow every address: leave the allow-list empty for that` }
  }
  return { text: length === bits ? text : `${text}/${length}` }
}

/** Returns the shortest form of an address; an IPv4-mapped IPv6 address becomes IPv4. */
function canonicalAddress(address: string, version: number): string {
  if (version === 4) return address
  const text = new SocketAddress({ address, family: 'ipv6' }).address
  return isMapped(address, version) ? text.slice(text.lastIndexOf(':') + 1) : text
}

function isMapped(address: string, version: number): boolean {
  if (version !== 6) return false
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/.test(new SocketAddress({ address, family: 'ipv6' }).address)
}
