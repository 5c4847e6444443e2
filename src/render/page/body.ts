/** The body of one page: what goes into a render child and what comes back. Plain data both ways. */
import type { Problem } from '../../contract/problem.ts'
import type { ApiReference } from '../api/reference.ts'

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
  /** Of the page: its components speak it. */
  language: string
  /** What of an API description stands below the page's own text; null for pages that show none. */
  reference: ApiReference | null
}

export interface RenderedBody {
  /** Links and sources are absolute site paths (`/guides/x#y`, `/images/a.png`) or as the author wrote them when external. */
  html: string
  /** Content of Panel, RequestExample and ResponseExample, which stands in the right column; null when there is none. */
  side: string | null
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
  /** Components of the author's that run in the reader's browser; null when there are none. */
  islands: BodyIslands | null
  problems: readonly Problem[]
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
  /** At most so many processes from now on; to be told before the first page. */
  limit(children: number): void
  /** Never rejects because of content: what cannot be rendered comes back as its plain content with a problem. */
  render(request: BodyRequest, signal: AbortSignal): Promise<RenderedBody>
  [Symbol.asyncDispose](): Promise<void>
}
