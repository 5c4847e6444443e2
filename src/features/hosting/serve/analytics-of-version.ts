/** Determines whether a version of a site includes the analytics script. */
import type { SiteManifest } from '../../../render/versions/manifest.ts'

const cache = new WeakMap<SiteManifest, boolean>()

export function includesAnalytics(manifest: SiteManifest): boolean {
  const before = cache.get(manifest)
  if (before !== undefined) return before
  const found = Object.keys(manifest.files).some((name) => name.startsWith('_octavo/analytics.'))
  cache.set(manifest, found)
  return found
}
