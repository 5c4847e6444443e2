/**
 * A site whose files are created when requested by name: a preview requests some, a build all. Pages are rendered by
 * `layout`, after it was given the parts they use.
 */

import { isCollecting } from '../../base/api/widgets.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { Layout } from '../chrome/layout.ts'
import { downloadFonts } from '../fonts/site-fonts.ts'
import { siteIslands } from '../islands/island-scripts.ts'
import { type BuiltInFile, type BuiltIns, loadBuiltIns } from '../machinery/built-ins.ts'
import { assistantFiles } from '../outputs/assistant-files.ts'
import { agentLists } from '../outputs/finish.ts'
import { isSiteIndexed, robotsTxt } from '../outputs/machine-files.ts'
import { servicesFile } from '../outputs/outside-services.ts'
import { hasAnalytics, platformFile, resolveWidgetSet } from '../outputs/platform-file.ts'
import { playgroundServersFile } from '../outputs/playground-servers.ts'
import { createPlaygroundTextFiles } from '../outputs/playground-text-files.ts'
import { SIGNED_IN_PAGE } from '../outputs/signed-in-page.ts'
import type { RenderInput } from '../page/render-input.ts'
import { withoutMissingLogo } from '../remote/chrome-addresses.ts'
import { createRemoteProblem } from '../remote/remote-addresses.ts'
import { createSearchPaths, type SearchPaths } from '../search/search-files.ts'
import { layersSheet, themeSheet, utilitiesSheet } from '../theme/site-sheets.ts'
import type { SiteThumbnails } from '../thumbnail/site-thumbnails.ts'
import type { TouchIcon } from '../thumbnail/touch-icon.ts'
import type { PlannedPage, RenderScope } from './render-scope.ts'
import { siteLayout } from './site-layout.ts'

export interface LazySite {
  layout: Layout
  builtIns: BuiltIns
  search: SearchPaths
  /** Files that depend on settings and names only, by path. */
  files: ReadonlyMap<string, () => string | Uint8Array>
  problems: readonly Problem[]
  /** Builds the style sheets and scripts used by these pages, according to their bodies. */
  loadParts(pages: readonly PageNeeds[], classes: Iterable<string>): Promise<PageParts>
  /** Call before one of the pages is laid out. */
  use(parts: PageParts): void
}

export type PageNeeds = Pick<PlannedPage, 'page' | 'modules'> & {
  facts: Pick<PlannedPage['facts'], 'islands' | 'usesMath' | 'usesMermaid'>
}

export interface PageParts {
  files: readonly BuiltInFile[]
  /** Path of the utility style sheet; null if there is none. */
  utilities: string | null
  /** Paths of island scripts, by route. */
  islands: ReadonlyMap<string, readonly string[]>
  problems: readonly Problem[]
}

interface SiteExtras {
  touchIcon: TouchIcon
  /** Null if thumbnails are not generated. */
  thumbnails: SiteThumbnails | null
  /** Third-party scripts are included. */
  hasServices: boolean
}

export async function openLazySite(scope: RenderScope, extras: SiteExtras): Promise<LazySite> {
  const { input, names, links, remoteAssets } = scope
  const { config } = input.site
  const builtIns = await loadBuiltIns()
  const fonts = await downloadFonts(
    { ...input, files: scope.files, names, fetchRemote: scope.deps.fetchRemote ?? null },
    config.fonts,
  )
  const sheets = [
    await layersSheet(input, links),
    builtIns.style,
    await themeSheet(input, fonts, builtIns.themes, links),
  ].filter(({ content }) => content !== '')
  const services = extras.hasServices ? servicesFile(input, builtIns.servicesScript) : null
  const search = createSearchPaths(input, scope.plan)
  // An air-gapped bundle may have no copy of a remote logo.
  const { site, missing } =
    input.deployment === 'air-gapped'
      ? withoutMissingLogo(input.site, remoteAssets)
      : { site: input.site, missing: [] }
  const needed: { islands: Map<string, readonly string[]>; utilities: string | null } = {
    islands: new Map(),
    utilities: null,
  }
  const layout = siteLayout(
    { ...input, site },
    {
      ...{ builtIns, sheets, services, search },
      ...{ playgrounds: scope.playgrounds, thumbnails: extras.thumbnails, touchIcon: extras.touchIcon },
      islandScripts: needed.islands,
      utilities: () => needed.utilities,
    },
    scope,
  )
  const carried = [
    ...[builtIns.style, builtIns.mainScript, ...builtIns.fonts, ...sheets],
    ...(input.features.search ? [builtIns.searchScript] : []),
    ...(search.languages ? [search.languages] : []),
    ...(isCollecting(resolveWidgetSet(input)) ? [builtIns.feedbackScript] : []),
    ...(hasAnalytics(input) ? [builtIns.analyticsScript] : []),
    ...[extras.touchIcon.file, await platformFile(input), playgroundServersFile(input), services].filter(
      (file) => file !== null,
    ),
    ...formFiles(builtIns, input),
    ...assistantFiles(builtIns, input),
  ]
  return {
    layout,
    builtIns,
    search,
    files: new Map([
      ...carried.map(({ path, content }) => [path, () => content] as const),
      ...machineFiles(scope),
    ]),
    problems: [
      ...fonts.problems,
      ...extras.touchIcon.problems,
      ...missing.map((url) => createRemoteProblem('docs.json', url, remoteAssets.faultOf(url))),
    ],
    loadParts: (pages, classes) => loadParts(scope, builtIns, pages, classes),
    use: ({ islands, utilities }) => {
      needed.utilities = utilities
      for (const [route, scripts] of islands) needed.islands.set(route, scripts)
    },
  }
}

/** Lists for machines that do not depend on the texts of pages. */
function machineFiles({ input, plan, links, names }: RenderScope): [string, () => string][] {
  if (input.isPartial) return []
  const robots: [string, () => string] = ['robots.txt', () => robotsTxt(input.site, input.origin)]
  const lists = isSiteIndexed(input.site) ? agentLists({ input, plan, links, names }) : []
  return [robots, ...lists.map(({ path, content }): [string, () => string] => [path, content])]
}

async function loadParts(
  { deps, input, links }: RenderScope,
  builtIns: BuiltIns,
  pages: readonly PageNeeds[],
  classes: Iterable<string>,
): Promise<PageParts> {
  const { config } = input.site
  const islands = await siteIslands(pages, {
    runtime: builtIns.islandsScript,
    iconLibrary: config.icons.library,
    log: deps.log,
  })
  const utilities = await utilitiesSheet([...classes, ...islands.classes], links)
  const hasUtilities = utilities.content !== ''
  // KaTeX and Mermaid are large: only sites with formulas or diagrams include them.
  const hasMath = config.styling.latex === true || pages.some(({ facts }) => facts.usesMath)
  const hasMermaid = pages.some(({ facts }) => facts.usesMermaid)
  return {
    files: [
      ...(hasMath ? builtIns.math : []),
      ...(hasMermaid ? [builtIns.mermaid] : []),
      ...(hasUtilities ? [utilities] : []),
      ...islands.files,
    ],
    utilities: hasUtilities ? `/${utilities.path}` : null,
    islands: new Map(pages.map(({ page }) => [page.route, islands.scripts.get(page.route) ?? []])),
    problems: islands.problems,
  }
}

/** Data shared by all operation forms; empty for a site without operations. */
function formFiles(
  { playgroundScript, playgroundStyle }: BuiltIns,
  { site, features }: RenderInput,
): BuiltInFile[] {
  const hasCalls = [...site.pages.values()].some(
    ({ operation, frontmatter }) => operation !== null || frontmatter.api !== undefined,
  )
  if (!features.playground || !hasCalls) return []
  return [
    playgroundScript,
    playgroundStyle,
    SIGNED_IN_PAGE,
    ...Object.values(createPlaygroundTextFiles(site)),
  ]
}
