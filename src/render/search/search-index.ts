/** The search index of each language, made page by page; its files are described in ../search/format.ts. */
import { type IndexRoot, type IndexVersions, type PageText, runsOf } from '../../search/format.ts'
import { loadStemmer } from '../../search/stemmers.ts'
import { type Cutter, createCutter } from '../../search/words.ts'
import { type KeptIndex, type KeptPage, packIndex, unpackIndex } from './search-kept.ts'
import { type LedgerLanguage, type PartStart, packLedger } from './search-ledger.ts'
import type { SearchPage } from './search-page.ts'
import {
  folderOf,
  frequentWords,
  partName,
  rootScript,
  type SearchFile,
  TEXT_PART,
  textsFile,
  WHOLE_TEXTS,
  wordStarts,
  wordsFile,
} from './search-parts.ts'
import { createPostings, type NumberedWord, type Postings, type Vocabulary } from './search-postings.ts'
import { createWordScale } from './search-words.ts'

export interface SearchScript {
  language: string
  content: string
}

export interface IndexSettings {
  versions: Omit<IndexVersions, 'runs'> | null
  /** Everything of a language in one file, however large it is. */
  isWhole: boolean
}

/** What an index leaves for the next one: for one of many other pages, and for one of few. */
export interface KeptIndexes {
  index: Uint8Array
  ledger: Uint8Array
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
  finish(keeps?: boolean): { files: SearchFile[]; scripts: SearchScript[]; kept: KeptIndexes | null }
}

/** Characters of a page that can be shown around a match. */
const SHOWN_OF_PAGE = 24_000
/** Of a larger index nothing is kept: the thread holds it until the end. */
const MOST_KEPT_BYTES = 48 << 20
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
      const kept = vocabularies && pages && pages.pack(vocabularies, done)
      return {
        files: done.flatMap(({ files }) => files),
        scripts: done.map(({ language, root }) => ({
          language,
          content: rootScript(root),
        })),
        kept: kept || null,
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
    pack: (
      vocabularies: ReadonlyMap<string, Vocabulary | null>,
      made: readonly { language: string; parts: MadeParts | null }[],
    ): KeptIndexes => {
      const good = new Map<string, Vocabulary>()
      for (const [language, one] of vocabularies) if (one) good.set(language, one)
      const known = pages.filter(({ language }) => good.has(language))
      const ledger = made.map(({ language, parts }) =>
        ledgerOf(
          parts,
          pages.filter((page) => page.language === language),
        ),
      )
      const whole = ledger.filter((one) => one !== null)
      return {
        index: packIndex(good, known),
        ledger: packLedger(whole.length === ledger.length ? whole : []),
      }
    },
  }
}

/** What the files of a language were made of, when its words and texts are in parts. */
interface MadeParts extends Omit<LedgerLanguage, 'names' | 'sizes' | 'recordOf'> {
  pages: number
}

/** Null when it is in one file, or not all of its pages are known. */
function ledgerOf(parts: MadeParts | null, known: readonly KeptPage[]): LedgerLanguage | null {
  if (parts === null || known.length !== parts.pages) return null
  const { pages: _, ...rest } = parts
  return {
    ...rest,
    names: known.map(({ name }) => name),
    sizes: known.map(({ size }) => size),
    recordOf: (page) => (known[page] as KeptPage).record,
  }
}

interface LanguageIndex {
  /** The record is good until the next page is made. */
  make(page: SearchPage, name: string): KeptPage
  add(page: SamePage, made: KeptPage): SearchFile[]
  /** Null when too much of it is of pages that are gone: the next index begins anew. */
  vocabulary(): Vocabulary | null
  finish(): { files: SearchFile[]; root: IndexRoot; parts: MadeParts | null }
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
      const record = postings.record(scale.weigh(page))
      return { name, language, size: textSize(text), text: JSON.stringify(text), record }
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
      const unused = postings.formPages().filter((pages) => pages === 0).length
      return unused > most ? null : vocabulary
    },
    finish: () => {
      const text = texts.finish()
      const lines = postings.words()
      const isInline = text.inline !== null
      const words = isInline ? NO_WORD_FILES : wordFiles(language, lines)
      const root: IndexRoot = {
        language,
        folder: folderOf(language),
        pages: weights.length,
        weights: runsOf(weights),
        versions: settings.versions && { ...settings.versions, runs: runsOf(versions) },
        frequent: words.frequent,
        wordParts: words.parts.map(([digest, start]) => [lines[start]?.stem ?? '', partName('w', digest)]),
        textParts: text.parts.map(([digest, start]) => [start, partName('t', digest)]),
        words: isInline ? lines.map(({ line }) => line).join(';') : null,
        texts: text.inline,
      }
      const made = { language, pages: weights.length, textParts: text.parts, wordParts: words.parts }
      const parts = isInline ? null : { ...made, ...madeLines(postings, lines) }
      return { files: [...text.files, ...words.files], root, parts }
    },
  }
}

function madeLines(postings: Postings, lines: readonly NumberedWord[]) {
  return {
    vocabulary: postings.vocabulary(),
    formPages: postings.formPages(),
    terms: lines.map(({ term }) => term),
    lines: lines.map(({ line }) => line),
    wholes: new Map(lines.flatMap(({ whole }, at) => (whole === null ? [] : [[at, whole] as const]))),
  }
}

/** Texts go out in parts as soon as they are too many for one file. */
function createTexts(language: string, isWhole: boolean) {
  const parts: PartStart[] = []
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
    const file = textsFile(language, part)
    parts.push([file.digest, pages - waiting.length - count])
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

export function pageText({ title, href, groups, description, sections, ...page }: SearchPage): PageText {
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

/** Characters, with what stands around them. */
export function textSize({ sections }: PageText): number {
  return sections.reduce((sum, [, heading, words]) => sum + heading.length + words.length, 100)
}

interface WordFiles {
  files: SearchFile[]
  parts: PartStart[]
  frequent: string
}

const NO_WORD_FILES: WordFiles = { files: [], parts: [], frequent: '' }

function wordFiles(language: string, words: readonly NumberedWord[]): WordFiles {
  const starts = wordStarts(words)
  const files = starts.map((start, part) => wordsFile(language, words.slice(start, starts[part + 1])))
  return {
    files,
    parts: files.map(({ digest }, part) => [digest, starts[part] as number]),
    frequent: frequentWords(
      words.map(({ pages }) => pages),
      (word) => words[word]?.form ?? '',
    ),
  }
}
