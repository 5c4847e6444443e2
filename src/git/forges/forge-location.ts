/** Determines the forge and repository for a URL, and the forge's API. */

import type { GitSettings } from '../git.ts'
import { GitError } from '../git-error.ts'
import { type GitCredentials, parseRepository } from '../repository.ts'
import { ForgeError } from './forge.ts'

export const FORGE_KINDS = ['github', 'gitlab', 'gitea', 'bitbucket'] as const
export type ForgeKind = (typeof FORGE_KINDS)[number]

/** A repository on a forge. */
export interface ForgeLocation {
  /** Public host name, including the port if it has one. */
  host: string
  /** `owner/name`; on GitLab with any number of groups before the name. */
  path: string
  /** Scheme, host and port of the API, the only origin that receives requests. */
  apiOrigin: string
  /** Description of the credentials for messages; never contains the secret. */
  credential: { name: string; needs: string }
  network: ForgeNetwork
}

/** Network settings, as for git. `timeoutMs` applies to a single request and defaults to 20 seconds. */
export type ForgeNetwork = Pick<GitSettings, 'guard' | 'caFile' | 'proxy' | 'noProxy'> & {
  timeoutMs?: number
}

export interface ForgeAddress {
  /** Includes the port if it is not the default. */
  host: string
  protocol: 'https' | 'http'
  /** Segments of the path, from the first owner or group to the repository. */
  names: string[]
  /** Token contained in the URL, or null; it must only be sent to that host. */
  ownToken: string | null
  /** Whether git uses SSH, which sends no token. */
  isSsh: boolean
}

const REQUIRED_PERMISSIONS: Record<ForgeKind, string> = {
  github:
    'It needs read and write access to Contents and to Pull requests (a classic token: the scope repo).',
  gitlab: 'It needs the scopes api and write_repository, and at least the role Developer.',
  gitea: 'It needs read and write access to repository, and its user write access to this one.',
  bitbucket:
    'It needs write access to repositories and to pull requests; the API token of a person is written as <e-mail>:<token>.',
}

const KNOWN_HOSTS: Readonly<Record<string, ForgeKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'bitbucket.org': 'bitbucket',
}

/** Hosts whose API is on a separate host. */
const HOSTS_WITH_API = /^(?:github\.com|bitbucket\.org|[\w.-]*\.ghe\.com)$/

/** Parses a repository URL (https, ssh or `git@host:path`) for its forge. Throws ForgeError. */
export function parseForgeAddress(
  address: string,
  options: { hosts: readonly string[]; allowHttp: boolean },
): ForgeAddress {
  const { credentials, ...repository } = parse(address, options.allowHttp)
  const ownToken = credentials.token ?? null
  if (repository.protocol === 'https' || repository.protocol === 'http') {
    const { host, pathname } = new URL(repository.address)
    return { host, protocol: repository.protocol, names: parseNames(pathname), ownToken, isSsh: false }
  }
  const { hostname, path } = sshParts(repository.address)
  // The SSH port does not reveal that of the API, so a host that the operator has configured with a port takes
  // precedence.
  const host = options.hosts.find((one) => one === hostname || one.startsWith(`${hostname}:`)) ?? hostname
  return {
    host,
    protocol: options.allowHttp ? 'http' : 'https',
    names: parseNames(path),
    ownToken: null,
    isSsh: true,
  }
}

/** Returns undefined if the kind of forge on this host is not configured. */
export function findForgeKind(
  host: string,
  kinds: Readonly<Record<string, ForgeKind>>,
): ForgeKind | undefined {
  for (const known of [kinds, KNOWN_HOSTS]) if (Object.hasOwn(known, host)) return known[host]
  return host.endsWith('.ghe.com') ? 'github' : undefined
}

export function createForgeLocation(
  kind: ForgeKind,
  { host, protocol, names }: ForgeAddress,
  network: ForgeNetwork,
): ForgeLocation {
  const isComplete = kind === 'gitlab' ? names.length >= 2 : names.length === 2
  if (!isComplete) {
    const sentence = `${names.join('/') || 'The address'} is not the path of a repository at ${host}: it is <owner>/<name>.`
    throw new ForgeError('repository_missing', sentence)
  }
  const apiHost = HOSTS_WITH_API.test(host) ? `api.${host}` : host
  return {
    host,
    path: names.join('/'),
    apiOrigin: `${protocol}://${apiHost}`,
    credential: { name: 'token', needs: REQUIRED_PERMISSIONS[kind] },
    network,
  }
}

function parse(address: string, allowHttp: boolean): ReturnType<typeof parseRepository> {
  try {
    return parseRepository(address, { allowHttp })
  } catch (error) {
    if (error instanceof GitError) throw new ForgeError('refused', error.message)
    throw error
  }
}

/** Splits a path. Forges allow no other characters in names of owners, groups and repositories. */
function parseNames(path: string): string[] {
  const names = path
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .replace(/\.git$/, '')
    .split('/')
    .map(decode)
  if (names.every((name) => /^[\w.-]+$/.test(name) && name !== '.' && name !== '..')) return names
  throw new ForgeError('repository_missing', `${JSON.stringify(path)} is not the path of a repository.`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parses `ssh://git@host:22/path` and `git@host:path`. */
function sshParts(address: string): { hostname: string; path: string } {
  const url = address.includes('://') ? new URL(address) : null
  if (url) return { hostname: url.hostname.toLowerCase(), path: url.pathname }
  const [, hostname = '', path = ''] = /^(?:[^@/]*@)?([^:/]+):(.*)$/.exec(address) ?? []
  return { hostname: hostname.toLowerCase(), path }
}

/** Returns credentials with the user name that a forge expects with a token; git's default if the kind is unknown. */
export function gitCredentials(kind: ForgeKind | undefined, token: string): GitCredentials {
  if (kind === 'bitbucket') {
    const { email, secret } = bitbucketCredentials(token)
    return { username: email === null ? 'x-token-auth' : 'x-bitbucket-api-token-auth', token: secret }
  }
  return kind === 'gitlab' ? { username: 'oauth2', token } : { token }
}

/**
 * Splits a Bitbucket token. A personal API token is stored as `<e-mail>:<token>`; tokens of repositories, projects
 * and workspaces have no e-mail address.
 */
export function bitbucketCredentials(token: string): { email: string | null; secret: string } {
  const [, email, secret] = /^([^:@\s]+@[^:\s]+):(.+)$/.exec(token) ?? []
  return email === undefined || secret === undefined ? { email: null, secret: token } : { email, secret }
}
