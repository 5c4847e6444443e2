/**
 * Where connections may lead that addresses of other people ask for: one set of rules for web addresses, for git and for
 * the APIs of forges. What is resolved once is what is connected to.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface AddressRules {
  /** Hosts of the inside that the operator names: `host` for the usual ports, `host:port`, or `host:*` for every port. */
  privateHosts?: readonly string[]
  /** The setting that names them, for the sentence of a refusal. */
  setting?: string
  /** All addresses of a name. Default: the system's resolver. */
  resolve?: (hostname: string) => Promise<string[]>
  /** Default: `isPublicAddress`. */
  isPublic?: (address: string) => boolean
}

export interface AddressGuard {
  /** Null when the port may be asked and the host, if it is an address, too; else which of them is the fault. */
  objection(hostname: string, port: number): 'port' | 'address' | null
  /** Whether the host may lead anywhere at this port: the operator has named it. */
  isNamed(hostname: string, port: number): boolean
  isAllowed(address: string): boolean
  /** The sentence for an address that is refused. */
  refusal: string
  /** All addresses of a name, unchecked; of an address itself. */
  resolve(hostname: string): Promise<string[]>
  /** The addresses to connect to. Rejects with AddressRefusedError, or with an error of the resolver. */
  addressesOf(hostname: string, port: number): Promise<string[]>
}

export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

const NOT_PUBLIC = 'The address is not on the public internet.'
const HOST_PATTERN = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]*,]+)(?::(\d{1,5}|\*))?$/

/** Null for a text that names no host. */
export function parsePrivateHost(text: string): { host: string; port: number | '*' | null } | null {
  const [, host, port] = HOST_PATTERN.exec(text.trim().toLowerCase()) ?? []
  if (host === undefined) return null
  const bare = bareHost(host)
  if (port === undefined || port === '*') return { host: bare, port: port ?? null }
  return Number(port) >= 1 && Number(port) <= 65_535 ? { host: bare, port: Number(port) } : null
}

/** `usualPorts` may be asked of every host; null: all ports. */
export function createAddressGuard(rules: AddressRules, usualPorts: readonly number[] | null): AddressGuard {
  const { isPublic: isAllowed = isPublicAddress, setting } = rules
  const isUsual = (port: number) => usualPorts?.includes(port) ?? true
  const named = (rules.privateHosts ?? []).map(parsePrivateHost).filter((one) => one !== null)
  const isNamed = (hostname: string, port: number) =>
    named.some(
      (one) =>
        one.host === bareHost(hostname) &&
        (one.port === '*' || one.port === port || (one.port === null && isUsual(port))),
    )
  const resolve = async (hostname: string) => {
    const host = bareHost(hostname)
    return isIP(host) === 0 ? await (rules.resolve ?? resolveBySystem)(host) : [host]
  }
  const objection = (hostname: string, port: number) => {
    if (isNamed(hostname, port)) return null
    const host = bareHost(hostname)
    if (isIP(host) !== 0 && !isAllowed(host)) return 'address'
    return isUsual(port) ? null : 'port'
  }
  return {
    objection,
    isNamed,
    isAllowed,
    refusal:
      setting === undefined
        ? NOT_PUBLIC
        : `${NOT_PUBLIC} Operators allow hosts of private networks in ${setting}.`,
    resolve,
    async addressesOf(hostname, port) {
      if (objection(hostname, port) !== null) throw new AddressRefusedError()
      const addresses = await resolve(hostname)
      // One bad address among good ones is enough: nobody can say which one would be connected to.
      const isFine = addresses.length > 0 && (isNamed(hostname, port) || addresses.every(isAllowed))
      if (!isFine) throw new AddressRefusedError()
      return addresses
    },
  }
}

/** Small letters, without the brackets of an IPv6 address and the dot of the root. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

async function resolveBySystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}
