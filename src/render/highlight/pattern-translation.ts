/**
 * Translates the patterns of grammars from Oniguruma to JavaScript in two steps: a pattern to storable data, and
 * the data to a regular expression.
 */
import { defaultJavaScriptRegexConstructor } from 'shiki/engine/javascript'
import { findRequiredTexts } from './required-texts.ts'

export interface TranslatedPattern {
  source: string
  flags: string
  /** Options for the library's RegExp class, for syntax that RegExp does not support; null if not required. */
  emulation: Emulation | null
  /** Whether the pattern contains characters beyond Latin-1. */
  isWide: boolean
  /** Every match contains at least one of these texts. Null if unknown. */
  required: readonly string[] | null
}

/** Serializable options for the library's RegExp class. */
interface Emulation {
  strategy?: string | null
}

/** RegExp class of the library, which does not export it. */
const EmulatedRegExp = defaultJavaScriptRegexConstructor('a', { lazyCompileLength: 0 }).constructor as new (
  source: string,
  flags: string,
  emulation: Emulation,
) => RegExp

/**
 * Replaces patterns that JavaScript does not support. Never matches, so only the color of the pattern is
 * missing.
 */
const NEVER: TranslatedPattern = { source: '(?!)', flags: 'g', emulation: null, isWide: false, required: [] }

export function translatePattern(written: string): TranslatedPattern {
  let made: RegExp
  try {
    made = defaultJavaScriptRegexConstructor(written)
  } catch {
    return NEVER
  }
  const { source, flags } = made
  const isWide = mentionsNonLatin1(source)
  return {
    source: isWide || flags.includes('i') || !flags.includes('v') ? source : restrictToLatin1(source),
    flags,
    emulation: readEmulation(made),
    isWide,
    required: findRequiredTexts(written),
  }
}

/** Omits `lazyCompile`, so that unsupported syntax throws when the expression is created. */
function readEmulation(made: RegExp): Emulation | null {
  if (!(made instanceof EmulatedRegExp)) return null
  const { lazyCompile: _, ...emulation } =
    (made as { rawOptions?: Emulation & { lazyCompile?: boolean } }).rawOptions ?? {}
  return Object.keys(emulation).length === 0 ? null : emulation
}

/** Throws if the pattern was translated for a newer engine and this engine does not support its syntax. */
export function createExpression({ source, flags, emulation }: TranslatedPattern): RegExp {
  return emulation === null ? new RegExp(source, flags) : new EmulatedRegExp(source, flags, emulation)
}

export function mentionsNonLatin1(source: string): boolean {
  return /[^\u0000-\u00ff]|\\u(?!00)|\\p\{(?:Script|sc|scx|Emoji)/.test(source)
}

const LATIN1_CLASSES = new Map<string, string>()

/**
 * Restricts `\p{…}` classes to Latin-1, for searching in Latin-1 text. Letters of other scripts do not occur
 * there, but would take most of the compile time. Case-insensitive expressions are unchanged, because their
 * classes may match further characters.
 */
function restrictToLatin1(source: string): string {
  if (/\(\?[a-z]*i/.test(source)) return source
  return source.replace(/\\(?:[pP]\{[^}]*\}|[\s\S])/g, (found) =>
    /^\\[pP]\{/.test(found) ? latin1Class(found) : found,
  )
}

function latin1Class(property: string): string {
  const cached = LATIN1_CLASSES.get(property)
  if (cached !== undefined) return cached
  const test = new RegExp(property, 'v')
  const codes = Array.from({ length: 256 }, (_, code) => code).filter((code) =>
    test.test(String.fromCharCode(code)),
  )
  const starts = codes.filter((code) => !codes.includes(code - 1))
  const ends = codes.filter((code) => !codes.includes(code + 1))
  const ranges = starts.map((start, index) => `${hex(start)}-${hex(ends[index] as number)}`)
  const made = `[${ranges.join('')}]`
  LATIN1_CLASSES.set(property, made)
  return made
}

function hex(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`
}
