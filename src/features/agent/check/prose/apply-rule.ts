/** One rule of prose on one paragraph or heading. */
import type { LinePattern, PatternCost } from '../../code/line-pattern.ts'
import type { ProseBlock } from './prose-text.ts'
import type { ValeRule } from './vale-rules.ts'

export interface Found {
  at: number
  /** Values of the placeholders in the message, in order. */
  words: readonly string[]
}

/** Maximum number of findings of one rule in one paragraph. */
const MOST_FOUND = 20
/** Words that are compared with the one before. */
const MOST_WORDS = 4000

export function isInScope({ scopes }: ValeRule, { kind, level }: ProseBlock): boolean {
  return scopes.some((scope) => {
    if (scope === 'heading') return kind === 'heading'
    if (scope === '~heading') return kind !== 'heading'
    if (scope.startsWith('heading.h')) return kind === 'heading' && Number(scope.slice(9)) === level
    return scope === 'text' || kind === 'text'
  })
}

/** Throws PatternCostError when `cost` is used up. */
export function applyRule({ does, ...rule }: ValeRule, text: string, cost: PatternCost): Found[] {
  const isExcepted = (words: string) =>
    rule.exceptions.has(words) || (rule.ignoreCase && rule.exceptions.has(words.toLowerCase()))
  switch (does.kind) {
    case 'existence':
      return does.patterns
        .flatMap((pattern) => findAll(pattern, text, cost))
        .filter(({ words }) => !isExcepted(words))
        .map(({ at, words }) => ({ at, words: [words] }))
    case 'substitution':
      return does.pairs.flatMap(({ pattern, instead }) =>
        findAll(pattern, text, cost)
          .filter(({ words }) => !instead.split('|').includes(words) && !isExcepted(words))
          .map(({ at, words }) => ({ at, words: [instead.replaceAll('|', "' or '"), words] })),
      )
    case 'occurrence':
      return occurrences(does, rule.scopes, text, cost)
    case 'repetition':
      return repeated(does, rule.ignoreCase, text, cost).filter(({ words }) => !isExcepted(words[0] ?? ''))
    case 'capitalization':
      return hasCase(does, rule.exceptions, text, cost) ? [] : [{ at: 0, words: [text.trim()] }]
  }
}

function findAll(
  pattern: LinePattern,
  text: string,
  cost: PatternCost,
  most = MOST_FOUND,
): { at: number; words: string }[] {
  const all: { at: number; words: string }[] = []
  for (let from = 0; from <= text.length && all.length < most; ) {
    const found = pattern.find(text.slice(from), cost)
    if (found === null) break
    const { start, end } = found
    const words = text.slice(from + start, from + end)
    // A word that only begins where the search before has ended is none.
    const isCut = start === 0 && from > 0 && /\w/.test(text[from - 1] ?? '') && /^\w/.test(words)
    if (words.trim() !== '' && !isCut) all.push({ at: from + start, words })
    from += Math.max(end, start + 1)
  }
  return all
}

function occurrences(
  { pattern, most, least }: Extract<ValeRule['does'], { kind: 'occurrence' }>,
  scopes: readonly string[],
  text: string,
  cost: PatternCost,
): Found[] {
  return partsOf(text, scopes.includes('sentence')).flatMap(({ at, part }) => {
    const count = findAll(pattern, part, cost, MOST_WORDS).length
    const isFine = (most === null || count <= most) && (least === null || count >= least)
    return isFine ? [] : [{ at, words: [String(count)] }]
  })
}

function partsOf(text: string, isBySentence: boolean): { at: number; part: string }[] {
  if (!isBySentence) return [{ at: 0, part: text }]
  const parts: { at: number; part: string }[] = []
  let from = 0
  for (const { index } of text.matchAll(/[.!?](?=\s)/g)) {
    parts.push({ at: from, part: text.slice(from, index + 1) })
    from = index + 1
  }
  parts.push({ at: from, part: text.slice(from) })
  return parts.filter(({ part }) => part.trim() !== '')
}

function repeated(
  { pattern, most, onlyLetters }: Extract<ValeRule['does'], { kind: 'repetition' }>,
  ignoreCase: boolean,
  text: string,
  cost: PatternCost,
): Found[] {
  const found: Found[] = []
  let last = { words: '', end: -1, count: 0 }
  for (const { at, words } of findAll(pattern, text, cost, MOST_WORDS)) {
    const key = ignoreCase ? words.toLowerCase() : words
    const isNext = last.end >= 0 && /^ ?$/.test(text.slice(last.end, at))
    const count = isNext && key === last.words ? last.count + 1 : 0
    const isWord = !onlyLetters || /^\p{L}+$/u.test(words)
    if (count === most + 1 && isWord) found.push({ at, words: [words] })
    last = { words: key, end: at + words.length, count }
  }
  return found.slice(0, MOST_FOUND)
}

/** Words that are small in titles. */
const SMALL =
  /^(?:a|an|and|as|at|but|by|en|for|from|if|in|into|nor|of|on|or|over|per|so|the|to|up|v\.?|via|vs\.?|with|yet)$/

function hasCase(
  { match, pattern, threshold }: Extract<ValeRule['does'], { kind: 'capitalization' }>,
  exceptions: ReadonlySet<string>,
  text: string,
  cost: PatternCost,
): boolean {
  if (pattern !== null) return pattern.find(text.trim(), cost) !== null
  const excepted = [...exceptions].reduce((rest, one) => rest.replaceAll(one, ' '.repeat(one.length)), text)
  const words = excepted.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? []
  if (words.length === 0) return true
  if (match === '$lower') return words.every((word) => word === word.toLowerCase())
  if (match === '$upper') return words.every((word) => word === word.toUpperCase())
  const right = words.filter((word, index) => {
    if (word === word.toUpperCase()) return true
    const isCapital = /^\p{Lu}/u.test(word)
    const isFirst = index === 0
    if (match === '$title') return isCapital || (!isFirst && SMALL.test(word))
    return isFirst ? isCapital || excepted !== text : !isCapital
  })
  return right.length / words.length >= threshold && (match !== '$sentence' || words.length > 0)
}
