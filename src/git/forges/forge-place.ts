/** Which repository at which forge an address means, and where that forge is asked. */

import type { GitSettings } from '../git.ts'
import { GitError } from '../git-error.ts'
import { type GitCredentials, parseRepository } from '../repository.ts'
import { ForgeError } from './forge.ts'

export const FORGE_KINDS = ['github', 'gitlab', 'gitea', 'bitbucket'] as const
export type ForgeKind = (typeof FORGE_KINDS)[number]

/** One repository at one forge. */
export interface ForgePlace {
  /** As people know it, with its port when it has one. */
  host: string
  /** `owner/name`; at GitLab with any number of groups before the name. */
  path: string
  /** Scheme, host and port of the API: requests go nowhere else. */
  apiOrigin: string
  /** What is sent to prove who asks: for sentences, never the secret itself. */
  credential: { name: string; needs: string }
  network: ForgeNetwork
}

/** As for git itself; `timeoutMs` is for one request, 20 seconds by default. */
export type ForgeNetwork = Pick<GitSettings, 'guard' | 'caFile' | 'proxy' | 'noProxy'> & {
  timeoutMs?: number
}

export interface ForgeAddress {
  /** With its port when it has one of its own. */
  host: string
  protocol: 'https' | 'http'
  /** Names of the path, from the first owner or group to the repository. */
  names: string[]
  /** Those in the address itself, else null; they are meant for its host alone. */
  ownToken: string | null
  /** Whether git reaches it by ssh, where no token is sent. */
  isSsh: boolean
}

const NEEDS: Record<ForgeKind, string> = {
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

/** Their API has a host of its own. */
const HOSTS_WITH_API = /^(?:github\.com|bitbucket\.org|[\w.-]*\.ghe\.com)$/

/** What an address of a repository says of its forge; https, ssh and `git@host:path`. Throws ForgeError. */
export function parseForgeAddress(
  address: string,
  options: { hosts: readonly string[]; allowHttp: boolean },
): ForgeAddress {
  const { credentials, ...repository } = parse(address, options.allowHttp)
  const ownToken = credentials.token ?? null
  if (repository.protocol === 'https' || repository.protocol === 'http') {
    const { host, pathname } = new URL(repository.address)
    return { host, protocol: repository.protocol, names: namesOf(pathname), ownToken, isSsh: false }
  }
  const { hostname, path } = sshParts(repository.address)
  // The port of ssh says nothing about the API's: a host that the operator has named with a port wins.
  const host = options.hosts.find((one) => one === hostname || one.startsWith(`${hostname}:`)) ?? hostname
  return {
    host,
    protocol: options.allowHttp ? 'http' : 'https',
    names: namesOf(path),
    ownToken: null,
    isSsh: true,
  }
}

/** Undefined when nobody has said what runs there. */
export function findForgeKind(
  host: string,
  kinds: Readonly<Record<string, ForgeKind>>,
): ForgeKind | undefined {
  for (const known of [kinds, KNOWN_HOSTS]) if (Object.hasOwn(known, host)) return known[host]
  return host.endsWith('.ghe.com') ? 'github' : undefined
}

export function createForgePlace(
  kind: ForgeKind,
  { host, protocol, names }: ForgeAddress,
  network: ForgeNetwork,
): ForgePlace {
  const isWhole = kind === 'gitlab' ? names.length >= 2 : names.length === 2
  if (!isWhole) {
    const sentence = `${names.join('/') || 'The address'} is not the path of a repository at ${host}: it is <owner>/<name>.`
    throw new ForgeError('repository_missing', sentence)
  }
  const apiHost = HOSTS_WITH_API.test(host) ? `api.${host}` : host
  return {
    host,
    path: names.join('/'),
    apiOrigin: `${protocol}://${apiHost}`,
    credential: { name: 'token', needs: NEEDS[kind] },
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

/** Forges allow no other characters in the names of owners, groups and repositories. */
function namesOf(path: string): string[] {
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

/** `ssh://git@host:22/path` and `git@host:path`. */
function sshParts(address: string): { hostname: string; path: string } {
  const url = address.includes('://') ? new URL(address) : null
  if (url) return { hostname: url.hostname.toLowerCase(), path: url.pathname }
  const [, hostname = '', path = ''] = /^(?:[^@/]*@)?([^:/]+):(.*)$/.exec(address) ?? []
  return { hostname: hostname.toLowerCase(), path }
}

/** The name that a kind of forge wants beside a token; git's own default when the kind is unknown. */
export function gitCredentials(kind: ForgeKind | undefined, token: string): GitCredentials {
  if (kind === 'bitbucket') {
    const { email, secret } = bitbucketCredentials(token)
    return { username: email === null ? 'x-token-auth' : 'x-bitbucket-api-token-auth', token: secret }
  }
  return kind === 'gitlab' ? { username: 'oauth2', token } : { token }
}

/** The API token of a person is kept as `<e-mail>:<token>`; those of repositories, projects and workspaces stand alone. */
export function bitbucketCredentials(token: string): { email: string | null; secret: string } {
  const [, email, secret] = /^([^:@\s]+@[^:\s]+):(.+)$/.exec(token) ?? []
  return email === undefined || secret === undefined ? { email: null, secret: token } : { email, secret }
}
