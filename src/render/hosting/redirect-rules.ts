/** Writes redirects as rules for nginx, Caddy and Apache. */
import type { Redirect, Site } from '../../site/model.ts'
import { parsePattern, type RedirectPattern } from '../../site/navigation/redirect-patterns.ts'
import { parseWildcard } from '../../site/navigation/redirects.ts'
import { encodePath } from '../html/encode-path.ts'

/** Literal text, or a capture of one segment or of the rest of the path. */
type Piece = string | { capture: number; isRest: boolean }

interface HostRule {
  source: readonly Piece[]
  /** Whether the rest of the path may be missing, together with its slash. */
  hasOpenEnd: boolean
  target: readonly Piece[]
  isPermanent: boolean
}

/**
 * Sorts rules for hosts that use the first match: exact ones, then parameters, then wildcards, longest first.
 */
export function sortForHosts(redirects: readonly Redirect[]): Redirect[] {
  const exact: Redirect[] = []
  const patterns: Redirect[] = []
  const wildcards: Redirect[] = []
  for (const redirect of redirects) {
    if (parsePattern(redirect)) patterns.push(redirect)
    else if (parseWildcard(redirect)) wildcards.push(redirect)
    else exact.push(redirect)
  }
  wildcards.sort((a, b) => b.source.length - a.source.length)
  return [...exact, ...patterns, ...wildcards]
}

function hostRule(redirect: Redirect): HostRule {
  const { isPermanent } = redirect
  const pattern = parsePattern(redirect)
  if (pattern) return { ...patternRule(pattern), isPermanent }
  const wildcard = parseWildcard(redirect)
  if (!wildcard)
    return { source: [redirect.source], hasOpenEnd: false, target: [redirect.destination], isPermanent }
  const { prefix, destination } = wildcard
  const hasOpenEnd = prefix.endsWith('/') && prefix !== '/'
  const rest = { capture: 1, isRest: true }
  const target = [destination.before, ...(destination.after === null ? [] : [rest, destination.after])]
  return { source: [hasOpenEnd ? prefix.slice(0, -1) : prefix, rest], hasOpenEnd, target, isPermanent }
}

function patternRule({ segments, names, rest, redirect }: RedirectPattern): Omit<HostRule, 'isPermanent'> {
  const captures = new Map<string, Piece>()
  const source: Piece[] = []
  const capture = (name: string, isRest: boolean) => {
    const piece = { capture: captures.size + 1, isRest }
    captures.set(captures.has(name) ? `${name} ${captures.size}` : name, piece)
    source.push(piece)
  }
  segments.forEach((segment, index) => {
    source.push('/')
    if (segment === null) capture(names[index] ?? '', false)
    else source.push(segment)
  })
  if (rest !== null) capture(rest, true)
  const target = redirect.destination
    .split(/(:[A-Za-z_][\w-]*\*?|\*)/)
    .map((text) => captures.get(text === '*' ? text : text.replace(/^:|\*$/g, '')) ?? text)
  return { source, hasOpenEnd: rest !== null, target }
}

const UNSAFE_CHARACTERS = String.raw`\\\x00-\x1f\x7f`

/**
 * Returns an expression whose captures are safe in a response header. Captures exclude control characters, such
 * as line feeds, which would end the header and which some servers do not escape. They also exclude a leading
 * `/`, because `//host` would lead to another site.
 */
function expression(
  { source, hasOpenEnd }: HostRule,
  opening: (capture: number) => string = () => '(',
): string {
  const parts = source.map((piece) => {
    if (typeof piece === 'string') return literal(piece)
    const open = opening(piece.capture)
    if (!piece.isRest) return `${open}[^/${UNSAFE_CHARACTERS}]+)`
    const rest = `${open}(?:[^/${UNSAFE_CHARACTERS}][^${UNSAFE_CHARACTERS}]*)?)`
    return hasOpenEnd ? `(?:/${rest})?` : rest
  })
  return `^${parts.join('')}${source.some((piece) => typeof piece !== 'string' && piece.isRest) ? '' : '/?'}$`
}

function targetText(
  { target }: HostRule,
  text: (piece: string) => string,
  captured: (capture: number) => string,
): string {
  return target.map((piece) => (typeof piece === 'string' ? text(piece) : captured(piece.capture))).join('')
}

/** Escapes a path for an expression. The path is not encoded, because servers compare decoded paths. */
function literal(path: string): string {
  return path.replace(/[\u0000-\u001f\u007f]/g, '').replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

/** Returns maps for nginx, to be included in the `http` block. A comment in the file explains their use. */
export function nginxRedirects({ redirects }: Pick<Site, 'redirects'>): string {
  const [moved, elsewhere] = splitMapRules(redirects)
  const map = (variable: string, lines: readonly MapLine[]) =>
    `map $uri $${variable} {\n    default "";\n${lines.map(nginxLine).join('')}}\n`
  return `# Include this file in the http block. In the server block:
#   if ($octavo_moved) { return 308 $octavo_moved; }
#   if ($octavo_elsewhere) { return 307 $octavo_elsewhere; }
#   location / { try_files $uri $uri.html $uri/index.html =404; }
#   error_page 404 /404.html;
${map('octavo_moved', moved)}${map('octavo_elsewhere', elsewhere)}`
}

interface MapLine {
  rule: HostRule
  /**
   * Whether the rule belongs to the other map (permanent or temporary). An empty entry in this map prevents later
   * rules from matching the same paths.
   */
  isEmpty: boolean
}

/** Returns separate maps for permanent and temporary redirects. */
function splitMapRules(redirects: readonly Redirect[]): [moved: MapLine[], elsewhere: MapLine[]] {
  const rules = sortForHosts(redirects).map(hostRule)
  const lines = (isPermanent: boolean) => {
    const last = rules.findLastIndex((rule) => rule.isPermanent === isPermanent)
    return rules.slice(0, last + 1).map((rule) => ({ rule, isEmpty: rule.isPermanent !== isPermanent }))
  }
  return [lines(true), lines(false)]
}

/**
 * Uses regular expressions as keys, because other keys ignore case. Names the captures, to avoid conflicts with
 * those of the server configuration.
 */
function nginxLine({ rule, isEmpty }: MapLine): string {
  const named = expression(rule, (capture) => `(?<octavo_${capture}>`)
  const target = targetText(rule, escapeHostUrl, (capture) => `\${octavo_${capture}}`)
  const query = /[?#]/.test(target) ? '' : '$is_args$args'
  return `    "~${quoted(named)}" "${isEmpty ? '' : target + query}";\n`
}

export function caddyRedirects({ redirects }: Pick<Site, 'redirects'>): string {
  const [moved, elsewhere] = splitMapRules(redirects)
  const map = (variable: string, lines: readonly MapLine[]) =>
    `map {path} {${variable}} {\n${lines.map(caddyLine).join('')}\tdefault ""\n}\n`
  return `# Imported by the Caddyfile of this bundle.
${map('octavo_moved', moved)}${map('octavo_elsewhere', elsewhere)}@octavo_moved expression \`{octavo_moved} != ""\`
redir @octavo_moved {octavo_moved} 308
@octavo_elsewhere expression \`{octavo_elsewhere} != ""\`
redir @octavo_elsewhere {octavo_elsewhere} 307
`
}

function caddyLine({ rule, isEmpty }: MapLine): string {
  const target = targetText(rule, escapeHostUrl, (capture) => `\${${capture}}`)
  return `\t"~${escapeQuotes(expression(rule))}" "${isEmpty ? '' : target}"\n`
}

/** Returns the lines of a `.htaccess` file, whose expressions match paths without the leading slash. */
export function apacheRedirects({ redirects }: Pick<Site, 'redirects'>): string {
  return sortForHosts(redirects)
    .map(hostRule)
    .map((rule) => {
      const seen = expression(rule).replace(/^\^\/?/, '^/?')
      const target = targetText(rule, escapeApacheUrl, (capture) => `$${capture}`)
      return `RewriteRule "${escapeQuotes(seen)}" "${target}" [R=${rule.isPermanent ? 308 : 307},L,NE,B,BNE=/]\n`
    })
    .join('')
}

/** Escapes quotation marks only, because backslashes are literal in Caddy and Apache. */
function escapeQuotes(text: string): string {
  return text.replaceAll('"', '\\"')
}

/** Doubles backslashes, as required by nginx, and escapes quotation marks. */
function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}

/** Escapes `$` and braces, which would begin a variable, and quotation marks, which would end the text. */
function escapeHostUrl(url: string): string {
  return encodeUrl(url).replace(/["\\${};]/g, (character) => encodeURIComponent(character))
}

function escapeApacheUrl(url: string): string {
  return encodeUrl(url)
    .replace(/["\\${};]/g, (character) => encodeURIComponent(character))
    .replaceAll('%', '\\%')
}

export function encodeUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]/gu, (character) => encodePath(character))
}
