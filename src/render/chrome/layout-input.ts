import type { WidgetSet } from '../../base/api/widgets.ts'
import type { SitePage } from '../../site/model.ts'
import type { Markup } from '../html/markup.ts'
import type { RenderInput } from '../page/render-input.ts'

interface WidgetPaths {
  script: string
  style: string
  /** By language. */
  words: Readonly<Record<string, string>>
}

export interface LayoutInput
  extends Pick<RenderInput, 'site' | 'deployment' | 'features' | 'origin' | 'repository'> {
  /** Paths of built-in files such as `/_octavo/site.3f2a.css`, in loading order. */
  styles: readonly string[]
  /** Path of the style sheet with utility classes; null if no page uses any. The style sheet must be last. */
  utilities(): string | null
  /** Source of a small script for the color scheme, which runs before the first paint. */
  earlyScript: string
  scripts: readonly string[]
  /** Paths of the scripts for islands, by route. */
  islandScripts: ReadonlyMap<string, readonly string[]>
  /** Returns the path of the generated image for link previews, or null. */
  thumbnailOf(page: SitePage): string | null
  /** Path of the home screen icon generated from the favicon, or null. */
  touchIcon: string | null
  /** Path of the KaTeX style sheet, for pages with math. */
  mathStyle: string
  /** Path of the Mermaid script, for pages with diagrams. */
  mermaidScript: string
  /** Path of the search dialog, loaded on first use; null if search is disabled. */
  searchScript: string | null
  /** Paths of the search indexes by language; empty if search is disabled. */
  searchIndexes: Readonly<Record<string, string>>
  /** Path of the list of search indexes; null for a site with one language. */
  searchLanguages: string | null
  /** Files of the playground, with its data by route; null if disabled. */
  playground: (WidgetPaths & { data: ReadonlyMap<string, string> }) | null
  assistant: WidgetPaths | null
  widgets: WidgetSet
  /** Null if no feedback is collected. */
  feedbackScript: string | null
  /** Null if web analytics are disabled. */
  analyticsScript: string | null
  /**
   * Path of the script that sends collected data to the server, loaded on demand; null if none is collected.
   */
  platformScript: string | null
  /** Paths of Markdown versions and feeds, by route. */
  twins: ReadonlyMap<string, string>
  feeds: ReadonlyMap<string, string>
  /** Path of llms.txt; null if the site is excluded from indexes. */
  llmsFile: string | null
  /** Source of the script that replaces a shortened navigation with the complete one. */
  navigationScript: string
  /** Fills all placeholders except slots, for a page in a folder of this depth or for `ANY_DEPTH`. */
  finish(markup: Markup, depth: number): Markup
}
