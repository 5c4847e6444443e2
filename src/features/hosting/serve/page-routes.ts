/** Routes of the pages of a site version: `guides/x.html` becomes `/guides/x`, `index.html` becomes `/`. */
import { createYielder } from '../../../base/text/yielder.ts'
import type { ManifestFile, SiteManifest } from '../../../render/versions/manifest.ts'

export async function pageRoutes({ files }: Pick<SiteManifest, 'files'>): Promise<ReadonlySet<string>> {
  const routes = new Set<string>()
  const breaks = createYielder()
  for (const name in files) {
    if (breaks.isDue()) await breaks.yieldNow()
    const { contentType } = files[name] as ManifestFile
    if (!contentType.startsWith('text/html') || name === '404.html' || name.startsWith('_octavo/')) continue
    const bare = name.replace(/\.html$/, '').replace(/(^|\/)index$/, '')
    routes.add(`/${bare}`)
  }
  return routes
}
