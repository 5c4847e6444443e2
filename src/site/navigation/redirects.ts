/** Redirects: parsed from docs.json, validated, and applied to a path. */

import type { Problem } from '../../base/errors/problem.ts'
import { decodePath } from '../../base/text/decode-path.ts'
import { getField, getNodeLine, type JsonNode } from '../json.ts'
import type { Redirect, Site } from '../model.ts'
import { quote } from '../problems.ts'
import { readFields, readFlag, readItems, readText, reportSetting } from '../read-json.ts'
import { fillPattern, parsePattern, type RedirectPattern } from './redirect-patterns.ts'

/** Maximum length of a redirect chain; a longer chain counts as a cycle. */
const MAX_STEPS = 20
/** Maximum number of redirects, because every server of the site holds them in memory. No site requires more. */
const MAX_REDIRECTS = 20_000
/**
 * Maximum number of redirects with parameters; each is tested on every path that no other redirect matches.
 */
const MAX_PATTERNS = 200
/** Maximum length of sources and destinations, in characters; browsers rarely send more. */
const MAX_LENGTH = 2000

interface ParsedRedirect extends Redirect {
  node: JsonNode
}

/** Parses redirects. Sources may contain parameters (`:page`) and end in a wildcard (`*` or `:name*`). */
export function readRedirects(problems: Problem[], node: JsonNode | undefined): ParsedRedirect[] {
  const redirects = new Map<string, ParsedRedirect>()
  for (const entry of readItems(problems, node, 'redirects')) {
    if (redirects.size >= MAX_REDIRECTS) {
      const message = `There are more than ${MAX_REDIRECTS} redirects. This one and all that follow are ignored.`
      const remedy = 'Combine redirects of the same folder with a wildcard.'
      reportSetting(problems, entry, 'redirect.too_many', 'error', message, remedy)
      break
    }
    const redirect = readRedirect(problems, entry)
    if (redirect === null) continue
    const earlier = redirects.get(redirect.source)
    if (earlier) reportRepeated(problems, earlier, redirect)
    else {
      const isPermanent = readFlag(problems, getField(entry, 'permanent'), 'redirects.permanent') ?? true
      redirects.set(redirect.source, { ...redirect, isPermanent })
    }
  }
  return [...redirects.values()]
}

function readRedirect(
  problems: Problem[],
  entry: JsonNode,
): Pick<ParsedRedirect, 'source' | 'destination' | 'node'> | null {
  if (!readFields(problems, entry, 'An entry of redirects')) return null
  const wrong = (code: string, message: string, remedy: string, node = entry) => {
    reportSetting(problems, node, code, 'warning', message, remedy)
    return null
  }
  const source = readText(problems, getField(entry, 'source'), 'redirects.source')
  const destination = readText(problems, getField(entry, 'destination'), 'redirects.destination')
  if (source === null || destination === null) {
    const missing = source === null ? 'source' : 'destination'
    return wrong('redirect.incomplete', `This redirect has no ${missing}.`, `Add ${missing}.`)
  }
  if (Math.max(source.length, destination.length) > MAX_LENGTH) {
    const message = `The source or destination of this redirect is longer than ${MAX_LENGTH} characters.`
    return wrong('redirect.too_long', message, 'Shorten it, or use a wildcard.')
  }
  const path = normalizeSource(source)
  if (path === null) {
    const message = `The source ${quote(source)} is not a path of this site, or has a wildcard in the middle.`
    const remedy = 'Write a path without ? and #. Use :name for one segment, and * or :name* only at the end.'
    return wrong('redirect.source', message, remedy, getField(entry, 'source') ?? entry)
  }
  if (/^\s*(?:javascript|vbscript|data):/i.test(destination)) {
    const message = `The destination ${quote(destination)} is a javascript:, vbscript: or data: URL, which is not allowed.`
    const remedy = 'Use a path of this site or a URL that begins with https://.'
    return wrong('redirect.unsafe', message, remedy)
  }
  return { source: path, destination: normalizeDestination(destination), node: entry }
}

function reportRepeated(
  problems: Problem[],
  earlier: ParsedRedirect,
  { source, destination, node }: Pick<ParsedRedirect, 'source' | 'destination' | 'node'>,
): void {
  const line = getNodeLine(earlier.node)
  const isSame = earlier.destination === destination // Authors often list both `/a` and `/a/`.
  const message = isSame
    ? `This redirect is the same as the one in line ${line}.`
    : `There is already a redirect from ${source} (line ${line}), so this one is ignored.`
  const level = isSame ? 'hint' : 'warning'
  reportSetting(problems, node, 'redirect.repeated', level, message, 'Remove one of them.')
}

function normalizeSource(source: string): string | null {
  if (/[?#]|^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return null
  // `:name(.*)` at the end is an alternative notation for `:name*`.
  const path = normalizeRedirectPath(decodePath(source)).replace(/(:[\w-]+)\(\.\*\)$/, '$1*')
  // Any other parentheses are unsupported wildcard notation.
  if (path.includes('(') && path.lastIndexOf(')') > path.indexOf('(')) return null
  const parts = path.split('/')
  const isSound = parts.every((part, index) => {
    const wildcard = /\*|:[\w-]+\*?/.exec(part)
    if (!wildcard) return true
    if (/^:[A-Za-z_][\w-]*$/.test(part)) return true
    const isLast = index === parts.length - 1 && wildcard.index + wildcard[0].length === part.length
    return isLast && wildcard[0].endsWith('*')
  })
  return isSound ? path : null
}

function normalizeDestination(destination: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(destination)) return destination
  const path = withoutQuery(destination)
  return normalizeRedirectPath(path) + destination.slice(path.length)
}

export function withoutQuery(address: string): string {
  const end = address.search(/[?#]/)
  return end === -1 ? address : address.slice(0, end)
}

function normalizeRedirectPath(path: string): string {
  return withoutTrailingSlash(`/${path}`.replace(/\/{2,}/g, '/'))
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/**
 * Returns the valid redirects. Drops and reports redirects that form a cycle, and redirects from an existing page,
 * because the page takes precedence.
 */
export function checkRedirects(
  problems: Problem[],
  redirects: readonly ParsedRedirect[],
  pages: Site['pages'],
): Redirect[] {
  const open = withoutManyPatterns(problems, redirects).filter((redirect) => {
    const page = pages.get(redirect.source)
    if (!page) return true
    const message = `A page exists at ${redirect.source}${page.file ? ` (${page.file})` : ''}, so this redirect is ignored.`
    reportSetting(
      problems,
      redirect.node,
      'redirect.over_page',
      'warning',
      message,
      'Remove the redirect or the page.',
    )
    return false
  })
  const working: Redirect[] = []
  for (const { node, ...redirect } of open) {
    const circle = findCycle(open, pages, redirect)
    if (circle === null) {
      working.push(redirect)
      continue
    }
    const message = `This redirect forms a loop: ${circle.map(shortened).join(' → ')}.`
    reportSetting(
      problems,
      node,
      'redirect.loop',
      'error',
      message,
      'Change one of these redirects to point to a page.',
    )
  }
  return working
}

function withoutManyPatterns(
  problems: Problem[],
  redirects: readonly ParsedRedirect[],
): readonly ParsedRedirect[] {
  const surplus = redirects.filter((redirect) => parsePattern(redirect) !== null).slice(MAX_PATTERNS)
  const [first] = surplus
  if (!first) return redirects
  const message = `More than ${MAX_PATTERNS} redirects contain parameters. This one and all that follow are ignored.`
  reportSetting(problems, first.node, 'redirect.too_many', 'warning', message, 'Combine some of them.')
  const leftOut = new Set(surplus)
  return redirects.filter((redirect) => !leftOut.has(redirect))
}

/** Shortens paths for messages, because a wildcard's capture may grow with every hop. */
function shortened(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path
}

/** Returns the paths of a redirect chain up to the repeated path; null if the chain ends. */
function findCycle(
  redirects: readonly Redirect[],
  pages: Site['pages'],
  redirect: Redirect,
): readonly string[] | null {
  const path = redirect.source.replace(/:[\w-]+\*$|\*$/, 'x').replace(/(?<=\/):[\w-]+/g, 'x')
  const seen = [path]
  for (let current = path; seen.length <= MAX_STEPS; ) {
    const destination = findRedirect(redirects, current)?.destination
    if (destination === undefined || !destination.startsWith('/') || destination.startsWith('//')) return null
    current = normalizeRedirectPath(withoutQuery(destination))
    if (pages.has(current)) return null
    seen.push(current)
    if (seen.indexOf(current) < seen.length - 1) return seen
  }
  return seen
}

interface RedirectIndex {
  exact: ReadonlyMap<string, Redirect>
  /** Sorted by prefix. */
  wildcards: readonly Wildcard[]
  patterns: readonly RedirectPattern[]
}

interface Wildcard {
  prefix: string
  destination: SplitDestination
  redirect: Redirect
  /** Wildcard with the longest prefix that is a proper prefix of this one; null if there is none. */
  shorter: Wildcard | null
}

/**
 * Destination split at the captured rest of the path; `after` is null if the destination does not include it.
 */
export interface SplitDestination {
  before: string
  after: string | null
}

/** Returns the prefix of a wildcard redirect; null if the redirect matches a single path. */
export function parseWildcard(redirect: Redirect): { prefix: string; destination: SplitDestination } | null {
  const [wildcard] = /(?::[\w-]+)?\*$/.exec(redirect.source) ?? []
  if (wildcard === undefined) return null
  // Placeholders for the rest in the destination: `*`, or `:name*` and `:name`.
  const placeholders = wildcard === '*' ? ['*', ':splat'] : [wildcard, wildcard.slice(0, -1), '*']
  const placeholder = placeholders.find((one) => redirect.destination.includes(one))
  const prefix = redirect.source.slice(0, -wildcard.length)
  if (placeholder === undefined) return { prefix, destination: { before: redirect.destination, after: null } }
  const at = redirect.destination.indexOf(placeholder)
  const before = redirect.destination.slice(0, at)
  return { prefix, destination: { before, after: redirect.destination.slice(at + placeholder.length) } }
}

const indexes = new WeakMap<readonly Redirect[], RedirectIndex>()

/** Returns the redirect for a path without query and fragment; its destination includes the captured rest. */
export function findRedirect(
  redirects: readonly Redirect[],
  path: string,
): { destination: string; isPermanent: boolean } | null {
  const index = getIndex(redirects)
  const normalizedPath = withoutTrailingSlash(path.replace(/\/{2,}/g, '/'))
  const exact = index.exact.get(normalizedPath)
  if (exact) return { destination: exact.destination, isPermanent: exact.isPermanent }
  for (const pattern of index.patterns) {
    const destination = fillPattern(pattern, normalizedPath)
    if (destination !== null) return { destination, isPermanent: pattern.redirect.isPermanent }
  }
  // `/a/*` also matches `/a`.
  const found = findWildcard(index.wildcards, `${normalizedPath}/`)
  if (found === null) return null
  const { prefix, destination: divided, redirect } = found
  const rest = normalizedPath.slice(prefix.length)
  const filled = divided.after === null ? divided.before : divided.before + rest + divided.after
  const destination = rest === '' ? filled.replace(/([^/])\/(?=$|[?#])/, '$1') : filled
  return { destination, isPermanent: redirect.isPermanent }
}

/**
 * Finds the wildcard with the longest matching prefix. Starts at the last prefix that does not sort after the path,
 * then follows `shorter`.
 */
function findWildcard(wildcards: readonly Wildcard[], path: string): Wildcard | null {
  let low = 0
  let high = wildcards.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((wildcards[middle] as Wildcard).prefix <= path) low = middle + 1
    else high = middle
  }
  let found = wildcards[low - 1] ?? null
  if (found === null) return null
  const same = commonPrefixLength(found.prefix, path)
  while (found !== null && found.prefix.length > same) found = found.shorter
  return found
}

function commonPrefixLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

function getIndex(redirects: readonly Redirect[]): RedirectIndex {
  const cached = indexes.get(redirects)
  if (cached) return cached
  const exact = new Map<string, Redirect>()
  const byPrefix = new Map<string, Wildcard>()
  const patterns: RedirectPattern[] = []
  for (const redirect of redirects) {
    const pattern = parsePattern(redirect)
    const wildcard = pattern ? null : parseWildcard(redirect)
    if (pattern) patterns.push(pattern)
    else if (!wildcard) exact.set(redirect.source, redirect)
    else if (!byPrefix.has(wildcard.prefix)) {
      byPrefix.set(wildcard.prefix, { ...wildcard, redirect, shorter: null })
    }
  }
  const wildcards = [...byPrefix.values()].sort((a, b) => (a.prefix < b.prefix ? -1 : 1))
  const open: Wildcard[] = []
  for (const wildcard of wildcards) {
    while (open.length > 0 && !wildcard.prefix.startsWith((open.at(-1) as Wildcard).prefix)) open.pop()
    wildcard.shorter = open.at(-1) ?? null
    open.push(wildcard)
  }
  const index = { exact, wildcards, patterns }
  indexes.set(redirects, index)
  return index
}
