/** The sign of a site in the tab of a browser and on a home screen. */
import type { Site } from '../../site/model.ts'
import { contrast, parseHex, WHITE } from './colour.ts'
import { attributes } from './html.ts'

/** Files that browsers look for by themselves. */
const USUAL = ['favicon.svg', 'favicon.ico', 'favicon.png']

const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
}

/**
 * Drawings are there in every size; other files are given as they are, with their kind, and those that home screens
 * read a second time for these. A site without one has the file of the usual name, or else its first letter.
 */
export function faviconTags({ config, assets }: Pick<Site, 'config' | 'assets'>): string {
  const usual = USUAL.find((name) => assets.has(name))
  const { light, dark } = config.favicon ?? {
    light: usual ? `/${usual}` : '',
    dark: usual ? `/${usual}` : '',
  }
  if (light === '') return icon(letterIcon(config.name, config.colors.primary), null)
  const tags =
    light === dark
      ? icon(light, null)
      : icon(light, '(prefers-color-scheme: light)') + icon(dark, '(prefers-color-scheme: dark)')
  const isForScreens = /\.(?:png|jpe?g|webp)(?:[?#]|$)/i.test(light)
  return isForScreens ? `${tags}<link${attributes({ rel: 'apple-touch-icon', href: light })}>` : tags
}

function icon(href: string, media: string | null): string {
  const extension = /\.([a-z]{3,4})(?:[?#]|$)/i.exec(href)?.[1]?.toLowerCase() ?? ''
  const type = href.startsWith('data:') ? 'image/svg+xml' : TYPES[extension]
  const sizes = type === 'image/svg+xml' ? 'any' : null
  return `<link${attributes({ rel: 'icon', href, type, sizes, media })}>`
}

/** Without it every browser would ask for a file that is not there. */
function letterIcon(name: string, primary: string): string {
  const letter = [...name.trim()].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '#'
  const ground = parseHex(primary)
  const text = ground && contrast(WHITE, ground) < 3 ? '#111' : '#fff'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${ground ? primary : '#333'}"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="18" fill="${text}">${letter.toUpperCase()}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
