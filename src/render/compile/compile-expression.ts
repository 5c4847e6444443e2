/** Classifies an expression in braces without running it. */
import { mdxToJs } from 'satteri'
import type { Literal } from '../tree/program.ts'
import { isComment, parseLiteral } from './compile-literal.ts'

export type CompiledExpression =
  | { kind: 'nothing' }
  | { kind: 'literal'; value: Literal }
  | { kind: 'path'; path: string[] }
  /** Function body. The only argument of the function is the JSX runtime. */
  | { kind: 'code'; body: string }
  | { kind: 'error'; message: string }

/** Globals of the language, which require evaluation in the isolate. */
const GLOBALS = new Set(
  (
    'undefined NaN Infinity globalThis Array Boolean Date Error Function Intl JSON Map Math Number Object Promise ' +
    'Proxy Reflect RegExp Set String Symbol WeakMap this new null true false'
  ).split(' '),
)

export function compileExpression(source: string): CompiledExpression {
  const text = source.trim()
  if (isComment(text)) return { kind: 'nothing' }
  const literal = parseLiteral(text)
  if (literal) return { kind: 'literal', value: literal.value }
  if (/^[\p{ID_Start}_$][\p{ID_Continue}$]*(?:\.[\p{ID_Start}_$][\p{ID_Continue}$]*)*$/u.test(text)) {
    const path = text.split('.')
    if (!GLOBALS.has(path[0] ?? '')) return { kind: 'path', path }
  }
  if (/\bimport\s*\(/.test(text)) return { kind: 'error', message: 'import() is not available in pages' }
  if (!/<[A-Za-z>]/.test(text)) return { kind: 'code', body: `return (${text}\n)` }
  const compiled = compileModule(`export const value = () => (${text}\n)`)
  if ('message' in compiled) return { kind: 'error', message: compiled.message }
  return { kind: 'code', body: `return (function(){${compiled.body}\n})(arguments[0]).value()` }
}

/** Compiles `export` statements with JSX to a function body that returns the exports. */
export function compileModule(source: string): { body: string } | { message: string; line: number | null } {
  try {
    const { code } = mdxToJs(source, {
      outputFormat: 'function-body',
      jsxImportSource: 'preact',
      features: { frontmatter: false },
    })
    return { body: code }
  } catch (error) {
    const { line, message } = readCompilerMessage(error)
    return { message, line }
  }
}

export interface CompilerMessage {
  /** Starts at 1; null if the compiler reported no position. */
  line: number | null
  column: number | null
  /** One sentence, without the error codes of the compiler. */
  message: string
  /** Position of the last tag in the message. */
  tag: { line: number; column: number } | null
}

/** Maximum length, because the compiler may quote long source. */
const MAX_MESSAGE = 2000

/** Parses messages such as `3:4: Could not … (2:1) (mdx-jsx:code)`. */
export function readCompilerMessage(error: unknown): CompilerMessage {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE)
  const [, line, column, rest] = /^(\d+):(\d+): ([\s\S]*)$/.exec(text) ?? []
  const words = (rest ?? text)
    .trimEnd()
    .replace(/ \((?:mdx|oxc)[^()]*\)$/, '')
    .replace(/ with oxc/g, '')
    .replace(/ \(note: (?:`[^`]*`|\([^)]*\)|[^()`])*\)/g, '')
  const tags = [...words.matchAll(/\((\d+):(\d+)\)/g)]
  const tag = tags.at(-1)
  return {
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
    message: words
      .replace(/ \(\d+:\d+\)/g, '')
      .replace(/ \(U\+[0-9A-F]+\)/g, '')
      .replace(/\s+/g, ' ')
      .slice(0, 300),
    tag: tag ? { line: Number(tag[1]), column: Number(tag[2]) } : null,
  }
}
