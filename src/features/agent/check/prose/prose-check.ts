/** Checks the prose of changed pages against the rules of the docs folder and the required spelling of names. */

import type { Problem } from '../../../../base/errors/problem.ts'
import type { FileTree } from '../../../../base/files/file-tree.ts'
import type { Site } from '../../../../site/model.ts'
import { type PatternCost, PatternCostError } from '../../code/line-pattern.ts'
import { decodeFileText, findText } from '../../edit/change-files.ts'
import type { ProseCoverage } from '../../operations/agent-review.ts'
import type { FileChange } from '../../publish/workspace.ts'
import { lintJson, lintProse } from './lint.ts'
import { lineAt, type ProseBlock, proseBlocks } from './prose-text.ts'
import { createValeRule, type Found, isInScope, readStyle, type ValeRule } from './vale-rules.ts'
import { LEVELS, readValeSettings, rulesFor, type ValeLevel, type ValeSettings } from './vale-settings.ts'

const MAX_NAMES = 1000
const MAX_PARTS = 5
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'’.+#]*[\p{L}\p{N}+#])?/gu

export interface ProseCheck {
  before: Problem[]
  after: Problem[]
  said: ProseCoverage
}

interface Rulebook {
  settings: ValeSettings | null
  styles: ReadonlyMap<string, readonly ValeRule[]>
  /** Names accepted by the project's vocabularies. */
  accepted: readonly string[]
  undone: readonly string[]
}

const NO_RULES: Rulebook = { settings: null, styles: new Map(), accepted: [], undone: [] }

/** Limit for all rules and all changed pages: about two seconds. */
const MAX_COST = 60_000_000
const MAX_PAGES = 300
const MAX_UNDONE_RULES = 50
const PAGE = /\.mdx?$/

/** Rulebooks by the files of a commit, shared by the jobs on that commit. */
const books = new WeakMap<FileTree, Promise<Rulebook>>()

/** Applies the rules from before the change. */
export async function checkProse(
  {
    before,
    after,
    site,
    names,
    usesVale = false,
  }: {
    before: FileTree
    after: FileTree
    site: Site | null
    names: readonly string[]
    usesVale?: boolean
  },
  changes: readonly FileChange[],
): Promise<ProseCheck> {
  const book = usesVale ? NO_RULES : await loadRulebook(before)
  const spelling = createNameSpelling([...(site === null ? names : siteNames(site, names)), ...book.accepted])
  const pages = changes.filter(({ path }) => PAGE.test(path))
  const cost = { left: MAX_COST }
  const used = new Set<string>()
  const found: { before: Problem[]; after: Problem[] } = { before: [], after: [] }
  let isWhole = pages.length <= MAX_PAGES
  try {
    for (const { path } of pages.slice(0, MAX_PAGES)) {
      const rules = selectPageRules(book, path)
      for (const { name } of rules) used.add(name)
      const was = await findText(before, path)
      for (const side of [
        { text: was, into: found.before },
        { text: await findText(after, path), into: found.after },
      ])
        if (side.text !== null) side.into.push(...problemsOf(path, side.text, { rules, spelling, cost }))
    }
  } catch (error) {
    if (!(error instanceof PatternCostError)) throw error
    isWhole = false
  }
  const said = {
    rules: used.size,
    undone: book.undone.slice(0, MAX_UNDONE_RULES),
    names: spelling.size,
    isWhole,
  }
  return { ...found, said }
}

function problemsOf(
  file: string,
  source: string,
  { rules, spelling, cost }: { rules: readonly ValeRule[]; spelling: NameSpelling; cost: PatternCost },
): Problem[] {
  const repetitions = !rules.some(({ name }) => name === REPETITION)
  const blocks = proseBlocks(source).flatMap((block) => [
    ...lintProse(file, block, { repetitions }),
    ...rules
      .filter((rule) => isInScope(rule, block))
      .flatMap((rule) => rule.find(block.text, cost).map((found) => ruleProblem(file, block, rule, found))),
    ...spelling.find(block.text).map((found) => nameProblem(file, block, found)),
  ])
  return [...blocks, ...lintJson(file, source)]
}

function ruleProblem(
  file: string,
  block: ProseBlock,
  { name, level, message }: ValeRule,
  found: Found,
): Problem {
  const words = [...found.words]
  const said = message.replace(/%s/g, () => (words.length > 1 ? words.shift() : words[0]) ?? '')
  const quoted = found.words.at(-1) ?? ''
  return {
    file,
    line: lineAt(block, found.at),
    code: 'prose.rule',
    level: level === 'suggestion' ? 'hint' : level,
    message: `${said.trim()} (${name}${said.includes(quoted) ? '' : `: “${quoted.slice(0, 80)}”`})`,
    remedy: 'Rewrite it to follow the rule.',
  }
}

function nameProblem(
  file: string,
  block: ProseBlock,
  { at, words: [name = '', written = ''] }: Found,
): Problem {
  return {
    file,
    line: lineAt(block, at),
    code: 'prose.name',
    level: 'warning',
    message: `The spelling on this site is “${name}”, not “${written}”.`,
    remedy: 'Use this spelling, or format it as code if it is a name in code.',
  }
}

const REPETITION = 'Vale.Repetition'
/** The built-in style. Its spelling rule needs a dictionary and is not supported. */
const BUILT_IN = 'Vale'

function selectPageRules({ settings, styles }: Rulebook, path: string): ValeRule[] {
  if (settings === null) return []
  const chosen = rulesFor(settings, path)
  const known = [...styles.values()].flat()
  return known.flatMap((rule): ValeRule[] => {
    const wanted = chosen.rules.get(rule.name)
    const isOfStyle = chosen.styles.includes(rule.name.slice(0, rule.name.indexOf('.')))
    if (wanted === 'off' || (wanted === undefined && !isOfStyle)) return []
    const level: ValeLevel = wanted === undefined || wanted === 'own' ? rule.level : wanted
    return LEVELS.indexOf(level) < LEVELS.indexOf(settings.least) ? [] : [{ ...rule, level }]
  })
}

function loadRulebook(tree: FileTree): Promise<Rulebook> {
  const known = books.get(tree)
  if (known !== undefined) return known
  const reading = readBook(tree)
  books.set(tree, reading)
  reading.catch(() => books.delete(tree))
  return reading
}

async function readBook(tree: FileTree): Promise<Rulebook> {
  const settings = await readValeSettings(tree)
  if (settings === null) return NO_RULES
  const styles = new Map<string, readonly ValeRule[]>()
  const undone = [...settings.undone]
  for (const style of listStyles(settings)) {
    if (style === BUILT_IN) continue
    const read = await readStyle(tree, settings.stylesPath, style)
    styles.set(style, read.rules)
    undone.push(...read.undone)
  }
  const words = await readVocabularies(tree, settings)
  styles.set(BUILT_IN, builtIn(words.rejected))
  if (isUsing(settings, BUILT_IN)) undone.push('Vale.Spelling')
  return { settings, styles, accepted: words.accepted, undone }
}

function listStyles({ sections }: ValeSettings): Set<string> {
  const named = sections.flatMap(({ rules }) =>
    [...rules.keys()].map((rule) => rule.slice(0, rule.indexOf('.'))),
  )
  return new Set([...sections.flatMap(({ styles }) => styles ?? []), ...named])
}

function isUsing({ sections }: ValeSettings, style: string): boolean {
  return sections.some(
    ({ styles, rules }) => styles?.includes(style) === true && rules.get('Vale.Spelling') !== 'off',
  )
}

function builtIn(rejected: readonly string[]): ValeRule[] {
  const avoid =
    rejected.length === 0
      ? null
      : createValeRule('Vale.Avoid', {
          extends: 'existence',
          message: "Avoid using '%s'.",
          level: 'error',
          ignorecase: true,
          tokens: rejected,
        })
  const repetition = createValeRule(REPETITION, {
    extends: 'repetition',
    message: "'%s' is repeated!",
    level: 'error',
    tokens: ['\\p{L}+'],
  })
  return [avoid, repetition].filter((rule) => rule !== null)
}

const MAX_WORDS = 1000
const MAX_VOCABULARY_BYTES = 100_000

async function readVocabularies(
  tree: FileTree,
  { stylesPath, vocabularies }: ValeSettings,
): Promise<{ accepted: string[]; rejected: string[] }> {
  const read = async (name: string) => {
    const lists = vocabularies.flatMap((one) => [
      `${stylesPath}/config/vocabularies/${one}/${name}`,
      `${stylesPath}/Vocab/${one}/${name}`,
    ])
    const texts = await Promise.all(
      lists
        .filter((path) => (tree.files.get(path)?.sizeBytes ?? MAX_VOCABULARY_BYTES) < MAX_VOCABULARY_BYTES)
        .map(async (path) => decodeFileText(await tree.read(path)) ?? ''),
    )
    const lines = texts.flatMap((text) => text.split(/\r?\n/)).map((line) => line.trim())
    return lines.filter((line) => line !== '' && !line.startsWith('#')).slice(0, MAX_WORDS)
  }
  // An entry with special characters is a pattern rather than the spelling of a name.
  const accepted = (await read('accept.txt')).filter((word) => /^[\p{L}\p{N} -]+$/u.test(word))
  return {
    accepted: accepted.filter((word) => word !== word.toLowerCase()),
    rejected: await read('reject.txt'),
  }
}

/** Required spellings of names: a different use of capitals, spaces or hyphens is a mistake. */
interface NameSpelling {
  size: number
  find(text: string): Found[]
}

/**
 * Returns the names listed by the project, and those names of the site that have a capital letter or a digit inside.
 * Names without either may also be everyday words.
 */
function siteNames(site: Site, listed: readonly string[]): string[] {
  const own = [site.config.name, ...[...site.apis.values()].map(({ root }) => titleOf(root))]
  return [...new Set([...listed, ...own.filter((name) => isDistinct(name))])].slice(0, MAX_NAMES)
}

function titleOf(root: unknown): string {
  const { info } = (root ?? {}) as { info?: { title?: unknown } }
  return typeof info?.title === 'string' && info.title.length <= 60 ? info.title.trim() : ''
}

function isDistinct(name: string): boolean {
  return partsOf(name).length <= MAX_PARTS && /\p{Ll}\p{Lu}|\p{Lu}{2}|\p{L}\p{N}|\p{N}\p{L}/u.test(name)
}

function createNameSpelling(names: readonly string[]): NameSpelling {
  const right = new Set(names)
  const byKey = new Map(names.map((name) => [keyOf(name), name]))
  const longest = Math.min(MAX_PARTS, Math.max(0, ...names.map((name) => partsOf(name).length + 1)))
  return {
    size: names.length,
    find(text) {
      if (byKey.size === 0) return []
      const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
        at: index,
        end: index + word.length,
      }))
      const found: Found[] = []
      for (let first = 0; first < words.length; first++) {
        for (let count = longest; count > 0; count--) {
          const last = words[first + count - 1]
          const begin = words[first]?.at ?? 0
          if (last === undefined) continue
          const written = text.slice(begin, last.end)
          const name = byKey.get(keyOf(written))
          if (name === undefined || !isTogether(written)) continue
          if (!right.has(written) && !isPlain(text, begin, last.end))
            found.push({ at: begin, words: [name, written] })
          first += count - 1
          break
        }
      }
      return found
    },
  }
}

/** Returns whether at most one space or hyphen separates the words. */
function isTogether(written: string): boolean {
  return !/[^\p{L}\p{N}'’.+# -]| {2}|\n/u.test(written)
}

/** Returns whether the match is prose, and not part of a URL, a path or a file name. */
function isPlain(text: string, from: number, to: number): boolean {
  return /[/@_\\]/.test(text[from - 1] ?? '') || /^(?:[/@_\\]|[:.]\w)/.test(text.slice(to, to + 2))
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, '')
}

function partsOf(name: string): string[] {
  return name.split(/[\s-]+/).filter((part) => part !== '')
}
