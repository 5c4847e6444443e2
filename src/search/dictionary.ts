/** The words of an index, of which a large one is loaded in parts by the alphabet. */
import { type IndexRoot, readNumbers, unpackForms } from './format.ts'

/** A word as the index has it. */
export interface Entry {
  stem: string
  /** In how many pages it stands. */
  pages: number
  /** Pages that are told; fewer than `pages` for a very frequent word. */
  places: readonly number[]
}

/** The words around one word of the alphabet. */
export interface WordPart {
  get(stem: string): Entry | null
  /** Stems that have a form that begins so. */
  beginning(start: string): { entry: Entry; form: string }[]
  /** Every form and its stem. */
  forms(): Iterable<readonly [form: string, stem: string]>
}

export type LoadPart = (path: string) => Promise<unknown>

export interface Dictionary {
  /** The part in which the word would stand. */
  partOf(word: string): Promise<WordPart>
  /** Whether asking for it loads nothing. */
  has(word: string): boolean
  /** Words that many pages have; empty when the one part has all. */
  frequent: ReadonlySet<string>
}

export function openDictionary(root: IndexRoot, load: LoadPart): Dictionary {
  const frequent = new Set(root.frequent === '' ? [] : root.frequent.split(' '))
  if (root.words !== null) {
    const whole = readPart(root.words)
    return { partOf: async () => whole, has: () => true, frequent }
  }
  const parts = new Map<string, WordPart>()
  const starts = root.wordParts.map(([stem]) => stem)
  const pathOf = (word: string) => root.wordParts[Math.max(0, lastBefore(starts, word))]?.[1] ?? ''
  return {
    frequent,
    has: (word) => parts.has(pathOf(word)),
    partOf: async (word) => {
      const path = pathOf(word)
      const part =
        parts.get(path) ?? readPart(path === '' ? '' : String(await load(`${root.folder}${path}.js`)))
      parts.set(path, part)
      return part
    },
  }
}

/** Place of the last one that is not behind the word; -1 for none. */
export function lastBefore<Value>(sorted: readonly Value[], word: Value): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as Value) <= word) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Entries are read when they are asked for. */
function readPart(text: string): WordPart {
  const lines = new Map<string, string>()
  const byForm: [string, string][] = []
  for (const line of text === '' ? [] : text.split(';')) {
    const end = line.indexOf(' ')
    const stem = line.slice(0, end)
    const formsEnd = line.indexOf(' ', end + 1)
    lines.set(stem, line.slice(formsEnd + 1))
    for (const form of unpackForms(stem, line.slice(end + 1, formsEnd))) byForm.push([form, stem])
  }
  byForm.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const sorted = byForm.map(([form]) => form)
  const entries = new Map<string, Entry>()

  const get = (stem: string): Entry | null => {
    const known = entries.get(stem)
    const code = lines.get(stem)
    if (known || code === undefined) return known ?? null
    const [pages = 0, ...places] = readNumbers(code)
    const entry = { stem, pages, places }
    entries.set(stem, entry)
    return entry
  }
  return {
    get,
    beginning: (start) => {
      const found: { entry: Entry; form: string }[] = []
      const seen = new Set<string>()
      for (let at = lastBefore(sorted, start); at < byForm.length; at++) {
        const [form, stem] = byForm[Math.max(0, at)] as [string, string]
        if (form.startsWith(start)) {
          const entry = seen.has(stem) ? null : get(stem)
          if (entry) found.push({ entry, form })
          seen.add(stem)
        } else if (form > start) break
      }
      return found
    },
    forms: () => byForm,
  }
}
