/** Icons of a site for browser tabs and home screens. */

import type { Site } from '../../site/model.ts'
import type { ThemedImage } from '../../site/settings/config.ts'
import type { Markup } from '../html/markup.ts'
import { joinMarkup, startTag } from '../html/template.ts'
import { contrast, parseHex, WHITE } from './colour.ts'

const DEFAULT_FAVICON_FILES = ['favicon.svg', 'favicon.ico', 'favicon.png']

const RASTER_IMAGE_EXTENSION = /\.(?:png|jpe?g|webp)(?:[?#]|$)/i

const SVG = 'image/svg+xml'
const TYPES: Readonly<Record<string, string>> = {
  svg: SVG,
  png: 'image/png',
  ico: 'image/x-icon',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
}

export function findFavicon({ config, assets }: Pick<Site, 'config' | 'assets'>): ThemedImage | null {
  if (config.favicon !== null) return config.favicon.light === '' ? null : config.favicon
  const usual = DEFAULT_FAVICON_FILES.find((name) => assets.has(name))
  return usual === undefined ? null : { light: `/${usual}`, dark: `/${usual}` }
}

/**
 * Returns link tags for the icons of a site. Icon files are linked unchanged; a site without a favicon gets
 * an icon with the first letter of its name. `touchIcon` is the path of the home screen icon; if it is null,
 * home screens use the favicon, provided that they support its format.
 */
export function faviconTags(site: Pick<Site, 'config' | 'assets'>, touchIcon: string | null): Markup {
  const favicon = findFavicon(site)
  if (favicon === null) return icon(letterIcon(site.config.name, site.config.colors.primary), null)
  const { light, dark } = favicon
  const tabs =
    light === dark
      ? icon(light, null)
      : joinMarkup([icon(light, '(prefers-color-scheme: light)'), icon(dark, '(prefers-color-scheme: dark)')])
  const touch = touchIcon ?? (RASTER_IMAGE_EXTENSION.test(light) ? light : null)
  return touch === null
    ? tabs
    : joinMarkup([tabs, startTag('link', { rel: 'apple-touch-icon', href: touch })])
}

function icon(href: string, media: string | null): Markup {
  const type = getType(href)
  const sizes = type === SVG ? 'any' : null
  return startTag('link', { rel: 'icon', href, type, sizes, media })
}

function getType(href: string): string | undefined {
  if (href.startsWith('data:')) return SVG
  return TYPES[/\.([a-z]{3,4})(?:[?#]|$)/i.exec(href)?.[1]?.toLowerCase() ?? '']
}

/**
 * Returns an icon for sites without one, because browsers would request a default file that does not exist.
 */
function letterIcon(name: string, primary: string): string {
  const letter = [...name.trim()].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '#'
  const ground = parseHex(primary)
  const text = ground && contrast(WHITE, ground) < 3 ? '#111' : '#fff'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${ground ? primary : '#333'}"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="18" fill="${text}">${letter.toUpperCase()}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
