/**
 * Finds features of a file that can act on readers: code, frames, other hosts, hidden content, commands to run. Works
 * on lines of the raw text, since it may not parse; false positives are preferred to false negatives.
 */
import type { RiskKind } from '../operations/agent-review.ts'

export interface Feature {
  kind: RiskKind
  /** Features with the same key count as the same. */
  key: string
  /** 1-based. */
  line: number
  /** Description for people. */
  what: string
}

/** Maximum number of characters examined per line, and quoted from it. */
const MAX_LINE = 20_000
const MAX_QUOTE = 120

interface Pattern {
  kind: RiskKind
  pattern: RegExp
  what: (found: string) => string
  /** Also searched for in code blocks, which readers copy. */
  isInCode?: boolean
}

const tagName = (found: string) => found.replace(/[<\s]/g, '').toLowerCase()

const PATTERNS: readonly Pattern[] = [
  { kind: 'script', pattern: /<script\b/gi, what: () => 'a script' },
  {
    kind: 'script',
    pattern: /(?:javascript|vbscript|data):(?=[^\s"'])/gi,
    what: (found) => `a ${found} address`,
  },
  {
    kind: 'script',
    pattern: /(?<=[\s"'}])on[a-z]{3,30}\s?=(?=\s?["'{])/gi,
    what: (found) => `a handler ${found.replace(/\W/g, '')}`,
  },
  {
    kind: 'script',
    pattern: /\b(?:dangerouslySetInnerHTML|srcdoc|innerHTML|document\.(?:write|cookie))\b/gi,
    what: (found) => found,
  },
  {
    kind: 'script',
    pattern:
      /\b(?:eval|fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|Function|require)\s?\(/g,
    what: (found) => `a call of ${found.replace(/\W/g, '')}`,
  },
  { kind: 'script', pattern: /\bimport\s?\(/g, what: () => 'code that is loaded later' },
  {
    kind: 'script',
    pattern: /^\s{0,20}(?:import|export)\s(?=[^;]{0,400}["'({=])/gm,
    what: () => 'an import or export',
  },
  {
    kind: 'script',
    pattern:
      /\{\s?(?:\(|\[|this\b|globalThis\b|window\b|document\b|process\b|new\b|[A-Za-z_$][\w$]{0,60}(?:\.|\?\.|\(|\s?=>))/g,
    what: () => 'an expression that runs when the page is made',
  },
  {
    kind: 'frame',
    pattern: /<(?:iframe|frame|frameset|object|embed|portal|applet)\b/gi,
    what: (found) => `a frame (${tagName(found)})`,
  },
  {
    kind: 'frame',
    pattern: /<(?:form|input|textarea|select)\b/gi,
    what: (found) => `a form (${tagName(found)})`,
  },
  {
    kind: 'frame',
    pattern: /<(?:link|meta|base|style|include|foreignObject)\b/gi,
    what: (found) => `an element that acts on the whole page (${tagName(found)})`,
  },
  {
    kind: 'tracker',
    pattern: /\b(?:G-[A-Z0-9]{6,12}|UA-\d{4,12}-\d{1,4}|GTM-[A-Z0-9]{4,10}|AW-\d{6,12})\b/g,
    what: (found) => `the id of a tracker (${found})`,
  },
  {
    kind: 'tracker',
    pattern:
      /\b(?:gtag|fbq|_paq|hotjar|mixpanel|amplitude|posthog|clarity|heap|segment\.io|doubleclick|googletagmanager|google-analytics)\b/gi,
    what: (found) => `a tracker (${found})`,
  },
  {
    kind: 'hidden',
    pattern:
      /\b(?:display\s?:\s?["']?none|visibility\s?:\s?["']?hidden|opacity\s?:\s?["']?0(?![.\d])|font-?size\s?:\s?["']?0(?![.\d]))/gi,
    what: () => 'something that readers do not see',
  },
  {
    kind: 'hidden',
    pattern: /(?:class|className)\s?=\s?["'][^"'\n]{0,300}\b(?:hidden|invisible|sr-only|opacity-0)\b/g,
    what: () => 'something that readers do not see',
  },
  {
    kind: 'hidden',
    pattern: /\{\s?\/\*|<!--/g,
    what: () => 'a comment, which only those who read the source see',
  },
  {
    kind: 'hidden',
    pattern: /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu,
    what: () => 'signs that nobody sees',
  },
  {
    kind: 'hidden',
    pattern: /^(?:hidden|noindex):\s?true\b/gm,
    what: (found) => `the page is kept out of sight (${found})`,
  },
  {
    kind: 'host',
    pattern: /\bfile:\/\/[^\s"'<>)]{0,100}/gi,
    what: () => 'a file of the machine',
    isInCode: true,
  },
  {
    kind: 'host',
    pattern: /(?<![\w.])\.\.\/[^\s"'<>)]{0,100}/g,
    what: (found) => `a path that may lead outside (${found.slice(0, 60)})`,
  },
  {
    kind: 'contact',
    pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g,
    what: (found) => `an address to write to (${found})`,
    isInCode: true,
  },
  {
    kind: 'contact',
    pattern: /(?:\btel:|(?<![\w.])\+)\d[\d ()/.-]{6,20}\d/g,
    what: (found) => `a telephone number (${found})`,
  },
  {
    kind: 'contact',
    pattern: /\b(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34})\b/g,
    what: () => 'an account for payments',
  },
  {
    kind: 'command',
    pattern: /\|\s?(?:sudo\s)?(?:ba|z|da|k)?sh\b/g,
    what: () => 'a command that runs what it loads',
    isInCode: true,
  },
  {
    kind: 'command',
    pattern:
      /\b(?:sudo|eval|iex|Invoke-Expression|doas)\b|\brm\s-[a-z]{0,6}[rf]|\bchmod\s[0-7]{0,1}777|base64\s(?:-d|--decode)|NODE_TLS_REJECT_UNAUTHORIZED|--(?:insecure|no-verify|privileged|allow-root)\b/g,
    what: (found) => `a command with ${found.trim()}`,
    isInCode: true,
  },
  {
    kind: 'command',
    pattern:
      /\b(?:npm|pnpm|yarn|bun|pip3?|gem|cargo|go|brew|apt(?:-get)?|npx|docker)\s(?:install|i|add|get|exec|pull|run|dlx)\s[^\n"'<]{1,100}/g,
    what: (found) => `something to install or run (${found.slice(0, 60)})`,
    isInCode: true,
  },
]

/** Hosts are identified by their names, whatever they are used for. */
const HOST =
  /(?:\b[a-z][a-z0-9+.-]{1,20}:)?\/\/((?:\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,8})(?::\d{1,5})?)/giu

export function findFeatures(path: string, text: string): Feature[] {
  const found: Feature[] = []
  let isCode = false
  const hasFences = /\.mdx?$/.test(path)
  text.split('\n').forEach((whole, index) => {
    const line = whole.slice(0, MAX_LINE)
    if (hasFences && /^\s{0,12}(?:`{3,}|~{3,})/.test(line)) isCode = !isCode
    found.push(...findInLine(line, index + 1, isCode))
  })
  return found
}

function* findInLine(line: string, number: number, isCode: boolean): Iterable<Feature> {
  for (const { kind, pattern, what, isInCode } of PATTERNS) {
    if (isCode && isInCode !== true) continue
    for (const [match] of line.matchAll(pattern)) {
      const description = what(match)
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

/** Counts callouts that warn and words that warn. */
export function countWarnings(text: string): { callouts: number; words: number } {
  return { callouts: text.match(CALLOUTS)?.length ?? 0, words: text.match(STRONG)?.length ?? 0 }
}
