/**
 * Regular expressions that a model may write and a repository may be matched with: every line is read once from left
 * to right with all possibilities side by side, so that no pattern can take longer than its length times the line's.
 * Backreferences and lookarounds, which need more, are not in the language.
 */
import { type Instruction, parsePattern } from './parse-pattern.ts'

export interface LinePattern {
  /** The first match that ends, or null. Throws PatternCostError when `cost` is used up. */
  find(line: string, cost: PatternCost): { start: number; end: number } | null
}

/** Steps that a search may still take. */
export interface PatternCost {
  left: number
}

export class PatternCostError extends Error {
  override name = 'PatternCostError'
}

/** Throws PatternError, with a sentence, for what is no pattern or too large a one. */
export function compilePattern(source: string, options: { ignoreCase: boolean }): LinePattern {
  return createMatcher(parsePattern(source, options))
}

/** `guides/**\/*.mdx` as a pattern for whole paths: `**` any folders, `*` and `?` within a name, `{a,b}` either. */
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

/** Places in the program that are reached at one character, each once, with the place in the line they began at. */
interface Threads {
  places: Int32Array
  starts: Int32Array
  count: number
  /** By place: the round in which it was last added. */
  rounds: Int32Array
  round: number
}

function createThreads(size: number): Threads {
  return {
    places: new Int32Array(size),
    starts: new Int32Array(size),
    count: 0,
    rounds: new Int32Array(size),
    round: 0,
  }
}

/** Everything that a step needs is made once for all lines. */
function createMatcher(program: readonly Instruction[]): LinePattern {
  let current = createThreads(program.length)
  let next = createThreads(program.length)
  // Each place puts two others on the stack at most, and is left at once when it comes a second time.
  const stack = new Int32Array(program.length * 2 + 2)

  /** Adds what is reached from `first` without reading a character; answers the start of a match, or -1. */
  const follow = (
    threads: Threads,
    line: string,
    first: number,
    start: number,
    at: number,
    cost: PatternCost,
  ) => {
    let height = 0
    stack[height++] = first
    while (height > 0) {
      if (cost.left-- <= 0) throw new PatternCostError('the pattern takes too long')
      const place = stack[--height] as number
      if (threads.rounds[place] === threads.round) continue
      threads.rounds[place] = threads.round
      const instruction = program[place] as Instruction
      switch (instruction.kind) {
        case 'match':
          return start
        case 'character':
          threads.places[threads.count] = place
          threads.starts[threads.count++] = start
          break
        case 'jump':
          stack[height++] = instruction.to
          break
        case 'fork':
          stack[height++] = instruction.other
          stack[height++] = place + 1
          break
        case 'border':
          if (isBorder(instruction.border, line, at)) stack[height++] = place + 1
          break
      }
    }
    return -1
  }

  return {
    find: (line, cost) => {
      clear(current)
      for (let at = 0; ; ) {
        const matched = follow(current, line, 0, at, at, cost)
        if (matched !== -1) return { start: matched, end: at }
        if (at >= line.length) return null
        const code = line.codePointAt(at) as number
        const after = at + (code > 0xffff ? 2 : 1)
        clear(next)
        for (let index = 0; index < current.count; index++) {
          const place = current.places[index] as number
          const instruction = program[place] as Instruction
          if (instruction.kind !== 'character' || !instruction.accepts(code)) continue
          const start = current.starts[index] as number
          const found = follow(next, line, place + 1, start, after, cost)
          if (found !== -1) return { start: found, end: after }
        }
        ;[current, next] = [next, current]
        at = after
      }
    },
  }
}

function clear(threads: Threads): void {
  threads.count = 0
  threads.round++
}

function isBorder(border: '^' | '$' | 'b' | 'B', line: string, at: number): boolean {
  if (border === '^') return at === 0
  if (border === '$') return at === line.length
  return (isWord(line.charCodeAt(at - 1)) !== isWord(line.charCodeAt(at))) === (border === 'b')
}

function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    (code >= 0x61 && code <= 0x7a)
  )
}
