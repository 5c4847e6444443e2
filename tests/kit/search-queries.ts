/** Generates search queries from a site's own text, each with the pages that answer it. */
import type { PageText } from '../../src/search/format.ts'

export type QueryKind =
  | 'heading'
  | 'sentence'
  | 'form'
  | 'misspelling'
  | 'identifier'
  | 'joined'
  | 'split'
  | 'part'

export interface SearchQuery {
  kind: QueryKind
  query: string
  /** Addresses of the pages that contain the text. */
  answers: readonly string[]
}

/** Phrases on more pages than this are not specific enough for a query. */
const MOST_ANSWERS = 2
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Returns at most `count` queries of each kind, always the same for the same pages and seed. */
export function makeQueries(pages: readonly PageText[], count: number, seed: number): SearchQuery[] {
  const random = mulberry32(seed)
  const headings = phrases(pages, ({ title, sections }) => [title, ...sections.map(([, heading]) => heading)])
  const spoken = [...headings].filter(([, { answers }]) => answers.size <= MOST_ANSWERS)
  const named = spoken.filter(
    ([phrase]) => !UNSPACED.test(phrase) && /^\S+( \S+){1,7}$/.test(phrase) && /\p{L}{4}/u.test(phrase),
  )
  const from = (kind: QueryKind, change: (text: string) => string | null) => {
    const found: SearchQuery[] = []
    for (const [, { text, answers }] of shuffled(named, random)) {
      const query = found.length < count ? change(text) : null
      if (query !== null) found.push({ kind, query, answers: [...answers] })
    }
    return found
  }
  return [
    ...from('heading', (text) => text),
    ...sentences(pages, count, random),
    ...from('form', otherForms),
    ...from('misspelling', (text) => misspelt(text, random)),
    ...identifiers(pages, count, random),
    ...from('joined', joined),
    ...from('split', split),
    ...parts(spoken, count, random),
  ]
}

interface Phrase {
  text: string
  answers: Set<string>
}

/** Collects phrases, keyed by their words in lower case. */
function phrases(pages: readonly PageText[], of: (page: PageText) => readonly string[]): Map<string, Phrase> {
  const found = new Map<string, Phrase>()
  for (const page of pages) {
    for (const text of of(page)) {
      const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}'’_.-]+/gu)
      if (!words) continue
      const key = words.join(' ')
      const phrase = found.get(key) ?? { text: text.trim(), answers: new Set() }
      phrase.answers.add(page.href)
      found.set(key, phrase)
    }
  }
  return found
}

/** Takes the first five to seven words of random sentences. */
function sentences(pages: readonly PageText[], count: number, random: () => number): SearchQuery[] {
  const all = pages.map(({ sections }) => sections.map(([, , text]) => text.toLowerCase()).join('\n'))
  const found: SearchQuery[] = []
  for (const page of shuffled(pages, random)) {
    if (found.length === count) break
    const whole = page.sections.flatMap(([, , text]) => text.match(/(?<=[.!?] )[A-Z][^.!?]{40,}[.!?]/g) ?? [])
    const sentence = whole[Math.floor(random() * whole.length)]
    const words = sentence?.match(/^(?:[A-Za-z'-]+ ){5,7}/)?.[0].trim()
    if (!words || /^(?:For|See|If you) /.test(words)) continue
    const answers = pages.filter((_, index) => all[index]?.includes(words.toLowerCase()))
    if (answers.length > MOST_ANSWERS) continue
    found.push({ kind: 'sentence', query: words, answers: answers.map(({ href }) => href) })
  }
  return found
}

function otherForms(text: string): string | null {
  if (!/^[\x20-\x7e]+$/.test(text)) return null
  const changed = text.replace(/[A-Za-z]{4,}/g, (word) => {
    if (/(?:ate|ize|ure|ute|age|ide)$/.test(word)) return `${word.slice(0, -1)}ing`
    if (/[^siu]s$/.test(word)) return word.slice(0, -1)
    return /[bdgkmnprt]$/.test(word) && !/ing$/.test(word) ? `${word}s` : word
  })
  return changed === text ? null : changed
}

/** Omits, doubles, replaces or swaps one letter of the longest word, never the first letter. */
function misspelt(text: string, random: () => number): string | null {
  const words = text.match(/[a-zA-Z]+/g) ?? []
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  if (longest.length < 6) return null
  const at = 1 + Math.floor(random() * (longest.length - 2))
  const [before, letter, next, after] = [
    longest.slice(0, at),
    longest.charAt(at),
    longest.charAt(at + 1),
    longest.slice(at + 2),
  ]
  const slips = [
    before + next + after,
    before + letter + letter + next + after,
    before + (letter === 'e' ? 'a' : 'e') + next + after,
    before + next + letter + after,
  ]
  const slip = slips[Math.floor(random() * slips.length)] ?? longest
  return slip === longest ? null : text.replace(longest, slip).toLowerCase()
}

function identifiers(pages: readonly PageText[], count: number, random: () => number): SearchQuery[] {
  const found = new Map<string, Set<string>>()
  for (const { href, sections } of pages) {
    for (const [, , text] of sections) {
      for (const [name] of text.matchAll(
        /\b(?:[a-z]{2,}(?:_[a-z]{2,}){1,3}|[a-z]{3,}(?:[A-Z][a-z]{2,}){1,3})\b/g,
      )) {
        const answers = found.get(name) ?? new Set()
        answers.add(href)
        found.set(name, answers)
      }
    }
  }
  const rare = [...found].filter(([, answers]) => answers.size <= MOST_ANSWERS)
  return shuffled(rare, random)
    .slice(0, count)
    .map(([query, answers]) => ({ kind: 'identifier', query, answers: [...answers] }))
}

/** Joins two words: `Back up data` → `Backup data`, `air-gapped hosts` → `airgapped hosts`. */
function joined(text: string): string | null {
  if (/[a-z]{3}-[a-z]{3}/.test(text)) return text.replace(/([a-z]{3})-([a-z]{3})/, '$1$2')
  const changed = text.replace(/\b([A-Za-z]{3,8}) ([a-z]{2,8})\b/, '$1$2')
  return changed === text || /\b(?:the|and|for|with|your)\b/i.test(text) ? null : changed
}

/** Splits words that are written both ways: `webhook` → `web hook`. */
function split(text: string): string | null {
  const changed = text
    .replace(/\b([A-Za-z]{2,})-([a-z]{3,})\b/, '$1 $2')
    .replace(
      /\b(web|data|work|end|run|time|play|back|sand|key|code|name|change|micro|multi|key|sign|log)(hooks?|base|bases|flows?|points?|books?|times?|ground|up|box|word|words|spaces?|log|logs|service|services|in|out)\b/i,
      '$1 $2',
    )
  return changed === text ? null : changed
}

/** Takes random substrings of headings in scripts without spaces. */
function parts(
  headings: readonly (readonly [string, Phrase])[],
  count: number,
  random: () => number,
): SearchQuery[] {
  const unspaced = headings.filter(
    ([phrase]) => /^\S{5,}$/.test(phrase) && [...phrase].every((letter) => UNSPACED.test(letter)),
  )
  const found: SearchQuery[] = []
  for (const [phrase, { answers }] of shuffled(unspaced, random)) {
    const start = Math.floor(random() * (phrase.length - 4))
    const query = phrase.slice(start, start + 4 + Math.floor(random() * 4))
    const alike = headings
      .filter(([other]) => other.includes(query))
      .flatMap(([, other]) => [...other.answers])
    if (new Set(alike).size > MOST_ANSWERS) continue
    if (found.length < count)
      found.push({ kind: 'part', query, answers: [...new Set([...answers, ...alike])] })
  }
  return found
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
