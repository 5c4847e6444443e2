/** Words of an index. If the index is large, alphabetical parts of its words are loaded on demand. */
import { type IndexRoot, readNumbers, unpackForms } from './format.ts'

export interface Entry {
  stem: string
  /** Number of pages that contain the word. */
  pages: number
  /** Occurrences by page; for a very frequent word, not all pages are listed. */
  places: readonly number[]
}

export interface WordPart {
  get(stem: string): Entry | null
  startingWith(start: string): { entry: Entry; form: string }[]
  forms(): Iterable<readonly [form: string, stem: string]>
}

export type LoadPart = (path: string) => Promise<unknown>

export interface Dictionary {
  loadPartFor(word: string): Promise<WordPart>
  /** True if looking up the word does not load anything. */
  has(word: string): boolean
  /** Frequent words; empty if there is a single part with all words. */
  frequent: ReadonlySet<string>
}

export function openDictionary(root: IndexRoot, load: LoadPart): Dictionary {
  const frequent = new Set(root.frequent === '' ? [] : root.frequent.split(' '))
  if (root.words !== null) {
    const whole = readPart(root.words)
    return { loadPartFor: async () => whole, has: () => true, frequent }
  }
  const parts = new Map<string, WordPart>()
  const starts = root.wordParts.map(([stem]) => stem)
  const pathOf = (word: string) => root.wordParts[Math.max(0, findLastBefore(starts, word))]?.[1] ?? ''
  return {
    frequent,
    has: (word) => parts.has(pathOf(word)),
    loadPartFor: async (word) => {
      const path = pathOf(word)
      const part =
        parts.get(path) ?? readPart(path === '' ? '' : String(await load(`${root.folder}${path}.js`)))
      parts.set(path, part)
      return part
    },
  }
}

/** Returns the index of the last value less than or equal to `word`; -1 if there is none. */
export function findLastBefore<Value>(sorted: readonly Value[], word: Value): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as Value) <= word) low = middle + 1
    else high = middle
  }
  return low - 1
}

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
    const cached = entries.get(stem)
    const code = lines.get(stem)
    if (cached || code === undefined) return cached ?? null
    const [pages = 0, ...places] = readNumbers(code)
    const entry = { stem, pages, places }
    entries.set(stem, entry)
    return entry
  }
  return {
    get,
    startingWith: (start) => {
      const found: { entry: Entry; form: string }[] = []
      const seen = new Set<string>()
      for (let at = findLastBefore(sorted, start); at < byForm.length; at++) {
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
