/** The search index of each language, made page by page; its files are described in ../search/format.ts. */
import { sha256 } from '../../base/hash.ts'
import { type IndexRoot, type IndexVersions, type PageText, runsOf } from '../../search/format.ts'
import { loadStemmer } from '../../search/stemmers.ts'
import { type Cutter, createCutter } from '../../search/words.ts'
import { type KeptIndex, type KeptPage, packIndex, unpackIndex } from './search-kept.ts'
import type { SearchPage } from './search-page.ts'
import { createPostings, type Postings, type StoredWord, type Vocabulary } from './search-postings.ts'
import { createWordScale } from './search-words.ts'

export interface SearchFile {
  /** Path in the site. */
  path: string
  content: string
}

export interface SearchScript {
  language: string
  content: string
}

export interface IndexSettings {
  versions: Omit<IndexVersions, 'runs'> | null
  /** Everything of a language in one file, however large it is. */
  isWhole: boolean
}

/** What an index takes from the one before it, and leaves for the one after it. */
export interface IndexKeeping {
  /** What the last one has left; null when there is nothing. */
  known: Uint8Array | null
}

/** What is told of a page that the last index has known under the same name. */
export interface SamePage extends Pick<SearchPage, 'language' | 'weight' | 'versions'> {}

export interface SearchIndexes {
  /**
   * One page after the other, in their order, so that the same site gives the same index. Resolves to files that are done.
   * `name` says what the page is made of, and is null for one that is not kept.
   */
  add(page: SearchPage, name?: string | null): Promise<SearchFile[]>
  /** In the place of `add`. Rejects when the last index does not know the name. */
  addSame(page: SamePage, name: string): Promise<SearchFile[]>
  /** What is left, and the root of each language that has pages. To be called once. `keeps`: for the next index. */
  finish(keeps?: boolean): { files: SearchFile[]; scripts: SearchScript[]; kept: Uint8Array | null }
}

/** Characters of all texts of a language that stand in one file with its words. */
const WHOLE_TEXTS = 300_000
/** Characters of a part. */
const TEXT_PART = 20_000
const WORD_PART = 36_000
/** Characters of a page that can be shown around a match. */
const SHOWN_OF_PAGE = 24_000
/** Words that many pages have, by which others are split and corrected. */
const FREQUENT_WORDS = 4000
/** Of a larger index nothing is kept: the thread holds it until the end. */
const MOST_KEPT_BYTES = 96 << 20
/** Of a vocabulary: words, and their share, that may be of pages that are gone. */
const MOST_UNUSED = { words: 2000, share: 0.3 }

export function createSearchIndexes(
  settings: IndexSettings,
  keeping: IndexKeeping | null = null,
): SearchIndexes {
  const known = keeping?.known ? unpackIndex(keeping.known) : null
  const pages = keeping && createKeptPages()
  const indexes = new Map<string, LanguageIndex>()
  const indexOf = async (language: string): Promise<LanguageIndex> => {
    const before = indexes.get(language)
    if (before) return before
    const cutter = createCutter(await loadStemmer(language))
    const made = createLanguageIndex(language, cutter, settings, known?.vocabularies.get(language))
    indexes.set(language, made)
    return made
  }
  const take = async (page: SamePage, made: KeptPage): Promise<SearchFile[]> => {
    pages?.add(made)
    return (await indexOf(page.language)).add(page, made)
  }
  return {
    add: async (page, name = null) => {
      const made = (await indexOf(page.language)).make(page, name ?? '')
      return take(page, name === null ? made : { ...made, record: made.record.slice() })
    },
    addSame: async (page, name) => take(page, samePage(known, name, page.language)),
    finish: (keeps = true) => {
      const sorted = [...indexes].sort(([a], [b]) => (a < b ? -1 : 1))
      const vocabularies = keeps && new Map(sorted.map(([language, index]) => [language, index.vocabulary()]))
      const done = sorted.map(([language, index]) => ({ language, ...index.finish() }))
      return {
        files: done.flatMap(({ files }) => files),
        scripts: done.map(({ language, root }) => ({
          language,
          content: `globalThis.__octavoSearch(${scriptValue(root)})\n`,
        })),
        kept: (vocabularies && pages?.pack(vocabularies)) || null,
      }
    },
  }
}

function samePage(known: KeptIndex | null, name: string, language: string): KeptPage {
  const page = known?.find(name, language)
  if (!page) throw new Error(`the last search index has no page ${name}`)
  return page
}

/** Pages until the end, unless they are too many. */
function createKeptPages() {
  const pages: KeptPage[] = []
  let bytes = 0
  return {
    add: (page: KeptPage) => {
      bytes += page.text.length + page.record.length
      if (bytes > MOST_KEPT_BYTES) pages.length = 0
      else if (page.name !== '') pages.push(page)
    },
    pack: (vocabularies: ReadonlyMap<string, Vocabulary | null>): Uint8Array => {
      const good = new Map<string, Vocabulary>()
      for (const [language, one] of vocabularies) if (one) good.set(language, one)
      const known = pages.filter(({ language }) => good.has(language))
      return packIndex(good, known)
    },
  }
}

interface LanguageIndex {
  /** The record is good until the next page is made. */
  make(page: SearchPage, name: string): KeptPage
  add(page: SamePage, made: KeptPage): SearchFile[]
  /** Null when too much of it is of pages that are gone: the next index begins anew. */
  vocabulary(): Vocabulary | null
  finish(): { files: SearchFile[]; root: IndexRoot }
}

function createLanguageIndex(
  language: string,
  cutter: Cutter,
  settings: IndexSettings,
  known?: Vocabulary,
): LanguageIndex {
  const postings = createPostings(known)
  const scale = createWordScale(cutter)
  const weights: number[] = []
  const versions: (readonly number[])[] = []
  const texts = createTexts(language, settings.isWhole)
  return {
    make: (page, name) => {
      const text = pageText(page)
      const size = text.sections.reduce((sum, [, heading, words]) => sum + heading.length + words.length, 100)
      const record = postings.record(scale.weigh(page))
      return { name, language, size, text: JSON.stringify(text), record }
    },
    add: (page, made) => {
      postings.add(weights.length, made.record)
      weights.push(Math.round(page.weight * 100))
      versions.push(page.versions)
      return texts.add(made)
    },
    vocabulary: () => {
      const vocabulary = postings.vocabulary()
      const most = Math.max(MOST_UNUSED.words, vocabulary.forms.length * MOST_UNUSED.share)
      return postings.unused() > most ? null : vocabulary
    },
    finish: () => {
      const text = texts.finish()
      const words = wordFiles(language, postings, text.inline !== null)
      const root: IndexRoot = {
        language,
        folder: folderOf(language),
        pages: weights.length,
        weights: runsOf(weights),
        versions: settings.versions && { ...settings.versions, runs: runsOf(versions) },
        frequent: words.frequent,
        wordParts: words.parts,
        textParts: text.parts,
        words: words.inline,
        texts: text.inline,
      }
      return { files: [...text.files, ...words.files], root }
    },
  }
}

/** Texts go out in parts as soon as they are too many for one file. */
function createTexts(language: string, isWhole: boolean) {
  const parts: [number, string][] = []
  let waiting: Pick<KeptPage, 'text' | 'size'>[] = []
  let waitingSize = 0
  let pages = 0
  let isSplit = false

  const cutPart = (): SearchFile => {
    let size = 0
    let count = 0
    while (count < waiting.length && (count === 0 || size < TEXT_PART)) size += waiting[count++]?.size ?? 0
    const part = waiting.slice(0, count).map(({ text }) => text)
    waiting = waiting.slice(count)
    waitingSize -= size
    const file = partFile(language, 't', `[${part.join(',')}]`)
    parts.push([pages - waiting.length - count, file.name])
    return file
  }
  return {
    add: ({ text, size }: Pick<KeptPage, 'text' | 'size'>): SearchFile[] => {
      waiting.push({ text, size })
      waitingSize += size
      pages += 1
      isSplit ||= !isWhole && waitingSize > WHOLE_TEXTS
      const files: SearchFile[] = []
      while (isSplit && waitingSize > TEXT_PART) files.push(cutPart())
      return files
    },
    finish: () => {
      if (!isSplit)
        return { files: [], parts, inline: waiting.map(({ text }) => JSON.parse(text) as PageText) }
      const files: SearchFile[] = []
      while (waiting.length > 0) files.push(cutPart())
      return { files, parts, inline: null }
    },
  }
}

function pageText({ title, href, groups, description, sections, ...page }: SearchPage): PageText {
  let left = SHOWN_OF_PAGE
  const shown = sections.map(({ id, title: heading, text }, number) => {
    const whole = number === 0 && description !== '' ? `${description} ${text}` : text
    const cut = whole.length <= left ? whole : whole.slice(0, left).toWellFormed()
    left -= cut.length
    return [id === null ? '' : encodeURIComponent(id), heading ?? '', cut] as const
  })
  return {
    title,
    href,
    trail: groups,
    ...(page.versionTwins.length > 0 ? { versions: page.versionTwins } : {}),
    ...(page.languageTwins.length > 0 ? { languages: page.languageTwins } : {}),
    sections: shown,
  }
}

interface WordFiles {
  files: SearchFile[]
  parts: [string, string][]
  frequent: string
  inline: string | null
}

function wordFiles(language: string, postings: Postings, isInline: boolean): WordFiles {
  const words = postings.words()
  if (isInline) {
    return { files: [], parts: [], frequent: '', inline: words.map(({ line }) => line).join(';') }
  }
  const files: SearchFile[] = []
  const parts: [string, string][] = []
  let part: StoredWord[] = []
  let size = 0
  const close = () => {
    const file = partFile(language, 'w', JSON.stringify(part.map(({ line }) => line).join(';')))
    files.push(file)
    parts.push([part[0]?.stem ?? '', file.name])
    part = []
    size = 0
  }
  for (const word of words) {
    if (part.length > 0 && size + word.line.length > WORD_PART) close()
    part.push(word)
    size += word.line.length
  }
  if (part.length > 0) close()
  return { files, parts, frequent: frequentWords(words), inline: null }
}

function frequentWords(words: readonly StoredWord[]): string {
  return words
    .filter(({ pages, form }) => pages > 1 && /^\p{L}{2,}$/u.test(form))
    .sort((a, b) => b.pages - a.pages)
    .slice(0, FREQUENT_WORDS)
    .map(({ form }) => form)
    .join(' ')
}

/** Named by its content, so that what stays the same from one version of the site to the next is kept by browsers. */
function partFile(language: string, kind: 't' | 'w', json: string): SearchFile & { name: string } {
  const value = asScript(json)
  const name = `${kind}.${sha256(value).slice(0, 10)}`
  const path = `${folderOf(language)}${name}.js`
  return { name, path, content: `globalThis.__octavoSearchPart("${path}",${value})\n` }
}

function folderOf(language: string): string {
  return `_octavo/search/${fileName(language)}/`
}

function fileName(language: string): string {
  return language.replace(/[^\w-]/g, '-')
}

/** JSON is JavaScript; `<` is escaped so that it ends no script wherever it stands. */
function scriptValue(value: unknown): string {
  return asScript(JSON.stringify(value))
}

function asScript(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
