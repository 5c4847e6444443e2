/** The layout of a site, told where its files are. */
import { isGathering } from '../../contract/widgets.ts'
import { createLayout, type Layout } from '../chrome/layout.ts'
import type { IconInliner } from '../icons/icons.ts'
import type { LinkRewriter } from '../links/links.ts'
import type { BuiltInFile, BuiltIns } from '../machinery/built-ins.ts'
import { assistantWordFiles, hasAssistant } from '../outputs/assistant-files.ts'
import { isSiteIndexed, LLMS_FILE } from '../outputs/machine-files.ts'
import { hasAnalytics, hasPlaygroundProxy, PLATFORM_FILE, widgetsOf } from '../outputs/platform-file.ts'
import { playgroundWordFiles } from '../outputs/playground-words.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { SearchPlaces } from '../search/search-files.ts'
import type { SiteIcons } from '../theme/favicon.ts'
import type { SiteThumbnails } from '../thumbnail/site-thumbnails.ts'
import type { OutputNames } from '../versions/output-names.ts'

export interface LayoutFiles {
  builtIns: BuiltIns
  /** Style sheets in their order, the built-in one among them; those of authors come behind. */
  sheets: readonly Pick<BuiltInFile, 'path'>[]
  /** Scripts of other companies; null when there are none. */
  services: BuiltInFile | null
  search: SearchPlaces
  /** Site paths of the scripts of a page's islands, by route. */
  islandScripts: ReadonlyMap<string, readonly string[]>
  /** Site paths of the data of forms, by route, to be set before the page is laid out; null when forms are off. */
  playgrounds: ReadonlyMap<string, string> | null
  /** Pictures for links to pages; null when none are made. */
  thumbnails: Pick<SiteThumbnails, 'pathOf'> | null
  /** Of the favicon, by site path. */
  favicons: SiteIcons
}

export interface LayoutSteps {
  names: OutputNames
  links: LinkRewriter
  icons: IconInliner
}

export function siteLayout(
  input: RenderInput,
  { builtIns, sheets, services, search, islandScripts, playgrounds, thumbnails, favicons }: LayoutFiles,
  { names, links, icons }: LayoutSteps,
): Layout {
  const { site, deployment, features, origin, repository } = input
  const widgets = widgetsOf(input)
  const gathers = isGathering(widgets)
  const analyses = hasAnalytics(input)
  return createLayout({
    site,
    deployment,
    features,
    origin,
    styles: sheets.map(sitePath),
    earlyScript: builtIns.earlyScript,
    navigationScript: builtIns.navigationScript,
    scripts: [builtIns.mainScript, ...(services ? [services] : [])].map(sitePath),
    islandScripts,
    thumbnailOf: (page) => thumbnails?.pathOf(page) ?? null,
    icons: favicons,
    mathStyle: sitePath(builtIns.math[0] as BuiltInFile),
    mermaidScript: sitePath(builtIns.mermaid),
    searchScript: features.search ? sitePath(builtIns.searchScript) : null,
    searchIndexes: Object.fromEntries(
      Object.entries(search.indexes).map(([language, file]) => [language, sitePath(file)]),
    ),
    searchLanguages: search.languages && sitePath(search.languages),
    playground: playgrounds && {
      script: sitePath(builtIns.playgroundScript),
      style: sitePath(builtIns.playgroundStyle),
      words: pathsOf(playgroundWordFiles(site)),
      data: playgrounds,
    },
    assistant: hasAssistant(input)
      ? {
          script: sitePath(builtIns.assistantScript),
          style: sitePath(builtIns.assistantStyle),
          words: pathsOf(assistantWordFiles(site)),
        }
      : null,
    widgets,
    repository,
    feedbackScript: gathers ? sitePath(builtIns.feedbackScript) : null,
    analyticsScript: analyses ? sitePath(builtIns.analyticsScript) : null,
    platformScript:
      gathers || analyses || hasAssistant(input) || hasPlaygroundProxy(input) ? `/${PLATFORM_FILE}` : null,
    twins: names.twins,
    feeds: origin === null ? new Map() : names.feeds,
    llmsFile: isSiteIndexed(site) ? LLMS_FILE : null,
    finish: (html, depth) => links.rewriteLinks(html, depth, icons.standIn),
  })
}

function pathsOf(files: Record<string, BuiltInFile>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([language, file]) => [language, sitePath(file)]))
}

function sitePath({ path }: Pick<BuiltInFile, 'path'>): string {
  return `/${path}`
}
