/** Finds remote images in the layout: logo, navigation icons, background. */
import type { Site } from '../../site/model.ts'
import { isRemote } from '../html/addresses.ts'
import type { RemoteAssets } from './remote-assets.ts'

export function listChromeUrls(site: Site): string[] {
  const { config, sidebars, pages } = site
  const found = new Set<string>()
  for (const image of [config.logo, config.favicon, config.background.image]) {
    if (image) for (const url of [image.light, image.dark]) if (isRemote(url)) found.add(url)
  }
  const icons = [config.navbar, config.contextual, sidebars, [...pages.values()].map(({ icon }) => icon)]
  collectRemoteIconUrls(icons, found)
  return [...found]
}

function collectRemoteIconUrls(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { kind, src } = value as { kind?: unknown; src?: unknown }
  if (kind === 'image' && typeof src === 'string' && isRemote(src)) found.add(src)
  for (const inner of Object.values(value)) collectRemoteIconUrls(inner, found)
}

/** Removes the logo if a file of it could not be copied; the site's name is then shown. Returns the missing URLs. */
export function withoutMissingLogo(
  site: Site,
  remoteAssets: Pick<RemoteAssets, 'pathOf'>,
): { site: Site; missing: string[] } {
  const { logo } = site.config
  const missing = logo
    ? [logo.light, logo.dark].filter((url) => isRemote(url) && remoteAssets.pathOf(url) === null)
    : []
  if (missing.length === 0) return { site, missing }
  return { site: { ...site, config: { ...site.config, logo: null } }, missing: [...new Set(missing)] }
}
