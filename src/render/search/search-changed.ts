/** The indexes of a site in which a few pages have changed: most of their files are those of the last ones. */
import { type IndexRoot, runsOf } from '../../search/format.ts'
import { loadStemmer } from '../../search/stemmers.ts'
import { createCutter } from '../../search/words.ts'
import { changeLines, frequentLines, type PartSpan, spansOf } from './search-change.ts'
import { type IndexSettings, pageText, type SamePage, type SearchScript, textSize } from './search-index.ts'
import type { LedgerLanguage } from './search-ledger.ts'
import type { SearchPage } from './search-page.ts'
import {
  folderOf,
  type PartKind,
  partName,
  partPath,
  rootScript,
  textStarts,
  textsFile,
  WHOLE_TEXTS,
  wordStarts,
  wordsFile,
} from './search-parts.ts'
import { createWordScale } from './search-words.ts'

/** A page of the site, in the order of all. */
export type OrderedPage = { name: string | null; about: SamePage } & (
  | { kind: 'page'; page: SearchPage }
  /** One that the last index has known by this name. */
  | { kind: 'same'; read: () => Promise<SearchPage> }
)

/** A file that may be there already. */
export interface PlannedFile {
  path: string
  digest: string
  content(): string | Promise<string>
}

export interface ChangedIndexes {
  files: PlannedFile[]
  scripts: SearchScript[]
}

/** Null when the ledger is of other pages, or of another order; then nothing is known. */
export async function changeIndexes(
  ledger: readonly LedgerLanguage[],
  pages: readonly OrderedPage[],
  settings: IndexSettings,
): Promise<ChangedIndexes | null> {
  const byLanguage = Map.groupBy(pages, ({ about }) => about.language)
  if (byLanguage.size !== ledger.length) return null
  const made: ChangedIndexes = { files: [], scripts: [] }
  for (const known of ledger) {
    const own = byLanguage.get(known.language)
    const changed = own && isInOrder(known, own) ? await tryLanguage(known, own, settings) : null
    if (changed === null) return null
    made.files.push(...changed.files)
    made.scripts.push({ language: known.language, content: rootScript(changed.root) })
  }
  return made
}

/** Null for a ledger that contradicts itself: somebody else has written it. */
async function tryLanguage(...args: Parameters<typeof changeLanguage>): ReturnType<typeof changeLanguage> {
  try {
    return await changeLanguage(...args)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function isInOrder({ names }: LedgerLanguage, pages: readonly OrderedPage[]): boolean {
  return (
    pages.length === names.length &&
    pages.every(({ kind, name }, at) => kind === 'page' || name === names[at])
  )
}

async function changeLanguage(
  known: LedgerLanguage,
  pages: readonly OrderedPage[],
  settings: IndexSettings,
): Promise<{ files: PlannedFile[]; root: IndexRoot } | null> {
  const { language } = known
  const scale = createWordScale(createCutter(await loadStemmer(language)))
  const changes = pages.flatMap((one, page) =>
    one.kind === 'page' ? [{ page, words: scale.weigh(one.page) }] : [],
  )
  const sizes = pages.map((one, page) =>
    one.kind === 'page' ? textSize(pageText(one.page)) : (known.sizes[page] as number),
  )
  if (sizes.reduce((sum, size) => sum + size, 0) <= WHOLE_TEXTS) return null
  const lines = changeLines(known, changes)
  const words = spansOf(
    wordStarts(lines),
    lines.map(({ before }) => before),
    { parts: known.wordParts, count: known.lines.length },
  ).map((span) =>
    plannedFile(language, 'w', span, () => wordsFile(language, lines.slice(span.start, span.end))),
  )
  const texts = []
  const before = pages.map(({ kind }, page) => (kind === 'page' ? null : page))
  for (const span of spansOf(textStarts(sizes), before, { parts: known.textParts, count: pages.length }))
    texts.push(
      await plannedFile(language, 't', span, () => textFile(language, pages.slice(span.start, span.end))),
    )
  const wordFiles = await Promise.all(words)
  const root: IndexRoot = {
    language,
    folder: folderOf(language),
    pages: pages.length,
    weights: runsOf(pages.map(({ about }) => Math.round(about.weight * 100))),
    versions: settings.versions && {
      ...settings.versions,
      runs: runsOf(pages.map(({ about }) => about.versions)),
    },
    frequent: frequentLines(lines),
    wordParts: wordFiles.map(({ start, digest }) => [lines[start]?.stem ?? '', partName('w', digest)]),
    textParts: texts.map(({ start, digest }) => [start, partName('t', digest)]),
    words: null,
    texts: null,
  }
  return { files: [...texts, ...wordFiles], root }
}

/** Of a part that the last index had, nothing is made until it is known to be gone. */
async function plannedFile(
  language: string,
  kind: PartKind,
  { start, digest }: PartSpan,
  make: () => ReturnType<typeof wordsFile> | Promise<ReturnType<typeof wordsFile>>,
): Promise<PlannedFile & { start: number }> {
  if (digest !== null) {
    const path = partPath(language, kind, digest)
    return { start, path, digest, content: async () => (await make()).content }
  }
  const made = await make()
  return { start, ...made, content: () => made.content }
}

async function textFile(language: string, pages: readonly OrderedPage[]) {
  const texts: string[] = []
  for (const one of pages) {
    const page = one.kind === 'page' ? one.page : await one.read()
    texts.push(JSON.stringify(pageText(page)))
  }
  return textsFile(language, texts)
}
