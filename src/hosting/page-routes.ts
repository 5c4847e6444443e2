/** The routes of the pages of a site version: `guides/x.html` is `/guides/x`, `index.html` is `/`. */
import type { SiteManifest } from '../render/manifest.ts'

export function pageRoutes(manifest: Pick<SiteManifest, 'files'>): ReadonlySet<string> {
  const routes = new Set<string>()
  for (const [name, { contentType }] of Object.entries(manifest.files)) {
    if (!contentType.startsWith('text/html') || name === '404.html' || name.startsWith('_octavo/')) continue
    const bare = name.replace(/\.html$/, '').replace(/(^|\/)index$/, '')
    routes.add(`/${bare}`)
  }
  return routes
}
