/**
 * What docs may call by name of what stands in code: options, addresses of an API, files, and identifiers. No grammar is
 * read. Each pattern looks at one line, and finds the same name on both sides: in a changed line, and in the code of a page.
 */
import { definitionsIn } from './code-outline.ts'

/** By name, how much it says that a page with it is about this. */
export type Names = Map<string, number>

/** One alone makes a page worth a look; two of the lower weight do. */
export const ENOUGH = 2
const PLAIN = 1

const MAX_LINE = 1000
const MAX_SEGMENTS = 12
const OPTION = /(?<![\w-])--[A-Za-z][\w-]{1,60}/g
const WORD = /[A-Za-z_$][\w$]{2,80}/g
const DOTTED = /(?<!\w)[A-Za-z]\w{0,60}(?:[.-]\w{1,60}){1,6}/g
const SEGMENTS =
  /(?<![\w.@~-])(?:[\w.@~-]{1,100}|\{[\w.-]{0,60}\})?(?:\/(?:[\w.@~-]{1,100}|\$?\{[\w.-]{0,60}\}|<[\w.:-]{1,60}>|:\w{1,60}|\*))+/g
const PARAMETER = /^(?:\$?\{.*|<.*|:.*|\*|\d+)$/
/** In quotes and alone: a value, or an address. */
const QUOTED = /["'`]([A-Za-z][\w.-]{3,60})["'`]/g
const QUOTED_ADDRESS = /["'`](\/[^\s"'`]{2,200})["'`]/g
const KEY = /^\s*(?:- )?["']?([A-Za-z][\w.-]{3,60})["']?\s*[:=]/
const HAS_KEYS = /\.(?:json|ya?ml|toml|ini|properties|env)$/
/** What others wrote is named there, and nothing of its own. */
const IMPORT = /^\s*(?:import|export \*|from|use|using|require|include|#include|package)\b/

/** Adds what a changed line of a file names. */
export function addNames(names: Names, file: string, written: string): void {
  const line = written.slice(0, MAX_LINE)
  if (IMPORT.test(line)) return
  for (const [option] of line.matchAll(OPTION)) add(names, option, ENOUGH)
  for (const [, address = ''] of line.matchAll(QUOTED_ADDRESS)) {
    const parts = segmentsOf(address)
    if (parts.filter(isNamed).length >= 2) add(names, parts.join('/'), ENOUGH)
  }
  for (const [word] of line.matchAll(WORD)) if (isCoined(word)) add(names, word, ENOUGH)
  for (const [, value = ''] of line.matchAll(QUOTED)) add(names, value, isCoined(value) ? ENOUGH : PLAIN)
  for (const { name } of definitionsIn(file, line)) if (name.length > 3) add(names, name, PLAIN)
  const key = HAS_KEYS.test(file) ? KEY.exec(line)?.[1] : undefined
  if (key !== undefined) add(names, key, PLAIN)
}

/** Adds the ways in which a page may name a changed file: its path, or the end of it. */
export function addFile(names: Names, path: string): void {
  const parts = segmentsOf(path)
  for (let from = 0; from <= Math.max(0, parts.length - 2); from++)
    add(names, parts.slice(from).join('/'), ENOUGH)
}

/** What a line of a page's code may name; the same name may come twice. */
export function* namesOnLine(written: string): Iterable<string> {
  const line = written.slice(0, MAX_LINE)
  for (const [option] of line.matchAll(OPTION)) yield option
  for (const [word] of line.matchAll(WORD)) yield word
  for (const [value] of line.matchAll(DOTTED)) yield value
  for (const [path] of line.matchAll(SEGMENTS)) {
    const parts = segmentsOf(path)
    for (let from = 0; from < parts.length; from++) yield parts.slice(from).join('/')
  }
}

/** Parameters of addresses are called differently in code and in docs. */
function segmentsOf(path: string): string[] {
  return path
    .split(/[?#]/, 1)
    .join('')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .slice(-MAX_SEGMENTS)
    .map((part) => (PARAMETER.test(part) ? '{}' : part))
}

const isNamed = (part: string) => part !== '{}'

/** No word of a language: somebody made it up for this. */
function isCoined(word: string): boolean {
  return word.length > 4 && (/[a-z0-9][A-Z]/.test(word) || /[A-Za-z0-9][_-][A-Za-z0-9]/.test(word))
}

function add(names: Names, name: string, weight: number): void {
  names.set(name, Math.max(weight, names.get(name) ?? 0))
}
