/** Addresses from which a key may be used: IPv4 and IPv6 addresses and CIDR ranges. */
import { BlockList, isIP, SocketAddress } from 'node:net'
import { createFault, type Fault } from '../../../base/errors/fault.ts'

export const MAX_ALLOW_LIST_ENTRIES = 100

/** Returns the entries in canonical form without duplicates, or a fault for each rejected entry. */
export function parseAllowList(entries: readonly string[]): { entries: string[]; faults: Fault[] } {
  const parsed = entries.map(parseEntry)
  const faults = parsed.flatMap((entry) => ('fault' in entry ? [entry.fault] : []))
  if (entries.length > MAX_ALLOW_LIST_ENTRIES) {
    faults.push(createFault('allow_list_entries', { max: MAX_ALLOW_LIST_ENTRIES }))
  }
  const texts = parsed.flatMap((entry) => ('text' in entry ? [entry.text] : []))
  return { entries: [...new Set(texts)], faults }
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

function parseEntry(entry: string): { text: string } | { fault: Fault } {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0) return { fault: createFault('allow_list_entry', { entry }) }
  if (isIpv4MappedAddress(address, version)) return { fault: createFault('allow_list_mapped', { entry }) }
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return { fault: createFault('allow_list_prefix', { entry, bits }) }
  const text = canonicalAddress(address, version)
  if (length === 0 || text === '0.0.0.0' || text === '::') {
    return { fault: createFault('allow_list_everyone', { entry }) }
  }
  return { text: length === bits ? text : `${text}/${length}` }
}

function canonicalAddress(address: string, version: number): string {
  if (version === 4) return address
  const text = new SocketAddress({ address, family: 'ipv6' }).address
  return isIpv4MappedAddress(address, version) ? text.slice(text.lastIndexOf(':') + 1) : text
}

function isIpv4MappedAddress(address: string, version: number): boolean {
  if (version !== 6) return false
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/.test(new SocketAddress({ address, family: 'ipv6' }).address)
}
