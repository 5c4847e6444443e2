/** Renders the changed pages of one side as a small site, shown to reviewers next to the other side. */

import { resolveFeatures } from '../../../base/api/features.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import type { Log } from '../../../base/log.ts'
import { decodePath } from '../../../base/text/decode-path.ts'
import type { ObjectCache } from '../../../objects/object-cache.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { renderSite } from '../../../render/build.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { createSiteFiles } from '../../../render/versions/site-files.ts'
import type { Site, SitePage } from '../../../site/model.ts'
import { listReachableModules } from '../../../site/pages/imports.ts'
import { decodeFileText } from '../edit/change-files.ts'

interface Preview {
  side: { tree: FileTree; site: Site | null }
  pages: readonly SitePage[]
  siteId: string
  origin: string | null
}

interface PreviewDeps {
  objects: ObjectStore
  cache: ObjectCache
  log: Log
  renderChildren: number
}

/** Total size up to which all static files are included; above it only those that the pages may use. */
const MAX_ALL_ASSETS_BYTES = 16 << 20

/** Returns null when there is no page to render. `stored` is a site whose files have just been stored. */
export async function renderPreview(
  deps: PreviewDeps,
  preview: Preview & { stored?: SiteManifest | null },
  signal: AbortSignal,
): Promise<SiteManifest | null> {
  const { site } = preview.side
  if (site === null || preview.pages.length === 0) return null
  return await renderPages(deps, { ...preview, site }, signal)
}

async function renderPages(
  deps: PreviewDeps,
  {
    side: { tree },
    site,
    pages,
    siteId,
    origin,
    stored,
  }: Preview & { site: Site; stored?: SiteManifest | null },
  signal: AbortSignal,
): Promise<SiteManifest> {
  const { manifest } = await renderSite(
    {
      cache: deps.cache,
      files: createSiteFiles(
        deps.objects,
        new Set(Object.values(stored?.files ?? {}).map(({ sha256 }) => sha256)),
      ),
      log: deps.log,
      children: deps.renderChildren,
    },
    {
      site: { ...site, assets: await findNeededAssets(tree, site, pages) },
      tree,
      deployment: 'client-hosted',
      features: resolveFeatures('client-hosted', { search: false }),
      origin,
      siteId,
      platformUrl: null,
      widgets: {},
      repository: null,
      paths: pages.map(({ route }) => route),
      isPartial: true,
    },
    () => undefined,
    signal,
  )
  return manifest
}

/**
 * Selects assets by name: a site may have gigabytes of images, but a page can only use images that its sources mention.
 */
async function findNeededAssets(
  tree: FileTree,
  site: Site,
  pages: readonly SitePage[],
): Promise<ReadonlySet<string>> {
  const sizeOf = (path: string) => tree.files.get(path)?.sizeBytes ?? 0
  const allBytes = [...site.assets].reduce((sum, path) => sum + sizeOf(path), 0)
  if (allBytes <= MAX_ALL_ASSETS_BYTES) return site.assets
  const words = await findFileNames(tree, listSources(tree, site, pages))
  const isNamed = (path: string) => words.has(path.slice(path.lastIndexOf('/') + 1).toLowerCase())
  return new Set([...site.assets].filter((path) => /\.(?:css|js)$/i.test(path) || isNamed(path)))
}

function listSources(tree: FileTree, site: Site, pages: readonly SitePage[]): string[] {
  const sources = new Set([...site.styles, ...site.scripts])
  for (const path of tree.files.keys())
    if (path.endsWith('.json') && !site.assets.has(path)) sources.add(path)
  for (const { file } of pages) {
    if (file === null) continue
    sources.add(file)
    for (const { path } of listReachableModules(site, file)) sources.add(path)
  }
  return [...sources]
}

/** Maximum length of a file name before its extension, in characters. */
const MAX_NAME = 200

async function findFileNames(tree: FileTree, files: readonly string[]): Promise<ReadonlySet<string>> {
  const words = new Set<string>()
  for (const file of files) {
    const text = decodeFileText(await tree.read(file)) ?? ''
    for (const [word] of text.matchAll(/[^/\s"'`()<>[\]{}?#=]+/g)) {
      const name = parseFileName(word)
      if (name !== null) words.add(decodePath(name).toLowerCase())
    }
  }
  return words
}

function parseFileName(word: string): string | null {
  for (let dot = word.lastIndexOf('.'); dot > 0; dot = word.lastIndexOf('.', dot - 1)) {
    const ending = /^\w{1,8}/.exec(word.slice(dot + 1, dot + 9))
    if (ending) return word.slice(Math.max(0, dot - MAX_NAME), dot + 1) + ending[0]
  }
  return null
}
