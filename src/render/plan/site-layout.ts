/** Creates the layout of a site from the locations of its files. */
import { isCollecting } from '../../base/api/widgets.ts'
import { createLayout, type Layout } from '../chrome/layout.ts'
import { fillPlaceholders, type Placeholder } from '../html/markup.ts'
import type { IconInliner } from '../icons/icons.ts'
import type { LinkRewriter } from '../links/links.ts'
import type { BuiltInFile, BuiltIns } from '../machinery/built-ins.ts'
import { createAssistantTextFiles, hasAssistant } from '../outputs/assistant-files.ts'
import { isSiteIndexed, LLMS_FILE } from '../outputs/machine-files.ts'
import {
  hasAnalytics,
  hasPlaygroundProxy,
  PLATFORM_FILE,
  resolveWidgetSet,
} from '../outputs/platform-file.ts'
import { createPlaygroundTextFiles } from '../outputs/playground-text-files.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { ImageSizes } from '../remote/image-sizes.ts'
import type { SearchPaths } from '../search/search-files.ts'
import type { SiteThumbnails } from '../thumbnail/site-thumbnails.ts'
import type { TouchIcon } from '../thumbnail/touch-icon.ts'
import type { OutputNames } from '../versions/output-names.ts'

export interface LayoutFiles {
  builtIns: BuiltIns
  /** Style sheets in order, including the built-in one; utility classes and the author's style sheets follow. */
  sheets: readonly Pick<BuiltInFile, 'path'>[]
  /** Third-party scripts; null if there are none. */
  services: BuiltInFile | null
  search: SearchPaths
  /** Returns the path of the utility style sheet at the time a page is laid out; null if there is none. */
  utilities: () => string | null
  /** Paths of island scripts by route; set before the page is laid out. */
  islandScripts: ReadonlyMap<string, readonly string[]>
  /** Paths of form data by route; set before the page is laid out. Null if forms are off. */
  playgrounds: ReadonlyMap<string, string> | null
  /** Images for link previews; null if they are not made. */
  thumbnails: Pick<SiteThumbnails, 'pathOf'> | null
  touchIcon: TouchIcon
}

export interface LayoutSteps {
  names: OutputNames
  links: LinkRewriter
  icons: IconInliner
  sizes: ImageSizes
}

export function siteLayout(input: RenderInput, files: LayoutFiles, steps: LayoutSteps): Layout {
  const { site, deployment, features, origin, repository } = input
  const { builtIns, sheets, services, search, islandScripts, playgrounds, thumbnails, touchIcon } = files
  const { names } = steps
  const widgets = resolveWidgetSet(input)
  const gathers = isCollecting(widgets)
  const analyses = hasAnalytics(input)
  return createLayout({
    site,
    deployment,
    features,
    origin,
    styles: sheets.map(sitePath),
    utilities: files.utilities,
    earlyScript: builtIns.earlyScript,
    navigationScript: builtIns.navigationScript,
    scripts: [builtIns.mainScript, ...(services ? [services] : [])].map(sitePath),
    islandScripts,
    thumbnailOf: (page) => thumbnails?.pathOf(page) ?? null,
    touchIcon: touchIcon.file && sitePath(touchIcon.file),
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
      words: pathsOf(createPlaygroundTextFiles(site)),
      data: playgrounds,
    },
    assistant: hasAssistant(input)
      ? {
          script: sitePath(builtIns.assistantScript),
          style: sitePath(builtIns.assistantStyle),
          words: pathsOf(createAssistantTextFiles(site)),
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
    finish: (markup, depth) =>
      fillPlaceholders(markup, (placeholder) => writePlaceholder(steps, placeholder, depth)),
  })
}

/** Returns the content of a placeholder on a page `depth` folders deep; slots are left open for the page. */
function writePlaceholder(
  { links, icons, sizes }: LayoutSteps,
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

function pathsOf(files: Record<string, BuiltInFile>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([language, file]) => [language, sitePath(file)]))
}

function sitePath({ path }: Pick<BuiltInFile, 'path'>): string {
  return `/${path}`
}
