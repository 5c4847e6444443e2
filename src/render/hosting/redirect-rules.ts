/** Redirects as rules of servers that match patterns: nginx, Caddy and Apache, each in its own writing. */
import type { Redirect, Site } from '../../site/model.ts'
import { patternOf, type RedirectPattern } from '../../site/navigation/redirect-patterns.ts'
import { wildcardOf } from '../../site/navigation/redirects.ts'
import { encodePath } from '../html/encode-path.ts'

/** A text, or what was captured: one part of a path, or any rest. */
type Piece = string | { capture: number; isRest: boolean }

interface HostRule {
  source: readonly Piece[]
  /** A rest that is left out with its slash. */
  hasOpenEnd: boolean
  target: readonly Piece[]
  isPermanent: boolean
}

/** For hosts that take the first that fits: exact ones, those with named parts, then the longest wildcards first. */
export function inOrder(redirects: readonly Redirect[]): Redirect[] {
  const exact: Redirect[] = []
  const patterns: Redirect[] = []
  const wildcards: Redirect[] = []
  for (const redirect of redirects) {
    if (patternOf(redirect)) patterns.push(redirect)
    else if (wildcardOf(redirect)) wildcards.push(redirect)
    else exact.push(redirect)
  }
  wildcards.sort((a, b) => b.source.length - a.source.length)
  return [...exact, ...patterns, ...wildcards]
}

function hostRule(redirect: Redirect): HostRule {
  const { isPermanent } = redirect
  const pattern = patternOf(redirect)
  if (pattern) return { ...patternRule(pattern), isPermanent }
  const wildcard = wildcardOf(redirect)
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

const UNSAFE = String.raw`\\\x00-\x1f\x7f`

/**
 * What is captured goes into the header of an answer: no line feed, which would end it where a server writes it as it
 * came, and nothing that makes `/` before it the beginning of another host.
 */
function expression(
  { source, hasOpenEnd }: HostRule,
  opening: (capture: number) => string = () => '(',
): string {
  const parts = source.map((piece) => {
    if (typeof piece === 'string') return literal(piece)
    const open = opening(piece.capture)
    if (!piece.isRest) return `${open}[^/${UNSAFE}]+)`
    const rest = `${open}(?:[^/${UNSAFE}][^${UNSAFE}]*)?)`
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

/** The path as servers compare it, decoded. */
function literal(path: string): string {
  return path.replace(/[\u0000-\u001f\u007f]/g, '').replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

/** Maps for nginx, to be included at the level of `http`; the comment in the file says how they are used. */
export function nginxRedirects({ redirects }: Pick<Site, 'redirects'>): string {
  const [moved, elsewhere] = rulesOfMaps(redirects)
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
  /** It is of the other map, and stands here so that no later one takes its paths. */
  isEmpty: boolean
}

/** For what has moved for good, and for the rest. */
function rulesOfMaps(redirects: readonly Redirect[]): [moved: MapLine[], elsewhere: MapLine[]] {
  const rules = inOrder(redirects).map(hostRule)
  const lines = (isPermanent: boolean) => {
    const last = rules.findLastIndex((rule) => rule.isPermanent === isPermanent)
    return rules.slice(0, last + 1).map((rule) => ({ rule, isEmpty: rule.isPermanent !== isPermanent }))
  }
  return [lines(true), lines(false)]
}

/** Keys are regular expressions: plain ones would not tell upper from lower case. Numbers would be those of the server. */
function nginxLine({ rule, isEmpty }: MapLine): string {
  const named = expression(rule, (capture) => `(?<octavo_${capture}>`)
  const target = targetText(rule, hostText, (capture) => `\${octavo_${capture}}`)
  const query = /[?#]/.test(target) ? '' : '$is_args$args'
  return `    "~${quoted(named)}" "${isEmpty ? '' : target + query}";\n`
}

/** A snippet for Caddy: two maps and what answers by them. */
export function caddyRedirects({ redirects }: Pick<Site, 'redirects'>): string {
  const [moved, elsewhere] = rulesOfMaps(redirects)
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
  const target = targetText(rule, hostText, (capture) => `\${${capture}}`)
  return `\t"~${plainQuoted(expression(rule))}" "${isEmpty ? '' : target}"\n`
}

/** Lines of a `.htaccess` file, whose expressions see the path without the slash that it begins with. */
export function apacheRedirects({ redirects }: Pick<Site, 'redirects'>): string {
  return inOrder(redirects)
    .map(hostRule)
    .map((rule) => {
      const seen = expression(rule).replace(/^\^\/?/, '^/?')
      const target = targetText(rule, apacheText, (capture) => `$${capture}`)
      return `RewriteRule "${plainQuoted(seen)}" "${target}" [R=${rule.isPermanent ? 308 : 307},L,NE,B,BNE=/]\n`
    })
    .join('')
}

/** Caddy and Apache take a backslash as it is, but before a quotation mark. */
function plainQuoted(text: string): string {
  return text.replaceAll('"', '\\"')
}

/** nginx wants it twice. */
function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}

/** `$` and braces would begin a variable, and a quotation mark end the text. */
function hostText(url: string): string {
  return encodeUrl(url).replace(/["\\${};]/g, (character) => encodeURIComponent(character))
}

function apacheText(url: string): string {
  return encodeUrl(url)
    .replace(/["\\${};]/g, (character) => encodeURIComponent(character))
    .replaceAll('%', '\\%')
}

export function encodeUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]/gu, (character) => encodePath(character))
}
