/**
 * Runs the patterns of grammars. Each pattern is compiled to a regular expression when a line contains its
 * required text. For each token, a grammar tries all its patterns on the rest of the line, most of which
 * match later or not at all. Therefore the result of a pattern is cached for the line, which makes tokenizing
 * several times faster.
 *
 * V8 compiles expressions separately for strings with one byte per character and for other strings. Therefore
 * characters beyond Latin-1 are replaced with Latin-1 characters of the same kind before searching, except
 * for patterns that contain such characters themselves.
 */
import type { PatternScanner, RegexEngine } from 'shiki/core'
import type { PatternTable } from './pattern-table.ts'
import {
  createExpression,
  mentionsNonLatin1,
  type TranslatedPattern,
  translatePattern,
} from './pattern-translation.ts'

interface Pattern {
  regexp(): RegExp
  /** Every match contains at least one of these texts. Null if unknown. */
  required: readonly string[] | null
  /** Whether the result is independent of the position where the search starts. */
  isLasting: boolean
  /** Whether the pattern contains characters beyond Latin-1. */
  isWide: boolean
  /** Last searched line, with the start and the result of the search. */
  line: object | null
  from: number
  found: RegExpExecArray | null
}

type Text = ReturnType<RegexEngine['createString']>

interface Line extends Text {
  /** Content with characters beyond Latin-1 replaced, of the same length. */
  narrow: string
}

/** Position of a group that has not participated in the match. */
const UNMATCHED_GROUP = { start: 4294967295, end: 4294967295, length: 0 }

/** `table` contains patterns translated at build time. */
export function createPatternEngine(table: PatternTable): RegexEngine {
  const patterns = new Map<string | RegExp, Pattern>()
  const patternOf = (written: string | RegExp): Pattern => {
    const cached = patterns.get(written)
    if (cached) return cached
    const pattern: Pattern = { ...readPattern(written, table), line: null, from: 0, found: null }
    patterns.set(written, pattern)
    return pattern
  }
  return {
    createScanner: (sources) => createScanner(sources.map(patternOf)),
    createString: createLine,
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
      isWide: mentionsNonLatin1(written.source),
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

/** Translates the pattern again if the JavaScript engine does not support the syntax of the stored translation. */
function compiled(written: string, translated: TranslatedPattern): RegExp {
  try {
    return createExpression(translated)
  } catch {
    return createExpression(translatePattern(written))
  }
}

function createLine(content: string): Line {
  const narrow = /[^\u0000-\u00ff]/.test(content)
    ? content.replace(/[^\u0000-\u00ff]/g, substituteCharacter)
    : content
  // Converts to one byte per character, because a substring of a two-byte string remains two-byte.
  return { content, narrow: Buffer.from(narrow, 'latin1').toString('latin1') }
}

function substituteCharacter(character: string): string {
  if (/\p{Lu}/u.test(character)) return 'À'
  if (/\p{Ll}/u.test(character)) return 'à'
  if (/[\p{L}\p{M}]/u.test(character)) return 'ª'
  if (/\p{Nd}/u.test(character)) return '0'
  return /\s/.test(character) ? '\u00a0' : '¤'
}

function createScanner(patterns: readonly Pattern[]): PatternScanner {
  return {
    findNextMatchSync(text, start) {
      const line = typeof text !== 'string' && 'narrow' in text ? (text as Line) : createLine(String(text))
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
        range ? { start: range[0], end: range[1], length: range[1] - range[0] } : UNMATCHED_GROUP,
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
  if (required !== null && !containsAny(text, start, required)) return null
  const expression = regexp()
  expression.lastIndex = start
  return expression.exec(text)
}

/** Uses an index for speed, because this runs for most patterns on most lines. */
function containsAny(text: string, start: number, parts: readonly string[]): boolean {
  for (let i = 0; i < parts.length; i++) if (text.includes(parts[i] as string, start)) return true
  return false
}
