/**
 * Highlights code as HTML: a `<span class="line …">` per line, and tokens with their light and dark colors as
 * `--l` and `--d`.
 *
 *   <code class="language-ts" style="--lf:…;--lb:…;--df:…;--db:…"><span class="line line-add">…</span>
 *   <span class="line">…</span></code>
 *
 * `--lf` and `--lb` are foreground and background of the light theme, `--df` and `--db` those of the dark
 * theme. Unknown languages, very long lines and very large blocks have the same structure without colors.
 */
import { createHighlighterCore, type HighlighterCore, type LanguageRegistration } from 'shiki/core'
import { INITIAL, type IToken } from 'shiki/textmate'
import { importFromPackage } from '../../base/files/program-files.ts'
import { isModuleNotFound } from '../../base/internal-error.ts'
import type { PageOutcome } from '../tree/program.ts'
import { createPatternEngine } from './highlight-engine.ts'
import { computeLineStyles } from './highlight-lines.ts'
import { type CodeColors, loadCodeColors, type ScopeNode } from './highlight-themes.ts'
import { createLineCache, type LineCache } from './line-cache.ts'
import type { PatternTable } from './pattern-table.ts'

interface Language {
  grammar: ReturnType<HighlighterCore['getLanguage']>
  /** Keys are root scopes, one for each pair of themes. */
  lineCaches: WeakMap<ScopeNode, LineCache>
}

export interface ColouredCode {
  html: string
  text: string
  /** Values of all class attributes. */
  classes: readonly string[]
}

export interface CodeHighlighter {
  highlight(
    code: PageOutcome['codes'][number],
    themes: { light: string; dark: string },
  ): Promise<ColouredCode>
}

/** Limits in characters. */
const MAX_LINE_CHARACTERS = 1000
const MAX_BLOCK_CHARACTERS = 80_000
/** Maximum number of characters in the cache for repeated blocks. */
const MAX_CACHED_CHARACTERS = 8_000_000
/** Disabled, because on a busy machine a time limit would leave a varying part of the code without colors. */
const NO_TIMEOUT = 0

const ALIASES: Readonly<Record<string, string>> = {
  curl: 'bash',
  env: 'dotenv',
  console: 'shellsession',
  terminal: 'bash',
  cmd: 'bat',
  gradle: 'groovy',
  gitignore: 'ini',
  jinja2: 'jinja',
  pycon: 'python',
  javascriptreact: 'jsx',
  typescriptreact: 'tsx',
  golang: 'go',
  'c++': 'cpp',
  'c#': 'csharp',
  'objective-c': 'objc',
  json_schema: 'json',
}
const PLAIN = new Set(['text', 'txt', 'plaintext', 'plain', 'output', 'none', 'raw', 'ansi', 'csv-plain', ''])

/**
 * Creates a separate highlighter per language. Grammars use all loaded languages for embedded code. With a shared
 * highlighter, the colors of a block would therefore depend on earlier blocks.
 */
export function createCodeHighlighter(readTable: () => PatternTable = () => new Map()): CodeHighlighter {
  const colors = new Map<string, Promise<CodeColors>>()
  const byName = new Map<string, Promise<Language | null>>()
  const byGrammar = new Map<string, Promise<Language>>()
  const cache = createBlockCache()
  let table: PatternTable | null = null

  const loadLanguage = (name: string): Promise<Language | null> => {
    const existing = byName.get(name)
    if (existing) return existing
    const loading = readLanguage(name).then((grammars) => {
      const own = grammars?.at(-1)?.name
      if (!grammars || !own) return null
      table ??= readTable()
      const grammar = byGrammar.get(own) ?? createGrammar(own, grammars, table)
      byGrammar.set(own, grammar)
      return grammar
    })
    byName.set(name, loading)
    return loading
  }

  return {
    async highlight(block, themes) {
      const key = JSON.stringify([
        block.language,
        block.highlight,
        block.focus,
        themes.light,
        themes.dark,
        block.code,
      ])
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      const colorsKey = `${themes.light} ${themes.dark}`
      const loading = colors.get(colorsKey) ?? loadCodeColors(themes)
      colors.set(colorsKey, loading)
      const { attributes, root } = await loading
      const { lines, classes } = computeLineStyles(block.code, block.highlight, block.focus)
      const languageKey = block.language.toLowerCase()
      const isPlain = PLAIN.has(languageKey) || block.code.length > MAX_BLOCK_CHARACTERS
      const name = isTagOnlyCode(languageKey, block.code) ? 'jsx' : (ALIASES[languageKey] ?? languageKey)
      const language = isPlain ? null : await loadLanguage(name)
      const tokens = language ? colourLines(language, lines, root) : lines.map(escapeHtml)
      const shown = /^[\w+#.-]{1,40}$/.test(languageKey) ? languageKey : 'text'
      const lineClasses = tokens.map((_, index) => lineClassName(classes.get(index)))
      const html = tokens
        .map((line, index) => `<span class="${lineClasses[index]}">${line}</span>`)
        .join('\n')
      const result: ColouredCode = {
        html: `<code class="language-${shown}"${attributes}>${html}</code>`,
        text: lines.join('\n'),
        classes: [`language-${shown}`, ...new Set(lineClasses)],
      }
      cache.put(key, result)
      return result
    },
  }
}

/** Caches repeated blocks. Cleared when full. */
function createBlockCache() {
  const blocks = new Map<string, ColouredCode>()
  let characters = 0
  return {
    get: (key: string) => blocks.get(key),
    put: (key: string, block: ColouredCode) => {
      const size = key.length + block.html.length + block.text.length
      if (characters + size > MAX_CACHED_CHARACTERS) {
        blocks.clear()
        characters = 0
      }
      blocks.set(key, block)
      characters += size
    },
  }
}

/** Returns whether code is likely to consist only of tags, which the MDX grammar does not highlight. */
function isTagOnlyCode(language: string, code: string): boolean {
  return (
    language === 'mdx' &&
    /^\s*<[A-Za-z]/.test(code) &&
    !/^[^\S\r\n\u2028\u2029]*(?:#{1,6}|[-*>|]|\d+\.)\s/m.test(code)
  )
}

/** Returns the block without colors, for grammars that fail. */
export function plainCode(code: string): ColouredCode {
  const lineClass = lineClassName()
  const lines = code.split('\n').map((line) => `<span class="${lineClass}">${escapeHtml(line)}</span>`)
  const html = `<code class="language-text">${lines.join('\n')}</code>`
  return { html, text: code, classes: ['language-text', lineClass] }
}

function lineClassName(classes?: readonly string[]): string {
  return classes ? ['line', ...classes].join(' ') : 'line'
}

async function readLanguage(name: string): Promise<LanguageRegistration[] | null> {
  if (!/^[a-z0-9][a-z0-9+#._-]{0,40}$/.test(name)) return null
  try {
    const module = await importFromPackage<{ default: LanguageRegistration[] }>(
      '@shikijs/langs',
      `dist/${name}.mjs`,
    )
    return module.default
  } catch (error) {
    if (!isModuleNotFound(error)) throw error
    return null // unknown languages are plain text
  }
}

async function createGrammar(
  name: string,
  grammars: LanguageRegistration[],
  table: PatternTable,
): Promise<Language> {
  const engine = createPatternEngine(table)
  const highlighter = await createHighlighterCore({ engine, themes: [], langs: [grammars], warnings: false })
  return { grammar: highlighter.getLanguage(name), lineCaches: new WeakMap() }
}

function colourLines({ grammar, lineCaches }: Language, lines: readonly string[], root: ScopeNode): string[] {
  const lineCache = lineCaches.get(root) ?? createLineCache()
  lineCaches.set(root, lineCache)
  let state = INITIAL
  return lines.map((line) => {
    if (line.length >= MAX_LINE_CHARACTERS) return escapeHtml(line)
    const existing = lineCache.find(state, line)
    if (existing) {
      state = existing.state
      return existing.html
    }
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state, NO_TIMEOUT)
    const html = tokensToHtml(line, tokens, root)
    state = lineCache.store(state, line, { html, state: ruleStack })
    return html
  })
}

function tokensToHtml(line: string, tokens: readonly IToken[], root: ScopeNode): string {
  // Joined once at the end. A string built by concatenation would retain all its parts while the line is cached.
  const parts: string[] = []
  let style = ''
  let text = ''
  const flush = () => {
    if (style === '') parts.push(escapeHtml(text))
    else parts.push('<span style="', style, '">', escapeHtml(text), '</span>')
    text = ''
  }
  for (let i = 0; i < tokens.length; i++) {
    const { startIndex, endIndex, scopes } = tokens[i] as IToken
    const piece = line.slice(startIndex, endIndex)
    let node = root
    for (const scope of scopes) node = node.children.get(scope) ?? node.child(scope)
    // White space has no color, so it is added to the previous token.
    if (node.style !== style && piece.trim() !== '') {
      flush()
      style = node.style
    }
    text += piece
  }
  flush()
  return parts.join('')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeHtml(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character) : text
}
