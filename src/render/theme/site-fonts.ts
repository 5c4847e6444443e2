/** CSS for the fonts of a site: their files, and fallback fonts until the files have loaded. */
import type { FontSetting } from '../../site/settings/config.ts'

export interface SiteFonts {
  faces: readonly FontFace[]
  /** Font metrics by family, for the fallback font; families without known metrics are absent. */
  fallbacks: ReadonlyMap<string, FontShape>
}

export interface FontFace {
  family: string
  /** Path in the site, or URL. */
  source: string
  /** `woff2`, `woff`, `truetype`, `opentype`; null if unknown. */
  format: string | null
  /** `400` or `100 900`. */
  weight: string
  style: 'normal' | 'italic'
  /** `unicode-range`; null for all characters. */
  range: string | null
}

export interface FontShape {
  ascent: number
  descent: number
  lineGap: number
  width: number
}

/** Local fallback font, with the average width of its letters in English text. */
const FALLBACK_FONT = { names: ['Arial', 'Liberation Sans'], width: 0.4395 }

const BUNDLED: Readonly<Record<string, string>> = {
  inter: "'Inter Variable','Inter Fallback'",
  'inter variable': "'Inter Variable','Inter Fallback'",
  'jetbrains mono': "'JetBrains Mono Variable','JetBrains Mono Fallback'",
  'jetbrains mono variable': "'JetBrains Mono Variable','JetBrains Mono Fallback'",
}

export function isBundledFont({ family, source }: FontSetting): boolean {
  return source === null && family.toLowerCase() in BUNDLED
}

export function fontFaceRules({ faces, fallbacks }: SiteFonts): string {
  return [
    ...faces.map(faceRule),
    ...[...fallbacks].map(([family, shape]) => fallbackRule(family, shape)),
  ].join('\n')
}

export function fontTokens(
  fonts: { heading: FontSetting | null; body: FontSetting | null },
  { fallbacks }: SiteFonts,
): Record<string, string> {
  const { body, heading } = fonts
  const tokens: Record<string, string> = {}
  if (body) tokens['--font-site'] = familyList(body, fallbacks)
  if (heading && heading.family !== body?.family)
    tokens['--font-heading'] = `${familyList(heading, fallbacks)},var(--font-text)`
  // Some themes define a heading font, which the site's font must override.
  else if (heading) tokens['--font-heading'] = 'var(--font-text)'
  if (body?.weight) tokens['--weight-text'] = String(body.weight)
  if (heading?.weight) tokens['--weight-heading'] = String(heading.weight)
  return tokens
}

function familyList(font: FontSetting, fallbacks: SiteFonts['fallbacks']): string {
  const bundled = isBundledFont(font) ? BUNDLED[font.family.toLowerCase()] : undefined
  if (bundled) return bundled
  return fallbacks.has(font.family)
    ? `${fontName(font.family)},${fontName(`${font.family} Fallback`)}`
    : fontName(font.family)
}

function faceRule({ family, source, format, weight, style, range }: FontFace): string {
  const kind = format ? ` format('${format}')` : ''
  const only = range ? `;unicode-range:${range}` : ''
  return `@font-face{font-family:${fontName(family)};font-style:${style};font-weight:${weight};font-display:optional;src:${cssUrl(source)}${kind}${only}}`
}

/**
 * Gives the fallback font the height and width of the real font, so that loading it does not shift the
 * layout.
 */
function fallbackRule(family: string, { ascent, descent, lineGap, width }: FontShape): string {
  const scale = width / FALLBACK_FONT.width
  const local = FALLBACK_FONT.names.map((name) => `local('${name}')`).join(',')
  const part = (value: number) => `${((value / scale) * 100).toFixed(2)}%`
  return `@font-face{font-family:${fontName(`${family} Fallback`)};src:${local};size-adjust:${(scale * 100).toFixed(2)}%;ascent-override:${part(ascent)};descent-override:${part(descent)};line-gap-override:${part(lineGap)}}`
}

function fontName(family: string): string {
  return `'${family.replace(/[^\p{L}\p{N} _-]/gu, '')}'`
}

export function cssUrl(path: string): string {
  const address =
    /^(?:https?:)?\/\//i.test(path) || path.startsWith('/') ? path : `/${path.replace(/^\.\//, '')}`
  return `url("${address.replace(/["\\\n\r\f<>]/g, encodeURIComponent)}")`
}
