/** Redirects: parsed from docs.json, validated, and applied to a path. */

import type { Problem } from '../../base/errors/problem.ts'
import { decodePath } from '../../base/text/decode-path.ts'
import { getField, getNodeLine, type JsonNode } from '../json.ts'
import type { Redirect, Site } from '../model.ts'
import { quote } from '../problems.ts'
import { readFields, readFlag, readItems, readText } from '../read-json.ts'
import { fillPattern, parsePattern, type RedirectPattern } from './redirect-patterns.ts'

/** Maximum length of a redirect chain; a longer one counts as a cycle. */
const MAX_STEPS = 20
/** More than any site requires; every server of the site holds all of them in memory. */
const MAX_REDIRECTS = 20_000
/** Redirects with parameters; each is tested on every path that no other redirect matches. */
const MAX_PATTERNS = 200
/** Maximum length of sources and destinations, in characters; browsers rarely send more. */
const MAX_LENGTH = 2000

/** A redirect with its position in docs.json. */
interface PlacedRedirect extends Redirect {
  node: JsonNode
}

/** Sources are paths that may contain parameters (`:page`) and end in `*` or `:name*` for any rest. */
export function readRedirects(problems: Problem[], node: JsonNode | undefined): PlacedRedirect[] {
  const redirects = new Map<string, PlacedRedirect>()
  for (const entry of readItems(problems, node, 'redirects')) {
    if (redirects.size >= MAX_REDIRECTS) {
      const message = `There are more than ${MAX_REDIRECTS} redirects; this one and those after it are not used.`
      const remedy = 'Put redirects of one folder together with a wildcard.'
      report(problems, entry, 'redirect.too_many', 'error', message, remedy)
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

/** Returns null and reports a problem if the redirect is invalid. */
function readRedirect(
  problems: Problem[],
  entry: JsonNode,
): Pick<PlacedRedirect, 'source' | 'destination' | 'node'> | null {
  if (!readFields(problems, entry, 'An entry of redirects')) return null
  const wrong = (code: string, message: string, remedy: string, node = entry) => {
    report(problems, node, code, 'warning', message, remedy)
    return null
  }
  const source = readText(problems, getField(entry, 'source'), 'redirects.source')
  const destination = readText(problems, getField(entry, 'destination'), 'redirects.destination')
  if (source === null || destination === null) {
    const missing = source === null ? 'source' : 'destination'
    return wrong('redirect.incomplete', `This redirect has no ${missing}.`, `Add ${missing}.`)
  }
  if (Math.max(source.length, destination.length) > MAX_LENGTH) {
    const message = `This redirect has a source or destination of more than ${MAX_LENGTH} characters.`
    return wrong('redirect.too_long', message, 'Shorten it, or use a wildcard.')
  }
  const path = normalSource(source)
  if (path === null) {
    const message = `The source ${quote(source)} is no path of this site, or has its wildcard in the middle.`
    const remedy = 'Write a path without ? and #, with :name for a part, or * or :name* as its last part.'
    return wrong('redirect.source', message, remedy, getField(entry, 'source') ?? entry)
  }
  if (/^\s*(?:javascript|vbscript|data):/i.test(destination)) {
    const message = `The destination ${quote(destination)} runs script or holds data instead of leading somewhere.`
    const remedy = 'Write a path of this site or an address that begins with https://.'
    return wrong('redirect.unsafe', message, remedy)
  }
  return { source: path, destination: normalDestination(destination), node: entry }
}

function reportRepeated(
  problems: Problem[],
  earlier: PlacedRedirect,
  { source, destination, node }: Pick<PlacedRedirect, 'source' | 'destination' | 'node'>,
): void {
  const line = getNodeLine(earlier.node)
  const isSame = earlier.destination === destination // `/a` and `/a/`, both written to be safe
  const message = isSame
    ? `The redirect of line ${line} says the same.`
    : `There is a redirect from ${source} already (line ${line}); this one is not used.`
  const level = isSame ? 'hint' : 'warning'
  report(problems, node, 'redirect.repeated', level, message, 'Remove one of them.')
}

/** Returns null if the text cannot be a source. */
function normalSource(source: string): string | null {
  if (/[?#]|^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return null
  // `:name(.*)` at the end is an alternative notation for `:name*`.
  const path = normalPath(decodePath(source)).replace(/(:[\w-]+)\(\.\*\)$/, '$1*')
  // Other groups are unsupported wildcards.
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

function normalDestination(destination: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(destination)) return destination
  const path = withoutQuery(destination)
  return normalPath(path) + destination.slice(path.length)
}

/** Returns a URL without query and fragment. */
export function withoutQuery(address: string): string {
  const end = address.search(/[?#]/)
  return end === -1 ? address : address.slice(0, end)
}

function normalPath(path: string): string {
  return withoutTrailingSlash(`/${path}`.replace(/\/{2,}/g, '/'))
}

/** Removes a trailing slash, except from `/`. Duplicate slashes do not occur here. */
function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/**
 * Returns the valid redirects. Dropped and reported are those from an existing page (the page takes precedence) and
 * those that form a cycle.
 */
export function checkRedirects(
  problems: Problem[],
  redirects: readonly PlacedRedirect[],
  pages: Site['pages'],
): Redirect[] {
  const open = withoutManyPatterns(problems, redirects).filter((redirect) => {
    const page = pages.get(redirect.source)
    if (!page) return true
    const message = `There is a page at ${redirect.source}${page.file ? ` (${page.file})` : ''}; this redirect is not used.`
    report(
      problems,
      redirect.node,
      'redirect.over_page',
      'warning',
      message,
      'Remove the redirect, or the page.',
    )
    return false
  })
  const working: Redirect[] = []
  for (const { node, ...redirect } of open) {
    const circle = findCircle(open, pages, redirect)
    if (circle === null) {
      working.push(redirect)
      continue
    }
    const message = `This redirect goes round in a circle: ${circle.map(shortened).join(' → ')}.`
    report(problems, node, 'redirect.loop', 'error', message, 'Let one of these redirects lead to a page.')
  }
  return working
}

function withoutManyPatterns(
  problems: Problem[],
  redirects: readonly PlacedRedirect[],
): readonly PlacedRedirect[] {
  const surplus = redirects.filter((redirect) => parsePattern(redirect) !== null).slice(MAX_PATTERNS)
  const [first] = surplus
  if (!first) return redirects
  const message = `More than ${MAX_PATTERNS} redirects name parts of a path; this one and those after it are not used.`
  report(problems, first.node, 'redirect.too_many', 'warning', message, 'Put some of them together.')
  const leftOut = new Set(surplus)
  return redirects.filter((redirect) => !leftOut.has(redirect))
}

/** Shortens paths for messages, because a wildcard's capture may grow with every hop. */
function shortened(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path
}

/** Returns the paths from the redirect's source back to one of them; null if the chain ends. */
function findCircle(
  redirects: readonly Redirect[],
  pages: Site['pages'],
  redirect: Redirect,
): readonly string[] | null {
  const path = redirect.source.replace(/:[\w-]+\*$|\*$/, 'x').replace(/(?<=\/):[\w-]+/g, 'x')
  const seen = [path]
  for (let current = path; seen.length <= MAX_STEPS; ) {
    const destination = findRedirect(redirects, current)?.destination
    if (destination === undefined || !destination.startsWith('/') || destination.startsWith('//')) return null
    current = normalPath(withoutQuery(destination))
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
  /** Wildcard with the longest other prefix that is a prefix of this one. */
  shorter: Wildcard | null
}

/** The parts before and after the captured rest; `after` is null if the destination does not include it. */
export interface SplitDestination {
  before: string
  after: string | null
}

/** Returns the prefix of a redirect that matches any rest; null if it matches a single path. */
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

/** Returns the redirect for a path (without query and fragment), with the captured rest in its destination. */
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

/** Finds the longest prefix of the path: starts at the last prefix not after it, then follows shorter ones. */
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
  const same = sharedLength(found.prefix, path)
  while (found !== null && found.prefix.length > same) found = found.shorter
  return found
}

function sharedLength(a: string, b: string): number {
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

function report(
  problems: Problem[],
  node: JsonNode,
  code: string,
  level: Problem['level'],
  message: string,
  remedy: string,
): void {
  problems.push({ file: node.source.file, line: getNodeLine(node), code, level, message, remedy })
}
