/**
 * Finds the statements that a code change may have made false: a name in the statement was removed, or its value,
 * signature or path has changed. Analyzes only changed lines; the rest of the code is only searched for remaining
 * uses of a name.
 */
import { type DiffLine, plainDiff } from '../../base/files/diff-file.ts'
import { isCodeLikeName, listPathEndings, nameKey, wordsOf } from './names.ts'
import type { AlarmReason, CodeLine } from './operations/statements.ts'
import { type CodeFacts, type Fact, readCode } from './read-code.ts'
import type { Statement } from './read-page.ts'
import { type ChangedSignature, changedSignatures } from './signatures.ts'
import { listCurrent, type PageStatements } from './statement-map.ts'
import { isCommonValue } from './values.ts'

export interface ChangedFile {
  path: string
  /** Null if the file does not exist. */
  before: string | null
  after: string | null
}

export interface Alarm {
  page: string
  line: number
  /** Sentence, table row or line of a sample. */
  text: string
  reason: AlarmReason
  /** Name or value on which the statement is based. */
  name: string
  before: CodeLine
  /** Null if the line was removed without a replacement. */
  after: CodeLine | null
}

export interface AlarmInput {
  changed: readonly ChangedFile[]
  after: Iterable<CodeFacts>
  paths: { before: ReadonlySet<string>; after: ReadonlySet<string> }
  pages: readonly PageStatements[]
}

/** A name that occurs in more statements than this does not identify any of them. */
const MAX_STATEMENTS_OF_NAME = 60
const MAX_ALARMS = 500

export function findAlarms(input: AlarmInput): Alarm[] {
  const after = [...input.after]
  const pairs = input.changed.flatMap((file) => pairLines(file).pairs)
  const index = indexStatements(input.pages)
  const found = [
    ...findRemovedNames(pairs, after, index),
    ...changedValues(pairs, after, index),
    ...findSignatureAlarms(input.changed, index),
    ...findMovedPaths(input, index),
  ]
  // The first alarm of each statement.
  const alarms = new Map(
    found.toReversed().map((alarm) => [`${alarm.page}:${alarm.line}:${alarm.text}`, alarm]),
  )
  return [...alarms.values()]
    .sort((a, b) => (a.page === b.page ? a.line - b.line : a.page < b.page ? -1 : 1))
    .slice(0, MAX_ALARMS)
}

export interface LinePair {
  before: SideLine
  after: SideLine | null
  /** Facts on surrounding lines, nearest first, for values without a name. */
  around: Fact[]
}

export interface SideLine extends CodeLine {
  /** The text without values (`masked`), and also without names (`shape`). */
  masked: string
  shape: string
  facts: Fact[]
  values: string[]
}

export interface PairedLines {
  pairs: LinePair[]
  /** Added lines that do not replace a removed line. */
  added: SideLine[]
  was: CodeFacts
  is: CodeFacts
}

/** Lines without names and values are left out. */
export function pairLines({ path, before, after }: ChangedFile): PairedLines {
  const [was, is] = [readCode(path, before ?? ''), readCode(path, after ?? '')]
  const [wasLines, isLines] = [was, is].map(({ facts }) => Map.groupBy(facts, ({ line }) => line))
  const side = ({ kind, before, after, parts }: DiffLine): SideLine => {
    const [line, lines, { values }] = kind === 'removed' ? [before, wasLines, was] : [after, isLines, is]
    const written = parts.map(({ text }) => text).join('')
    const text = written.trim().slice(0, 300)
    const masked = text.replace(/["'`][^"'`]*["'`]|\d[\d_.]*/g, '#')
    const shape = masked.replace(/[\w$#-]+/g, 'x')
    const at = line as number
    return {
      file: path,
      line: at,
      text,
      masked,
      shape,
      facts: lines?.get(at) ?? [],
      values: values.get(at) ?? [],
    }
  }
  const [pairs, rest]: [LinePair[], SideLine[]] = [[], []]
  for (const { removed = [], added = [] } of plainDiff(before, after).flatMap(changedRuns)) {
    const free = added.map(side)
    for (const own of removed.map(side)) {
      if (own.facts.length === 0 && own.values.length === 0) continue
      pairs.push({ before: own, after: findClosest(own, free), around: factsAround(wasLines, own.line) })
    }
    rest.push(...free.filter(({ facts }) => facts.length > 0))
  }
  return { pairs, added: rest, was, is }
}

/** Splits a hunk at unchanged lines. */
function changedRuns(hunk: readonly DiffLine[]) {
  let run = 0
  const runs = Map.groupBy(hunk, ({ kind }) => (kind === 'same' ? run++ : run))
  return [...runs.values()].map((lines) => Object.groupBy(lines, ({ kind }) => kind))
}

const CONTEXT_LINES_BEFORE = 4
const CONTEXT_LINES_AFTER = 2

function factsAround(lines: ReadonlyMap<number, Fact[]> | undefined, at: number): Fact[] {
  const near: Fact[] = []
  for (let distance = 1; distance <= CONTEXT_LINES_BEFORE; distance++) {
    near.push(...(lines?.get(at - distance) ?? []))
    if (distance <= CONTEXT_LINES_AFTER) near.push(...(lines?.get(at + distance) ?? []))
  }
  return near.filter(({ kind }) => kind !== 'use')
}

const MAX_COMPARED = 200
const MIN_COMMON = 0.3

/** Returns the added line most similar to a removed line: by masked text and common names, else by shape. */
function findClosest(own: SideLine, free: SideLine[]): SideLine | null {
  const names = new Set(own.facts.map(({ name }) => name))
  const compared = free.slice(0, MAX_COMPARED)
  // A line with a renamed name has no names in common, so the shape of the line decides.
  let best = compared.find(({ shape }) => shape === own.shape) ?? null
  let bestScore = MIN_COMMON
  for (const line of compared) {
    const shared = line.facts.filter(({ name }) => names.has(name)).length
    const score = (line.masked === own.masked ? 2 : 0) + shared / Math.max(1, names.size, line.facts.length)
    if (score > bestScore) [best, bestScore] = [line, score]
  }
  if (best !== null) free.splice(free.indexOf(best), 1)
  return best
}

interface Mention {
  page: string
  statement: Statement
  /** The name or value as the page writes it. */
  name: string
}

/** Statements by exact name, by `nameKey`, by value and by call. */
type StatementIndex = ReturnType<typeof indexStatements>

function indexStatements(pages: readonly PageStatements[]) {
  const current = listCurrent(pages)
  const indexBy = (namesOf: (statement: Statement) => readonly string[], keyOf = (name: string) => name) =>
    Map.groupBy(
      current.flatMap((one): Mention[] => namesOf(one.statement).map((name) => ({ ...one, name }))),
      ({ name }) => keyOf(name),
    )
  return {
    byName: indexBy(({ names }) => names),
    byKey: indexBy(({ names }) => names, nameKey),
    byValue: indexBy(({ values }) => values),
    byCall: indexBy(({ calls }) => calls.map(({ name }) => name)),
  }
}

function* findRemovedNames(
  pairs: readonly LinePair[],
  after: readonly CodeFacts[],
  index: StatementIndex,
): Generator<Alarm> {
  const lost = new Map<string, LinePair>()
  for (const pair of pairs)
    for (const { name, kind } of pair.before.facts)
      if (kind !== 'use' && !lost.has(name) && (index.byName.has(name) || index.byKey.has(nameKey(name))))
        lost.set(name, pair)
  if (lost.size === 0) return
  const present = presentNames(after)
  for (const [name, pair] of lost) {
    const fact = pair.before.facts.find((one) => one.name === name) as Fact
    if (present.names.has(name)) continue
    // A text such as `Content-Type` has several spellings and may also come from other code, so it does not count as
    // removed if the code still contains it in any spelling.
    if (fact.kind === 'text' && (present.uses.has(name) || present.keys.has(nameKey(name)))) continue
    const mentions = (index.byName.get(name) ?? []).filter(({ statement }) =>
      isSpecific(name, fact, statement),
    )
    for (const other of index.byKey.get(nameKey(name)) ?? [])
      if (other.name !== name && isCodeLikeName(other.name) && isDerived(other.name, name, present))
        mentions.push(other)
    if (mentions.length > MAX_STATEMENTS_OF_NAME) continue
    for (const mention of mentions) yield toAlarm(mention, 'gone', name, pair)
  }
}

/**
 * Returns true if a page uses a derived spelling of a removed name, such as `--log-level` or `LOG_LEVEL` for
 * the field `log_level`, and the derived name was removed too.
 */
function isDerived(written: string, name: string, present: ReturnType<typeof presentNames>): boolean {
  if (present.names.has(written) || !/^\w+$/.test(name) || !/[a-z]/.test(name)) return false
  if (written.toLowerCase() === name.toLowerCase()) return false
  const isOption = written.startsWith('--')
  if (!isOption && written.includes('-')) return false
  if (isOption && written.slice(2).replaceAll('-', '_') === name) return true
  return !present.keys.has(nameKey(name))
}

/** A plain word is a name only if the page formats it as code, not in a sample, and the code defines it. */
function isSpecific(name: string, { kind }: Fact, { kind: where }: Statement): boolean {
  // A removed file name may only mean that the code no longer reads a file that still exists.
  if (kind === 'text' && /\.\w{1,5}$/.test(name)) return false
  if (isCodeLikeName(name) || name.startsWith('--') || name.includes('/')) return true
  return where !== 'sample' && name.length > 2 && kind !== 'text'
}

function presentNames(after: readonly CodeFacts[]) {
  const [names, keys, uses] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { facts } of after)
    for (const { name, kind } of facts)
      if (kind === 'use') uses.add(name)
      else names.add(name)
  for (const name of names) keys.add(nameKey(name))
  return { names, keys, uses }
}

function* changedValues(
  pairs: readonly LinePair[],
  after: readonly CodeFacts[],
  index: StatementIndex,
): Generator<Alarm> {
  for (const pair of pairs)
    for (const { value, own, near, name: assigned } of lostValues(pair))
      for (const mention of index.byValue.get(value) ?? []) {
        if (EXAMPLE_PHRASE_PATTERN.test(mention.statement.text)) continue
        const found = findDescribedName(mention.statement, value, own, near)
        const name = assigned ?? found ?? ''
        if (found === null || !isStatementAffected(mention, after, { name, value, file: pair.before.file }))
          continue
        yield toAlarm(mention, 'value', `${name} ${value}`, pair)
      }
}

/** Values that the line no longer has, with the names that they belong to. */
function* lostValues({ before, after, around }: LinePair) {
  if (after === null) return
  for (const { name, value } of before.facts) {
    const now = after.facts.find((fact) => fact.name === name)?.value
    if (value !== undefined && now !== undefined && now !== value && !VERSION_NAME_PATTERN.test(name))
      yield { value, own: [name, ...withoutDefault(name)], near: [], name }
  }
  const lost = before.values.filter((value) => !after.values.includes(value))
  if (after.values.length === 0 || before.facts.some(({ name }) => VERSION_NAME_PATTERN.test(name))) return
  const named = before.facts.filter(({ name }) => !lost.includes(name))
  const defined = named.filter(({ kind }) => kind !== 'use')
  const own = (defined.length > 0 ? defined : named).flatMap(({ name }) => [name, ...withoutDefault(name)])
  // Surrounding lines are used to find the name of a value only if its own line has none.
  const near = defined.length > 0 ? [] : around.map(({ name }) => name)
  for (const value of lost) yield { value, own, near, name: null }
}

/** Returns `cpus` for `DEFAULT_CPUS` and `defaultCpus`. */
function withoutDefault(name: string): string[] {
  const bare = name.replace(/^(?:DEFAULT_|default_|default(?=[A-Z]))|(?:_DEFAULT|_default|Default)$/, '')
  return bare === name || bare.length < 2 ? [] : [bare]
}

/** Versions change with each release, and pages often show an older one. */
const VERSION_NAME_PATTERN = /^version$/i
export const EXAMPLE_PHRASE_PATTERN = /\b(?:such as|e\.g|for example|examples?)\b/i

/** Words in names that do not identify a limit or default. */
const IGNORED_NAME_WORDS = new Set(
  'default defaults max maximum min minimum limit value size const the get set to in of ms seconds secs sec bytes kb mb gb kib mib gib initial base'.split(
    ' ',
  ),
)
const DEFAULT_OR_LIMIT_PATTERN = /\bdefaults?\b|\bmax|\bmin|\blimit|\bup to\b|\bat (?:most|least)\b/i

/** Returns the name in the code that the statement describes, or null. */
function findDescribedName(
  statement: Statement,
  value: string,
  own: readonly string[],
  near: readonly string[],
): string | null {
  const isEntry = statement.kind === 'row' || statement.kind === 'field'
  const said = (isEntry ? statement.about : [...statement.names, ...statement.about]).filter(
    (name) => name !== value,
  )
  const keys = new Set(said.map((name) => nameKey(lastNameSegment(name))))
  const isNumber = /^-?\d/.test(value)
  const isCommon = isCommonValue(value)
  const isAssertive = isEntry || DEFAULT_OR_LIMIT_PATTERN.test(statement.text)
  if ((isCommon || !isNumber) && !isAssertive) return null
  const isNamed = (name: string) =>
    name.length > 2 && keys.has(nameKey(name)) && (statement.kind !== 'sample' || isCodeLikeName(name))
  const found =
    own.find(isNamed) ??
    (isNumber && !isCommon ? near.find((name) => isCodeLikeName(name) && isNamed(name)) : undefined)
  if (found !== undefined) return found
  if (isCommon || statement.kind === 'sample') return null
  // Compares only significant words, so `DEFAULT_DEV_PORT` belongs to `server.port`.
  for (const name of own) {
    const words = wordsOf(name)
    if (!words.some((word) => IGNORED_NAME_WORDS.has(word))) continue
    const telling = new Set(words.filter((word) => !IGNORED_NAME_WORDS.has(word)))
    for (const one of said) {
      const parts = wordsOf(lastNameSegment(one)).filter((word) => !IGNORED_NAME_WORDS.has(word))
      if (parts.length > 0 && parts.length >= telling.size - 1 && parts.every((word) => telling.has(word)))
        return name
    }
  }
  return null
}

function lastNameSegment(name: string): string {
  return name.startsWith('--') ? name : (name.split(/\.|::|#/).findLast(Boolean) ?? name)
}

/**
 * Returns false if another line still assigns this value to the name, because the page may describe that line.
 * Returns true nevertheless if the page mentions the changed file: `providers.ecs.refreshSeconds` belongs to
 * `ecs/ecs.go`.
 */
function isStatementAffected(
  { page, statement }: Mention,
  after: readonly CodeFacts[],
  { name, value, file }: { name: string; value: string; file: string },
): boolean {
  const isStated = after.some(({ facts }) => facts.some((fact) => fact.name === name && fact.value === value))
  if (!isStated) return true
  const parts = (path: string) => path.split('/').map((part) => part.replace(/\.\w+$/, '').toLowerCase())
  const folders = new Set(parts(file).slice(1))
  const said = [...statement.names, ...statement.about].flatMap((one) => one.split('.').slice(0, -1))
  return [...said, parts(page).at(-1) ?? ''].some(
    (part) => part.length > 2 && folders.has(part.toLowerCase()),
  )
}

function* findSignatureAlarms(changed: readonly ChangedFile[], index: StatementIndex): Generator<Alarm> {
  for (const { path, before, after } of changed)
    for (const signature of changedSignatures(path, before ?? '', after ?? ''))
      for (const mention of index.byCall.get(signature.name) ?? [])
        if (isFalsified(mention.statement, signature))
          yield toAlarm(mention, 'signature', signature.name, signature)
}

/** Compares only calls with parameter names as arguments; other calls are examples with any arguments. */
function isFalsified(statement: Statement, { name, was, is }: ChangedSignature): boolean {
  return statement.calls.some((call) => {
    if (call.name !== name || call.arguments.length === 0) return false
    const named = call.arguments.filter((argument) => was.includes(argument))
    if (named.length === 0) return false
    // Methods of different types share plain names, so only the complete signature identifies a method.
    if (!isCodeLikeName(name) && (was.length < 2 || call.arguments.join() !== was.join())) return false
    if (named.some((argument) => !is.includes(argument))) return true
    return named.length === call.arguments.length && named.length === was.length && was.join() !== is.join()
  })
}

/** Yields an alarm for each moved file whose path is mentioned on a page. */
function* findMovedPaths({ paths }: AlarmInput, index: StatementIndex): Generator<Alarm> {
  for (const path of paths.before) {
    if (paths.after.has(path)) continue
    for (const end of listPathEndings(path)) {
      const mentions = [end, `/${end}`, `./${end}`].flatMap((name) => index.byName.get(name) ?? [])
      const isLeft = (one: string) => one === end || one.endsWith(`/${end}`)
      if (mentions.length === 0 || (end !== path && [...paths.after].some(isLeft))) continue
      const change = { before: { file: path, line: 1, text: path }, after: null }
      for (const mention of mentions) yield toAlarm(mention, 'path', end, change)
    }
  }
}

function toAlarm(
  { page, statement: { line, text } }: Mention,
  reason: AlarmReason,
  name: string,
  { before, after }: { before: CodeLine; after: CodeLine | null },
): Alarm {
  const locate = ({ file, line, text }: CodeLine) => ({ file, line, text })
  return { page, line, text, reason, name, before: locate(before), after: after && locate(after) }
}
