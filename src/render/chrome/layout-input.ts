/** What the layout of a page is made of. */
import type { Deployment, FeatureSet } from '../../base/api/features.ts'
import type { WidgetSet } from '../../base/api/widgets.ts'
import type { Site, SitePage } from '../../site/model.ts'
import type { Markup } from '../html/markup.ts'
import type { Repository } from '../links/repository-links.ts'

/** Site paths. */
export interface PlaygroundFiles {
  script: string
  style: string
  /** By language. */
  words: Readonly<Record<string, string>>
  /** What each form is made from, by route; pages without a form have none. */
  data: ReadonlyMap<string, string>
}

export interface LayoutInput {
  site: Site
  deployment: Deployment
  features: FeatureSet
  /** `https://docs.example.com`, for canonical and social tags; null when unknown. */
  origin: string | null
  /** Site paths of the built-in files (`/_octavo/site.3f2a.css`), in load order. */
  styles: readonly string[]
  /** The sheet of utility classes, which comes after them; null when there is none. */
  utilities(): string | null
  /** Classic scripts; the first one is small and runs before first paint (colour scheme). */
  earlyScript: string
  scripts: readonly string[]
  /** Site paths of the scripts of a page's islands, by route. */
  islandScripts: ReadonlyMap<string, readonly string[]>
  /** Site path of the picture that is drawn for links to a page; null when there is none. */
  thumbnailOf(page: SitePage): string | null
  /** Site path of the icon for home screens that was drawn of the favicon; null where there is none. */
  touchIcon: string | null
  /** Site path of the KaTeX style sheet, loaded on pages with math. */
  mathStyle: string
  /** Site path of the Mermaid script, loaded on pages with a diagram. */
  mermaidScript: string
  /** Site path of the search dialog's script, loaded on first use of search; null when search is off. */
  searchScript: string | null
  /** Site path of the search index scripts by language; empty when search is off. */
  searchIndexes: Readonly<Record<string, string>>
  /** Site path of the list of them; null for a site of one language. */
  searchLanguages: string | null
  /** Files of the forms of operations; null when they are off. */
  playground: PlaygroundFiles | null
  /** Files of the assistant; null where nobody answers. */
  assistant: Pick<PlaygroundFiles, 'script' | 'style' | 'words'> | null
  /** Feedback that pages take, and links to the repository. */
  widgets: WidgetSet
  /** Of the pages; null when they lie in a folder. */
  repository: Repository | null
  /** Site path of the script of feedback; null when nothing is gathered. */
  feedbackScript: string | null
  /** Site path of the script that tells how pages are read; null where web analytics are off. */
  analyticsScript: string | null
  /** Site path of the script that says where all of that goes, loaded when there is some; null when nothing is gathered. */
  platformScript: string | null
  /** Files of the site by route: the Markdown twin of each page, and the feeds of pages that have one. */
  twins: ReadonlyMap<string, string>
  feeds: ReadonlyMap<string, string>
  /** File of the list of pages for agents; null when the site is kept out of every index. */
  llmsFile: string | null
  /** Text of the script that puts the whole list in the place of a short one. */
  navigationScript: string
  /** Fills every place but slots, for a page that lies `depth` folders deep, or for `ANY_DEPTH`. */
  finish(markup: Markup, depth: number): Markup
}
