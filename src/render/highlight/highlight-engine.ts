/**
 * Runs the patterns of grammars, each compiled to a regular expression when a line holds what it requires. For each token a
 * grammar tries all its patterns on the rest of the line, most of which match later or not at all; what a pattern found
 * is therefore remembered for as long as the line stays the same, by which tokenizing takes a fraction of the time.
 *
 * V8 compiles an expression once for text of one byte a character and again for other text. Characters beyond Latin-1
 * are therefore exchanged for Latin-1 ones of the same kind before searching; patterns that name such characters
 * themselves see the text as it is.
 */
import type { PatternScanner, RegexEngine } from 'shiki/core'
import type { PatternTable } from './pattern-table.ts'
import { expressionOf, namesWide, type TranslatedPattern, translatePattern } from './pattern-translation.ts'

interface Pattern {
  /** Made when it is first needed. */
  regexp(): RegExp
  /** One of these stands in every match; null where nothing can be said. */
  required: readonly string[] | null
  /** False when what is found depends on where the search starts. */
  isLasting: boolean
  /** True when it names characters beyond Latin-1. */
  isWide: boolean
  /** The line searched last, from where, and what was found there. */
  line: object | null
  from: number
  found: RegExpExecArray | null
}

type Text = ReturnType<RegexEngine['createString']>

interface Line extends Text {
  /** The content with stand-ins; the same length. */
  narrow: string
}

/** Position of a group that took no part in the match. */
const NOWHERE = { start: 4294967295, end: 4294967295, length: 0 }

/** `table`: patterns that are translated already. */
export function createPatternEngine(table: PatternTable): RegexEngine {
  const patterns = new Map<string | RegExp, Pattern>()
  const patternOf = (written: string | RegExp): Pattern => {
    const known = patterns.get(written)
    if (known) return known
    const pattern: Pattern = { ...readPattern(written, table), line: null, from: 0, found: null }
    patterns.set(written, pattern)
    return pattern
  }
  return {
    createScanner: (sources) => createScanner(sources.map(patternOf)),
    createString: lineOf,
  }
}

function readPattern(
  written: string | RegExp,
  table: PatternTable,
): Pick<Pattern, 'regexp' | 'required' | 'isLasting' | 'isWide'> {
  if (typeof written !== 'string')
    return {
      regexp: () => written,
      required: null,
      isLasting: !written.sticky,
      isWide: namesWide(written.source),
    }
  const translated = table.get(written) ?? translatePattern(written)
  let made: RegExp | null = null
  return {
    regexp: () => {
      made ??= compiled(written, translated)
      return made
    },
    required: translated.required,
    isLasting: !translated.flags.includes('y') && !translated.emulation?.strategy,
    isWide: translated.isWide,
  }
}

/** The table of a package may have been made by an engine that knows more. */
function compiled(written: string, translated: TranslatedPattern): RegExp {
  try {
    return expressionOf(translated)
  } catch {
    return expressionOf(translatePattern(written))
  }
}

function lineOf(content: string): Line {
  const narrow = /[^\u0000-\u00ff]/.test(content) ? content.replace(/[^\u0000-\u00ff]/g, standIn) : content
  // A part of a wide text is stored wide even when it need not be; this makes it one byte a character.
  return { content, narrow: Buffer.from(narrow, 'latin1').toString('latin1') }
}

function standIn(character: string): string {
  if (/\p{Lu}/u.test(character)) return 'À'
  if (/\p{Ll}/u.test(character)) return 'à'
  if (/[\p{L}\p{M}]/u.test(character)) return 'ª'
  if (/\p{Nd}/u.test(character)) return '0'
  return /\s/.test(character) ? '\u00a0' : '¤'
}

function createScanner(patterns: readonly Pattern[]): PatternScanner {
  return {
    findNextMatchSync(text, start) {
      const line = typeof text !== 'string' && 'narrow' in text ? (text as Line) : lineOf(String(text))
      let best: RegExpExecArray | null = null
      let bestIndex = -1
      for (let index = 0; index < patterns.length; index++) {
        const pattern = patterns[index]
        const found = pattern ? search(pattern, line, start) : null
        if (found === null || (best !== null && found.index >= best.index)) continue
        best = found
        bestIndex = index
        if (found.index === start) break
      }
      if (best === null) return null
      const captureIndices = (best.indices ?? []).map((range) =>
        range ? { start: range[0], end: range[1], length: range[1] - range[0] } : NOWHERE,
      )
      return { index: bestIndex, captureIndices }
    },
  }
}

function search(pattern: Pattern, line: Line, start: number): RegExpExecArray | null {
  if (pattern.line === line && pattern.isLasting && pattern.from <= start) {
    if (pattern.found === null || pattern.found.index >= start) return pattern.found
  }
  pattern.found = find(pattern, pattern.isWide ? line.content : line.narrow, start)
  pattern.line = line
  pattern.from = start
  return pattern.found
}

function find({ required, regexp }: Pattern, text: string, start: number): RegExpExecArray | null {
  if (required !== null && !holdsOne(text, start, required)) return null
  const expression = regexp()
  expression.lastIndex = start
  return expression.exec(text)
}

/** A loop, since it runs for most patterns of most lines. */
function holdsOne(text: string, start: number, parts: readonly string[]): boolean {
  for (const part of parts) if (text.includes(part, start)) return true
  return false
}
