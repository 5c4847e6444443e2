/** Determines the forge and repository of a URL, and the forge's API. */

import { decodePath } from '../../base/text/decode-path.ts'
import type { GitSettings } from '../git.ts'
import { GitError } from '../git-error.ts'
import { type GitCredentials, parseRepository } from '../repository.ts'
import { ForgeError } from './forge.ts'

export const FORGE_KINDS = ['github', 'gitlab', 'gitea', 'bitbucket'] as const
export type ForgeKind = (typeof FORGE_KINDS)[number]

export interface ForgeLocation {
  /** Public host name, with the port if the URL has one. */
  host: string
  /** `owner/name`; on GitLab, with any number of groups before the name. */
  path: string
  /** Scheme, host and port of the API, the only origin to which requests are sent. */
  apiOrigin: string
  /** Path of the API without a trailing slash. */
  apiPath: string
  /** Describes the credentials in messages; never contains the secret. */
  credential: { name: string; needs: string }
  network: ForgeNetwork
}

/** Network settings of git. `timeoutMs` applies to a single request and defaults to 20 seconds. */
export type ForgeNetwork = Pick<GitSettings, 'guard' | 'caFile' | 'proxy' | 'noProxy'> & {
  timeoutMs?: number
}

export interface ForgeAddress {
  /** Includes the port if it is not the default. */
  host: string
  protocol: 'https' | 'http'
  /** Path segments, from the first owner or group to the repository. */
  names: string[]
  /** Token in the URL, or null. Must only be sent to the host of the URL. */
  ownToken: string | null
  isSsh: boolean
}

const REQUIRED_PERMISSIONS: Record<ForgeKind, string> = {
  github:
    'It requires read and write access to Contents and Pull requests (a classic token: the scope repo).',
  gitlab: 'It requires the scopes api and write_repository, and at least the role Developer.',
  gitea:
    'It requires read and write access to repository, and its user needs write access to this repository.',
  bitbucket:
    'It requires write access to repositories and pull requests. Write the API token of a person as <email>:<token>.',
}

const KNOWN_HOSTS: Readonly<Record<string, ForgeKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'bitbucket.org': 'bitbucket',
}

/** Hosts whose API is on another host. */
const HOSTS_WITH_API = /^(?:github\.com|bitbucket\.org|[\w.-]*\.ghe\.com)$/

const API_PATHS: Record<ForgeKind, string> = {
  github: '/api/v3',
  gitlab: '/api/v4',
  gitea: '/api/v1',
  bitbucket: '/2.0',
}

/** Parses a repository URL (https, ssh or `git@host:path`). Throws ForgeError. */
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
  // The SSH port does not determine the port of the API, so a host configured by the operator with a port takes
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

/** Returns undefined if no kind of forge is configured for the host. */
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
    const sentence = `${names.join('/') || 'The URL'} is not the path of a repository at ${host}. Use <owner>/<name>.`
    throw new ForgeError('repository_missing', sentence)
  }
  const isHosted = HOSTS_WITH_API.test(host)
  return {
    host,
    path: names.join('/'),
    apiOrigin: `${protocol}://${isHosted ? 'api.' : ''}${host}`,
    apiPath: kind === 'github' && isHosted ? '' : API_PATHS[kind],
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

/** Splits a path. Rejects characters that forges do not allow in names of owners, groups and repositories. */
function parseNames(path: string): string[] {
  const names = path
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .replace(/\.git$/, '')
    .split('/')
    .map(decodePath)
  if (names.every((name) => /^[\w.-]+$/.test(name) && name !== '.' && name !== '..')) return names
  throw new ForgeError('repository_missing', `${JSON.stringify(path)} is not the path of a repository.`)
}

function sshParts(address: string): { hostname: string; path: string } {
  const url = address.includes('://') ? new URL(address) : null
  if (url) return { hostname: url.hostname.toLowerCase(), path: url.pathname }
  const [, hostname = '', path = ''] = /^(?:[^@/]*@)?([^:/]+):(.*)$/.exec(address) ?? []
  return { hostname: hostname.toLowerCase(), path }
}

/** Returns credentials with the user name expected by the forge, or git's default for unknown forges. */
export function gitCredentials(kind: ForgeKind | undefined, token: string): GitCredentials {
  if (kind === 'bitbucket') {
    const { email, secret } = bitbucketCredentials(token)
    return { username: email === null ? 'x-token-auth' : 'x-bitbucket-api-token-auth', token: secret }
  }
  return kind === 'gitlab' ? { username: 'oauth2', token } : { token }
}

/**
 * Splits a Bitbucket token. A personal API token is stored as `<email>:<token>`; tokens of repositories, projects
 * and workspaces have no email address.
 */
export function bitbucketCredentials(token: string): { email: string | null; secret: string } {
  const [, email, secret] = /^([^:@\s]+@[^:\s]+):(.+)$/.exec(token) ?? []
  return email === undefined || secret === undefined ? { email: null, secret: token } : { email, secret }
}

export function authorizationFor(kind: ForgeKind, token: string): string {
  if (kind === 'gitea') return `token ${token}`
  if (kind !== 'bitbucket' || bitbucketCredentials(token).email === null) return `Bearer ${token}`
  return `Basic ${Buffer.from(token).toString('base64')}`
}
