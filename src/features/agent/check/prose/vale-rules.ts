/**
 * Rules of prose in the format of Vale, from the styles of the docs folder: existence, substitution, occurrence, repetition
 * and capitalization. Their patterns are run by an engine of one pass; what needs more is named as not applied.
 */
import type { FileTree } from '../../../../base/files/file-tree.ts'
import { readYaml } from '../../../../site/yaml.ts'
import { compilePattern, type LinePattern, PatternError } from '../../code/line-pattern.ts'
import { decodeFileText } from '../../edit/change-files.ts'
import type { ValeLevel } from './vale-settings.ts'
import { LEVELS } from './vale-settings.ts'

export interface ValeRule {
  /** `Style.Rule`. */
  name: string
  level: ValeLevel
  /** With `%s` for what was found. */
  message: string
  scopes: readonly string[]
  exceptions: ReadonlySet<string>
  ignoreCase: boolean
  does:
    | { kind: 'existence'; patterns: readonly LinePattern[] }
    | { kind: 'substitution'; pairs: readonly { pattern: LinePattern; instead: string }[] }
    | { kind: 'occurrence'; pattern: LinePattern; most: number | null; least: number | null }
    | { kind: 'repetition'; pattern: LinePattern; most: number; onlyLetters: boolean }
    | { kind: 'capitalization'; match: string; pattern: LinePattern | null; threshold: number }
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
const MAX_MESSAGE = 300
const LIMITS = { depth: 10, values: 10_000 }
/** Tokens that are tried as one pattern; each half alone when that is too large. */
const MAX_JOINED = 900
/** Parts of a page that are read as prose. */
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
  if (paths.length === 0) undone.push(`${style} (there are no rules in ${folder})`)
  return { rules, undone }
}

async function readRule(tree: FileTree, path: string, name: string): Promise<ValeRule | null> {
  if ((tree.files.get(path)?.sizeBytes ?? 0) > MAX_RULE_BYTES) return null
  const read = readYaml(decodeFileText(await tree.read(path)) ?? '', LIMITS)
  return 'fault' in read || !isFields(read.value) ? null : ruleOf(name, read.value)
}

/** Null for what cannot be applied. */
export function ruleOf(name: string, fields: Fields): ValeRule | null {
  const scopes = textsIn(fields.scope ?? 'text')
  if (!scopes.every((scope) => SCOPES.test(scope)) || scopes.includes('raw')) return null
  try {
    const does = doesOf(fields)
    if (does === null) return null
    return {
      name,
      level: LEVELS.find((level) => level === fields.level) ?? 'warning',
      message: String(fields.message ?? name).slice(0, MAX_MESSAGE),
      scopes,
      exceptions: new Set(textsIn(fields.exceptions)),
      ignoreCase: isIgnoringCase(fields),
      does,
    }
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

function doesOf(fields: Fields): ValeRule['does'] | null {
  switch (fields.extends) {
    case 'existence':
      return existence(fields)
    case 'substitution':
      return substitution(fields)
    case 'occurrence': {
      const pattern = compilePattern(String(fields.token ?? ''), { ignoreCase: isIgnoringCase(fields) })
      return { kind: 'occurrence', pattern, most: numberIn(fields.max), least: numberIn(fields.min) }
    }
    case 'repetition': {
      const [pattern] = joined(textsIn(fields.tokens), { ...wordOptions(fields), isWord: false })
      if (pattern === undefined) return null
      return {
        kind: 'repetition',
        pattern,
        most: numberIn(fields.max) ?? 0,
        onlyLetters: fields.alpha === true,
      }
    }
    case 'capitalization':
      return capitalization(fields)
    default:
      return null
  }
}

function existence(fields: Fields): ValeRule['does'] | null {
  const raw = textsIn(fields.raw).join('')
  const patterns = [
    ...joined(textsIn(fields.tokens), wordOptions(fields)),
    ...(raw === '' ? [] : [compilePattern(raw, { ignoreCase: isIgnoringCase(fields) })]),
  ]
  return patterns.length === 0 ? null : { kind: 'existence', patterns }
}

function substitution(fields: Fields): ValeRule['does'] | null {
  if (!isFields(fields.swap)) return null
  const pairs = Object.entries(fields.swap)
    .slice(0, MAX_TOKENS)
    .flatMap(([from, to]) => {
      const [pattern] = joined([from], wordOptions(fields))
      return pattern === undefined ? [] : [{ pattern, instead: String(to ?? '').slice(0, MAX_MESSAGE) }]
    })
  return pairs.length === 0 ? null : { kind: 'substitution', pairs }
}

const CASES = new Set(['$title', '$sentence', '$lower', '$upper'])

function capitalization(fields: Fields): ValeRule['does'] {
  const match = String(fields.match ?? '')
  const threshold = typeof fields.threshold === 'number' ? fields.threshold : 0.8
  const pattern = CASES.has(match) ? null : compilePattern(match, { ignoreCase: false })
  return { kind: 'capitalization', match, pattern, threshold }
}

interface WordOptions {
  ignoreCase: boolean
  /** Only whole words. */
  isWord: boolean
}

function wordOptions(fields: Fields): WordOptions {
  return { ignoreCase: isIgnoringCase(fields), isWord: fields.nonword !== true }
}

function joined(tokens: readonly string[], options: WordOptions): LinePattern[] {
  const groups: string[][] = []
  for (const token of tokens.slice(0, MAX_TOKENS)) {
    const last = groups.at(-1)
    const length = last?.reduce((sum, one) => sum + one.length + 1, 0) ?? 0
    if (last === undefined || length + token.length > MAX_JOINED) groups.push([token])
    else last.push(token)
  }
  return groups.flatMap((group) => compiled(group, options))
}

/** Throws PatternError for a single one that cannot be. */
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

function isIgnoringCase({ ignorecase }: Fields): boolean {
  return ignorecase === true
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
