/**
 * Restricts git's connections. The host is resolved here, with the rules for all user-supplied URLs, and git is
 * configured to connect only to the resolved addresses. Later DNS answers and the machine's SSH configuration
 * have no effect.
 */
import {
  type AddressGuard,
  AddressRefusedError,
  createAddressGuard,
  normalizeHost,
} from '../base/net/address-guard.ts'
import { effectivePort } from '../base/net/guarded-fetch.ts'
import { GitError, unreachableMessage } from './git-error.ts'
import type { Repository } from './repository.ts'

/** Common ports of forges and git servers, for SSH and HTTP. */
export const GIT_PORTS: readonly number[] = [22, 80, 443, 2222, 3000, 7999, 8080, 8443]

export interface Pin {
  config: readonly (readonly [string, string])[]
  ssh: readonly string[]
}

export interface RemoteNetwork {
  /** Defaults to the public internet only. */
  guard?: AddressGuard | undefined
  proxy?: string | undefined
}

export const PUBLIC_ADDRESS_GUARD = createAddressGuard({}, GIT_PORTS)
/** Time limit for DNS, because resolvers may hang. */
const RESOLVE_TIMEOUT_MS = 15_000

/**
 * Resolves the host of a remote. Rejects with GitError `repository_unreachable`, with the same message as for
 * an unresponsive host, to not reveal hosts of the private network.
 */
export async function pinRemote(remote: Repository, network: RemoteNetwork): Promise<Pin> {
  if (remote.protocol === 'file') return { config: [], ssh: [] }
  const { host, port } = parseEndpoint(remote)
  const addresses = await resolveRemoteAddresses(host, port, network).catch((error: Error) => {
    throw new GitError(
      'repository_unreachable',
      unreachableMessage(`The repository ${remote.address}`),
      error.name,
    )
  })
  return remote.protocol === 'ssh'
    ? { config: [], ssh: sshPin(host, port, addresses) }
    : { config: httpPin(host, port, addresses), ssh: [] }
}

/**
 * Returns the addresses to connect to, or an empty list if only the proxy can resolve the name. Rejects with
 * AddressRefusedError or an error of the resolver.
 */
export async function resolveRemoteAddresses(
  host: string,
  port: number,
  { guard = PUBLIC_ADDRESS_GUARD, proxy }: RemoteNetwork,
): Promise<string[]> {
  const time = Promise.withResolvers<never>()
  const timer = setTimeout(() => time.reject(new AddressRefusedError()), RESOLVE_TIMEOUT_MS)
  try {
    return await Promise.race([guard.resolveAllowedAddresses(host, port), time.promise])
  } catch (error) {
    // Perhaps only the proxy can resolve the name. The proxy then also decides whether to allow the destination.
    if (proxy !== undefined && !(error instanceof AddressRefusedError)) return []
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function parseEndpoint({ address, protocol }: Repository): { host: string; port: number } {
  const url = address.includes('://') ? URL.parse(address) : null
  if (protocol !== 'ssh') {
    if (url === null) throw new TypeError(`${address} is not a URL`)
    return { host: url.hostname, port: effectivePort(url) }
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

/** Stores host keys in known_hosts under the name of the host instead of the pinned address. */
function sshPin(host: string, port: number, [address = '']: readonly string[]): string[] {
  const name = normalizeHost(host)
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
