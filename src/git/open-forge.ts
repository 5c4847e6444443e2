/** From the address of a repository to its forge, and to what git shows there when it pushes. */
import { type Forge, ForgeError } from './forge.ts'
import {
  createForgePlace,
  type ForgeAddress,
  type ForgeKind,
  type ForgeNetwork,
  findForgeKind,
  gitCredentials,
  parseForgeAddress,
  tokenFor,
} from './forge-place.ts'
import { createGiteaForge } from './gitea-forge.ts'
import { type GithubApp, installationToken } from './github-client.ts'
import { createGithubForge } from './github-forge.ts'
import { createGitlabForge } from './gitlab-forge.ts'
import type { GitCredentials } from './repository.ts'

export interface ForgeSettings {
  /** What runs at hosts other than github.com, gitlab.com and codeberg.org; a host with a port of its own names it. */
  kinds: Readonly<Record<string, ForgeKind>>
  /** By host: a token is never sent to another one. */
  tokens: Readonly<Record<string, string>>
  /** Stands in where a GitHub host has no token. */
  githubApp: GithubApp | null
  network?: ForgeNetwork
  /** For tests. */
  allowHttp?: boolean
}

/** Nothing is asked yet. Throws ForgeError, whose sentence says which setting is missing. */
export function openForge(address: string, settings: ForgeSettings): Forge {
  const at = parseForgeAddress(address, addressOptions(settings))
  const kind = findForgeKind(at.host, settings.kinds)
  if (kind === undefined) {
    const sentence = `Octavo does not know what kind of forge ${at.host} is: add ${at.host}=github, ${at.host}=gitlab or ${at.host}=gitea (Forgejo too) to OCTAVO_FORGES.`
    throw new ForgeError('refused', sentence)
  }
  const place = createForgePlace(kind, at, settings.network ?? {})
  const token = tokenFor(at, settings.tokens)
  if (token === null && kind === 'github' && settings.githubApp !== null) {
    const app = settings.githubApp
    return createGithubForge(place, (signal) => installationToken(place, app, signal))
  }
  if (token === null) throw missingToken(at, kind)
  if (kind === 'github') return createGithubForge(place, async () => token)
  return kind === 'gitlab' ? createGitlabForge(place, token) : createGiteaForge(place, token)
}

/**
 * What git shows when it reads and pushes over https: the host's token, or one of the GitHub App that lives for an
 * hour. Undefined for ssh, where nothing is configured, and where the app is not installed. Rejects with ForgeError.
 */
export async function credentialsFor(
  address: string,
  settings: ForgeSettings,
  signal: AbortSignal = new AbortController().signal,
): Promise<GitCredentials | undefined> {
  const at = parseForgeAddress(address, addressOptions(settings))
  if (at.isSsh) return undefined
  const kind = findForgeKind(at.host, settings.kinds)
  const token = tokenFor(at, settings.tokens)
  if (token !== null) return gitCredentials(kind, token)
  if (kind !== 'github' || settings.githubApp === null) return undefined
  const place = createForgePlace(kind, at, settings.network ?? {})
  try {
    return gitCredentials(kind, await installationToken(place, settings.githubApp, signal))
  } catch (error) {
    // Public repositories are read without the app being installed for them.
    if (error instanceof ForgeError && error.reason === 'repository_missing') return undefined
    throw error
  }
}

function addressOptions({ kinds, allowHttp = false }: ForgeSettings) {
  return { hosts: Object.keys(kinds), allowHttp }
}

function missingToken({ host }: ForgeAddress, kind: ForgeKind): ForgeError {
  const app =
    kind === 'github'
      ? ', or set up a GitHub App with OCTAVO_GITHUB_APP_ID and OCTAVO_GITHUB_APP_KEY_FILE'
      : ''
  const sentence = `Octavo has no token for ${host}, so it cannot open pull requests there: add ${host}=<token> to OCTAVO_GIT_TOKENS${app}.`
  return new ForgeError('credentials_refused', sentence)
}
