/**
 * Builds the search index of each language page by page; the file format is described in ../search/format.ts.
 */
import { encodeRuns, type IndexRoot, type PageText } from '../../search/format.ts'
import { loadStemmer } from '../../search/stemmers.ts'
import { createTokenizer, type Tokenizer } from '../../search/words.ts'
import type { StoredWord } from './search-lines.ts'
import type { IndexSettings, SearchPage } from './search-pages.ts'
import {
  createTextPartFile,
  createWordPartFile,
  findWordPartStarts,
  frequentWords,
  getFolder,
  MAX_INLINE_TEXT_CHARACTERS,
  partName,
  rootScript,
  type SearchFile,
  TEXT_PART_CHARACTERS,
} from './search-parts.ts'
import { createPostings } from './search-postings.ts'
import { createWordScale } from './word-weights.ts'

export interface SearchScript {
  language: string
  content: string
}

export interface SearchIndexes {
  /**
   * Must be called once per page, in order, so that the same site produces the same index. Resolves to the
   * files that this page completed.
   */
  add(page: SearchPage): Promise<SearchFile[]>
  /** Returns the remaining files, and the root of each language that has pages. Must be called only once. */
  finish(): { files: SearchFile[]; scripts: SearchScript[] }
}

/** Maximum number of characters per page that are stored for excerpts. */
const MAX_SHOWN_CHARACTERS = 24_000

export function createSearchIndexes(settings: IndexSettings): SearchIndexes {
  const indexes = new Map<string, LanguageIndex>()
  const indexOf = async (language: string): Promise<LanguageIndex> => {
    const before = indexes.get(language)
    if (before) return before
    const tokenizer = createTokenizer(await loadStemmer(language))
    const languageIndex = createLanguageIndex(language, tokenizer, settings)
    indexes.set(language, languageIndex)
    return languageIndex
  }
  return {
    add: async (page) => (await indexOf(page.language)).add(page),
    finish: () => {
      const sorted = [...indexes].sort(([a], [b]) => (a < b ? -1 : 1))
      const done = sorted.map(([language, index]) => ({ language, ...index.finish() }))
      return {
        files: done.flatMap(({ files }) => files),
        scripts: done.map(({ language, root }) => ({ language, content: rootScript(root) })),
      }
    },
  }
}

interface LanguageIndex {
  add(page: SearchPage): SearchFile[]
  finish(): { files: SearchFile[]; root: IndexRoot }
}

function createLanguageIndex(language: string, tokenizer: Tokenizer, settings: IndexSettings): LanguageIndex {
  const postings = createPostings()
  const scale = createWordScale(tokenizer)
  const weights: number[] = []
  const versions: (readonly number[])[] = []
  const texts = createTextCollector(language, settings.isWhole)
  return {
    add: (page) => {
      postings.add(weights.length, scale.weigh(page))
      weights.push(Math.round(page.weight * 100))
      versions.push(page.versions)
      return texts.add(pageText(page))
    },
    finish: () => {
      const text = texts.finish()
      const lines = postings.words()
      const isInline = text.inline !== null
      const words = isInline ? NO_WORD_FILES : wordFiles(language, lines)
      const root: IndexRoot = {
        language,
        folder: getFolder(language),
        pages: weights.length,
        weights: encodeRuns(weights),
        versions: settings.versions && { ...settings.versions, runs: encodeRuns(versions) },
        frequent: words.frequent,
        wordParts: words.wordParts,
        textParts: text.parts,
        words: isInline ? lines.map(({ line }) => line).join(';') : null,
        texts: text.inline,
      }
      return { files: [...text.files, ...words.files], root }
    },
  }
}

/** Collects the texts of pages, which are written in parts once they are too large for a single file. */
function createTextCollector(language: string, isWhole: boolean) {
  const parts: [number, string][] = []
  let waiting: { text: PageText; size: number }[] = []
  let waitingSize = 0
  let pages = 0
  let isSplit = false

  const flushPart = (): SearchFile => {
    let size = 0
    let count = 0
    while (count < waiting.length && (count === 0 || size < TEXT_PART_CHARACTERS))
      size += waiting[count++]?.size ?? 0
    const part = waiting.slice(0, count).map(({ text }) => text)
    waiting = waiting.slice(count)
    waitingSize -= size
    const file = createTextPartFile(language, part)
    parts.push([pages - waiting.length - count, partName('t', file.digest)])
    return file
  }
  return {
    add: (text: PageText): SearchFile[] => {
      const size = textSize(text)
      waiting.push({ text, size })
      waitingSize += size
      pages += 1
      isSplit ||= !isWhole && waitingSize > MAX_INLINE_TEXT_CHARACTERS
      const files: SearchFile[] = []
      while (isSplit && waitingSize > TEXT_PART_CHARACTERS) files.push(flushPart())
      return files
    },
    finish: () => {
      if (!isSplit) return { files: [], parts, inline: waiting.map(({ text }) => text) }
      const files: SearchFile[] = []
      while (waiting.length > 0) files.push(flushPart())
      return { files, parts, inline: null }
    },
  }
}

function pageText({ title, href, groups, description, sections, ...page }: SearchPage): PageText {
  let remaining = MAX_SHOWN_CHARACTERS
  const shown = sections.map(({ id, title: heading, text }, number) => {
    const whole = number === 0 && description !== '' ? `${description} ${text}` : text
    const cut = whole.length <= remaining ? whole : whole.slice(0, remaining).toWellFormed()
    remaining -= cut.length
    return [id === null ? '' : encodeURIComponent(id), heading ?? '', cut] as const
  })
  return {
    title,
    href,
    trail: groups,
    ...(page.updated === null ? {} : { updated: page.updated }),
    ...(page.versionTwins.length > 0 ? { versions: page.versionTwins } : {}),
    ...(page.languageTwins.length > 0 ? { languages: page.languageTwins } : {}),
    sections: shown,
  }
}

/** Returns the size in characters, including an estimate for the surrounding structure. */
function textSize({ sections }: PageText): number {
  return sections.reduce((sum, [, heading, words]) => sum + heading.length + words.length, 100)
}

interface WordFiles extends Pick<IndexRoot, 'wordParts' | 'frequent'> {
  files: SearchFile[]
}

const NO_WORD_FILES: WordFiles = { files: [], wordParts: [], frequent: '' }

function wordFiles(language: string, words: readonly StoredWord[]): WordFiles {
  const starts = findWordPartStarts(words)
  const files = starts.map((start, part) =>
    createWordPartFile(language, words.slice(start, starts[part + 1])),
  )
  return {
    files,
    wordParts: files.map(({ digest }, part) => [
      words[starts[part] as number]?.stem ?? '',
      partName('w', digest),
    ]),
    frequent: frequentWords(words),
  }
}
