/** Tests a token before it is saved, and lists the repositories that it can read or write. */
import type { GitLocation } from '../../features/projects/operations/git-prefix.ts'
import { ForgeError } from './forge.ts'
import { unexpectedResponseError } from './forge-errors.ts'
import {
  authorizationFor,
  createForgeLocation,
  type ForgeKind,
  type ForgeNetwork,
  findForgeKind,
} from './forge-location.ts'
import { callForge } from './forge-request.ts'

export interface TokenTest {
  /** Most recently updated repositories in the token's scope. */
  repositories: TestedRepository[]
  /** Whether more repositories may exist than were examined. */
  isPartial: boolean
}

export interface TestedRepository {
  name: string
  /** Null if the forge does not report write access. */
  mayWrite: boolean | null
}

export interface TokenTestSettings {
  kinds: Readonly<Record<string, ForgeKind>>
  network: ForgeNetwork
  allowHttp: boolean
}

/** Number of repositories requested, including those outside of the prefix. */
const MAX_REPOSITORIES = 50
const MAX_NAME_CHARACTERS = 300

/** Rejects with ForgeError, whose message describes the problem with the token or its host. */
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
      `The kind of the forge ${host} is unknown, so the token cannot be tested. Git can still use it.`,
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
  const authorization = authorizationFor(kind, token)
  const found = await callForge(
    location,
    { route: `GET ${path}`, authorization },
    (answer: unknown) => [answer].flat().flatMap((one) => read(one) ?? []),
    signal,
  ).catch((error: unknown) => {
    // Without a path, the response can only mean that the API itself is missing.
    const isMissing = error instanceof ForgeError && error.reason === 'repository_missing'
    throw isMissing && names.length === 0 ? unexpectedResponseError(location) : error
  })
  const repositories = found.filter(({ name }) => isBelow(name, names))
  return { repositories, isPartial: found.length >= MAX_REPOSITORIES }
}

const NO_TOKEN = { ownToken: null, isSsh: false }

interface ListRequest {
  path: `/${string}`
  /** Parses the response, or each item of a list. */
  read: (one: unknown) => TestedRepository | TestedRepository[] | null
}

/** Requests by kind of forge. A repository named by the prefix is requested directly. */
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
    read: (one) =>
      readListedRepositories(one, 'data', (each) =>
        repository(readText(each, 'full_name'), permission(each, 'push')),
      ),
  }),
  bitbucket: ([workspace, name]) => ({
    path:
      workspace === undefined
        ? '/user'
        : `/repositories/${encoded(name === undefined ? [workspace] : [workspace, name])}?pagelen=${MAX_REPOSITORIES}`,
    read: (one) =>
      readListedRepositories(one, 'values', (each) => repository(readText(each, 'full_name'), null)),
  }),
}

function readListedRepositories(
  one: unknown,
  field: string,
  read: (each: unknown) => TestedRepository | null,
): TestedRepository[] {
  const list = ((one ?? {}) as Record<string, unknown>)[field]
  return (Array.isArray(list) ? list : [one]).flatMap((each) => read(each) ?? [])
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

/** Returns true if GitLab's access level of the project or its group allows writing; 30 is Developer. */
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
