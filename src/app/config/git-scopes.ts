/** Scopes of the operator's git credentials: locations on hosts, and the organizations that may use them. */
import { splitList } from '../../base/text/split-list.ts'
import { gitPrefixText, parseGitPrefix } from '../../features/projects/operations/git-prefix.ts'

export interface GitScope {
  /** A host, or a path prefix on a host. */
  prefix: string
  /**
   * Ids of organizations; `all` if the operator allows every organization; `only` for the sole organization of a
   * node. With a second organization, `only` no longer matches any, because the owner of the credential is ambiguous.
   */
  organizations: readonly string[] | 'all' | 'only'
}

export interface ScopedToken extends GitScope {
  token: string
}

/**
 * Parses `<host>[/<path>][@<organization>[+<organization>…]]`, with `@*` for all. Returns null for any other text.
 */
export function parseGitScope(text: string): GitScope | null {
  const [where = '', who, ...more] = text.trim().split('@')
  const gitPrefix = parseGitPrefix(where)
  if (gitPrefix === null || more.length > 0) return null
  const prefix = gitPrefixText(gitPrefix)
  if (who === undefined) return { prefix, organizations: 'only' }
  if (who === '*') return { prefix, organizations: 'all' }
  const organizations = who.split('+')
  return organizations.every((one) => /^org_[0-9a-z]+$/.test(one)) ? { prefix, organizations } : null
}

export function readGitScopes(value: string | null): (GitScope | null)[] {
  return splitList(value).map(parseGitScope)
}

/** Parses comma-separated `<scope>=<token>` pairs, with null for invalid ones. A token may contain equals signs. */
export function readScopedTokens(value: string | null): (ScopedToken | null)[] {
  return splitList(value).map((part) => {
    const at = part.indexOf('=')
    const scope = at < 0 ? null : parseGitScope(part.slice(0, at))
    const token = part.slice(at + 1).trim()
    return scope === null || token === '' ? null : { ...scope, token }
  })
}

/** Checks whether a scope applies to an organization. `isOnly` is true for the sole organization of this node. */
export function appliesToOrganization(
  { organizations }: GitScope,
  organization: { id: string; isOnly: boolean },
): boolean {
  if (organizations === 'all') return true
  return organizations === 'only' ? organization.isOnly : organizations.includes(organization.id)
}

/** Formats the scope in the notation of the setting, without the token. */
export function formatGitScope({ prefix, organizations }: GitScope): string {
  if (organizations === 'only') return prefix
  return `${prefix}@${organizations === 'all' ? '*' : organizations.join('+')}`
}
