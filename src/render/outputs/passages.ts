/** The passages of a site, for the assistant that answers its readers: a file of lines beside the pages. */
import {
  MOST_PASSAGES_OF_SECTION,
  PASSAGE_CHARACTERS,
  type Passage,
  passagesFile,
} from '../../contract/passages.ts'
import type { Site, SitePage } from '../../site/model.ts'
import type { RenderedBody } from '../page/body.ts'
import { versionLabel } from '../page/version-label.ts'
import { isInSearch } from '../search/search-pages.ts'
import type { FullText } from '../versions/full-text.ts'
import type { SiteFiles } from '../versions/site-files.ts'

export interface PassageWriter {
  /** In any order; each place from 0 on comes once. */
  add(place: number, page: SitePage, sections: RenderedBody['sections']): void
  /** To be called when every place has come. */
  write(files: SiteFiles): Promise<void>
}

/** `lines` is of this writer alone. */
export function createPassageWriter(site: Site, lines: FullText): PassageWriter {
  const versions = new Map(site.sidebars.map((sidebar) => [sidebar.id, versionLabel(sidebar)]))
  return {
    add(place, page, sections) {
      const passages = isInSearch(page) ? passagesOf(page, sections, versions) : []
      lines.add(place, passages.map((passage) => `${JSON.stringify(passage)}\n`).join(''))
    },
    async write(files) {
      const made = await lines.finish()
      await files.addWhole(passagesFile(made.sha256), made)
    },
  }
}

function passagesOf(
  page: SitePage,
  sections: RenderedBody['sections'],
  versions: ReadonlyMap<string, string | null>,
): Passage[] {
  const [placement] = page.placements
  const about = {
    path: page.route,
    title: page.title,
    language: page.language,
    version: (placement && versions.get(placement.sidebar)) ?? null,
    words: [page.description ?? '', ...page.keywords, ...(placement?.groups ?? [])].filter(Boolean).join(' '),
  }
  const opening = { id: null, title: null, text: page.description ?? page.title }
  const all = sections.some(({ text }) => text !== '') ? sections : [opening, ...sections]
  return all.flatMap(({ id, title, text }) =>
    cutText(text === '' ? (title ?? '') : text).map((piece) => ({
      ...about,
      anchor: id,
      heading: title ?? '',
      text: piece,
    })),
  )
}

/** At the end of a sentence where there is one in the second half, else between words. */
export function cutText(text: string): string[] {
  const pieces: string[] = []
  let at = 0
  while (at < text.length && pieces.length < MOST_PASSAGES_OF_SECTION) {
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
