/** Finds pages whose code mentions what changed in a code repository. Runs in the process that reads the docs. */

import type { FileTree } from '../../../base/files/file-tree.ts'
import { createYielder } from '../../../base/text/yielder.ts'
import { isPageFile } from '../../../site/navigation/routes.ts'
import { maskCode } from '../../../site/pages/scan-page.ts'
import { definitionsIn } from '../code/code-outline.ts'
import { findText } from './change-files.ts'
import { type PatchedFile, readPatchLines } from './patch-lines.ts'
import { isShown } from './paths.ts'

/** Weight at which a page is reported: one specific name, or two plain ones. */
const STRONG_WEIGHT = 2

const PLAIN_WEIGHT = 1

const MAX_LINE = 1000

const MAX_SEGMENTS = 12

const OPTION = /(?<![\w-])--[A-Za-z][\w-]{1,60}/g

const WORD = /[A-Za-z_$][\w$]{2,80}/g

const DOTTED = /(?<!\w)[A-Za-z]\w{0,60}(?:[.-]\w{1,60}){1,6}/g

const SEGMENTS =
  /(?<![\w.@~-])(?:[\w.@~-]{1,100}|\{[\w.-]{0,60}\})?(?:\/(?:[\w.@~-]{1,100}|\$?\{[\w.-]{0,60}\}|<[\w.:-]{1,60}>|:\w{1,60}|\*))+/g

const PARAMETER = /^(?:\$?\{.*|<.*|:.*|\*|\d+)$/

/** A quoted value on its own. */
const QUOTED = /["'`]([A-Za-z][\w.-]{3,60})["'`]/g

const QUOTED_ADDRESS = /["'`](\/[^\s"'`]{2,200})["'`]/g

const KEY = /^\s*(?:- )?["']?([A-Za-z][\w.-]{3,60})["']?\s*[:=]/

const HAS_KEYS = /\.(?:json|ya?ml|toml|ini|properties|env)$/

/** Lines that mention names of others and define none. */
const IMPORT = /^\s*(?:import|export \*|from|use|using|require|include|#include|package)\b/

const isNamed = (part: string) => part !== '{}'

export interface ChangedCode {
  /** Paths of all changed files. */
  paths: readonly string[]
  /** Patch of the files that are read. */
  patch: string
}

export interface NamedPages {
  /** Highest weight first. */
  pages: NamingPage[]
  /** Number of pages before the limit was applied. */
  total: number
  /** Changed ranges of the files in the patch. */
  ranges: Pick<PatchedFile, 'path' | 'ranges'>[]
}

export interface NamingPage {
  file: string
  /** Rarest first. */
  names: { name: string; line: number }[]
}

/** Maximum number of names from lines, and from paths. */
const MAX_NAMES = 20_000
const MAX_PAGES = 20_000
const MAX_BYTES = 256 << 20
/** A name on more pages than this number, or this share of them, does not distinguish any of them. */
const MANY_PAGES = 5
const LARGE_PART = 0.2
const MAX_REPORTED_PAGES = 500
const MAX_NAMES_OF_PAGE = 8
const MAX_RANGES_OF_FILE = 8
const ATTRIBUTES = /<(?:Param|Response)Field\b[^>]{0,500}/g
const VALUE = /\s(?:path|query|body|header|cookie|name)\s*=\s*["']([^"'\n]{1,100})["']/g

export async function findNamingPages(tree: FileTree, { paths, patch }: ChangedCode): Promise<NamedPages> {
  const breaks = createYielder()
  const files = readPatchLines(patch)
  const names: Names = new Map()
  for (const file of files) {
    for (const line of file.lines) if (names.size < MAX_NAMES) addNames(names, file.path, line)
    if (breaks.isDue()) await breaks.yieldNow()
  }
  for (const path of paths) if (names.size < 2 * MAX_NAMES) addFile(names, path)
  const pages = await readPages(tree, names)
  const found = selectRelevantPages(pages, names)
  return {
    pages: found.slice(0, MAX_REPORTED_PAGES),
    total: found.length,
    ranges: files.map(({ path, ranges }) => ({ path, ranges: ranges.slice(0, MAX_RANGES_OF_FILE) })),
  }
}

/** Lines of the names found, by page. */
type NamesByPage = Map<string, Map<string, number>>

async function readPages(tree: FileTree, names: Names): Promise<NamesByPage> {
  const breaks = createYielder()
  const found: NamesByPage = new Map()
  const files = [...tree.files.keys()].filter((file) => isPageFile(file) && isShown(file))
  let bytes = 0
  for (const file of files.slice(0, MAX_PAGES)) {
    const text = await findText(tree, file)
    if (text === null) continue
    bytes += text.length
    if (bytes > MAX_BYTES) break
    found.set(file, findNames(extractCode(text), names))
    if (breaks.isDue()) await breaks.yieldNow()
  }
  return found
}

function findNames(code: string, names: Names): Map<string, number> {
  const lines = new Map<string, number>()
  code.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    for (const name of namesOnLine(line)) if (names.has(name) && !lines.has(name)) lines.set(name, index + 1)
  })
  return lines
}

/** Returns code blocks, code spans and parameter names with everything else blanked; line numbers are preserved. */
function extractCode(text: string): string {
  const prose = maskCode(text, 0)
  const code = [...text.split('\n')]
  const lines = prose.split('\n').map((line, index) => blankProse(code[index] ?? '', line))
  const fields = lines.join('\n').split('')
  for (const { 0: tag, index: at } of prose.matchAll(ATTRIBUTES))
    for (const { 0: whole, 1: value = '', index } of tag.matchAll(VALUE)) {
      const start = at + index + whole.length - value.length - 1
      for (let offset = 0; offset < value.length; offset++) fields[start + offset] = value[offset] ?? ' '
    }
  return fields.join('')
}

function blankProse(line: string, prose: string): string {
  if (prose.trim() === '') return line
  let code = ''
  for (let at = 0; at < line.length; at++) code += prose[at] === line[at] ? ' ' : line[at]
  return code
}

/** Ranks the pages, ignoring names that many of them mention. */
function selectRelevantPages(found: NamesByPage, names: Names): NamingPage[] {
  const counts = new Map<string, number>()
  for (const lines of found.values())
    for (const name of lines.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = Math.max(MANY_PAGES, found.size * LARGE_PART)
  const isRare = (name: string) => (counts.get(name) ?? 0) <= most
  const pages: (NamingPage & { weight: number })[] = []
  for (const [file, lines] of found) {
    const rare = [...lines].filter(([name]) => isRare(name))
    const weight = rare.reduce((sum, [name]) => sum + (names.get(name) ?? 0), 0)
    if (weight < STRONG_WEIGHT) continue
    const reported = rare
      .sort(([a], [b]) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
      .slice(0, MAX_NAMES_OF_PAGE)
    pages.push({ file, weight, names: reported.map(([name, line]) => ({ name, line })) })
  }
  pages.sort((a, b) => b.weight - a.weight || (a.file < b.file ? -1 : 1))
  return pages.map(({ file, names: reported }) => ({ file, names: reported }))
}

// Names in code that docs may mention: options, API paths, files, and identifiers. No grammar is parsed.
// Each pattern examines one line and finds the same name on both sides: in a changed line, and in the code of a page.

/** Weight of each name: how strongly it relates a page to the change. */
type Names = Map<string, number>

/** Adds the names in a changed line of a file. */
function addNames(names: Names, file: string, written: string): void {
  const line = written.slice(0, MAX_LINE)
  if (IMPORT.test(line)) return
  for (const [option] of line.matchAll(OPTION)) add(names, option, STRONG_WEIGHT)
  for (const [, address = ''] of line.matchAll(QUOTED_ADDRESS)) {
    const parts = splitSegments(address)
    if (parts.filter(isNamed).length >= 2) add(names, parts.join('/'), STRONG_WEIGHT)
  }
  for (const [word] of line.matchAll(WORD)) if (isCoined(word)) add(names, word, STRONG_WEIGHT)
  for (const [, value = ''] of line.matchAll(QUOTED))
    add(names, value, isCoined(value) ? STRONG_WEIGHT : PLAIN_WEIGHT)
  for (const { name } of definitionsIn(file, line)) if (name.length > 3) add(names, name, PLAIN_WEIGHT)
  const key = HAS_KEYS.test(file) ? KEY.exec(line)?.[1] : undefined
  if (key !== undefined) add(names, key, PLAIN_WEIGHT)
}

/** Adds the forms in which a page may mention a changed file: its path, or the end of it. */
function addFile(names: Names, path: string): void {
  const parts = splitSegments(path)
  for (let from = 0; from <= Math.max(0, parts.length - 2); from++)
    add(names, parts.slice(from).join('/'), STRONG_WEIGHT)
}

/** Yields the names in a line of a page's code, possibly with duplicates. */
function* namesOnLine(written: string): Iterable<string> {
  const line = written.slice(0, MAX_LINE)
  for (const [option] of line.matchAll(OPTION)) yield option
  for (const [word] of line.matchAll(WORD)) yield word
  for (const [value] of line.matchAll(DOTTED)) yield value
  for (const [path] of line.matchAll(SEGMENTS)) {
    const parts = splitSegments(path)
    for (let from = 0; from < parts.length; from++) yield parts.slice(from).join('/')
  }
}

/** Path parameters are normalized, since code and docs name them differently. */
function splitSegments(path: string): string[] {
  return path
    .split(/[?#]/, 1)
    .join('')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .slice(-MAX_SEGMENTS)
    .map((part) => (PARAMETER.test(part) ? '{}' : part))
}

/** Whether a word is an invented identifier rather than a word of a language. */
function isCoined(word: string): boolean {
  return word.length > 4 && (/[a-z0-9][A-Z]/.test(word) || /[A-Za-z0-9][_-][A-Za-z0-9]/.test(word))
}

function add(names: Names, name: string, weight: number): void {
  names.set(name, Math.max(weight, names.get(name) ?? 0))
}
