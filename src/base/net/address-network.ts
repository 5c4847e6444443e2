/** Maps a network address to the client that it identifies, for all rate limits by address. */
import { isIPv6 } from 'node:net'

/**
 * Returns an IPv4 address unchanged, even when mapped to IPv6. For an IPv6 address, returns the first 64 bits, because
 * a client usually controls its whole /64 network. Strips the zone; returns any other string unchanged.
 */
export function networkPrefix(address: string): string {
  const normalized = address.replace(/%.*$/s, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(normalized)?.[1]
  if (mapped !== undefined || !isIPv6(normalized)) return mapped ?? normalized
  const [head = '', tail = ''] = normalized.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const isShort = normalized.includes('::')
  const zeros = isShort ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0') : []
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')
}
