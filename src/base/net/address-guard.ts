/**
 * Restricts outbound connections to user-supplied hosts, with one set of rules for URLs, git and forge APIs.
 * Connections go to the very address that was resolved and checked.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface AddressRules {
  /** Private hosts that the operator allows: `host` for the usual ports, `host:port`, or `host:*` for every port. */
  privateHosts?: readonly string[]
  setting?: string
  resolve?: (hostname: string) => Promise<string[]>
  /** Defaults to `isPublicAddress`. */
  isPublic?: (address: string) => boolean
}

export interface AddressGuard {
  /** Checks the port, and the host if it is an IP address. Returns the part that is not allowed, or null. */
  objection(hostname: string, port: number): 'port' | 'address' | null
  /** Returns whether the operator has listed the host and port. All addresses of the host are then allowed. */
  isNamed(hostname: string, port: number): boolean
  isAllowed(address: string): boolean
  refusal: string
  setting: string | undefined
  /** Resolves a name to all its addresses, unchecked, or an IP address to itself. */
  resolve(hostname: string): Promise<string[]>
  /** Returns the addresses to connect to. Rejects with AddressRefusedError, or with an error of the resolver. */
  resolveAllowedAddresses(hostname: string, port: number): Promise<string[]>
}

export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

const NOT_PUBLIC_MESSAGE = 'The address is not on the public internet.'
const HOST_PATTERN = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]*,]+)(?::(\d{1,5}|\*))?$/

export function parsePrivateHost(text: string): { host: string; port: number | '*' | null } | null {
  const [, host, port] = HOST_PATTERN.exec(text.trim().toLowerCase()) ?? []
  if (host === undefined) return null
  const normalized = normalizeHost(host)
  if (port === undefined || port === '*') return { host: normalized, port: port ?? null }
  return Number(port) >= 1 && Number(port) <= 65_535 ? { host: normalized, port: Number(port) } : null
}

/** Creates a guard. `defaultPorts` are allowed on any host; null allows all ports. */
export function createAddressGuard(
  rules: AddressRules,
  defaultPorts: readonly number[] | null,
): AddressGuard {
  const { isPublic: isAllowed = isPublicAddress, setting } = rules
  const isDefaultPort = (port: number) => defaultPorts?.includes(port) ?? true
  const named = (rules.privateHosts ?? []).map(parsePrivateHost).filter((one) => one !== null)
  const isNamed = (hostname: string, port: number) =>
    named.some(
      (one) =>
        one.host === normalizeHost(hostname) &&
        (one.port === '*' || one.port === port || (one.port === null && isDefaultPort(port))),
    )
  const resolve = async (hostname: string) => {
    const host = normalizeHost(hostname)
    return isIP(host) === 0 ? await (rules.resolve ?? resolveBySystem)(host) : [host]
  }
  const objection = (hostname: string, port: number) => {
    if (isNamed(hostname, port)) return null
    const host = normalizeHost(hostname)
    if (isIP(host) !== 0 && !isAllowed(host)) return 'address'
    return isDefaultPort(port) ? null : 'port'
  }
  return {
    setting,
    objection,
    isNamed,
    isAllowed,
    refusal:
      setting === undefined
        ? NOT_PUBLIC_MESSAGE
        : `${NOT_PUBLIC_MESSAGE} Operators allow hosts of private networks in ${setting}.`,
    resolve,
    async resolveAllowedAddresses(hostname, port) {
      if (objection(hostname, port) !== null) throw new AddressRefusedError()
      const addresses = await resolve(hostname)
      // A single disallowed address is enough to refuse, since any of them might be used for the connection.
      const areAllowed = addresses.length > 0 && (isNamed(hostname, port) || addresses.every(isAllowed))
      if (!areAllowed) throw new AddressRefusedError()
      return addresses
    },
  }
}

export function normalizeHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

async function resolveBySystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}
