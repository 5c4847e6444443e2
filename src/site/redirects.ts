/** Redirects: read from docs.json, freed of those that cannot work, and applied to a path. */
import type { Problem } from '../contract/problem.ts'
import { fieldOf, type JsonNode, lineOf } from './json.ts'
import type { Redirect, Site } from './model.ts'
import { quote } from './problems.ts'
import { readFields, readFlag, readItems, readText } from './read-json.ts'
import { decodePath } from './routes.ts'

/** Steps after which a chain of redirects counts as a circle. */
const MAX_STEPS = 20

/** A redirect with the place it comes from. */
interface PlacedRedirect extends Redirect {
  node: JsonNode
}

/** Sources: a path, or a path that ends in `*` or `:name*` for any rest. */
export function readRedirects(problems: Problem[], node: JsonNode | undefined): PlacedRedirect[] {
  const redirects: PlacedRedirect[] = []
  const first = new Map<string, { line: number; to: string }>()
  for (const entry of readItems(problems, node, 'redirects')) {
    if (!readFields(problems, entry, 'An entry of redirects')) continue
    const source = readText(problems, fieldOf(entry, 'source'), 'redirects.source')
    const destination = readText(problems, fieldOf(entry, 'destination'), 'redirects.destination')
    if (source === null || destination === null) {
      const missing = source === null ? 'source' : 'destination'
      report(
        problems,
        entry,
        'redirect.incomplete',
        'warning',
        `This redirect has no ${missing}.`,
        `Add ${missing}.`,
      )
      continue
    }
    const path = normalSource(source)
    if (path === null) {
      const message = `The source ${quote(source)} is no path of this site, or has its wildcard in the middle.`
      const remedy = 'Write a path without ? and #, with at most one * or :name* as its last part.'
      report(problems, fieldOf(entry, 'source') ?? entry, 'redirect.source', 'warning', message, remedy)
      continue
    }
    if (/^\s*(?:javascript|vbscript|data):/i.test(destination)) {
      const message = `The destination ${quote(destination)} runs script or holds data instead of leading somewhere.`
      const remedy = 'Write a path of this site or an address that begins with https://.'
      report(problems, entry, 'redirect.unsafe', 'warning', message, remedy)
      continue
    }
    const to = normalDestination(destination)
    const earlier = first.get(path)
    if (earlier !== undefined) {
      const isSame = earlier.to === to // `/a` and `/a/`, written twice to be sure
      const message = isSame
        ? `The redirect of line ${earlier.line} says the same.`
        : `There is a redirect from ${path} already (line ${earlier.line}); this one is not used.`
      report(
        problems,
        entry,
        'redirect.repeated',
        isSame ? 'hint' : 'warning',
        message,
        'Remove one of them.',
      )
      continue
    }
    first.set(path, { line: lineOf(entry), to })
    const isPermanent = readFlag(problems, fieldOf(entry, 'permanent'), 'redirects.permanent') ?? true
    redirects.push({ source: path, destination: to, isPermanent, node: entry })
  }
  return redirects
}

/** Null for what cannot be a source. */
function normalSource(source: string): string | null {
  if (/[?#]|^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return null
  // `:name(.*)` at the end is another way to write `:name*`.
  const path = normalPath(decodePath(source)).replace(/(:[\w-]+)\(\.\*\)$/, '$1*')
  const wildcard = /(?:\*|:[\w-]+\*?|\(.*\))/.exec(path)
  if (!wildcard) return path
  const isLast = wildcard.index + wildcard[0].length === path.length
  return isLast && wildcard[0].endsWith('*') ? path : null
}

function normalDestination(destination: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(destination)) return destination
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(destination) ?? []
  return normalPath(path) + suffix
}

function normalPath(path: string): string {
  return `/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/+$/, '$1')
}

/**
 * The redirects that work. Left out and reported: those from a page that exists (the page wins) and those that go
 * round in a circle.
 */
export function checkRedirects(
  problems: Problem[],
  redirects: readonly PlacedRedirect[],
  pages: Site['pages'],
): Redirect[] {
  const open = redirects.filter((redirect) => {
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
    const message = `This redirect goes round in a circle: ${circle.join(' → ')}.`
    report(problems, node, 'redirect.loop', 'error', message, 'Let one of these redirects lead to a page.')
  }
  return working
}

/** The paths from the redirect's source back to one of them; null when the chain ends. */
function findCircle(
  redirects: readonly Redirect[],
  pages: Site['pages'],
  redirect: Redirect,
): readonly string[] | null {
  const path = redirect.source.replace(/:[\w-]+\*$|\*$/, 'x')
  const seen = [path]
  for (let current = path; seen.length <= MAX_STEPS; ) {
    const destination = findRedirect(redirects, current)?.destination
    if (destination === undefined || !destination.startsWith('/') || destination.startsWith('//')) return null
    current = normalPath(destination.replace(/[?#].*$/s, ''))
    if (pages.has(current)) return null
    seen.push(current)
    if (seen.indexOf(current) < seen.length - 1) return seen
  }
  return seen
}

interface RedirectIndex {
  exact: ReadonlyMap<string, Redirect>
  /** Longest prefix first. */
  wildcards: readonly Wildcard[]
}

interface Wildcard {
  prefix: string
  destination: DividedDestination
  redirect: Redirect
}

/** What stands before and after the place of the captured rest; without such a place `after` is null. */
export interface DividedDestination {
  before: string
  after: string | null
}

/** A redirect that takes any rest after a prefix; null for one of a single path. */
export function wildcardOf(redirect: Redirect): { prefix: string; destination: DividedDestination } | null {
  const [wildcard] = /(?::[\w-]+)?\*$/.exec(redirect.source) ?? []
  if (wildcard === undefined) return null
  // What stands for the rest in the destination: `*`, or `:name*` and `:name`.
  const placeholders = wildcard === '*' ? ['*', ':splat'] : [wildcard, wildcard.slice(0, -1), '*']
  const placeholder = placeholders.find((one) => redirect.destination.includes(one))
  const prefix = redirect.source.slice(0, -wildcard.length)
  if (placeholder === undefined) return { prefix, destination: { before: redirect.destination, after: null } }
  const at = redirect.destination.indexOf(placeholder)
  const before = redirect.destination.slice(0, at)
  return { prefix, destination: { before, after: redirect.destination.slice(at + placeholder.length) } }
}

const indexes = new WeakMap<readonly Redirect[], RedirectIndex>()

/** The redirect that applies to a path (without query and fragment), its destination with the captured rest put in. */
export function findRedirect(
  redirects: readonly Redirect[],
  path: string,
): { destination: string; isPermanent: boolean } | null {
  const index = indexOf(redirects)
  const wanted = path.replace(/\/{2,}/g, '/').replace(/(.)\/+$/, '$1')
  const exact = index.exact.get(wanted)
  if (exact) return { destination: exact.destination, isPermanent: exact.isPermanent }
  for (const { prefix, destination: divided, redirect } of index.wildcards) {
    // `/a/*` also stands for `/a`.
    const isRoot = prefix === `${wanted}/`
    if (!isRoot && !wanted.startsWith(prefix)) continue
    const rest = isRoot ? '' : wanted.slice(prefix.length)
    const filled = divided.after === null ? divided.before : divided.before + rest + divided.after
    const destination = rest === '' ? filled.replace(/([^/])\/(?=$|[?#])/, '$1') : filled
    return { destination, isPermanent: redirect.isPermanent }
  }
  return null
}

function indexOf(redirects: readonly Redirect[]): RedirectIndex {
  const known = indexes.get(redirects)
  if (known) return known
  const exact = new Map<string, Redirect>()
  const wildcards: Wildcard[] = []
  for (const redirect of redirects) {
    const wildcard = wildcardOf(redirect)
    if (wildcard) wildcards.push({ ...wildcard, redirect })
    else exact.set(redirect.source, redirect)
  }
  const index = { exact, wildcards: wildcards.sort((a, b) => b.prefix.length - a.prefix.length) }
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
  problems.push({ file: node.source.file, line: lineOf(node), code, level, message, remedy })
}
