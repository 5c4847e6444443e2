/**
 * Parses the text after the opening backticks of a code fence: ` ```lang Title words {1,3-5} wrap icon="x" `.
 * Words that are not options form the title. Invalid options are ignored.
 */

export interface CodeMeta {
  /** In lower case. Defaults to `text`. */
  language: string
  title: string | null
  icon: string | null
  /** Starting at 1, sorted, without duplicates. */
  highlight: number[]
  focus: number[]
  lines: boolean
  wrap: boolean
  expandable: boolean
  nocopy: boolean
  diff: boolean
  twoslash: boolean
  /** Whether checks and builds run the sample; null for the default of the language. */
  run: boolean | null
  /** Options of particular languages, such as `placement` and `actions` for diagrams. */
  rest: Record<string, string | true>
}

type Flag = 'lines' | 'wrap' | 'expandable' | 'nocopy' | 'diff' | 'twoslash' | 'run'
const FLAGS: Readonly<Record<string, Flag>> = {
  lines: 'lines',
  showLineNumbers: 'lines',
  wrap: 'wrap',
  expandable: 'expandable',
  nocopy: 'nocopy',
  diff: 'diff',
  twoslash: 'twoslash',
  run: 'run',
}
/** Options that are accepted but have no effect. */
const IGNORED = new Set(['copy', 'react', 'noCopy'])
const OPTIONS_WITH_VALUE = new Set([
  'title',
  'filename',
  'icon',
  'highlight',
  'focus',
  'placement',
  'actions',
  'theme',
  'style',
])

/** Longer ranges are considered a mistake. */
const MAX_RANGE_LINES = 10_000

export function parseCodeMeta(info: string): CodeMeta {
  const [first = '', ...words] = tokens(info)
  const meta: CodeMeta = {
    language: 'text',
    title: null,
    icon: null,
    highlight: [],
    focus: [],
    lines: false,
    wrap: false,
    expandable: false,
    nocopy: false,
    diff: false,
    twoslash: false,
    run: null,
    rest: {},
  }
  const isLanguage = first !== '' && !/^[{"'[/]/.test(first) && !first.includes('=') && first !== 'nocopy'
  if (isLanguage) meta.language = (first.split(/[{,:]/)[0] || 'text').toLowerCase()
  if (isLanguage && first.includes('{')) words.unshift(first.slice(first.indexOf('{')))
  const title: string[] = []
  for (const word of isLanguage || first === '' ? words : [first, ...words]) readWord(word, meta, title)
  if (meta.title === null && title.length > 0) meta.title = title.join(' ')
  return meta
}

function readWord(word: string, meta: CodeMeta, title: string[]): void {
  const [, name = '', raw = ''] = /^([A-Za-z][\w-]*)=(.*)$/s.exec(word) ?? []
  if (name !== '' && (OPTIONS_WITH_VALUE.has(name) || Object.hasOwn(FLAGS, name) || IGNORED.has(name))) {
    readOption(name, unquote(raw), meta)
    return
  }
  const bare = word.replace(/^\[(.*)\]$/, '$1')
  const flag = Object.hasOwn(FLAGS, bare) ? FLAGS[bare] : undefined
  if (flag) meta[flag] = true
  else if (word === '{lines}') meta.lines = true
  else if (/^\{[\d\s,-]*\}$/.test(word)) meta.highlight = lineNumbers(word)
  else if (IGNORED.has(word) || /^\/.+\/[a-z0-9]*$/i.test(word) || /^\{.*\}$/s.test(word)) return
  else if (OPTIONS_WITH_VALUE.has(word)) return
  else if (name !== '') meta.rest[name] = unquote(raw)
  else title.push(/^(["']).*\1$/s.test(word) ? unquote(word) : word)
}

function readOption(name: string, value: string, meta: CodeMeta): void {
  const flag = FLAGS[name]
  if (flag) meta[flag] = value !== 'false'
  else if (name === 'title' || name === 'filename') meta.title = value === '' ? meta.title : value
  else if (name === 'icon') meta.icon = value === '' ? null : value
  else if (name === 'highlight') meta.highlight = lineNumbers(value)
  else if (name === 'focus') meta.focus = lineNumbers(value)
  else meta.rest[name] = value
}

/** Parses `1,3-5`, `{1,3-5}` or `[1, 3]`. */
export function lineNumbers(text: string): number[] {
  const numbers = new Set<number>()
  for (const part of text.replace(/[^\d,-]/g, '').split(',')) {
    const [from = 0, to] = part.split('-').map(Number)
    const last = to === undefined || !(to >= from) ? from : Math.min(to, from + MAX_RANGE_LINES)
    for (let line = from; line <= last; line++) if (line > 0) numbers.add(line)
  }
  return [...numbers].sort((a, b) => a - b)
}

/** Splits at white space outside of quotes and braces. */
function tokens(info: string): string[] {
  const pattern = /(?:[^\s"'{[=]+=)?(?:"[^"]*"|'[^']*'|\{[^}]*\}|\[[^\]]*\])|\S+/g
  return info.match(pattern) ?? []
}

function unquote(value: string): string {
  const inner = value.replace(/^\{(.*)\}$/s, '$1').trim()
  return inner.replace(/^(["'])(.*)\1$/s, '$2')
}
