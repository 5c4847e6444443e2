/** Input of the page layout. */
import type { Deployment, FeatureSet } from '../../base/api/features.ts'
import type { WidgetSet } from '../../base/api/widgets.ts'
import type { Site, SitePage } from '../../site/model.ts'
import type { Markup } from '../html/markup.ts'
import type { Repository } from '../links/repository-links.ts'

/** Paths in the site. */
export interface PlaygroundFiles {
  script: string
  style: string
  /** Keyed by language. */
  words: Readonly<Record<string, string>>
  /** Data of each form, by route; pages without a form have no entry. */
  data: ReadonlyMap<string, string>
}

export interface LayoutInput {
  site: Site
  deployment: Deployment
  features: FeatureSet
  /** `https://docs.example.com`, for canonical and social tags; null if unknown. */
  origin: string | null
  /** Paths of the built-in files (`/_octavo/site.3f2a.css`), in load order. */
  styles: readonly string[]
  /** Path of the style sheet with utility classes, loaded last; null if there is none. */
  utilities(): string | null
  /** Classic scripts; the first one is small and runs before first paint (color scheme). */
  earlyScript: string
  scripts: readonly string[]
  /** Paths of the scripts for a page's islands, by route. */
  islandScripts: ReadonlyMap<string, readonly string[]>
  /** Returns the path of the image generated for link previews of a page; null if there is none. */
  thumbnailOf(page: SitePage): string | null
  /** Path of the home-screen icon generated from the favicon; null if there is none. */
  touchIcon: string | null
  /** Path of the KaTeX style sheet, loaded on pages with math. */
  mathStyle: string
  /** Path of the Mermaid script, loaded on pages with a diagram. */
  mermaidScript: string
  /** Path of the search dialog's script, loaded on first use of search; null if search is off. */
  searchScript: string | null
  /** Paths of the search index scripts, by language; empty if search is off. */
  searchIndexes: Readonly<Record<string, string>>
  /** Path of the list of indexes; null for a site with one language. */
  searchLanguages: string | null
  /** Files of the operation forms; null if forms are off. */
  playground: PlaygroundFiles | null
  /** Files of the assistant; null if it is unavailable. */
  assistant: Pick<PlaygroundFiles, 'script' | 'style' | 'words'> | null
  /** Enabled feedback widgets, and links to the repository. */
  widgets: WidgetSet
  /** Repository of the pages; null if they come from a folder. */
  repository: Repository | null
  /** Path of the feedback script; null if no feedback is collected. */
  feedbackScript: string | null
  /** Path of the web analytics script; null if analytics are off. */
  analyticsScript: string | null
  /** Path of the script that sends collected data to the platform, loaded on demand; null if none is collected. */
  platformScript: string | null
  /** Files by route: the Markdown twin of each page, and feeds. */
  twins: ReadonlyMap<string, string>
  feeds: ReadonlyMap<string, string>
  /** Path of the list of pages for agents; null if the site is excluded from indexes. */
  llmsFile: string | null
  /** Source of the script that replaces a short navigation list with the complete one. */
  navigationScript: string
  /** Fills all placeholders except slots, for a page `depth` folders deep, or for `ANY_DEPTH`. */
  finish(markup: Markup, depth: number): Markup
}
