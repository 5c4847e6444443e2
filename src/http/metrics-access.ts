/** Access to the metrics of a node. */
import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../base/hash.ts'
import { isAddressAllowed } from '../features/accounts/keys/allow-list.ts'

export interface MetricsAccess {
  /** IP addresses and ranges that require no token. */
  from: readonly string[]
  token: string | null
}

export interface MetricsRouteDeps {
  access: MetricsAccess
  scrape(): Promise<{ contentType: string; text: string }>
}

export function canReadMetrics(
  { from, token }: MetricsAccess,
  caller: { address: string | null; authorization: string | undefined },
): boolean {
  if (token !== null && isSame(caller.authorization ?? '', `Bearer ${token}`)) return true
  return from.length > 0 && caller.address !== null && isAddressAllowed(from, caller.address)
}

export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))
}
