/** Converts inline syntax of MkDocs extensions: keys, icons, attributes, edits, macros, abbreviations. */
import { findEmoji } from '../markdown/emoji.ts'
import { inlineMath } from '../markdown/math.ts'
import { toMdxComment } from '../markdown/prose.ts'
import { attribute } from '../markdown/tags.ts'
import { excerpt, type Notes } from '../notes.ts'

export interface InlineDeps {
  file: string
  notes: Notes
  /** Returns whether an extension or plugin is enabled. */
  has(name: string): boolean
  /** Abbreviations of the page and the glossary, with their meanings. */
  abbreviations: ReadonlyMap<string, string>
  link(address: string, line: number, use: 'link' | 'image'): string
}

type Found = { text: string; end: number } | null

export function inlineMarkCharacters(deps: InlineDeps): string {
  const initials = [...deps.abbreviations.keys()].map((short) => short[0]).join('')
  return `{:+=^~!$[${initials}`
}

export function inlineMark(deps: InlineDeps, text: string, at: number, line: number): Found {
  switch (text[at]) {
    case '{':
      return braces(deps, text, at, line)
    case ':':
      return shortName(deps, text, at, line)
    case '+':
      return keys(deps, text, at)
    case '=':
      return pair(deps.has('pymdownx.mark'), text, at, '==', 'mark')
    case '^':
      return (
        pair(deps.has('pymdownx.caret'), text, at, '^^', 'ins') ??
        pair(deps.has('pymdownx.caret'), text, at, '^', 'sup')
      )
    case '~':
      return text[at + 1] === '~'
        ? { text: '~~', end: at + 2 }
        : pair(deps.has('pymdownx.tilde'), text, at, '~', 'sub')
    case '!':
      return imageWithSize(deps, text, at, line)
    case '$':
      return deps.has('pymdownx.arithmatex') ? inlineMath(text, at) : null
    case '[':
      return text.startsWith('[TOC]', at)
        ? { text: toMdxComment(' [TOC] '), end: at + 5 }
        : abbreviation(deps, text, at)
    default:
      return abbreviation(deps, text, at)
  }
}

const MAX_INLINE_MARK_CHARACTERS = 500

function braces(deps: InlineDeps, text: string, at: number, line: number): Found {
  const next = text[at + 1] ?? ''
  if (next === '{' || next === '%' || (next === '#' && /\s/.test(text[at + 2] ?? '')))
    return macro(deps, text, at, line)
  if ('+-~=>'.includes(next)) return readEditMark(deps, text, at)
  return attributes(deps, text, at, line)
}

/**
 * Converts `{{ name }}`, `{% if %}` and `{# remark #}` to code and adds a note, because evaluating them requires a
 * build.
 */
function macro({ notes, file }: InlineDeps, text: string, at: number, line: number): Found {
  const closing = { '{': '}}', '%': '%}', '#': '#}' }[text[at + 1] as '{' | '%' | '#']
  const close = text.indexOf(closing, at + 2)
  if (close === -1 || close - at > MAX_INLINE_MARK_CHARACTERS) return null
  const source = text.slice(at, close + 2)
  notes.add('template', { file, line }, `The page contains ${excerpt(source)}.`)
  return { text: `\`${source.replaceAll('`', "'")}\``, end: close + 2 }
}

/** Converts `{++new++}`, `{--old--}`, `{~~old~>new~~}`, `{==marked==}`, `{>>remark<<}`. */
function readEditMark({ has }: InlineDeps, text: string, at: number): Found {
  if (!has('pymdownx.critic')) return null
  const mark = text.slice(at + 1, at + 3)
  const closing = mark === '>>' ? '<<}' : `${mark}}`
  const close = text.indexOf(closing, at + 3)
  if (!/^(?:\+\+|--|~~|==|>>)$/.test(mark) || close === -1 || close - at > 10 * MAX_INLINE_MARK_CHARACTERS)
    return null
  const inner = text.slice(at + 3, close).replace(/[{}<]/g, (one) => (one === '<' ? '&lt;' : `\\${one}`))
  const end = close + 3
  const [before = '', after = ''] = inner.split('~>')
  switch (mark) {
    case '++':
      return { text: `<ins>${inner}</ins>`, end }
    case '--':
      return { text: `<del>${inner}</del>`, end }
    case '~~':
      return { text: `<del>${before}</del><ins>${after}</ins>`, end }
    case '==':
      return { text: `<mark>${inner}</mark>`, end }
    default:
      return { text: toMdxComment(inner), end }
  }
}

/** Converts `{ #id .class key=value }`. Preserves the id of a heading and writes the rest to a comment. */
function attributes({ notes, file }: InlineDeps, text: string, at: number, line: number): Found {
  const pattern = /\{:?[ \t]{0,5}([.#]?[A-Za-z][^{}\n]{0,300}?)[ \t]{0,5}\}/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found) return null
  const words = found[1] as string
  if (!/^[.#]|[\w-]=/.test(words)) return null
  const start = text.slice(Math.max(0, at - 2000), at)
  const lineStart = start.slice(start.lastIndexOf('\n') + 1)
  const id = /(?:^|\s)#([\w.:-]+)/.exec(words)?.[1]
  const isHeading = /^ {0,3}#{1,6}[ \t]/.test(lineStart)
  if (
    isHeading &&
    id !== undefined &&
    /^[ \t]*(?:\n|$)/.test(text.slice(pattern.lastIndex, pattern.lastIndex + 50))
  ) {
    return { text: `{#${id}}`, end: pattern.lastIndex }
  }
  if (id !== undefined)
    notes.add('syntax', { file, line }, `The id ${excerpt(id)} is converted to a comment.`)
  else if (/(?:^|\s)\.md-button\b/.test(words))
    notes.add(
      'syntax',
      { file, line },
      `The button is converted to a link, and { ${excerpt(words.trim())} } to a comment.`,
      'Use <Card title="…" href="…" horizontal />, or add a className to the link.',
    )
  else if (!SIZES.test(words))
    notes.add(
      'syntax',
      { file, line },
      `The attributes { ${excerpt(words.trim())} } are converted to a comment.`,
    )
  return { text: toMdxComment(` ${words} `), end: pattern.lastIndex }
}

/** Size classes of icons. Dropped, because Octavo's icons have the size of the text. */
const SIZES = /^\s*(?:\.(?:sm|lg|x{1,3}l|middle|twemoji)\s*){1,5}$/

/** Converts `:smile:`, `:material-home:`, `:fontawesome-brands-github:`. */
function shortName({ notes, file, has }: InlineDeps, text: string, at: number, line: number): Found {
  const before = text[at - 1] ?? ' '
  const pattern = /:([a-z0-9+_-]{1,80}):/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found || /\w/.test(before)) return null
  const name = found[1] as string
  const emoji = findEmoji(name)
  if (emoji !== null) return { text: emoji, end: pattern.lastIndex }
  const icon = findIcon(name)
  if (icon !== null) return { text: `<Icon icon="${icon}" />`, end: pattern.lastIndex }
  if (!/^(?:material|octicons|simple)-/.test(name)) {
    if (has('pymdownx.emoji') && /^[a-z][a-z_]+$/.test(name))
      notes.add('syntax', { file, line }, `The emoji :${name}: is shown as text.`)
    return null
  }
  notes.add(
    'syntax',
    { file, line },
    `The icon :${name}: is converted to a comment.`,
    'Use <Icon icon="…" /> with an icon name from Font Awesome, Lucide or Tabler.',
  )
  return { text: toMdxComment(` :${name}: `), end: pattern.lastIndex }
}

const ICONS: Readonly<Record<string, string>> = {
  'account-group': 'users',
  'account-multiple': 'users',
  'arrow-right': 'arrow-right',
  'chart-line': 'chart-line',
  'code-braces': 'code',
  'file-document': 'file-lines',
  'format-font': 'font',
  'help-circle': 'circle-question',
  'language-python': 'python',
  'lightning-bolt': 'bolt',
  'shield-lock': 'shield-halved',
  'source-branch': 'code-branch',
  'book-open': 'book-open',
  'clock-fast': 'clock',
  'cloud-download': 'cloud-arrow-down',
  'mark-github': 'github',
  'open-in-new': 'arrow-up-right-from-square',
  'rocket-launch': 'rocket',
  'scale-balance': 'scale-balanced',
  account: 'user',
  api: 'code',
  bell: 'bell',
  bug: 'bug',
  calendar: 'calendar',
  cloud: 'cloud',
  console: 'terminal',
  database: 'database',
  docker: 'docker',
  flash: 'bolt',
  folder: 'folder',
  map: 'map',
  palette: 'palette',
  play: 'play',
  puzzle: 'puzzle-piece',
  school: 'graduation-cap',
  server: 'server',
  shield: 'shield',
  speedometer: 'gauge-high',
  tools: 'screwdriver-wrench',
  update: 'arrows-rotate',
  video: 'video',
  web: 'globe',
  alert: 'triangle-exclamation',
  check: 'check',
  close: 'xmark',
  cog: 'gear',
  download: 'download',
  email: 'envelope',
  github: 'github',
  heart: 'heart',
  home: 'house',
  information: 'circle-info',
  key: 'key',
  lightbulb: 'lightbulb',
  link: 'link',
  lock: 'lock',
  plus: 'plus',
  rocket: 'rocket',
  search: 'magnifying-glass',
  star: 'star',
  tag: 'tag',
  wrench: 'wrench',
}

export function findIcon(name: string): string | null {
  const own = /^fontawesome-(?:brands|solid|regular)-(.+)$/.exec(name)?.[1]
  if (own !== undefined) return own
  if (!/^(?:material|octicons|simple)-/.test(name)) return null
  const bare = name.replace(/^(?:material|octicons|simple)-/, '').replace(/-(?:\d+|outline)$/, '')
  return Object.hasOwn(ICONS, bare) ? (ICONS[bare] as string) : null
}

/** Converts `++ctrl+alt+"x"++`. */
function keys({ has }: InlineDeps, text: string, at: number): Found {
  if (!has('pymdownx.keys')) return null
  const pattern = /\+\+([a-z0-9"][\w"+. -]{0,80}?)\+\+/iy
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found) return null
  const names = (found[1] as string).split('+').map((key) => key.replaceAll('"', ''))
  const written = names.map((key) => `<kbd>${key.replace(/^[a-z]/, (letter) => letter.toUpperCase())}</kbd>`)
  return { text: written.join('+'), end: pattern.lastIndex }
}

function pair(isOn: boolean, text: string, at: number, mark: string, element: string): Found {
  // `[^1]` is a footnote.
  if (!isOn || !text.startsWith(mark, at) || text[at - 1] === '[') return null
  const start = at + mark.length
  const near = text.slice(start, start + MAX_INLINE_MARK_CHARACTERS)
  const length = near.indexOf(mark)
  const inner = near.slice(0, length)
  if (length <= 0 || /^\s|\s$|\n|[{}<]/.test(inner) || inner.startsWith(mark[0] ?? '')) return null
  return { text: `<${element}>${inner}</${element}>`, end: start + length + mark.length }
}

/** Converts `![alt](address){ width=300 align=left }`. */
function imageWithSize(deps: InlineDeps, text: string, at: number, line: number): Found {
  const pattern =
    /!\[([^[\]\n]{0,500})\]\(([^\s()]{1,1000})(?:[ \t]{1,5}"([^"\n]{0,300})")?\)\{:?[ \t]{0,5}([^{}\n]{1,300})\}/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found) return null
  const [, alt, address = '', title, words = ''] = found
  const value = (name: string) =>
    new Map(
      [...words.matchAll(/\b(width|height)=["']?([^"'\s]{1,20})/g)].map(([, key, one]) => [key, one]),
    ).get(name)
  const rest = words.replace(/\b(?:width|height)=\S+/g, '').trim()
  const image = `<img${attribute('src', deps.link(address, line, 'image'))}${attribute('alt', alt)}${attribute('title', title)}${attribute('width', value('width'))}${attribute('height', value('height'))} />`
  return { text: rest === '' ? image : `${image}${toMdxComment(` ${rest} `)}`, end: pattern.lastIndex }
}

/** Converts an abbreviation if it is a separate word outside of headings. */
function abbreviation({ abbreviations }: InlineDeps, text: string, at: number): Found {
  if (abbreviations.size === 0 || /[\w[/.-]/.test(text[at - 1] ?? ' ')) return null
  for (const [short, long] of abbreviations) {
    if (!text.startsWith(short, at) || /[\w(\]-]/.test(text[at + short.length] ?? ' ')) continue
    const before = text.slice(Math.max(0, at - 300), at)
    const lineStart = before.slice(before.lastIndexOf('\n') + 1)
    if (/^ {0,3}#{1,6}[ \t]/.test(lineStart)) return null
    // A tooltip is a button, which may not be inside a link.
    if (lineStart.lastIndexOf('[') > lineStart.lastIndexOf(']')) return null
    return { text: `<Tooltip${attribute('tip', long)}>${short}</Tooltip>`, end: at + short.length }
  }
  return null
}
