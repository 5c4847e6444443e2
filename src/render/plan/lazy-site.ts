/**
 * Site whose files are created on demand: a preview creates only some of them, and a build creates all of them.
 * `layout` renders pages after the parts that they use have been passed to `use`.
 */

import type { Problem } from '../../base/errors/problem.ts'
import type { Site } from '../../site/model.ts'
import { createLayout, type Layout } from '../chrome/layout.ts'
import { downloadFonts } from '../fonts/site-fonts.ts'
import { fillPlaceholders, type Placeholder } from '../html/markup.ts'
import { siteIslands } from '../islands/island-scripts.ts'
import { type BuiltInFile, type BuiltIns, loadBuiltIns } from '../machinery/built-ins.ts'
import { createLlmsFiles } from '../outputs/finish.ts'
import { isSiteIndexed, LLMS_FILE, robotsTxt } from '../outputs/machine-files.ts'
import { resolveWidgetSet } from '../outputs/platform-file.ts'
import { createReaderFiles, listReaderFiles, type ReaderFiles } from '../outputs/reader-files.ts'
import { withoutMissingLogo } from '../remote/chrome-addresses.ts'
import { createRemoteProblem } from '../remote/remote-addresses.ts'
import { createSearchPaths, type SearchPaths } from '../search/search-files.ts'
import { layersSheet, themeSheet, utilitiesSheet } from '../theme/site-sheets.ts'
import type { SiteThumbnails } from '../thumbnail/site-thumbnails.ts'
import type { TouchIcon } from '../thumbnail/touch-icon.ts'
import type { PlannedPage, RenderScope } from './render-scope.ts'

export interface LazySite {
  layout: Layout
  builtIns: BuiltIns
  search: SearchPaths
  /** Files that depend only on settings and names, by path. */
  files: ReadonlyMap<string, () => string | Uint8Array>
  problems: readonly Problem[]
  /** Builds the style sheets and scripts for pages with these bodies. */
  loadParts(pages: readonly PageNeeds[], classes: Iterable<string>): Promise<PageParts>
  /** Must be called before the pages are laid out. */
  use(parts: PageParts): void
}

export type PageNeeds = Pick<PlannedPage, 'page' | 'modules'> & {
  facts: Pick<PlannedPage['facts'], 'islands' | 'usesMath' | 'usesMermaid'>
}

export interface PageParts {
  files: readonly BuiltInFile[]
  /** Path of the style sheet with utility classes, or null. */
  utilities: string | null
  /** Paths of island scripts, by route. */
  islands: ReadonlyMap<string, readonly string[]>
  problems: readonly Problem[]
}

interface SiteExtras {
  touchIcon: TouchIcon
  /** Null if no thumbnails are generated. */
  thumbnails: SiteThumbnails | null
  /** Whether third-party scripts are included. */
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
  const search = createSearchPaths(input, scope.plan)
  // In an air-gapped bundle, a remote logo may have no copy.
  const { site, missing } =
    input.deployment === 'air-gapped'
      ? withoutMissingLogo(input.site, remoteAssets)
      : { site: input.site, missing: [] }
  const readerFiles = await createReaderFiles(input, builtIns, extras.hasServices)
  const needed: Needed = { islands: new Map(), utilities: null }
  const layout = openLayout({ ...scope, ...extras, builtIns, sheets, search, readerFiles, needed }, site)
  const carried = [
    ...[builtIns.style, builtIns.mainScript, ...builtIns.fonts, ...sheets],
    ...[search.languages, extras.touchIcon.file].filter((file) => file !== null),
    ...listReaderFiles(readerFiles),
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

/** Returns the machine-readable files that do not depend on the text of pages. */
function machineFiles({ input, plan, links, names }: RenderScope): [string, () => string][] {
  if (input.isPartial) return []
  const robots: [string, () => string] = ['robots.txt', () => robotsTxt(input.site, input.origin)]
  const lists = isSiteIndexed(input.site) ? createLlmsFiles({ input, plan, links, names }) : []
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
  // KaTeX and Mermaid are large, so only sites with formulas or diagrams include them.
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

/** Parts that must be set before a page is laid out. */
interface Needed {
  islands: Map<string, readonly string[]>
  utilities: string | null
}

interface LayoutScope extends Omit<RenderScope, 'search'>, SiteExtras {
  builtIns: BuiltIns
  /** In loading order, before utility classes and author style sheets. */
  sheets: readonly BuiltInFile[]
  search: SearchPaths
  readerFiles: ReaderFiles
  needed: Needed
}

/** `site` replaces the site of the input. */
function openLayout(scope: LayoutScope, site: Site): Layout {
  const { input, names, builtIns, search, readerFiles, needed, playgrounds } = scope
  const { forms, assistant, services } = readerFiles
  return createLayout({
    ...input,
    site,
    styles: scope.sheets.map(sitePath),
    utilities: () => needed.utilities,
    earlyScript: builtIns.earlyScript,
    navigationScript: builtIns.navigationScript,
    scripts: [builtIns.mainScript, ...(services ? [services] : [])].map(sitePath),
    islandScripts: needed.islands,
    thumbnailOf: (page) => scope.thumbnails?.pathOf(page) ?? null,
    touchIcon: scope.touchIcon.file && sitePath(scope.touchIcon.file),
    mathStyle: sitePath(builtIns.math[0] as BuiltInFile),
    mermaidScript: sitePath(builtIns.mermaid),
    searchScript: readerFiles.search && sitePath(readerFiles.search),
    searchIndexes: pathsOf(search.indexes),
    searchLanguages: search.languages && sitePath(search.languages),
    playground: forms && playgrounds && { ...widgetPaths(forms), data: playgrounds },
    assistant: assistant && widgetPaths(assistant),
    widgets: resolveWidgetSet(input),
    feedbackScript: readerFiles.feedback && sitePath(readerFiles.feedback),
    analyticsScript: readerFiles.analytics && sitePath(readerFiles.analytics),
    platformScript: readerFiles.platform && sitePath(readerFiles.platform),
    twins: names.twins,
    feeds: input.origin === null ? new Map() : names.feeds,
    llmsFile: isSiteIndexed(input.site) ? LLMS_FILE : null,
    finish: (markup, depth) =>
      fillPlaceholders(markup, (placeholder) => writePlaceholder(scope, placeholder, depth)),
  })
}

/**
 * Returns the content of a placeholder for pages in a folder of this depth. Slots are filled for each page
 * later.
 */
function writePlaceholder(
  { links, icons, sizes }: Pick<RenderScope, 'links' | 'icons' | 'sizes'>,
  placeholder: Placeholder,
  depth: number,
): string | Placeholder {
  switch (placeholder.kind) {
    case 'attributes':
      return links.rewriteAttributes(placeholder.tag, placeholder.attributes, depth)
    case 'picture':
      return links.rewriteAttributes(
        'img',
        sizes.withSize(placeholder.picture, placeholder.attributes),
        depth,
      )
    case 'icon':
      return icons.renderSvg(placeholder)
    case 'css':
      return links.rewriteCss(placeholder.css, depth)
    case 'slot':
      return placeholder
  }
}

function widgetPaths({ script, style, texts }: NonNullable<ReaderFiles['forms']>) {
  return { script: sitePath(script), style: sitePath(style), words: pathsOf(texts) }
}

function pathsOf(files: SearchPaths['indexes']): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([language, file]) => [language, sitePath(file)]))
}

function sitePath({ path }: Pick<BuiltInFile, 'path'>): string {
  return `/${path}`
}
