/** Scope of a git credential: a host or a path prefix on it. Compared in lower case, as on forges. */

import { decodeOrNull } from '../../../base/text/decode-path.ts'

export interface GitLocation {
  /** Includes the port unless it is the default. */
  host: string
  /** Path segments, starting with the owner or group; empty for the whole host. */
  names: readonly string[]
}

const MAX_LENGTH = 500

/** Parses `<host>[:<port>][/<owner>[/<repository>]]`, optionally with `https://`; null for other text. */
export function parseGitPrefix(text: string): GitLocation | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
  const [host = '', ...names] = plain
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
  const isHost = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/.test(host)
  const arePlain = names.every((name) => /^[\w.~-]+$/.test(name) && name !== '.' && name !== '..')
  return isHost && arePlain && plain.length <= MAX_LENGTH ? { host: host.replace(/:443$/, ''), names } : null
}

export function gitPrefixText({ host, names }: GitLocation): string {
  return [host, ...names].join('/')
}

export function parseGitLocation(address: string): GitLocation | null {
  const url = address.includes('://') ? URL.parse(address) : null
  if (url !== null) {
    const host = url.protocol === 'ssh:' && url.port === '22' ? url.hostname : url.host
    return { host: host.toLowerCase(), names: namesOf(url.pathname) }
  }
  const [, host, path = ''] = /^(?:[^@/]*@)?([^:/]+):(.*)$/.exec(address) ?? []
  return host === undefined ? null : { host: host.toLowerCase(), names: namesOf(path) }
}

export function longestPrefix(prefixes: Iterable<string>, gitLocation: GitLocation): string | undefined {
  let longest: { text: string; depth: number } | undefined
  for (const text of prefixes) {
    const prefix = parseGitPrefix(text)
    if (prefix === null || prefix.host !== gitLocation.host) continue
    if (!prefix.names.every((name, depth) => name === gitLocation.names[depth])) continue
    if (longest === undefined || prefix.names.length > longest.depth)
      longest = { text, depth: prefix.names.length }
  }
  return longest?.text
}

/** Returns no segments for an ambiguous path, so that it only matches a prefix for its whole host. */
function namesOf(path: string): string[] {
  const names = path
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .replace(/\.git$/i, '')
    .split('/')
    .map((name) => decodeOrNull(name) ?? '%')
  const isPlain = names.every((name) => !/[/\\%]/.test(name) && name !== '.' && name !== '..' && name !== '')
  return isPlain ? names.map((name) => name.toLowerCase()) : []
}
