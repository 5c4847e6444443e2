/** Sheets, scripts, search, islands, fonts and icons: what a site carries besides its pages. */
import { isGathering } from '../../contract/widgets.ts'
import { rootPath } from '../../search/root-path.ts'
import { downloadFonts } from '../fonts/site-fonts.ts'
import { siteIslands } from '../islands/island-scripts.ts'
import { type BuiltInFile, type BuiltIns, loadBuiltIns } from '../machinery/built-ins.ts'
import { assistantFiles } from '../outputs/assistant-files.ts'
import { servicesFile } from '../outputs/outside-services.ts'
import { hasAnalytics, platformFile, widgetsOf } from '../outputs/platform-file.ts'
import { playgroundServersFile } from '../outputs/playground-servers.ts'
import { playgroundWordFiles } from '../outputs/playground-words.ts'
import { SIGNED_IN_PAGE } from '../outputs/signed-in-page.ts'
import type { RenderInput } from '../page/render-input.ts'
import { rootContent, searchPlaces } from '../search/search-files.ts'
import { layersSheet, themeSheet, utilitiesSheet } from '../theme/site-sheets.ts'
import type { TouchIcon } from '../thumbnail/touch-icon.ts'
import type { RenderedPages } from './page-passes.ts'
import type { PlannedPage, RenderScope } from './render-scope.ts'
import type { LayoutFiles } from './site-layout.ts'

/** What a site carries besides its pages and its own files. */
export interface Furnishing extends Pick<LayoutFiles, 'builtIns' | 'sheets' | 'services' | 'search'> {
  islands: Awaited<ReturnType<typeof siteIslands>>
  fonts: Awaited<ReturnType<typeof downloadFonts>>
  touchIcon: TouchIcon
}

/** Makes and writes it: only now is known what the pages need. */
export async function furnishSite(
  scope: RenderScope,
  { pages, classes: named }: RenderedPages,
  drawing: Promise<TouchIcon>,
): Promise<Furnishing> {
  const { deps, input, names, links, files } = scope
  const { config } = input.site
  const builtIns = await loadBuiltIns()
  const search = searchPlaces(input, scope.plan)
  const islands = await siteIslands(pages, {
    runtime: builtIns.islandsScript,
    iconLibrary: config.icons.library,
    log: deps.log,
  })
  const fonts = await downloadFonts(
    { ...input, files, names, fetchRemote: deps.fetchRemote ?? null },
    config.fonts,
  )
  const classes = [...named, ...islands.classes]
  const sheets = [
    await layersSheet(input, links),
    builtIns.style,
    await themeSheet(input, fonts, builtIns.themes, links),
    await utilitiesSheet(classes, links, scope.memory?.utilities),
  ].filter(({ content }) => content !== '')
  const touchIcon = await drawing
  const services = servicesFile(input, builtIns.servicesScript)
  const servers = playgroundServersFile(input)
  const platform = await platformFile(input)
  const carried = [
    ...neededBuiltIns(builtIns, input, pages),
    ...sheets,
    ...(search.languages ? [search.languages] : []),
    ...islands.files,
    ...(touchIcon.file === null ? [] : [touchIcon.file]),
    ...(isGathering(widgetsOf(input)) ? [builtIns.feedbackScript] : []),
    ...(hasAnalytics(input) ? [builtIns.analyticsScript] : []),
    ...(platform === null ? [] : [platform]),
    ...(servers === null ? [] : [servers]),
    ...formFiles(builtIns, input),
    ...assistantFiles(builtIns, input),
    ...(services ? [services] : []),
  ]
  // Languages without words of their own share a file.
  for (const file of carried) if (!names.has(file.path)) await files.add(names.claim(file.path), file.content)
  for (const { path } of Object.values(search.indexes)) names.claim(path)
  return { builtIns, sheets, services, search, islands, fonts, touchIcon }
}

/** To be asked when every body is there. Pages need not wait for it: they know where it will be. */
export async function writeSearch({ search, memory, files }: RenderScope): Promise<void> {
  const made = await search?.finish()
  if (made?.kept) await memory?.keepSearch(made.kept)
  for (const script of made?.scripts ?? [])
    await files.add(rootPath(script.language), await rootContent(script))
}

/** What the forms of operations share; nothing for a site without operations. */
function formFiles(
  { playgroundScript, playgroundStyle }: BuiltIns,
  { site, features }: RenderInput,
): BuiltInFile[] {
  const hasCalls = [...site.pages.values()].some(
    ({ operation, frontmatter }) => operation !== null || frontmatter.api !== undefined,
  )
  if (!features.playground || !hasCalls) return []
  return [playgroundScript, playgroundStyle, SIGNED_IN_PAGE, ...Object.values(playgroundWordFiles(site))]
}

/** KaTeX and Mermaid are large: only a site that shows formulas or diagrams carries them. */
function neededBuiltIns(
  builtIns: BuiltIns,
  input: RenderInput,
  pages: readonly PlannedPage[],
): BuiltInFile[] {
  const needed = [builtIns.style, builtIns.mainScript, ...builtIns.fonts]
  if (input.features.search) needed.push(builtIns.searchScript)
  const hasMath = input.site.config.styling.latex === true || pages.some(({ facts }) => facts.usesMath)
  if (hasMath) needed.push(...builtIns.math)
  if (pages.some(({ facts }) => facts.usesMermaid)) needed.push(builtIns.mermaid)
  return needed
}
