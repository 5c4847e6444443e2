/** Distinguishes senders for a day, using a hash that cannot be traced back to them. */
import { createHmac } from 'node:crypto'
import { networkPrefix } from '../../../base/net/address-network.ts'

const BYTES = 16

/**
 * The key depends on the site and the day (UTC), so hashes of an address are unrelated across days and sites. An IPv6
 * network of 64 bits counts as one sender, because a reader has all of it.
 */
export function hashAddress(secret: string, siteId: string, address: string, now: Date): Buffer {
  const day = now.toISOString().slice(0, 10)
  const key = createHmac('sha256', secret).update(`feedback address\n${day}\n${siteId}`).digest()
  return createHmac('sha256', key).update(networkPrefix(address)).digest().subarray(0, BYTES)
}
