/**
 * Regular expressions that are safe to accept from a model and to run on a repository: the engine takes linear time
 * for every pattern. Backreferences and lookarounds are therefore not supported.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { ToolRefusal } from '../loop/tool.ts'

export interface LinePattern {
  /** Returns the first match, or null. Throws PatternCostError when `cost` is exhausted. */
  find(line: string, cost: PatternCost): { start: number; end: number } | null
}

export interface PatternCost {
  left: number
}

export class PatternCostError extends Error {
  override name = 'PatternCostError'
}

export class PatternError extends Error {
  override name = 'PatternError'
}

const MAX_SOURCE = 1000
/** Maximum number of instructions, with repetitions expanded. */
const MAX_PROGRAM_INSTRUCTIONS = 3000
/**
 * Number of instructions of a compiled pattern that count as one step. Lines are tested with a lazily built DFA, so
 * only new states cost time in proportion to the number of instructions.
 */
const INSTRUCTIONS_PER_STEP = 250

/** Throws PatternError with a message for a pattern that is invalid or too large. */
export function compilePattern(source: string, options: { ignoreCase: boolean }): LinePattern {
  const pattern = compile(source, options)
  const size = pattern.programSize()
  if (size > MAX_PROGRAM_INSTRUCTIONS)
    throw new PatternError('It is too large after its repetitions are expanded.')
  const stepsOfCharacter = 1 + size / INSTRUCTIONS_PER_STEP
  return {
    find: (line, cost) => {
      spendSteps(cost, (line.length + 1) * stepsOfCharacter)
      if (!pattern.test(line)) return null
      // Locating the match runs the whole program for each character.
      spendSteps(cost, (line.length + 1) * size)
      const matcher = pattern.matcher(line)
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null
    },
  }
}

function spendSteps(cost: PatternCost, steps: number): void {
  cost.left -= steps
  if (cost.left < 0) throw new PatternCostError('the pattern takes too long')
}

function compile(source: string, { ignoreCase }: { ignoreCase: boolean }): RE2JS {
  if (source.length > MAX_SOURCE) throw new PatternError(`It is longer than ${MAX_SOURCE} characters.`)
  const flags = RE2JS.DOTALL | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  try {
    return RE2JS.compile(translate(source), flags)
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new PatternError(describeSyntaxError(error))
    throw error
  }
}

/** White space for use in character classes; the engine's own class covers less. */
const SPACE = '\\s\\x{0b}\\x{a0}\\x{feff}\\x{2028}\\x{2029}\\p{Zs}'

/** A code point, an escape, a class bracket, or the start of a group. */
const TOKEN = /\\u\{?([\da-fA-F]{1,6})\}?|\\.|\[\^?\]?|\]|\(\?P?<\w{1,80}>|\((?!\?)/gs

/**
 * Translates JavaScript syntax to that of the engine. All groups become non-capturing: a search needs no captures,
 * and each one costs time with every character.
 */
function translate(source: string): string {
  let isInClass = false
  return source.replace(TOKEN, (part, code: string | undefined) => {
    if (code !== undefined) return `\\x{${code}}`
    if (part === '\\s') return isInClass ? SPACE : `[${SPACE}]`
    if (part === '\\S') return isInClass ? part : `[^${SPACE}]`
    if (part.startsWith('[') && !isInClass) {
      isInClass = true
      // A closing bracket in first position belongs to the class.
      return part.replace(']', '\\]')
    }
    if (part === ']') isInClass = false
    if (!isInClass) return part.startsWith('(') ? '(?:' : part
    if (!part.endsWith(']') || part.startsWith('\\')) return part.startsWith('[') ? `\\${part}` : part
    isInClass = false
    return `\\${part}`
  })
}

function describeSyntaxError({ error, input }: RE2JSSyntaxException): string {
  const part = typeof input === 'string' ? input : ''
  switch (error) {
    case 'invalid or unsupported Perl syntax':
      return /^\(\?<?[=!]/.test(part)
        ? 'Lookahead and lookbehind (?= ?! ?<= ?<!) are not supported. Search twice instead.'
        : 'The group after (? is not supported.'
    case 'invalid escape sequence':
      return /^\\[1-9]/.test(part) ? 'Backreferences (\\1) are not supported.' : `${part} is not supported.`
    case 'invalid repeat count':
      return `A repetition is larger than 1000, or the numbers in ${part} are in the wrong order.`
    case 'invalid nested repetition operator':
      return `${part} repeats a repetition. Put the repeated part in (?: ).`
    case 'missing argument to repetition operator':
      return `${part} has nothing to repeat.`
    case 'invalid character class range':
      return part.startsWith('\\')
        ? `There is no character class ${part}.`
        : 'A range in square brackets is in the wrong order.'
    case 'missing closing ]':
      return 'A [ is not closed.'
    case 'missing closing )':
      return 'A ( is not closed.'
    case 'unexpected )':
      return 'A ) has no matching (.'
    case 'trailing backslash at end of expression':
      return 'It ends with a backslash.'
    default:
      return `It cannot be parsed (${error}).`
  }
}

/**
 * Compiles a glob such as `guides/**\/*.mdx` to a pattern for whole paths: `**` matches any folders, `*` and
 * `?` match within a name, `{a,b}` matches either.
 */
export function compileGlob(glob: string): LinePattern {
  const parts = glob.replace(/^(?:\.?\/)+/, '').match(/\*\*\/|\*\*|[*?{},]|[^*?{},]+/g) ?? []
  let depth = 0
  const source = parts.map((part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (part === '{') {
      depth++
      return '(?:'
    }
    if (part === '}' && depth > 0) {
      depth--
      return ')'
    }
    if (part === ',' && depth > 0) return '|'
    return part.replace(/[^\p{L}\p{N}/ ]/gu, '\\$&')
  })
  return compilePattern(`^${source.join('')}$`, { ignoreCase: true })
}

/** Throws ToolRefusal for a pattern that cannot be used. */
export function compileOrRefuse(what: string, compile: () => LinePattern): LinePattern {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new ToolRefusal(`The ${what} cannot be used. ${error.message}`)
  }
}

/** Maximum number of steps for matching a path, because globs need few. */
const MAX_GLOB_STEPS = 5_000_000

/**
 * Returns a test of whether a path begins with `prefix` and matches the glob below it. With `isDeep`, a glob
 * of one name also matches files in folders. Throws ToolRefusal.
 */
export function fileFilter(
  prefix: string,
  glob: string | undefined,
  isDeep = true,
): (path: string) => boolean {
  if (glob === undefined) return (path) => path.startsWith(prefix)
  const wanted = compileOrRefuse('glob', () =>
    compileGlob(isDeep && !glob.includes('/') ? `**/${glob}` : glob),
  )
  return (path) =>
    path.startsWith(prefix) && wanted.find(path.slice(prefix.length), { left: MAX_GLOB_STEPS }) !== null
}
