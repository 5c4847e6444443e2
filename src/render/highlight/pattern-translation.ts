/**
 * Patterns of grammars, which are written for Oniguruma, as regular expressions of JavaScript: plain data that can be
 * kept, and the expression that it makes.
 */
import { defaultJavaScriptRegexConstructor } from 'shiki/engine/javascript'
import { requiredTexts } from './required-texts.ts'

export interface TranslatedPattern {
  source: string
  flags: string
  /** For what the language cannot say by itself; null for an expression of its own. */
  emulation: Emulation | null
  /** It names characters beyond Latin-1. */
  isWide: boolean
  /** One of these stands in every match; null where nothing can be said. */
  required: readonly string[] | null
}

/** What the translator's class is told; plain data. */
interface Emulation {
  strategy?: string | null
}

/** The translator's own class, of which it gives instances alone. */
const Emulated = defaultJavaScriptRegexConstructor('a', { lazyCompileLength: 0 }).constructor as new (
  source: string,
  flags: string,
  emulation: Emulation,
) => RegExp

/** What JavaScript cannot express never matches: it costs its own colour and nothing else. */
const NEVER: TranslatedPattern = { source: '(?!)', flags: 'g', emulation: null, isWide: false, required: [] }

export function translatePattern(written: string): TranslatedPattern {
  let made: RegExp
  try {
    made = defaultJavaScriptRegexConstructor(written)
  } catch {
    return NEVER
  }
  const { source, flags } = made
  const isWide = namesWide(source)
  return {
    source: isWide || flags.includes('i') || !flags.includes('v') ? source : inLatin1(source),
    flags,
    emulation: emulationOf(made),
    isWide,
    required: requiredTexts(written),
  }
}

/** That an expression is compiled late is left out: what an engine does not know must be seen when it is made. */
function emulationOf(made: RegExp): Emulation | null {
  if (!(made instanceof Emulated)) return null
  const { lazyCompile: _, ...emulation } =
    (made as { rawOptions?: Emulation & { lazyCompile?: boolean } }).rawOptions ?? {}
  return Object.keys(emulation).length === 0 ? null : emulation
}

/** Throws where this engine does not know what the one that translated it does. */
export function expressionOf({ source, flags, emulation }: TranslatedPattern): RegExp {
  return emulation === null ? new RegExp(source, flags) : new Emulated(source, flags, emulation)
}

export function namesWide(source: string): boolean {
  return /[^\u0000-\u00ff]|\\u(?!00)|\\p\{(?:Script|sc|scx|Emoji)/.test(source)
}

/** By property, as written: the class of its characters in Latin-1. */
const CLASSES = new Map<string, string>()

/**
 * Text of Latin-1 is searched with these: letters of all scripts in each `\p{L}` are none of it and would take most of
 * the time in which an expression is compiled. Not for an expression without case, where a class stands for others too.
 */
function inLatin1(source: string): string {
  if (/\(\?[a-z]*i/.test(source)) return source
  return source.replace(/\\(?:[pP]\{[^}]*\}|[\s\S])/g, (found) =>
    /^\\[pP]\{/.test(found) ? latin1Class(found) : found,
  )
}

function latin1Class(property: string): string {
  const known = CLASSES.get(property)
  if (known !== undefined) return known
  const test = new RegExp(property, 'v')
  const codes = Array.from({ length: 256 }, (_, code) => code).filter((code) =>
    test.test(String.fromCharCode(code)),
  )
  const starts = codes.filter((code) => !codes.includes(code - 1))
  const ends = codes.filter((code) => !codes.includes(code + 1))
  const ranges = starts.map((start, index) => `${hex(start)}-${hex(ends[index] as number)}`)
  const made = `[${ranges.join('')}]`
  CLASSES.set(property, made)
  return made
}

function hex(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`
}
