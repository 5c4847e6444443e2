/**
 * Where a call of git may connect to: the host of its address is resolved here, by the rules for all addresses that people
 * give, and git is told to connect to just that. Whatever a name answers later, and whatever the machine's own settings of
 * ssh say, nothing else is reached.
 */
import {
  type AddressGuard,
  AddressRefusedError,
  bareHost,
  createAddressGuard,
} from '../base/net/address-guard.ts'
import { portOf } from '../base/net/guarded-fetch.ts'
import { GitError, unreachableSentence } from './git-error.ts'
import type { Repository } from './repository.ts'

/** What forges and servers of git listen on, for ssh and for the web. */
export const GIT_PORTS: readonly number[] = [22, 80, 443, 2222, 3000, 7999, 8080, 8443]

export interface Pin {
  /** Settings of git. */
  config: readonly (readonly [string, string])[]
  /** Options of ssh. */
  ssh: readonly string[]
}

export interface RemoteNetwork {
  /** Default: the public internet alone. */
  guard?: AddressGuard | undefined
  proxy?: string | undefined
}

export const PUBLIC_ONLY = createAddressGuard({}, GIT_PORTS)
/** Resolvers may hang for longer than anybody waits. */
const RESOLVE_MS = 15_000

/**
 * Rejects with GitError `repository_unreachable`, in the same words as for a host that does not answer: what is inside,
 * and whether it is there, is nobody's business.
 */
export async function pinRemote(remote: Repository, network: RemoteNetwork): Promise<Pin> {
  if (remote.protocol === 'file') return { config: [], ssh: [] }
  const { host, port } = placeOf(remote)
  const addresses = await addressesOf(host, port, network).catch((error: Error) => {
    throw new GitError(
      'repository_unreachable',
      unreachableSentence(`The repository ${remote.address}`),
      error.name,
    )
  })
  return remote.protocol === 'ssh'
    ? { config: [], ssh: sshPin(host, port, addresses) }
    : { config: httpPin(host, port, addresses), ssh: [] }
}

/**
 * The addresses to connect to; none behind a proxy that alone knows the name. Rejects with AddressRefusedError, or with an
 * error of the resolver.
 */
export async function addressesOf(
  host: string,
  port: number,
  { guard = PUBLIC_ONLY, proxy }: RemoteNetwork,
): Promise<string[]> {
  const time = Promise.withResolvers<never>()
  const timer = setTimeout(() => time.reject(new AddressRefusedError()), RESOLVE_MS)
  try {
    return await Promise.race([guard.addressesOf(host, port), time.promise])
  } catch (error) {
    // Behind a proxy, names may be known to the proxy alone, which then decides where they may lead.
    if (proxy !== undefined && !(error instanceof AddressRefusedError)) return []
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function placeOf({ address, protocol }: Repository): { host: string; port: number } {
  const url = address.includes('://') ? URL.parse(address) : null
  if (protocol !== 'ssh') {
    if (url === null) throw new TypeError(`${address} is no address`)
    return { host: url.hostname, port: portOf(url) }
  }
  if (url !== null) return { host: url.hostname, port: Number(url.port || 22) }
  return { host: /^(?:[^@/]*@)?([^:/]+):/.exec(address)?.[1] ?? '', port: 22 }
}

function httpPin(host: string, port: number, addresses: readonly string[]): [string, string][] {
  const redirects: [string, string] = ['http.followRedirects', 'false']
  if (addresses.length === 0 || host.startsWith('[')) return [redirects]
  const found = addresses.map((address) => (address.includes(':') ? `[${address}]` : address)).join(',')
  return [redirects, ['http.curloptResolve', `${host}:${port}:${found}`]]
}

/** The keys of hosts stay under the names that people know them by. */
function sshPin(host: string, port: number, [address = '']: readonly string[]): string[] {
  const name = bareHost(host)
  return [
    `HostName=${address}`,
    `Port=${port}`,
    `HostKeyAlias=${port === 22 ? name : `[${name}]:${port}`}`,
    'CanonicalizeHostname=no',
    'ProxyCommand=none',
    'ProxyJump=none',
    'ControlPath=none',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
  ]
}
