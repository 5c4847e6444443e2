/**
 * Daily visitors, distinguished by a hash that cannot be reversed: its salt is random, valid for one UTC day,
 * and deleted a day later. Nobody can be tracked across days, not even with access to the database.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { sql } from 'kysely'
import { networkPrefix } from '../../../base/net/address-network.ts'
import type { Queries } from '../../../database/database.ts'

/** With a million visitors on a day, the chance that any two share an 8-byte hash is one in forty million. */
const HASH_BYTES = 8
const SALT_BYTES = 32

export interface VisitorHashes {
  /** Returns the hash in base64. `at` is in milliseconds since the epoch: today or yesterday. */
  hashVisitor(visit: { projectId: string; address: string; userAgent: string; at: number }): Promise<string>
}

export function createVisitorHashes(queries: Queries): VisitorHashes {
  const salts = new Map<string, Promise<Buffer>>()

  function getSalt(day: string): Promise<Buffer> {
    const known = salts.get(day)
    if (known !== undefined) return known
    const salt = findSalt(queries, day)
    salts.set(day, salt)
    salt.catch(() => salts.delete(day))
    for (const oldest of salts.keys()) {
      if (salts.size <= 2) break
      salts.delete(oldest)
    }
    return salt
  }

  return {
    async hashVisitor({ projectId, address, userAgent, at }) {
      const hash = createHmac('sha256', await getSalt(dayOf(at)))
      hash.update(`${projectId}\n${shortenAddress(address)}\n${userAgent}`)
      return hash.digest().subarray(0, HASH_BYTES).toString('base64')
    },
  }
}

/** Returns a UTC date such as `2026-11-21`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Returns the first 24 bits of an IPv4 address, or the first 48 of an IPv6 address. */
export function shortenAddress(address: string): string {
  const network = networkPrefix(address)
  return isIPv4(network) ? network.split('.').slice(0, 3).join('.') : network.split(':').slice(0, 3).join(':')
}

/** Returns the salt of a day, shared by all servers, and creates it if missing. */
async function findSalt(queries: Queries, day: string): Promise<Buffer> {
  await queries
    .insertInto('analytics_salts')
    .values({ day, salt: randomBytes(SALT_BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { rows } = await sql<{
    salt: Buffer
  }>`SELECT salt FROM analytics_salts WHERE day = ${day}::date`.execute(queries)
  const salt = rows[0]?.salt
  if (salt === undefined) throw new Error(`the salt of ${day} was deleted`)
  return salt
}
