/** Input and output of a render child for the body of a page. Serializable. */
import type { Problem } from '../../base/errors/problem.ts'
import type { ApiReference } from '../api/reference.ts'
import type { Markup } from '../html/markup.ts'
import type { TocEntry } from './table-of-contents.ts'

export interface BodyRequest {
  /** Path below the docs folder, for problems and for resolving relative links. */
  file: string
  /** Includes the frontmatter. */
  source: string
  /** Line where the body starts, counted from 1. */
  bodyLine: number
  /** Files imported directly or indirectly, with paths below the docs folder. */
  modules: readonly { path: string; source: string }[]
  variables: Readonly<Record<string, string>>
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler'
  /** Names of Shiki themes. */
  codeThemes: { light: string; dark: string }
  hasAnchors: boolean
  /** Whether dollar signs may delimit formulas. */
  hasMath: boolean
  /** Languages whose code samples are checked by default. */
  runLanguages: readonly string[]
  /** Language of messages in components. */
  language: string
  /** API content in addition to the text; null if the page has none. */
  reference: ApiReference | null
}

export interface RenderedBody {
  /** Level-1 heading at the start, which `html` does not contain. */
  opening: Opening | null
  /** Links and sources are absolute paths in the site (`/guides/x#y`, `/images/a.png`) or external URLs. */
  html: Markup
  /** Content of Panel, RequestExample and ResponseExample for the right column, or null. */
  side: Markup | null
  anchors: PageAnchors
  /** Images without a size, in order, as paths in the site that may not exist. */
  images: readonly string[]
  /** Absolute URLs of remote images without a size. */
  pictures: readonly string[]
  /** URLs of remote files that can be copied: images, video, audio, style sheets. */
  remote: readonly string[]
  /** Text as Markdown, including the right column. URLs of the site are marked, see `resolveSiteLinks`. */
  markdown: string
  toc: readonly TocEntry[]
  /** Plain text by section, for search. `id` is null for text before the first heading. */
  sections: readonly { id: string | null; title: string | null; text: string }[]
  /** Values of class attributes in `html`, for utility classes. */
  classes: readonly string[]
  usesMath: boolean
  usesMermaid: boolean
  updateTags: readonly string[]
  updates: readonly UpdateItem[]
  /** Author components that run in the browser, or null. */
  islands: BodyIslands | null
  problems: readonly Problem[]
  /** Code samples to run or validate. */
  samples: readonly Sample[]
}

export interface Sample {
  /** Path below the docs folder. */
  file: string
  /** Line of the opening fence, counted from 1. */
  line: number | null
  language: string
  code: string
  /** Name of a schema for validating the data. */
  schema: string | null
  /** Expected output of the sample or expected response of the API, if any. */
  output: string | null
  /** Whether the sample is checked because of its language instead of an option. */
  isImplied: boolean
}

export interface Opening {
  id: string | null
  /** Plain text. */
  words: string
  /** Complete heading. */
  whole: Markup
  /** Content of the heading. */
  content: Markup
}

/** Anchors and links of a page, which are checked when all pages have been rendered. */
export interface PageAnchors {
  /** Separated by line breaks, because a set for each page would require three times the memory. */
  ids: string
  /** Links with a fragment, as written: `/guides/y#x`, or `#x` if the page does not contain the id. */
  links: readonly string[]
  /** Whether the page may have further ids, because parts are rendered in the browser. */
  isOpen: boolean
}

/** Feed entry: a heading in an Update, or an Update without headings. */
export interface UpdateItem {
  title: string
  id: string | null
  text: string
  /** Milliseconds since 1970. */
  date: number | null
}

export interface BodyIslands {
  /**
   * `module`: path of a file, or `page:` and the path of the page. `name`: member expression of an export.
   * `given`: components passed as props, see `tree/program.ts`.
   */
  uses: readonly { module: string; name: string; given: readonly string[] }[]
  /** Sources of imported Markdown files, by module key. */
  texts: Readonly<Record<string, string>>
  /** Names imported by Markdown files, which component files may use without importing them. */
  inheritedImports: readonly InheritedImport[]
}

export interface InheritedImport {
  local: string
  imported: string
  from: string
}

/** Body and the JSON it was parsed from, which is stored. */
export interface ReceivedBody {
  body: RenderedBody
  json: Uint8Array
}

/** Renders bodies in child processes. Used for a single site. */
export interface BodyRenderer {
  /** Never rejects because of content: a page that cannot be rendered becomes plain text with a problem. */
  render(request: BodyRequest, signal: AbortSignal, json?: Uint8Array): Promise<ReceivedBody>
  [Symbol.asyncDispose](): Promise<void>
}
