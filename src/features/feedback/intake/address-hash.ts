/** Senders told apart for a day, by a hash that leads nobody back to them. */
import { createHmac } from 'node:crypto'
import { networkOf } from '../../../base/net/address-network.ts'

const BYTES = 16

/**
 * Under a key of the site and of the day (UTC): yesterday's hash of an address has nothing in common with today's, nor
 * one site's with another's. An IPv6 network of 64 bits is one sender: a reader has all of it.
 */
export function hashAddress(secret: string, siteId: string, address: string, now: Date): Buffer {
  const day = now.toISOString().slice(0, 10)
  const key = createHmac('sha256', secret).update(`feedback address\n${day}\n${siteId}`).digest()
  return createHmac('sha256', key).update(networkOf(address)).digest().subarray(0, BYTES)
}
