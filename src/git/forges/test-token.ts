/** Tests a token before it is saved: which repositories it can read, and where it can write. */
import type { GitLocation } from '../../features/projects/operations/git-prefix.ts'
import { ForgeError } from './forge.ts'
import { toForgeError, unexpectedAnswerError } from './forge-errors.ts'
import {
  bitbucketCredentials,
  createForgeLocation,
  type ForgeKind,
  type ForgeLocation,
  type ForgeNetwork,
  findForgeKind,
} from './forge-location.ts'
import { callForge } from './forge-request.ts'

export interface TokenTest {
  /** Most recently updated repositories in the token's scope. */
  repositories: TestedRepository[]
  /** Whether there may be more repositories than were examined. */
  isPartial: boolean
}

export interface TestedRepository {
  name: string
  /** Null if the forge does not tell. */
  mayWrite: boolean | null
}

export interface TokenTestSettings {
  kinds: Readonly<Record<string, ForgeKind>>
  network: ForgeNetwork
  allowHttp: boolean
}

/** Number of requested repositories, before those outside the prefix are removed. */
const MAX_REPOSITORIES = 50
const MAX_NAME_CHARACTERS = 300

/** Tests a token. Rejects with ForgeError, with a sentence about the problem with the token or its location. */
export async function tryToken(
  { host, names }: GitLocation,
  token: string,
  { kinds, network, allowHttp }: TokenTestSettings,
  signal: AbortSignal,
): Promise<TokenTest> {
  const kind = findForgeKind(host, kinds)
  if (kind === undefined)
    throw new ForgeError(
      'refused',
      `Octavo does not know what kind of forge ${host} is, so the token cannot be tested. Git can use it all the same.`,
    )
  const protocol = allowHttp ? 'http' : 'https'
  const location = {
    ...createForgeLocation(
      kind,
      { ...{ host, protocol }, names: ['any', 'repository'], ...NO_TOKEN },
      network,
    ),
    path: names.join('/') || '(any)',
  }
  const { path, read } = LIST_REQUESTS[kind](names)
  const answer = await callForge(location, signal, async (fetch) => {
    const headers = { Authorization: authorization(kind, token), Accept: 'application/json' }
    const response = await fetch(location.apiOrigin + basePath(kind, location) + path, { headers })
    // Without a path, only the API itself can be missing.
    if (names.length === 0 && isMissingApi(response)) throw unexpectedAnswerError(location)
    if (!response.ok) throw toForgeError(location, response, await response.text(), token)
    return parsed(location, await response.text())
  })
  const found = [answer].flat().flatMap((one) => read(one) ?? [])
  const repositories = found.filter(({ name }) => isBelow(name, names))
  return { repositories, isPartial: found.length >= MAX_REPOSITORIES }
}

const NO_TOKEN = { ownToken: null, isSsh: false }

interface ListRequest {
  path: string
  /** Parses the response, or each item if it is a list. */
  read: (one: unknown) => TestedRepository | TestedRepository[] | null
}

/** Requests by kind of forge. A named repository is requested directly. */
const LIST_REQUESTS: Record<ForgeKind, (names: readonly string[]) => ListRequest> = {
  github: (names) => ({
    path:
      names.length === 2
        ? `/repos/${encoded(names)}`
        : `/user/repos?per_page=${MAX_REPOSITORIES}&sort=pushed`,
    read: (one) => repository(readText(one, 'full_name'), permission(one, 'push')),
  }),
  gitlab: (names) => ({
    path:
      names.length >= 2
        ? `/projects/${encodeURIComponent(names.join('/'))}`
        : `/projects?membership=true&per_page=${MAX_REPOSITORIES}&order_by=last_activity_at`,
    read: (one) => repository(readText(one, 'path_with_namespace'), hasDeveloperAccess(one)),
  }),
  gitea: (names) => ({
    path:
      names.length === 2
        ? `/repos/${encoded(names)}`
        : `/repos/search?limit=${MAX_REPOSITORIES}&sort=updated&order=desc&private=true`,
    read(one) {
      const { data } = (one ?? {}) as { data?: unknown }
      const each = Array.isArray(data) ? data : [one]
      return each.flatMap((each) => repository(readText(each, 'full_name'), permission(each, 'push')) ?? [])
    },
  }),
  bitbucket: ([workspace, name]) => ({
    path:
      workspace === undefined
        ? '/user'
        : `/repositories/${encoded(name === undefined ? [workspace] : [workspace, name])}?pagelen=${MAX_REPOSITORIES}`,
    read(one) {
      const { values } = (one ?? {}) as { values?: unknown }
      const each = Array.isArray(values) ? values : [one]
      return each.flatMap((each) => repository(readText(each, 'full_name'), null) ?? [])
    },
  }),
}

function isMissingApi({ status }: Response): boolean {
  return (status >= 300 && status < 400) || status === 404 || status === 410
}

function basePath(kind: ForgeKind, { apiOrigin }: ForgeLocation): string {
  const isHosted = apiOrigin.startsWith('https://api.')
  return { github: isHosted ? '' : '/api/v3', gitlab: '/api/v4', gitea: '/api/v1', bitbucket: '/2.0' }[kind]
}

function authorization(kind: ForgeKind, token: string): string {
  if (kind === 'gitea') return `token ${token}`
  const { email, secret } = bitbucketCredentials(token)
  if (kind !== 'bitbucket' || email === null) return `Bearer ${token}`
  return `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`
}

function repository(name: string | null, mayWrite: boolean | null): TestedRepository | null {
  return name === null || name.length > MAX_NAME_CHARACTERS ? null : { name, mayWrite }
}

function readText(value: unknown, name: string): string | null {
  const found = ((value ?? {}) as Record<string, unknown>)[name]
  return typeof found === 'string' ? found : null
}

function permission(value: unknown, name: string): boolean | null {
  const { permissions } = (value ?? {}) as { permissions?: Record<string, unknown> | null }
  const found = permissions?.[name]
  return typeof found === 'boolean' ? found : null
}

/** Returns whether GitLab's access level, from the project or its group, allows writing: 30 is Developer. */
function hasDeveloperAccess(value: unknown): boolean | null {
  const { permissions } = (value ?? {}) as {
    permissions?: Record<string, { access_level?: unknown } | null> | null
  }
  if (!permissions) return null
  const levels = Object.values(permissions).map((access) => Number(access?.access_level ?? 0))
  return Math.max(0, ...levels) >= 30
}

function isBelow(name: string, names: readonly string[]): boolean {
  const parts = name.toLowerCase().split('/')
  return names.every((one, depth) => one === parts[depth])
}

function encoded(names: readonly string[]): string {
  return names.map(encodeURIComponent).join('/')
}

function parsed(location: ForgeLocation, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unexpectedAnswerError(location)
  }
}
