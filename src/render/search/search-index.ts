/** The search index of each language, made page by page; its files are described in ../search/format.ts. */
import { sha256 } from '../../base/hash.ts'
import { type IndexRoot, type IndexVersions, type PageText, runsOf } from '../../search/format.ts'
import { loadStemmer } from '../../search/stemmers.ts'
import { type Cutter, createCutter } from '../../search/words.ts'
import type { SearchPage } from './search-page.ts'
import { createPostings, type Postings, type StoredWord } from './search-postings.ts'
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

export interface SearchIndexes {
  /** One page after the other, in their order, so that the same site gives the same index. Resolves to files that are done. */
  add(page: SearchPage): Promise<SearchFile[]>
  /** What is left, and the root of each language that has pages. To be called once. */
  finish(): { files: SearchFile[]; scripts: SearchScript[] }
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

export function createSearchIndexes(settings: IndexSettings): SearchIndexes {
  const indexes = new Map<string, LanguageIndex>()
  return {
    add: async (page) => {
      let index = indexes.get(page.language)
      if (!index) {
        index = createLanguageIndex(page.language, createCutter(await loadStemmer(page.language)), settings)
        indexes.set(page.language, index)
      }
      return index.add(page)
    },
    finish: () => {
      const sorted = [...indexes].sort(([a], [b]) => (a < b ? -1 : 1))
      const done = sorted.map(([language, index]) => ({ language, ...index.finish() }))
      return {
        files: done.flatMap(({ files }) => files),
        scripts: done.map(({ language, root }) => ({
          language,
          content: `globalThis.__octavoSearch(${scriptValue(root)})\n`,
        })),
      }
    },
  }
}

interface LanguageIndex {
  add(page: SearchPage): SearchFile[]
  finish(): { files: SearchFile[]; root: IndexRoot }
}

function createLanguageIndex(language: string, cutter: Cutter, settings: IndexSettings): LanguageIndex {
  const postings = createPostings()
  const scale = createWordScale(cutter)
  const weights: number[] = []
  const versions: (readonly number[])[] = []
  const texts = createTexts(language, settings.isWhole)
  return {
    add: (page) => {
      postings.add(weights.length, scale.weigh(page))
      weights.push(Math.round(page.weight * 100))
      versions.push(page.versions)
      return texts.add(page)
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
  let waiting: { text: PageText; size: number }[] = []
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
    const file = partFile(language, 't', part)
    parts.push([pages - waiting.length - count, file.name])
    return file
  }
  return {
    add: (page: SearchPage): SearchFile[] => {
      const text = pageText(page)
      const size = text.sections.reduce((sum, [, heading, words]) => sum + heading.length + words.length, 100)
      waiting.push({ text, size })
      waitingSize += size
      pages += 1
      isSplit ||= !isWhole && waitingSize > WHOLE_TEXTS
      const files: SearchFile[] = []
      while (isSplit && waitingSize > TEXT_PART) files.push(cutPart())
      return files
    },
    finish: () => {
      if (!isSplit) return { files: [], parts, inline: waiting.map(({ text }) => text) }
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
    const file = partFile(language, 'w', part.map(({ line }) => line).join(';'))
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
function partFile(language: string, kind: 't' | 'w', content: unknown): SearchFile & { name: string } {
  const value = scriptValue(content)
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
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
