/** Tests whether an address belongs to the public internet, and may therefore be fetched on behalf of users. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const NON_PUBLIC_IPV4_RANGES = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT; clouds also use it for internal services
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, including cloud metadata services
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const

/**
 * Only global unicast is allowed in IPv6. This excludes loopback, unspecified, link-local, unique-local, multicast,
 * IPv4 in IPv6 (mapped, compatible) and both NAT64 prefixes without listing them.
 */
const GLOBAL_IPV6_RANGE = ['2000::', 3] as const

/** Excluded ranges of global unicast, which embed an IPv4 address or are not routed. */
const NON_PUBLIC_IPV6_RANGES = [
  ['2001::', 23], // protocol assignments, including Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
] as const

const refusedIpv4 = new BlockList()
for (const [net, prefix] of NON_PUBLIC_IPV4_RANGES) refusedIpv4.addSubnet(net, prefix, 'ipv4')
const globalIpv6 = new BlockList()
globalIpv6.addSubnet(...GLOBAL_IPV6_RANGE, 'ipv6')
const refusedIpv6 = new BlockList()
for (const [net, prefix] of NON_PUBLIC_IPV6_RANGES) refusedIpv6.addSubnet(net, prefix, 'ipv6')

/** Returns false for texts that are not addresses, and for addresses with a zone (`fe80::1%eth0`). */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6')
}
