/** What the operator's own credentials of git are for: places at hosts, and the organizations that may use them there. */
import { gitPrefixText, parseGitPrefix } from '../../features/projects/operations/git-prefix.ts'

export interface GitScope {
  /** A host, or what lies below a path of it. */
  prefix: string
  /**
   * Ids; `all` of them, when the operator says so; `only`: the one organization of a node that has one. As soon as there
   * are two, nobody knows whose it is, and it is nobody's.
   */
  organizations: readonly string[] | 'all' | 'only'
}

export interface ScopedToken extends GitScope {
  token: string
}

/** `<host>[/<path>][@<organization>[+<organization>…]]`, `@*` for every organization. Null for any other text. */
export function parseGitScope(text: string): GitScope | null {
  const [where = '', who, ...more] = text.trim().split('@')
  const place = parseGitPrefix(where)
  if (place === null || more.length > 0) return null
  const prefix = gitPrefixText(place)
  if (who === undefined) return { prefix, organizations: 'only' }
  if (who === '*') return { prefix, organizations: 'all' }
  const organizations = who.split('+')
  return organizations.every((one) => /^org_[0-9a-z]+$/.test(one)) ? { prefix, organizations } : null
}

/** Scopes separated by commas; null for each that is none. */
export function readGitScopes(value: string | null): (GitScope | null)[] {
  return partsOf(value).map(parseGitScope)
}

/** `<scope>=<token>` separated by commas; a token may hold further equals signs. Null for each that is none. */
export function readScopedTokens(value: string | null): (ScopedToken | null)[] {
  return partsOf(value).map((part) => {
    const at = part.indexOf('=')
    const scope = at < 0 ? null : parseGitScope(part.slice(0, at))
    const token = part.slice(at + 1).trim()
    return scope === null || token === '' ? null : { ...scope, token }
  })
}

/** `isOnly`: whether the organization is the only one of this node. */
export function isScopeOf(
  { organizations }: GitScope,
  organization: { id: string; isOnly: boolean },
): boolean {
  if (organizations === 'all') return true
  return organizations === 'only' ? organization.isOnly : organizations.includes(organization.id)
}

/** For the operator: as it is written, without the token. */
export function gitScopeText({ prefix, organizations }: GitScope): string {
  if (organizations === 'only') return prefix
  return `${prefix}@${organizations === 'all' ? '*' : organizations.join('+')}`
}

function partsOf(value: string | null): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
