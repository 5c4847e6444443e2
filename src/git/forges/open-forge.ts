/** Opens the forge of a repository URL and determines its git credentials. */
import {
  type GitLocation,
  longestPrefix,
  parseGitLocation,
} from '../../features/projects/operations/git-prefix.ts'
import type { GitCredentials } from '../repository.ts'
import { createBitbucketForge } from './bitbucket-forge.ts'
import { type Forge, ForgeError } from './forge.ts'
import {
  createForgeLocation,
  type ForgeAddress,
  type ForgeKind,
  type ForgeLocation,
  type ForgeNetwork,
  findForgeKind,
  gitCredentials,
  parseForgeAddress,
} from './forge-location.ts'
import { createGiteaForge } from './gitea-forge.ts'
import { type GithubApp, installationToken } from './github-app.ts'
import { createGithubForge } from './github-forge.ts'
import { createGitlabForge } from './gitlab-forge.ts'

export interface ForgeSettings {
  /** Kinds of forges by host, with any non-default port; github.com, gitlab.com and codeberg.org are known. */
  kinds: Readonly<Record<string, ForgeKind>>
  /** Tokens by host or path prefix, never sent to another host. The longest matching prefix applies. */
  tokens: Readonly<Record<string, string>>
  /** Called with the prefix of a token before the token is sent. */
  onTokenUsed?: (prefix: string) => void
  /** Used for GitHub hosts without a token. */
  githubApp: GithubApp | null
  /** Scope of the app. Defaults to everywhere. */
  githubAppWithin?: Within
  /** Scope of the machine's SSH keys. Defaults to none. */
  sshKeysWithin?: Within
  network?: ForgeNetwork
  /** Allows http in tests. */
  allowHttp?: boolean
}

/** Hosts or path prefixes to which credentials may be sent. */
export type Within = readonly string[] | 'everywhere'

const FORGE_FACTORIES = {
  github: (location: ForgeLocation, token: string) => createGithubForge(location, async () => token),
  gitlab: createGitlabForge,
  gitea: createGiteaForge,
  bitbucket: createBitbucketForge,
} as const satisfies Record<ForgeKind, unknown>

/** Sends no request. Throws ForgeError with a message that names the missing setting. */
export function openForge(address: string, settings: ForgeSettings): Forge {
  const at = parseForgeAddress(address, addressOptions(settings))
  const kind = findForgeKind(at.host, settings.kinds)
  if (kind === undefined) {
    const sentence = `The kind of the forge ${at.host} is unknown. Add ${at.host}=github, ${at.host}=gitlab or ${at.host}=gitea (also for Forgejo) to OCTAVO_FORGES.`
    throw new ForgeError('refused', sentence)
  }
  const location = createForgeLocation(kind, at, settings.network ?? {})
  const token = at.ownToken ?? tokenFor(at, settings)
  const app = appFor(at, kind, settings)
  if (token === null && app !== null) {
    return createGithubForge(location, (signal) => installationToken(location, app, signal))
  }
  if (token === null) throw missingTokenError(at, kind)
  return FORGE_FACTORIES[kind](location, token)
}

/**
 * Returns git credentials for reading and pushing: over https, the token or a one-hour token of the GitHub
 * App; over SSH, the machine's keys if their scope allows it. Empty if nothing is configured or the app is
 * not installed. Rejects with ForgeError.
 */
export async function credentialsFor(
  address: string,
  settings: ForgeSettings,
  signal: AbortSignal = new AbortController().signal,
): Promise<GitCredentials> {
  const location = parseGitLocation(address)
  if (location === null) return {}
  if (!/^https?:/i.test(address)) return { operatorKeys: isWithin(settings.sshKeysWithin ?? [], location) }
  // Credentials in the URL take precedence.
  if (URL.parse(address)?.username) return {}
  const kind = findForgeKind(location.host, settings.kinds)
  const token = tokenFor(location, settings)
  if (token !== null) return gitCredentials(kind, token)
  const app = appFor(location, kind, settings)
  if (app === null) return {}
  const at = createForgeLocation(
    'github',
    parseForgeAddress(address, addressOptions(settings)),
    settings.network ?? {},
  )
  try {
    return gitCredentials(kind, await installationToken(at, app, signal))
  } catch (error) {
    // Public repositories can be read without an installation of the app.
    if (error instanceof ForgeError && error.reason === 'repository_missing') return {}
    throw error
  }
}

function tokenFor(location: GitLocation, { tokens, onTokenUsed }: ForgeSettings): string | null {
  const prefix = longestPrefix(Object.keys(tokens), toLowerCaseLocation(location))
  if (prefix === undefined) return null
  onTokenUsed?.(prefix)
  return tokens[prefix] ?? null
}

function appFor(
  location: GitLocation,
  kind: ForgeKind | undefined,
  settings: ForgeSettings,
): GithubApp | null {
  const { githubApp, githubAppWithin = 'everywhere' } = settings
  return kind === 'github' && isWithin(githubAppWithin, location) ? githubApp : null
}

function isWithin(within: Within, location: GitLocation): boolean {
  return within === 'everywhere' || longestPrefix(within, toLowerCaseLocation(location)) !== undefined
}

function toLowerCaseLocation({ host, names }: GitLocation): GitLocation {
  return { host, names: names.map((name) => name.toLowerCase()) }
}

function addressOptions({ kinds, allowHttp = false }: ForgeSettings) {
  return { hosts: Object.keys(kinds), allowHttp }
}

function missingTokenError({ host }: ForgeAddress, kind: ForgeKind): ForgeError {
  const app = kind === 'github' ? ', or ask the operator to set up the GitHub App for it' : ''
  const sentence = `This organization has no token for ${host}, so pull requests cannot be opened there. Ask an admin to add one on the dashboard, under Git access${app}.`
  return new ForgeError('credentials_refused', sentence)
}
