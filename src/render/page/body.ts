/** Input and output of a render child for one page body. Plain data in both directions. */
import type { Problem } from '../../base/errors/problem.ts'
import type { ApiReference } from '../api/reference.ts'
import type { Markup } from '../html/markup.ts'

export interface BodyRequest {
  /** Path below the docs folder, for problems and for resolving relative links. */
  file: string
  /** Complete source of the file, including frontmatter. */
  source: string
  /** 1-based line on which the body starts. */
  bodyLine: number
  /** Snippets and components imported by this page, transitively; paths below the docs folder. */
  modules: readonly { path: string; source: string }[]
  variables: Readonly<Record<string, string>>
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler'
  /** Shiki theme names. */
  codeThemes: { light: string; dark: string }
  /** Headings get anchors. All other differences of wide and custom pages are a matter of the layout. */
  hasAnchors: boolean
  /** False if dollars in the text do not delimit formulas. */
  hasMath: boolean
  /** Language of the page, for texts in components. */
  language: string
  /** API content shown with the page's own text; null for pages without any. */
  reference: ApiReference | null
}

export interface RenderedBody {
  /** Level-1 heading at the start of the text; `html` is the rest. */
  opening: Opening | null
  /** Links and sources are absolute site paths (`/guides/x#y`, `/images/a.png`), or unchanged if external. */
  html: Markup
  /** Content of Panel, RequestExample and ResponseExample for the right column; null if there is none. */
  side: Markup | null
  anchors: PageAnchors
  /** Images without a size, in order: paths in the site, which may not exist. */
  images: readonly string[]
  /** Remote images without a size: absolute URLs. */
  pictures: readonly string[]
  /** Remote URLs of files that can be copied: images, video, audio, style sheets. */
  remote: readonly string[]
  /** The same text as Markdown, including the right column; links of the site are marked, see `resolveSiteLinks`. */
  markdown: string
  toc: readonly TocEntry[]
  /** Plain text by section, for the search index; `id` is null for text before the first heading. */
  sections: readonly { id: string | null; title: string | null; text: string }[]
  /** All values of class attributes in `html`, for utility classes. */
  classes: readonly string[]
  usesMath: boolean
  usesMermaid: boolean
  /** Tags of Update entries. */
  updateTags: readonly string[]
  /** Feed items of Update entries. */
  updates: readonly UpdateItem[]
  /** Author components that run in the reader's browser; null if there are none. */
  islands: BodyIslands | null
  problems: readonly Problem[]
}

export interface Opening {
  id: string | null
  /** Without markup. */
  words: string
  /** The complete heading. */
  whole: Markup
  /** Inner markup of the heading. */
  content: Markup
}

/** Anchors and links of a page, collected until all pages are rendered. */
export interface PageAnchors {
  /** One per line: a set for each page would take three times the memory. */
  ids: string
  /** Links with a fragment, as written in the page: `/guides/y#x`, and `#x` if the page has no such id. */
  links: readonly string[]
  /** Parts of the page are rendered in the browser, so its ids are not completely known. */
  isOpen: boolean
}

/** A heading of an Update entry, or an entry without headings. */
export interface UpdateItem {
  title: string
  id: string | null
  text: string
  /** In milliseconds since 1970. */
  date: number | null
}

export interface BodyIslands {
  /**
   * `module`: path of a file, or `page:` and the path of the page itself; `name`: a path of names in its exports;
   * `given`: components passed as props, see `isolate/program.ts`.
   */
  uses: readonly { module: string; name: string; given: readonly string[] }[]
  /** Imports and exports of the imported Markdown files, by the keys of the modules. */
  texts: Readonly<Record<string, string>>
  /** Names that the page's Markdown files import; component files may use them without importing them. */
  lent: readonly InheritedImport[]
}

export interface InheritedImport {
  local: string
  imported: string
  from: string
}

export interface TocEntry {
  level: 2 | 3 | 4
  id: string
  text: string
}

/** Renders bodies in disposable child processes; used for one site, then disposed of. */
export interface BodyRenderer {
  /** Never rejects because of content: if a page cannot be rendered, returns its plain text with a problem. */
  render(request: BodyRequest, signal: AbortSignal): Promise<RenderedBody>
  [Symbol.asyncDispose](): Promise<void>
}
