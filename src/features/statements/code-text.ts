/**
 * Splits source text into code and string literals line by line, without comments. Recognizes the comment and
 * string delimiters of each language but does not parse it. Takes time linear in the length of the text.
 */

export interface CodeLine {
  /** Code without the contents of strings. */
  code: string
  /** Contents of string literals that begin on this line. */
  strings: string[]
}

const SLASH =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?|`(?:[^`\\]|\\[\s\S])*`?/g
/**
 * Matches a pair of single quotes only as a character literal, for languages in which a single quote can also
 * begin a lifetime or be an apostrophe in a macro.
 */
const SLASH_CHARACTERS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n]{1,9})'|`[^`]*`?/g
const PYTHON =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?/g
const HASH = /(?<![^\s])#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?/g
const DASHES = /--[^\n]*|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?/g
const JSON_TEXT = /"(?:[^"\\\n]|\\[^\n])*"?/g

const STYLES: readonly (readonly [RegExp, string])[] = [
  [SLASH, 'ts tsx mts cts js jsx mjs cjs vue svelte php dart kt kts scala swift groovy graphql proto'],
  [SLASH_CHARACTERS, 'go rs java c h cc cpp cxx hpp cs zig'],
  [PYTHON, 'py pyi'],
  [
    HASH,
    'rb sh bash zsh yaml yml toml ini env properties cfg conf ex exs tf hcl pl r mk dockerfile makefile',
  ],
  [DASHES, 'sql lua hs elm'],
  [JSON_TEXT, 'json jsonc json5'],
]
const STYLE_BY_ENDING = new Map(
  STYLES.flatMap(([style, endings]) => endings.split(' ').map((ending) => [ending, style] as const)),
)
/** Longer lines are usually generated. */
const MAX_LINE = 2000

export function isCodeFile(path: string): boolean {
  return styleOf(path) !== undefined
}

function styleOf(path: string): RegExp | undefined {
  const name = path.replace(/(?<=\.env)\.example$/, '')
  const [ending = ''] = name.split(/[./]/).slice(-1)
  return STYLE_BY_ENDING.get(ending.toLowerCase())
}

export function readCodeLines(path: string, text: string): CodeLine[] {
  const style = styleOf(path)
  if (style === undefined) return []
  const lines: CodeLine[] = [{ code: '', strings: [] }]
  let end = 0
  for (const found of text.matchAll(style)) {
    addText(lines, text.slice(end, found.index))
    const [token] = found
    end = found.index + token.length
    if (COMMENT.test(token)) addText(lines, token.replace(/[^\n]+/g, ' '))
    else {
      ;(lines.at(-1) as CodeLine).code += '""'
      addText(lines, token.slice(1, token.length > 1 && token.at(-1) === token[0] ? -1 : undefined), true)
    }
  }
  addText(lines, text.slice(end))
  return lines.map((line) => (line.code.length > MAX_LINE ? { code: '', strings: [] } : line))
}

const COMMENT = /^(?:\/[/*]|#|--|"""|''')/

function addText(lines: CodeLine[], text: string, isString = false): void {
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) lines.push({ code: '', strings: [] })
    const line = lines.at(-1) as CodeLine
    if (!isString) line.code += part
    else if (part.length <= MAX_LINE) line.strings.push(part)
  }
}
