/** Who is one sender behind a network address: what every window that counts by address goes by. */
import { isIPv6 } from 'node:net'

/**
 * An IPv4 address as it is, also in IPv6 clothes; of an IPv6 address the first 64 bits, since whoever has one address of
 * such a network has all of them. Without a zone; a text that is no address as it is.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/s, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? plain
  const [head = '', tail = ''] = plain.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const isShort = plain.includes('::')
  const zeros = isShort ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0') : []
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')
}
