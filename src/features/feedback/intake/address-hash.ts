/** Distinguishes the senders of one day by hashes that do not reveal their addresses. */
import { createHmac } from 'node:crypto'
import { networkPrefix } from '../../../base/net/address-network.ts'

const BYTES = 16

/**
 * The key depends on the site and the UTC day, so hashes of an address on other days and sites are unrelated.
 * A /64 IPv6 network counts as one sender, because a reader usually has all of its addresses.
 */
export function hashAddress(secret: string, siteId: string, address: string, now: Date): Buffer {
  const day = now.toISOString().slice(0, 10)
  const key = createHmac('sha256', secret).update(`feedback address\n${day}\n${siteId}`).digest()
  return createHmac('sha256', key).update(networkPrefix(address)).digest().subarray(0, BYTES)
}
