/**
 * Finds the statements that a code change may have made false: a name in the statement was removed, or its value,
 * signature or path has changed. Analyzes only changed lines; the rest of the code is only searched for remaining
 * uses of a name.
 */
import { type DiffLine, plainDiff } from '../../base/files/diff-file.ts'
import { HISTORY_PAGE, HISTORY_SENTENCE } from './ignored-pages.ts'
import { isCoined, nameKey, wordsOf } from './names.ts'
import { type CodeFacts, type Fact, readCode } from './read-code.ts'
import type { Statement } from './read-page.ts'
import { type ChangedSignature, changedSignatures } from './signatures.ts'
import type { PageStatements } from './statement-map.ts'
import { isCommonValue } from './values.ts'

export interface ChangedFile {
  path: string
  /** Null if the file does not exist. */
  before: string | null
  after: string | null
}

export interface CodeLocation {
  file: string
  line: number
  text: string
}

export interface Alarm {
  page: string
  line: number
  /** Sentence, table row or line of a sample. */
  text: string
  reason: 'gone' | 'value' | 'signature' | 'path'
  /** Name or value on which the statement is based. */
  name: string
  before: CodeLocation
  /** Null if the line was removed without a replacement. */
  after: CodeLocation | null
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
    ...findGoneNames(pairs, after, index),
    ...changedValues(pairs, after, index),
    ...signatureAlarms(input.changed, index),
    ...findMovedPaths(input, index),
  ]
  return deduplicateAlarms(found).slice(0, MAX_ALARMS)
}

export interface LinePair {
  file: string
  before: SideLine
  after: SideLine | null
  /** Facts on surrounding lines, nearest first, for values without a name. */
  around: Fact[]
}

export interface SideLine {
  line: number
  text: string
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
  const was = before === null ? EMPTY : readCode(path, before)
  const is = after === null ? EMPTY : readCode(path, after)
  const [wasLines, isLines] = [factsByLine(was), factsByLine(is)]
  const side = (lines: Map<number, Fact[]>, facts: CodeFacts, line: number, written: string): SideLine => {
    const text = written.trim().slice(0, 300)
    const masked = text.replace(/["'`][^"'`]*["'`]|\d[\d_.]*/g, '#')
    const shape = masked.replace(/[\w$#-]+/g, 'x')
    return { line, text, masked, shape, facts: lines.get(line) ?? [], values: facts.values.get(line) ?? [] }
  }
  const [pairs, rest]: [LinePair[], SideLine[]] = [[], []]
  for (const hunk of plainDiff(before, after)) {
    for (const { removed, added } of groupsOf(hunk)) {
      const free = added.map((line) => side(isLines, is, line.after as number, textOf(line)))
      for (const line of removed) {
        const own = side(wasLines, was, line.before as number, textOf(line))
        if (own.facts.length === 0 && own.values.length === 0) continue
        const match = findClosest(own, free)
        pairs.push({ file: path, before: own, after: match, around: factsAround(wasLines, own.line) })
      }
      rest.push(...free.filter(({ facts }) => facts.length > 0))
    }
  }
  return { pairs, added: rest, was, is }
}

const EMPTY: CodeFacts = { facts: [], values: new Map() }

function textOf({ parts }: DiffLine): string {
  return parts.map(({ text }) => text).join('')
}

function factsByLine({ facts }: CodeFacts): Map<number, Fact[]> {
  return Map.groupBy(facts, ({ line }) => line)
}

const LINES_BEFORE = 4
const LINES_AFTER = 2

function factsAround(lines: ReadonlyMap<number, Fact[]>, at: number): Fact[] {
  const near: Fact[] = []
  for (let distance = 1; distance <= LINES_BEFORE; distance++) {
    near.push(...(lines.get(at - distance) ?? []))
    if (distance <= LINES_AFTER) near.push(...(lines.get(at + distance) ?? []))
  }
  return near.filter(({ kind }) => kind !== 'use')
}

function groupsOf(hunk: readonly DiffLine[]): { removed: DiffLine[]; added: DiffLine[] }[] {
  const groups: { removed: DiffLine[]; added: DiffLine[] }[] = []
  let isOpen = false
  for (const line of hunk) {
    if (line.kind === 'same') {
      isOpen = false
      continue
    }
    if (!isOpen) groups.push({ removed: [], added: [] })
    isOpen = true
    const group = groups.at(-1) as (typeof groups)[number]
    if (line.kind === 'removed') group.removed.push(line)
    else group.added.push(line)
  }
  return groups
}

const MAX_COMPARED = 200

/** Returns the added line most similar to a removed line: by masked text and common names, else by shape. */
function findClosest(own: SideLine, free: SideLine[]): SideLine | null {
  const names = new Set(own.facts.map(({ name }) => name))
  let best: SideLine | null = null
  let bestScore = 0
  for (const line of free.slice(0, MAX_COMPARED)) {
    const shared = line.facts.filter(({ name }) => names.has(name)).length
    const score = (line.masked === own.masked ? 2 : 0) + shared / Math.max(1, names.size, line.facts.length)
    if (score > bestScore) [best, bestScore] = [line, score]
  }
  if (best === null || bestScore < 0.3) {
    // A line with a renamed name has no names in common, so the shape of the line decides.
    best = free.slice(0, MAX_COMPARED).find(({ shape }) => shape === own.shape) ?? null
  }
  if (best !== null) free.splice(free.indexOf(best), 1)
  return best
}

/** Statements by exact name, by `nameKey`, by value and by call. */
interface StatementIndex {
  byName: Map<string, Mention[]>
  byKey: Map<string, (Mention & { name: string })[]>
  byValue: Map<string, Mention[]>
  byCall: Map<string, Mention[]>
}

interface Mention {
  page: string
  statement: Statement
}

function indexStatements(pages: readonly PageStatements[]): StatementIndex {
  const index: StatementIndex = { byName: new Map(), byKey: new Map(), byValue: new Map(), byCall: new Map() }
  const add = <Item>(map: Map<string, Item[]>, key: string, item: Item) => {
    const list = map.get(key)
    if (list === undefined) map.set(key, [item])
    else list.push(item)
  }
  for (const { file, statements } of pages) {
    if (HISTORY_PAGE.test(file)) continue
    for (const statement of statements) {
      const mention = { page: file, statement }
      for (const name of statement.names) {
        add(index.byName, name, mention)
        add(index.byKey, nameKey(name), { ...mention, name })
      }
      for (const value of statement.values) add(index.byValue, value, mention)
      for (const { name } of statement.calls) add(index.byCall, name, mention)
    }
  }
  return index
}

function* findGoneNames(
  pairs: readonly LinePair[],
  after: readonly CodeFacts[],
  index: StatementIndex,
): Generator<Alarm> {
  const lost = new Map<string, LinePair>()
  for (const pair of pairs)
    for (const { name, kind } of pair.before.facts)
      if (kind !== 'use' && !lost.has(name) && (index.byName.has(name) || index.byKey.has(nameKey(name))))
        lost.set(name, pair)
  const present = presentNames(after, lost, index)
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
      if (other.name !== name && isCoined(other.name) && isDerived(other.name, name, present))
        mentions.push(other)
    if (mentions.length > MAX_STATEMENTS_OF_NAME) continue
    for (const mention of mentions)
      if (!HISTORY_SENTENCE.test(mention.statement.text)) yield toAlarm(mention, 'gone', name, pair)
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
  if (isCoined(name) || name.startsWith('--') || name.includes('/')) return true
  return where !== 'sample' && name.length > 2 && kind !== 'text'
}

function presentNames(
  after: readonly CodeFacts[],
  lost: ReadonlyMap<string, unknown>,
  index: StatementIndex,
) {
  const [names, keys, uses] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const lostKeys = new Set([...lost.keys()].map(nameKey))
  const written = new Set(
    [...lostKeys].flatMap((key) => (index.byKey.get(key) ?? []).map(({ name }) => name)),
  )
  for (const { facts } of after)
    for (const { name, kind } of facts) {
      if (kind === 'use') {
        if (lost.has(name)) uses.add(name)
        continue
      }
      if (lost.has(name) || written.has(name)) names.add(name)
      const key = nameKey(name)
      if (lostKeys.has(key)) keys.add(key)
    }
  return { names, keys, uses }
}

function* changedValues(
  pairs: readonly LinePair[],
  after: readonly CodeFacts[],
  index: StatementIndex,
): Generator<Alarm> {
  for (const pair of pairs) {
    if (pair.after === null) continue
    for (const { name, value } of pair.before.facts) {
      const now = pair.after.facts.find((fact) => fact.name === name)
      if (value === undefined || now?.value === undefined || now.value === value || IS_VERSION.test(name))
        continue
      const own = [name, ...withoutDefault(name)]
      for (const mention of index.byValue.get(value) ?? [])
        if (
          isAbout(mention, value, own, []) &&
          isStatementAffected(mention, after, { name, value, file: pair.file })
        )
          yield toAlarm(mention, 'value', `${name} ${value}`, pair)
    }
    const present = new Set(pair.after.values)
    const lost = pair.before.values.filter((value) => !present.has(value))
    if (lost.length === 0 || pair.after.values.length === 0) continue
    if (pair.before.facts.some(({ name }) => IS_VERSION.test(name))) continue
    const named = pair.before.facts.filter(({ name }) => !lost.includes(name))
    const defined = named.filter(({ kind }) => kind !== 'use')
    const own = (defined.length > 0 ? defined : named).flatMap(({ name }) => [name, ...withoutDefault(name)])
    // Surrounding lines are used to find the name of a value only if its own line has none.
    const near = defined.length > 0 ? [] : pair.around.map(({ name }) => name)
    for (const value of lost) {
      const mentions = index.byValue.get(value) ?? []
      for (const mention of mentions) {
        const name = isAbout(mention, value, own, near)
        if (name === null || !isStatementAffected(mention, after, { name, value, file: pair.file })) continue
        yield toAlarm(mention, 'value', `${name} ${value}`, pair)
      }
    }
  }
}

function isAbout({ statement }: Mention, value: string, own: readonly string[], near: readonly string[]) {
  return HISTORY_SENTENCE.test(statement.text) || IS_EXAMPLE.test(statement.text)
    ? null
    : findDescribedName(statement, value, own, near)
}

/** Returns `cpus` for `DEFAULT_CPUS` and `defaultCpus`. */
function withoutDefault(name: string): string[] {
  const bare = /^(?:DEFAULT_|default_|default(?=[A-Z]))(.{2,})$|^(.{2,})(?:_DEFAULT|_default|Default)$/.exec(
    name,
  )
  const rest = bare?.[1] ?? bare?.[2]
  return rest === undefined ? [] : [rest]
}

/** Versions change with each release, and pages often show an older one. */
const IS_VERSION = /^version$/i
const IS_EXAMPLE = /\b(?:such as|e\.g|for example|examples?)\b/i

/** Words in names that do not identify a limit or default. */
const IGNORED_NAME_WORDS = new Set(
  'default defaults max maximum min minimum limit value size const the get set to in of ms seconds secs sec bytes kb mb gb kib mib gib initial base'.split(
    ' ',
  ),
)
const STATES_DEFAULT = /\bdefaults?\b|\bmax|\bmin|\blimit|\bup to\b|\bat (?:most|least)\b/i

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
  const keys = new Set(said.map((name) => nameKey(lastPart(name))))
  const isNumber = /^-?\d/.test(value)
  const isCommon = isCommonValue(value)
  const isAssertive = isEntry || STATES_DEFAULT.test(statement.text)
  if ((isCommon || !isNumber) && !isAssertive) return null
  const isNamed = (name: string) =>
    name.length > 2 && keys.has(nameKey(name)) && (statement.kind !== 'sample' || isCoined(name))
  const found =
    own.find(isNamed) ??
    (isNumber && !isCommon ? near.find((name) => isCoined(name) && isNamed(name)) : undefined)
  if (found !== undefined) return found
  if (isCommon || statement.kind === 'sample') return null
  // Compares only significant words, so `DEFAULT_DEV_PORT` belongs to `server.port`.
  for (const name of own) {
    const words = wordsOf(name)
    if (!words.some((word) => IGNORED_NAME_WORDS.has(word))) continue
    const telling = new Set(words.filter((word) => !IGNORED_NAME_WORDS.has(word)))
    for (const one of said) {
      const parts = wordsOf(lastPart(one)).filter((word) => !IGNORED_NAME_WORDS.has(word))
      if (parts.length > 0 && parts.length >= telling.size - 1 && parts.every((word) => telling.has(word)))
        return name
    }
  }
  return null
}

function lastPart(name: string): string {
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
  const folders = new Set(
    file
      .split('/')
      .slice(1)
      .map((part) => part.replace(/\.\w+$/, '').toLowerCase()),
  )
  const said = [...statement.names, ...statement.about].flatMap((one) => one.split('.').slice(0, -1))
  const pageName = page.slice(page.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  return [...said, pageName].some((part) => part.length > 2 && folders.has(part.toLowerCase()))
}

function* signatureAlarms(changed: readonly ChangedFile[], index: StatementIndex): Generator<Alarm> {
  for (const file of changed) {
    if (file.before === null || file.after === null) continue
    for (const signature of changedSignatures(file.path, file.before, file.after)) {
      for (const mention of index.byCall.get(signature.name) ?? [])
        if (isFalsified(mention.statement, signature) && !HISTORY_SENTENCE.test(mention.statement.text))
          yield toAlarm(mention, 'signature', signature.name, {
            file: file.path,
            before: signature.before,
            after: signature.after,
          })
    }
  }
}

/** Compares only calls with parameter names as arguments; other calls are examples with any arguments. */
function isFalsified(statement: Statement, { name, was, is }: ChangedSignature): boolean {
  return statement.calls.some((call) => {
    if (call.name !== name || call.arguments.length === 0) return false
    const named = call.arguments.filter((argument) => was.includes(argument))
    if (named.length === 0) return false
    // Methods of different types share plain names, so only the complete signature identifies a method.
    if (!isCoined(name) && (was.length < 2 || call.arguments.join() !== was.join())) return false
    if (named.some((argument) => !is.includes(argument))) return true
    return named.length === call.arguments.length && named.length === was.length && was.join() !== is.join()
  })
}

/** Yields an alarm for each moved file whose path is mentioned on a page. */
function* findMovedPaths({ paths }: AlarmInput, index: StatementIndex): Generator<Alarm> {
  const gone = [...paths.before].filter((path) => !paths.after.has(path))
  for (const path of gone) {
    const parts = path.split('/')
    for (let from = 0; from < Math.max(1, parts.length - 1); from++) {
      const end = parts.slice(from).join('/')
      const mentions = [
        ...(index.byName.get(end) ?? []),
        ...(index.byName.get(`/${end}`) ?? []),
        ...(index.byName.get(`./${end}`) ?? []),
      ]
      if (
        mentions.length === 0 ||
        (from > 0 && [...paths.after].some((one) => one.endsWith(`/${end}`) || one === end))
      )
        continue
      for (const mention of mentions)
        if (!HISTORY_SENTENCE.test(mention.statement.text))
          yield toAlarm(mention, 'path', end, { file: path, before: { line: 1, text: path }, after: null })
    }
  }
}

function toAlarm(
  { page, statement }: Mention,
  reason: Alarm['reason'],
  name: string,
  {
    file,
    before,
    after,
  }: { file: string; before: { line: number; text: string }; after: { line: number; text: string } | null },
): Alarm {
  const locate = ({ line, text }: { line: number; text: string }) => ({ file, line, text })
  const { line, text } = statement
  return { page, line, text, reason, name, before: locate(before), after: after && locate(after) }
}

function deduplicateAlarms(alarms: readonly Alarm[]): Alarm[] {
  const byStatement = new Map<string, Alarm>()
  for (const alarm of alarms) {
    const key = `${alarm.page}:${alarm.line}:${alarm.text}`
    if (!byStatement.has(key)) byStatement.set(key, alarm)
  }
  return [...byStatement.values()].sort((a, b) =>
    a.page < b.page ? -1 : a.page > b.page ? 1 : a.line - b.line,
  )
}
