/** The body of one page: what goes into a render child and what comes back. Plain data both ways. */
import type { Problem } from '../../base/errors/problem.ts'
import type { ApiReference } from '../api/reference.ts'
import type { Markup } from '../html/markup.ts'

export interface BodyRequest {
  /** Path below the docs folder, for problems and for resolving relative links. */
  file: string
  /** Whole text of the file, frontmatter included. */
  source: string
  /** 1-based line where the body begins. */
  bodyLine: number
  /** Snippets and components this page reaches through imports, transitively; paths below the docs folder. */
  modules: readonly { path: string; source: string }[]
  variables: Readonly<Record<string, string>>
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler'
  /** Shiki theme names. */
  codeThemes: { light: string; dark: string }
  /** What wide and custom pages do differently belongs to the layout; components only ask whether headings get anchors. */
  hasAnchors: boolean
  /** False: dollars in the text are no signs of formulas. */
  hasMath: boolean
  /** Of the page: its components speak it. */
  language: string
  /** What of an API description stands below the page's own text; null for pages that show none. */
  reference: ApiReference | null
}

export interface RenderedBody {
  /** The heading of the first level with which the text begins; `html` is what follows it. */
  opening: Opening | null
  /** Links and sources are absolute site paths (`/guides/x#y`, `/images/a.png`) or as the author wrote them when external. */
  html: Markup
  /** Content of Panel, RequestExample and ResponseExample, which stands in the right column; null when there is none. */
  side: Markup | null
  anchors: PageAnchors
  /** Pictures that are shown without a size, in their order: paths in the site, which need not exist. */
  images: readonly string[]
  /** The same on other servers: whole addresses. */
  pictures: readonly string[]
  /** Addresses on other servers of what can be copied: pictures, films, sounds, style sheets. */
  remote: readonly string[]
  /** The same words as Markdown, the right column too; links of the site are marked, see `placeSiteLinks`. */
  markdown: string
  toc: readonly TocEntry[]
  /** Plain text by section, for the search index: `id` null is the text before the first heading. */
  sections: readonly { id: string | null; title: string | null; text: string }[]
  /** Every value of a class attribute in `html`, for the utility classes. */
  classes: readonly string[]
  usesMath: boolean
  usesMermaid: boolean
  /** Tags of Update entries, when there are any. */
  updateTags: readonly string[]
  /** What a feed tells of them. */
  updates: readonly UpdateItem[]
  /** Components of the author's that run in the reader's browser; null when there are none. */
  islands: BodyIslands | null
  problems: readonly Problem[]
}

export interface Opening {
  id: string | null
  /** Without markup. */
  words: string
  /** The heading as it stands. */
  whole: Markup
  /** What is inside of it. */
  content: Markup
}

/** Kept of every page until all are there. */
export interface PageAnchors {
  /** One a line: a set for each page would take three times as much. */
  ids: string
  /** Links with a fragment, as they stand in the page: `/guides/y#x`, and `#x` where the page has no such place. */
  links: readonly string[]
  /** Parts of the page are made in the reader's browser: what places it has is not known. */
  isOpen: boolean
}

/** One heading of an Update entry, or an entry without any. */
export interface UpdateItem {
  title: string
  id: string | null
  text: string
  /** Milliseconds since 1970. */
  date: number | null
}

export interface BodyIslands {
  /**
   * `module`: path of a file, or `page:` and the path of the page itself; `name`: a path of names in its exports;
   * `given`: components that it gets as props, see `isolate/program.ts`.
   */
  uses: readonly { module: string; name: string; given: readonly string[] }[]
  /** Imports and exports of the Markdown files among the modules, by the same keys. */
  texts: Readonly<Record<string, string>>
  /** What the page's Markdown files import of its components' files, which may use it without an import of their own. */
  lent: readonly LentName[]
}

export interface LentName {
  local: string
  imported: string
  from: string
}

export interface TocEntry {
  level: 2 | 3 | 4
  id: string
  text: string
}

/** Renders bodies in disposable child processes; used for one site and then disposed. */
export interface BodyRenderer {
  /** Never rejects because of content: what cannot be rendered comes back as its plain content with a problem. */
  render(request: BodyRequest, signal: AbortSignal): Promise<RenderedBody>
  [Symbol.asyncDispose](): Promise<void>
}
