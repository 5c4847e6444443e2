/**
 * Prose rules in the format of Vale, read from the styles of the docs folder: existence, substitution, occurrence,
 * repetition and capitalization. The engine matches patterns in linear time; rules that need other features are listed
 * as not applied.
 */
import type { FileTree } from '../../../../base/files/file-tree.ts'
import { readYaml } from '../../../../site/yaml.ts'
import { compilePattern, type LinePattern, type PatternCost, PatternError } from '../../code/line-pattern.ts'
import { decodeFileText } from '../../edit/change-files.ts'
import type { ProseBlock } from './prose-text.ts'
import { LEVELS, type ValeLevel } from './vale-settings.ts'

export interface Found {
  at: number
  /** Values of the placeholders in the message, in order. */
  words: readonly string[]
}

/** Finds mistakes in a paragraph or heading. Throws PatternCostError when `cost` is used up. */
type Finder = (text: string, cost: PatternCost) => Found[]

export interface ValeRule {
  /** `Style.Rule`. */
  name: string
  level: ValeLevel
  /** Contains `%s` for the match. */
  message: string
  scopes: readonly string[]
  find: Finder
}

export interface ValeStyle {
  rules: readonly ValeRule[]
  /** Names of rules that cannot be applied. */
  undone: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

const MAX_RULE_BYTES = 200_000
const MAX_RULES = 300
const MAX_TOKENS = 2000
const MAX_MATCHES_PER_RULE = 20
/** Maximum number of words that are compared with the preceding word. */
const MAX_COMPARED_WORDS = 4000
const MAX_MESSAGE = 300
const LIMITS = { depth: 10, values: 10_000 }
/** Maximum length of a pattern that joins several tokens; longer lists of tokens are split in half. */
const MAX_JOINED_PATTERN_CHARACTERS = 900
const SCOPES = /^(?:text|raw|paragraph|sentence|list|table|blockquote|summary|heading(?:\.h[1-6])?|~heading)$/

export async function readStyle(tree: FileTree, stylesPath: string, style: string): Promise<ValeStyle> {
  const folder = `${stylesPath}/${style}/`
  const rules: ValeRule[] = []
  const undone: string[] = []
  const paths = [...tree.files.keys()].filter((path) => path.startsWith(folder) && path.endsWith('.yml'))
  for (const path of paths.slice(0, MAX_RULES)) {
    const name = `${style}.${path.slice(folder.length, -'.yml'.length)}`
    const rule = await readRule(tree, path, name)
    if (rule === null) undone.push(name)
    else rules.push(rule)
  }
  if (paths.length === 0) undone.push(`${style} (${folder} contains no rules)`)
  return { rules, undone }
}

async function readRule(tree: FileTree, path: string, name: string): Promise<ValeRule | null> {
  if ((tree.files.get(path)?.sizeBytes ?? 0) > MAX_RULE_BYTES) return null
  const read = readYaml(decodeFileText(await tree.read(path)) ?? '', LIMITS)
  return 'fault' in read || !isFields(read.value) ? null : createValeRule(name, read.value)
}

/** Returns null for a rule that cannot be applied. */
export function createValeRule(name: string, fields: Fields): ValeRule | null {
  const scopes = textsIn(fields.scope ?? 'text')
  if (!scopes.every((scope) => SCOPES.test(scope)) || scopes.includes('raw')) return null
  const level = LEVELS.find((one) => one === fields.level) ?? 'warning'
  const message = String(fields.message ?? name).slice(0, MAX_MESSAGE)
  try {
    const find = createFinder(fields, scopes.includes('sentence'))
    return find && { name, level, message, scopes, find }
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

export function isInScope({ scopes }: ValeRule, { kind, level }: ProseBlock): boolean {
  return scopes.some((scope) => {
    if (scope === 'heading') return kind === 'heading'
    if (scope === '~heading') return kind !== 'heading'
    if (scope.startsWith('heading.h')) return kind === 'heading' && Number(scope.slice(9)) === level
    return scope === 'text' || kind === 'text'
  })
}

function createFinder(fields: Fields, isBySentence: boolean): Finder | null {
  const exceptions = new Set(textsIn(fields.exceptions))
  const ignoreCase = fields.ignorecase === true
  const options = { ignoreCase, isWord: fields.nonword !== true }
  const isExcepted = (words: string) =>
    exceptions.has(words) || (ignoreCase && exceptions.has(words.toLowerCase()))
  switch (fields.extends) {
    case 'existence': {
      const raw = textsIn(fields.raw).join('')
      const patterns = joined(textsIn(fields.tokens), options)
      if (raw !== '') patterns.push(compilePattern(raw, options))
      if (patterns.length === 0) return null
      return (text, cost) =>
        patterns
          .flatMap((pattern) => findAll(pattern, text, cost))
          .filter(({ words }) => !isExcepted(words))
          .map(({ at, words }) => ({ at, words: [words] }))
    }
    case 'substitution': {
      const swaps = isFields(fields.swap) ? Object.entries(fields.swap).slice(0, MAX_TOKENS) : []
      const pairs = swaps.flatMap(([from, to]) =>
        joined([from], options).map((pattern) => ({
          pattern,
          instead: String(to ?? '').slice(0, MAX_MESSAGE),
        })),
      )
      if (pairs.length === 0) return null
      return (text, cost) =>
        pairs.flatMap(({ pattern, instead }) =>
          findAll(pattern, text, cost)
            .filter(({ words }) => !instead.split('|').includes(words) && !isExcepted(words))
            .map(({ at, words }) => ({ at, words: [instead.replaceAll('|', "' or '"), words] })),
        )
    }
    case 'occurrence': {
      const pattern = compilePattern(String(fields.token ?? ''), { ignoreCase })
      const [most, least] = [numberIn(fields.max) ?? Number.POSITIVE_INFINITY, numberIn(fields.min) ?? 0]
      return (text, cost) =>
        partsOf(text, isBySentence).flatMap(({ at, part }) => {
          const count = findAll(pattern, part, cost, MAX_COMPARED_WORDS).length
          return count <= most && count >= least ? [] : [{ at, words: [String(count)] }]
        })
    }
    case 'repetition': {
      const [pattern] = joined(textsIn(fields.tokens), { ignoreCase, isWord: false })
      if (pattern === undefined) return null
      const most = numberIn(fields.max) ?? 0
      const isWord = (words: string) => fields.alpha !== true || /^\p{L}+$/u.test(words)
      return (text, cost) =>
        repeated(findAll(pattern, text, cost, MAX_COMPARED_WORDS), text, { most, ignoreCase }).filter(
          ({ words: [words = ''] }) => isWord(words) && !isExcepted(words),
        )
    }
    case 'capitalization': {
      const match = String(fields.match ?? '')
      const threshold = typeof fields.threshold === 'number' ? fields.threshold : 0.8
      const pattern = CASES.has(match) ? null : compilePattern(match, { ignoreCase: false })
      return (text, cost) => {
        const isRight =
          pattern === null
            ? hasCase(text, { match, threshold, exceptions })
            : pattern.find(text.trim(), cost) !== null
        return isRight ? [] : [{ at: 0, words: [text.trim()] }]
      }
    }
    default:
      return null
  }
}

const CASES = new Set(['$title', '$sentence', '$lower', '$upper'])

interface Match {
  at: number
  words: string
}

function findAll(
  pattern: LinePattern,
  text: string,
  cost: PatternCost,
  most = MAX_MATCHES_PER_RULE,
): Match[] {
  const all: Match[] = []
  for (let from = 0; from <= text.length && all.length < most; ) {
    const found = pattern.find(text.slice(from), cost)
    if (found === null) break
    const { start, end } = found
    const words = text.slice(from + start, from + end)
    // A match does not count if the start of the searched text cuts off its first word.
    const isCut = start === 0 && from > 0 && /\w/.test(text[from - 1] ?? '') && /^\w/.test(words)
    if (words.trim() !== '' && !isCut) all.push({ at: from + start, words })
    from += Math.max(end, start + 1)
  }
  return all
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

/** Returns matches that repeat the directly preceding match more than `most` times, one for each run of repetitions. */
function repeated(
  all: readonly Match[],
  text: string,
  { most, ignoreCase }: { most: number; ignoreCase: boolean },
): Found[] {
  const found: Found[] = []
  let last = { words: '', end: -1, count: 0 }
  for (const { at, words } of all) {
    const key = ignoreCase ? words.toLowerCase() : words
    const isNext = last.end >= 0 && /^ ?$/.test(text.slice(last.end, at))
    const count = isNext && key === last.words ? last.count + 1 : 0
    if (count === most + 1) found.push({ at, words: [words] })
    last = { words: key, end: at + words.length, count }
  }
  return found.slice(0, MAX_MATCHES_PER_RULE)
}

/** Words written in lower case in titles. */
const SMALL =
  /^(?:a|an|and|as|at|but|by|en|for|from|if|in|into|nor|of|on|or|over|per|so|the|to|up|v\.?|via|vs\.?|with|yet)$/

function hasCase(
  text: string,
  { match, threshold, exceptions }: { match: string; threshold: number; exceptions: ReadonlySet<string> },
): boolean {
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

interface WordOptions {
  ignoreCase: boolean
  /** Whether to match whole words only. */
  isWord: boolean
}

function joined(tokens: readonly string[], options: WordOptions): LinePattern[] {
  const groups: string[][] = []
  for (const token of tokens.slice(0, MAX_TOKENS)) {
    const last = groups.at(-1)
    const length = last?.reduce((sum, one) => sum + one.length + 1, 0) ?? 0
    if (last === undefined || length + token.length > MAX_JOINED_PATTERN_CHARACTERS) groups.push([token])
    else last.push(token)
  }
  return groups.flatMap((group) => compiled(group, options))
}

/** Compiles tokens into patterns. Throws PatternError for a single token that cannot be compiled. */
function compiled(tokens: readonly string[], options: WordOptions): LinePattern[] {
  const either = tokens.map((token) => `(?:${token})`).join('|')
  try {
    return [compilePattern(options.isWord ? `\\b(?:${either})\\b` : either, options)]
  } catch (error) {
    if (!(error instanceof PatternError) || tokens.length === 1) throw error
    const half = tokens.length >> 1
    return [...compiled(tokens.slice(0, half), options), ...compiled(tokens.slice(half), options)]
  }
}

function textsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return list.flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one)] : []))
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
