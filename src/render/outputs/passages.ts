/** Passages of a site for the assistant, stored with the pages as JSON lines. */
import {
  MAX_PASSAGES_PER_SECTION,
  PASSAGE_CHARACTERS,
  type Passage,
  passagesFile,
} from '../../base/api/passages.ts'
import type { Site, SitePage } from '../../site/model.ts'
import type { RenderedBody } from '../page/body.ts'
import { findVersionLabel } from '../page/version-label.ts'
import { isInSearch } from '../search/search-pages.ts'
import type { SiteFiles } from '../versions/site-files.ts'

export interface PassageWriter {
  /** Must be called once for each position from 0, in any order. */
  add(position: number, page: SitePage, body: RenderedBody): void
  /** Must be called after all positions were added. */
  write(): Promise<void>
}

export function createPassageWriter(site: Site, files: SiteFiles): PassageWriter {
  const lines = files.openText()
  const versions = new Map(site.sidebars.map((sidebar) => [sidebar.id, findVersionLabel(sidebar)]))
  return {
    add(position, page, { sections }) {
      const passages = isInSearch(page)
        ? createPassages(page, createPassageBase(page, versions), sections)
        : []
      lines.add(position, passages.map((passage) => `${JSON.stringify(passage)}\n`).join(''))
    },
    async write() {
      const passageText = await lines.finish()
      await files.addText([passagesFile(passageText.sha256)], passageText)
    },
  }
}

type PassageBase = Omit<Passage, 'anchor' | 'heading' | 'text'>

function createPassageBase(page: SitePage, versions: ReadonlyMap<string, string | null>): PassageBase {
  const [placement] = page.placements
  return {
    path: page.route,
    title: page.title,
    language: page.language,
    version: (placement && versions.get(placement.sidebar)) ?? null,
    words: [page.description ?? '', ...page.keywords, ...(placement?.groups ?? [])].filter(Boolean).join(' '),
  }
}

function createPassages(
  page: SitePage,
  passageBase: PassageBase,
  sections: RenderedBody['sections'],
): Passage[] {
  const opening = { id: null, title: null, text: page.description ?? page.title }
  const all = sections.some(({ text }) => text !== '') ? sections : [opening, ...sections]
  return all.flatMap(({ id, title, text }) =>
    splitText(text === '' ? (title ?? '') : text).map((piece) => ({
      ...passageBase,
      anchor: id,
      heading: title ?? '',
      text: piece,
    })),
  )
}

/** Splits at the end of a sentence in the second half or, if there is none, between words. */
export function splitText(text: string): string[] {
  const pieces: string[] = []
  let at = 0
  while (at < text.length && pieces.length < MAX_PASSAGES_PER_SECTION) {
    let end = Math.min(text.length, at + PASSAGE_CHARACTERS)
    if (end < text.length) {
      const half = at + PASSAGE_CHARACTERS / 2
      const sentence = Math.max(...['. ', '? ', '! ', '。'].map((mark) => text.lastIndexOf(mark, end - 1)))
      const space = text.lastIndexOf(' ', end)
      if (sentence > half) end = sentence + 1
      else if (space > half) end = space
      else if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1
    }
    const piece = text.slice(at, end).trim()
    if (piece !== '') pieces.push(piece)
    at = end
  }
  return pieces
}
