/** The layout of a site, told where its files are. */
import { isGathering } from '../contract/widgets.ts'
import type { BuiltInFile, BuiltIns } from './built-ins.ts'
import type { IconInliner } from './icons.ts'
import type { LinkRewriter } from './links.ts'
import { isSiteIndexed, LLMS_FILE } from './machine-files.ts'
import type { OutputNames } from './output-names.ts'
import { PLATFORM_FILE, widgetsOf } from './platform-file.ts'
import type { RenderInput } from './render-input.ts'
import type { SiteIcons } from './theme/favicon.ts'
import { createLayout, type Layout } from './theme/layout.ts'

export interface LayoutFiles {
  builtIns: BuiltIns
  /** Style sheets of the site, behind the built-in one. */
  sheets: readonly Pick<BuiltInFile, 'path'>[]
  /** Scripts of other companies; null when there are none. */
  services: BuiltInFile | null
  /** File of each language's search index; empty when search is off. */
  searchIndexes: Readonly<Record<string, Pick<BuiltInFile, 'path'>>>
  /** Site paths of the scripts of a page's islands, by route. */
  islandScripts: ReadonlyMap<string, readonly string[]>
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
  { builtIns, sheets, services, searchIndexes, islandScripts, favicons }: LayoutFiles,
  { names, links, icons }: LayoutSteps,
): Layout {
  const { site, deployment, features, origin, repository } = input
  const widgets = widgetsOf(input)
  const gathers = isGathering(widgets)
  return createLayout({
    site,
    deployment,
    features,
    origin,
    styles: [builtIns.style, ...sheets].map(sitePath),
    earlyScript: builtIns.earlyScript,
    scripts: [builtIns.mainScript, ...(services ? [services] : [])].map(sitePath),
    islandScripts,
    icons: favicons,
    mathStyle: sitePath(builtIns.math[0] as BuiltInFile),
    mermaidScript: sitePath(builtIns.mermaid),
    searchScript: features.search ? sitePath(builtIns.searchScript) : null,
    searchIndexes: Object.fromEntries(
      Object.entries(searchIndexes).map(([language, file]) => [language, sitePath(file)]),
    ),
    widgets,
    repository,
    feedbackScript: gathers ? sitePath(builtIns.feedbackScript) : null,
    platformScript: gathers ? `/${PLATFORM_FILE}` : null,
    twins: names.twins,
    feeds: origin === null ? new Map() : names.feeds,
    llmsFile: isSiteIndexed(site) ? LLMS_FILE : null,
    rewriteLinks: links.rewriteLinks,
    inlineIcons: icons.inlineIcons,
  })
}

function sitePath({ path }: Pick<BuiltInFile, 'path'>): string {
  return `/${path}`
}
