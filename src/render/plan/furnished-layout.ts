/** The layout of a site whose sheets, scripts and icons are made. */
import { sha256 } from '../../base/hash.ts'
import type { Problem } from '../../contract/problem.ts'
import type { Layout } from '../chrome/layout.ts'
import { withoutMissingLogo } from '../remote/chrome-addresses.ts'
import { remoteProblem } from '../remote/remote-addresses.ts'
import type { SiteThumbnails } from '../thumbnail/site-thumbnails.ts'
import type { Furnishing } from './furnish-site.ts'
import type { RenderScope } from './render-scope.ts'
import { siteLayout } from './site-layout.ts'

/**
 * `around`: digest of what the files around pages are called, for the keys of pages. What is missing is a logo on another
 * server, of which a closed bundle has no copy.
 */
export function furnishedLayout(
  { input, names, links, icons, sizes, remoteAssets, playgrounds }: RenderScope,
  furnishing: Furnishing,
  thumbnails: SiteThumbnails | null,
): { layout: Layout; around: string; missing: Problem[] } {
  const { islands } = furnishing
  const { site, missing } =
    input.deployment === 'air-gapped'
      ? withoutMissingLogo(input.site, remoteAssets)
      : { site: input.site, missing: [] }
  const layout = siteLayout(
    { ...input, site },
    { ...furnishing, islandScripts: islands.scripts, playgrounds, thumbnails },
    { names, links, icons, sizes },
  )
  const problems = missing.map((url) => remoteProblem('docs.json', url, remoteAssets.faultOf(url)))
  const around = sha256(JSON.stringify(aroundPages(furnishing)))
  return { layout, around, missing: problems }
}

/** All that pages are told of the files beside them. */
function aroundPages({ builtIns, sheets, services, search, islands, touchIcon }: Furnishing): unknown {
  const pathOf = (file: { path: string } | null) => file?.path ?? null
  return [
    [builtIns.mainScript, builtIns.searchScript].map(pathOf),
    sheets.map(pathOf),
    pathOf(services),
    Object.entries(search.indexes).map(([language, file]) => [language, file.path]),
    pathOf(search.languages),
    [...islands.scripts],
    pathOf(touchIcon.file),
  ]
}
