/** Whether a version of a site includes the analytics script. */
import type { SiteManifest } from '../../../render/versions/manifest.ts'

const known = new WeakMap<SiteManifest, boolean>()

export function carriesAnalytics(manifest: SiteManifest): boolean {
  const before = known.get(manifest)
  if (before !== undefined) return before
  const found = Object.keys(manifest.files).some((name) => name.startsWith('_octavo/analytics.'))
  known.set(manifest, found)
  return found
}
