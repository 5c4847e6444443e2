/**
 * Finds features of a file that can affect readers: code, frames, other hosts, hidden content, commands to
 * run. Scans raw lines, because the text may not parse; prefers false positives to false negatives.
 */
import type { RiskKind } from '../operations/agent-review.ts'

export interface Feature {
  kind: RiskKind
  /** Features with the same key are counted as one. */
  key: string
  /** 1-based. */
  line: number
  what: string
}

/** Maximum numbers of characters per line that are examined (MAX_LINE) and quoted (MAX_QUOTE). */
const MAX_LINE = 20_000
const MAX_QUOTE = 120

/**
 * A description, in which `%` stands for the matched text, and a pattern. `inCode` patterns also apply to code blocks,
 * because readers copy commands from them.
 */
type Row = readonly [what: string, pattern: RegExp, where?: 'inCode']

const PATTERNS: Partial<Record<RiskKind, readonly Row[]>> = {
  script: [
    ['a script', /<script\b/gi],
    ['a % address', /(?:javascript|vbscript|data):(?=[^\s"'])/gi],
    ['a handler %', /(?<=[\s"'}])on[a-z]{3,30}\s?=(?=\s?["'{])/gi],
    ['%', /\b(?:dangerouslySetInnerHTML|srcdoc|innerHTML|document\.(?:write|cookie))\b/gi],
    [
      'a call to %',
      /\b(?:eval|fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|Function|require)\s?\(/g,
    ],
    ['code that is loaded dynamically', /\bimport\s?\(/g],
    ['an import or export', /^\s{0,20}(?:import|export)\s(?=[^;]{0,400}["'({=])/gm],
    [
      'an expression that runs when the page is rendered',
      /\{\s?(?:\(|\[|this\b|globalThis\b|window\b|document\b|process\b|new\b|[A-Za-z_$][\w$]{0,60}(?:\.|\?\.|\(|\s?=>))/g,
    ],
  ],
  frame: [
    ['a frame (%)', /<(?:iframe|frame|frameset|object|embed|portal|applet)\b/gi],
    ['a form (%)', /<(?:form|input|textarea|select)\b/gi],
    ['an element that affects the whole page (%)', /<(?:link|meta|base|style|include|foreignObject)\b/gi],
  ],
  tracker: [
    ['a tracking id (%)', /\b(?:G-[A-Z0-9]{6,12}|UA-\d{4,12}-\d{1,4}|GTM-[A-Z0-9]{4,10}|AW-\d{6,12})\b/g],
    [
      'a tracker (%)',
      /\b(?:gtag|fbq|_paq|hotjar|mixpanel|amplitude|posthog|clarity|heap|segment\.io|doubleclick|googletagmanager|google-analytics)\b/gi,
    ],
  ],
  hidden: [
    [
      'hidden content',
      /\b(?:display\s?:\s?["']?none|visibility\s?:\s?["']?hidden|opacity\s?:\s?["']?0(?![.\d])|font-?size\s?:\s?["']?0(?![.\d]))/gi,
    ],
    [
      'hidden content',
      /(?:class|className)\s?=\s?["'][^"'\n]{0,300}\b(?:hidden|invisible|sr-only|opacity-0)\b/g,
    ],
    ['a comment, which is visible only in the source', /\{\s?\/\*|<!--/g],
    ['invisible characters', /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu],
    ['the page is hidden (%)', /^(?:hidden|noindex):\s?true\b/gm],
  ],
  host: [
    ['a local file URL', /\bfile:\/\/[^\s"'<>)]{0,100}/gi, 'inCode'],
    ['a path that may point outside (%)', /(?<![\w.])\.\.\/[^\s"'<>)]{0,100}/g],
  ],
  contact: [
    ['an email address (%)', /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g, 'inCode'],
    ['a phone number (%)', /(?:\btel:|(?<![\w.])\+)\d[\d ()/.-]{6,20}\d/g],
    ['a payment account', /\b(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34})\b/g],
  ],
  command: [
    ['a command that runs downloaded code', /\|\s?(?:sudo\s)?(?:ba|z|da|k)?sh\b/g, 'inCode'],
    [
      'a command with %',
      /\b(?:sudo|eval|iex|Invoke-Expression|doas)\b|\brm\s-[a-z]{0,6}[rf]|\bchmod\s[0-7]{0,1}777|base64\s(?:-d|--decode)|NODE_TLS_REJECT_UNAUTHORIZED|--(?:insecure|no-verify|privileged|allow-root)\b/g,
      'inCode',
    ],
    [
      'a command that installs or runs software (%)',
      /\b(?:npm|pnpm|yarn|bun|pip3?|gem|cargo|go|brew|apt(?:-get)?|npx|docker)\s(?:install|i|add|get|exec|pull|run|dlx)\s[^\n"'<]{1,100}/g,
      'inCode',
    ],
  ],
}
const ROWS = Object.entries(PATTERNS).flatMap(([kind, rows]) =>
  rows.map(([what, pattern, where]) => ({
    kind: kind as RiskKind,
    what,
    pattern,
    isInCode: where === 'inCode',
  })),
)

/** Returns the matched text without surrounding syntax such as brackets. */
function trimMatchSyntax(kind: RiskKind, found: string): string {
  const text = found.replace(/^<|\s?[=(]$/g, '').trim()
  return kind === 'frame' ? text.toLowerCase() : kind === 'contact' ? text : text.slice(0, 60)
}

/** Matches the host of a URL with any scheme or none. */
const HOST =
  /(?:\b[a-z][a-z0-9+.-]{1,20}:)?\/\/((?:\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,8})(?::\d{1,5})?)/giu

export function findFeatures(path: string, text: string): Feature[] {
  const found: Feature[] = []
  let isCode = false
  const hasFences = /\.mdx?$/.test(path)
  text.split('\n').forEach((whole, index) => {
    const line = whole.slice(0, MAX_LINE)
    if (hasFences && /^\s{0,12}(?:`{3,}|~{3,})/.test(line)) isCode = !isCode
    found.push(...findLineFeatures(line, index + 1, isCode))
  })
  return found
}

function* findLineFeatures(line: string, number: number, isCode: boolean): Iterable<Feature> {
  for (const { kind, pattern, what, isInCode } of ROWS) {
    if (isCode && !isInCode) continue
    for (const [match] of line.matchAll(pattern)) {
      const description = what.replace('%', () => trimMatchSyntax(kind, match))
      const key =
        kind === 'script' || kind === 'command' ? `${description}\n${line.trim().slice(0, 300)}` : description
      yield { kind, key, line: number, what: description.slice(0, MAX_QUOTE) }
    }
  }
  for (const [, host = ''] of line.matchAll(HOST)) {
    const name = host.toLowerCase()
    yield { kind: 'host', key: `host ${name}`, line: number, what: name }
  }
}

export function isHostFeature({ key }: Feature): boolean {
  return key.startsWith('host ')
}

const STRONG =
  /\b(?:must not|do not|don['’]t|never|cannot be undone|irreversibl[ey]|permanently|deprecated|danger(?:ous)?|caution|beware|warning|at your own risk|not (?:supported|recommended|safe))\b/gi
const CALLOUTS =
  /<(?:Warning|Danger|Caution)\b|\[!(?:WARNING|CAUTION|IMPORTANT)\]|^:::(?:warning|danger|caution)\b/gm

export function countWarnings(text: string): { callouts: number; words: number } {
  return { callouts: text.match(CALLOUTS)?.length ?? 0, words: text.match(STRONG)?.length ?? 0 }
}
