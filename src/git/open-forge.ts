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
import { createInstallationToken, type GithubApp } from './github-client.ts'
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

/** Installation tokens live for 60 minutes; a push and its request are done long before this has passed. */
const APP_TOKEN_REUSE_MS = 40 * 60_000

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
    return createGithubForge(
      place,
      reused((signal) => createInstallationToken(place, app, signal)),
    )
  }
  if (token === null) throw missingToken(at, kind)
  if (kind === 'github') return createGithubForge(place, async () => token)
  return kind === 'gitlab' ? createGitlabForge(place, token) : createGiteaForge(place, token)
}

/**
 * What git shows when it reads and pushes over https: the host's token, or one of the GitHub App that lives for an
 * hour. Undefined for ssh, and where nothing is configured. Rejects with ForgeError.
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
  return gitCredentials(kind, await createInstallationToken(place, settings.githubApp, signal))
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

function reused(create: (signal: AbortSignal) => Promise<string>): (signal: AbortSignal) => Promise<string> {
  let kept: { token: string; until: number } | null = null
  return async (signal) => {
    if (kept !== null && kept.until > Date.now()) return kept.token
    kept = { token: await create(signal), until: Date.now() + APP_TOKEN_REUSE_MS }
    return kept.token
  }
}
