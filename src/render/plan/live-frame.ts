/**
 * All of a site but the texts of its pages: names, links, the layout and the style sheets that do not depend on one
 * page. It stays while only texts change.
 */
import type { Problem } from '../../contract/problem.ts'
import type { Layout } from '../chrome/layout.ts'
import { downloadFonts } from '../fonts/site-fonts.ts'
import { createIconInliner } from '../icons/icons.ts'
import { directoriesOf } from '../links/directories.ts'
import { createLinkRewriter, type LinkRewriter } from '../links/links.ts'
import type { BuiltIns } from '../machinery/built-ins.ts'
import { agentLists } from '../outputs/finish.ts'
import { isSiteIndexed, robotsTxt } from '../outputs/machine-files.ts'
import { playgroundWordFiles } from '../outputs/playground-words.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { ImageSizes } from '../remote/image-sizes.ts'
import { searchPlaces } from '../search/search-files.ts'
import { layersSheet, themeSheet } from '../theme/site-sheets.ts'
import { touchIcon } from '../thumbnail/touch-icon.ts'
import type { OutputNames } from '../versions/output-names.ts'
import { dropFiles } from '../versions/site-files.ts'
import { planPages, type RenderPlan } from './plan.ts'
import { siteLayout } from './site-layout.ts'

export interface LiveFrame {
  /** Tells this frame from every other of the process. */
  id: number
  plan: RenderPlan
  names: OutputNames
  links: LinkRewriter
  layout: Layout
  directories: ReturnType<typeof directoriesOf>
  /** Scripts of the islands of each page, to be set before the page is laid out. */
  islandScripts: Map<string, readonly string[]>
  /** Data of the form of each page, to be set before the page is laid out; null when forms are off. */
  playgrounds: Map<string, string> | null
  /** File of the site to the asset that lies there. */
  assets: ReadonlyMap<string, string>
  /** File of the site to the route of the page whose Markdown twin it is. */
  twins: ReadonlyMap<string, string>
  /** Files that are made of settings and names alone, by path; made when they are asked for. */
  files: ReadonlyMap<string, () => string | Uint8Array>
  /** Language of each search index, by path. */
  searchIndexes: ReadonlyMap<string, string>
  /** Of what is made of settings. */
  problems: readonly Problem[]
}

/** Stands in the layout for the sheet of utility classes, which is another one for every page. */
export const UTILITIES_PLACE = '_octavo/utilities.css'

let lastId = 0

export async function createLiveFrame(
  input: RenderInput,
  builtIns: BuiltIns,
  sizes: ImageSizes,
): Promise<LiveFrame> {
  const { site, deployment, origin } = input
  const plan = planPages(input)
  const { names, included, start } = plan
  const links = createLinkRewriter({ site, deployment, names, included, origin, start })
  const noFiles = { ...input, names, files: dropFiles(), fetchRemote: null }
  const fonts = await downloadFonts(noFiles, site.config.fonts)
  const layers = await layersSheet(input, links)
  const look = await themeSheet(input, fonts, builtIns.themes, links)
  const sheets = [layers, builtIns.style, look].filter(({ content }) => content !== '')
  const icon = await touchIcon(input)
  const search = searchPlaces(input, plan.pages)
  const islandScripts = new Map<string, readonly string[]>()
  const playgrounds = input.features.playground ? new Map<string, string>() : null
  const layout = siteLayout(
    input,
    {
      builtIns,
      sheets: [...sheets, { path: UTILITIES_PLACE }],
      services: null,
      search,
      islandScripts,
      playgrounds,
      thumbnails: null,
      touchIcon: icon,
    },
    { names, links, icons: createIconInliner(), sizes },
  )
  const words = playgrounds ? Object.values(playgroundWordFiles(site)) : []
  const { languages } = search
  const made = [...sheets, ...words, ...(languages ? [languages] : []), ...(icon.file ? [icon.file] : [])]
  const files = new Map<string, () => string | Uint8Array>([
    ...made.map(({ path, content }) => [path, () => content] as const),
    ['robots.txt', () => robotsTxt(site, origin)],
  ])
  if (isSiteIndexed(site))
    for (const { path, content } of agentLists({ input, plan: plan.pages, links, names }))
      files.set(path, content)
  return {
    id: ++lastId,
    plan,
    names,
    links,
    layout,
    directories: directoriesOf(site),
    islandScripts,
    playgrounds,
    assets: new Map([...names.assets].map(([asset, path]) => [path, asset])),
    twins: new Map([...names.twins].map(([route, path]) => [path, route])),
    files,
    searchIndexes: new Map(Object.entries(search.indexes).map(([language, { path }]) => [path, language])),
    problems: icon.problems,
  }
}
