/** Style sheet of one site: its colors as two scales of twelve steps, fonts, background, and code colors. */

import { importFromPackage } from '../../base/files/program-files.ts'
import { isModuleNotFound } from '../../base/internal-error.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { contrast, cssColour, ensureContrast, type Oklch, parseHex, WHITE } from './colour.ts'
import { cssUrl, fontFaceRules, fontTokens, type SiteFonts } from './site-fonts.ts'

/** Minimum contrast of text. The lower MIN_SHAPE_CONTRAST applies to meaningful lines and shapes. */
export const TEXT_CONTRAST = 4.5
/** Contrast to which colors are adjusted. Exceeds TEXT_CONTRAST, because screens round each channel to 256 steps. */
export const TARGET_CONTRAST = 4.56
const MIN_SHAPE_CONTRAST = 3

/** Lightness relative to the background for nine steps of surfaces and lines; the three text steps are absolute. */
const LIGHT_NEUTRAL_LIGHTNESS_OFFSETS = [0, -0.016, -0.034, -0.052, -0.07, -0.092, -0.13, -0.21, -0.36]
const DARK_NEUTRAL_LIGHTNESS_OFFSETS = [0, 0.03, 0.055, 0.08, 0.1, 0.13, 0.18, 0.26, 0.38]
const LIGHT_TEXT_LIGHTNESS = [0.56, 0.45, 0.22]
const DARK_TEXT_LIGHTNESS = [0.62, 0.745, 0.955]

/** Share of the accent's chroma at each step, from the faintest surface to text. */
const ACCENT_CHROMA = [0.05, 0.1, 0.18, 0.26, 0.34, 0.44, 0.58, 0.8, 1, 1, 1, 0.5]
const LIGHT_ACCENT_LIGHTNESS = [0.99, 0.975, 0.955, 0.93, 0.9, 0.86, 0.8, 0.72]
const DARK_ACCENT_LIGHTNESS = [0.175, 0.205, 0.25, 0.285, 0.32, 0.37, 0.44, 0.54]

const DARKEST_BASE_LIGHTNESS = 0.145

const DEFAULT_LIGHT: Oklch = { l: 1, c: 0, h: 0 }
const DEFAULT_DARK: Oklch = { l: 0.165, c: 0, h: 0 }
const DEFAULT_ACCENT: Oklch = { l: 0.55, c: 0.18, h: 255 }

/** Code themes that are shown on the built-in code backgrounds. All other code themes define their own backgrounds. */
const HOME_CODE_THEMES = [
  'github-light-default',
  'github-light',
  'dark-plus',
  'github-dark-default',
  'github-dark',
]

/** Must equal the values in the built-in style sheet. */
const HOME_CODE_TOKENS = {
  '--code-ground': 'var(--neutral-2)',
  '--code-edge': 'var(--neutral-6)',
  '--code-muted': 'var(--neutral-11)',
}

/** Returns CSS with URLs as site paths (`/fonts/x.woff2`); it must be loaded after the theme's style sheet. */
export async function siteTokens(config: SiteConfig, fonts: SiteFonts): Promise<string> {
  const primary = parseHex(config.colors.primary) ?? DEFAULT_ACCENT
  const forDark = parseHex(config.colors.light) ?? primary
  const forButtons = parseHex(config.colors.dark) ?? primary
  const pages = pageColours(config)
  const buttons = [forButtons, primary, forDark]
  const light = modeTokens(pages.light, primary, buttons)
  const dark = modeTokens(pages.dark, forDark, buttons)
  const brand = {
    '--brand': validColourOrDefault(config.colors.primary),
    '--brand-light': validColourOrDefault(config.colors.light),
    '--brand-dark': validColourOrDefault(config.colors.dark),
  }
  const [lightCode, darkCode] = await Promise.all([
    codeTokens(config.styling.codeblocks.light, 'light'),
    codeTokens(config.styling.codeblocks.dark, 'dark'),
  ])
  const { image } = config.background
  const lightImage: Record<string, string> = image ? { '--page-image': cssUrl(image.light) } : {}
  const darkImage: Record<string, string> = image ? { '--page-image': cssUrl(image.dark) } : {}
  return [
    fontFaceRules(fonts),
    '@layer octavo.site{',
    rule(':root', { ...brand, ...light, ...lightCode, ...lightImage, ...fontTokens(config.fonts, fonts) }),
    rule('html.dark', { ...dark, ...darkCode, ...darkImage }),
    '}',
  ]
    .filter((part) => part !== '')
    .join('\n')
}

export function pageColours({ background }: Pick<SiteConfig, 'background'>): { light: Oklch; dark: Oklch } {
  return {
    light: parseHex(background.color.light ?? '') ?? DEFAULT_LIGHT,
    dark: parseHex(background.color.dark ?? '') ?? DEFAULT_DARK,
  }
}

export function drawingColours(
  config: Pick<SiteConfig, 'background' | 'colors'>,
  mode: 'light' | 'dark',
): Record<'ground' | 'ink' | 'quiet' | 'accent', Oklch> {
  const ground = pageColours(config)[mode]
  const primary = parseHex(config.colors.primary) ?? DEFAULT_ACCENT
  const accent = mode === 'dark' ? (parseHex(config.colors.light) ?? primary) : primary
  const neutrals = neutralScale(ground, accent, ground.l > 0.6)
  return {
    ground,
    ink: neutrals[11] as Oklch,
    quiet: neutrals[10] as Oklch,
    accent: ensureContrast(accent, [ground], MIN_SHAPE_CONTRAST),
  }
}

export function modeTokens(
  background: Oklch,
  accent: Oklch,
  buttons: readonly Oklch[],
): Record<string, string> {
  const isLight = background.l > 0.6
  const neutrals = neutralScale(background, accent, isLight)
  const grounds = neutrals.slice(0, 3)
  const accents = accentScale(accent, neutrals, isLight)
  const button = buttonColours(buttons, background)
  const tokens: Record<string, string> = {}
  neutrals.forEach((colour, index) => {
    tokens[`--neutral-${index + 1}`] = cssColour(colour)
  })
  accents.forEach((colour, index) => {
    tokens[`--accent-${index + 1}`] = cssColour(colour)
  })
  tokens['--accent-on'] = cssColour(chooseTextColour(accents[8] ?? accent))
  tokens['--button'] = cssColour(button)
  tokens['--button-on'] = cssColour(chooseTextColour(button))
  tokens['--page'] = cssColour(grounds[0] ?? background)
  return tokens
}

function neutralScale(background: Oklch, accent: Oklch, isLight: boolean): Oklch[] {
  // A trace of the accent's hue tints the grays; a colored background keeps its own hue.
  const hue = background.c > 0.004 ? background.h : accent.h
  const chroma = background.c > 0.004 ? Math.min(background.c, 0.02) : accent.c > 0.03 ? 0.004 : 0
  // Lines computed relative to a nearly black page would be invisible.
  const base = isLight ? background.l : Math.max(background.l, DARKEST_BASE_LIGHTNESS)
  const steps = (isLight ? LIGHT_NEUTRAL_LIGHTNESS_OFFSETS : DARK_NEUTRAL_LIGHTNESS_OFFSETS).map(
    (offset, index): Oklch =>
      index === 0 ? background : { l: base + offset, c: chroma * (isLight ? 1 : 1.5), h: hue },
  )
  const grounds = steps.slice(0, 3)
  const text = (isLight ? LIGHT_TEXT_LIGHTNESS : DARK_TEXT_LIGHTNESS).map((l) =>
    ensureContrast({ l, c: chroma * 1.5, h: hue }, grounds, TARGET_CONTRAST),
  )
  return [...steps, ...text]
}

function accentScale(accent: Oklch, neutrals: readonly Oklch[], isLight: boolean): Oklch[] {
  const page = neutrals[0] ?? WHITE
  const grounds = (isLight ? LIGHT_ACCENT_LIGHTNESS : DARK_ACCENT_LIGHTNESS).map(
    (l, index): Oklch => ({
      l: isLight ? Math.min(l, page.l - 0.01 - index * 0.005) : Math.max(l, page.l + 0.015 + index * 0.02),
      c: accent.c * (ACCENT_CHROMA[index] ?? 1),
      h: accent.h,
    }),
  )
  const solid = ensureContrast(accent, [page], MIN_SHAPE_CONTRAST)
  const hover: Oklch = { ...solid, l: solid.l + (isLight ? -0.05 : 0.05) }
  const text = ensureContrast(
    accent,
    [page, ...neutrals.slice(1, 3), grounds[1] ?? page, grounds[2] ?? page],
    TARGET_CONTRAST,
  )
  const strong: Oklch = { l: isLight ? 0.3 : 0.93, c: accent.c * 0.5, h: accent.h }
  return [...grounds, solid, hover, text, ensureContrast(strong, [page, grounds[3] ?? page], TARGET_CONTRAST)]
}

/** Picks the first color that is visible on the page; candidates are in the site's order of preference. */
function buttonColours(candidates: readonly Oklch[], background: Oklch): Oklch {
  const fallback: Oklch = { l: background.l > 0.6 ? 0.25 : 0.95, c: 0, h: 0 }
  const found = candidates.find((candidate) => contrast(candidate, background) >= 1.8) ?? fallback
  // White on a slightly darker button is easier to read than black on the given color, if the difference is
  // small.
  const onWhite = contrast(found, WHITE)
  return onWhite >= 3.2 && onWhite < TEXT_CONTRAST ? ensureContrast(found, [WHITE], TARGET_CONTRAST) : found
}

function chooseTextColour(ground: Oklch): Oklch {
  const dark: Oklch = { l: 0.16, c: 0, h: 0 }
  if (contrast(WHITE, ground) >= TEXT_CONTRAST) return WHITE
  return contrast(dark, ground) >= contrast(WHITE, ground) ? dark : WHITE
}

async function codeTokens(theme: string, mode: 'light' | 'dark'): Promise<Record<string, string>> {
  const colours = await themeColours(theme)
  if (!colours) return {}
  const tokens: Record<string, string> = { '--code-text': colours.foreground }
  const isHome = HOME_CODE_THEMES.includes(theme) && colours.isDark === (mode === 'dark')
  // Restores the built-in colors, because values set by the light scheme also apply in the dark scheme.
  if (isHome && mode === 'dark') Object.assign(tokens, HOME_CODE_TOKENS)
  if (!isHome) {
    tokens['--code-ground'] = colours.background
    tokens['--code-edge'] = `color-mix(in oklab, ${colours.foreground} 14%, ${colours.background})`
    tokens['--code-muted'] = `color-mix(in oklab, ${colours.foreground} 68%, ${colours.background})`
  }
  return tokens
}

async function themeColours(
  name: string,
): Promise<{ background: string; foreground: string; isDark: boolean } | null> {
  if (!/^[a-z0-9-]+$/.test(name)) return null
  try {
    const { default: theme } = await importFromPackage<{
      default: { type?: string; colors?: Record<string, string>; fg?: string; bg?: string }
    }>('@shikijs/themes', `dist/${name}.mjs`)
    const background = hex(theme.bg ?? theme.colors?.['editor.background'])
    const foreground = hex(theme.fg ?? theme.colors?.['editor.foreground'] ?? theme.colors?.foreground)
    if (!background || !foreground) return null
    return { background, foreground, isDark: theme.type !== 'light' }
  } catch (error) {
    if (!isModuleNotFound(error)) throw error
    return null // unknown to the highlighter: the defaults of the style sheet apply
  }
}

function rule(selector: string, tokens: Record<string, string>): string {
  const body = Object.entries(tokens)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
  return `${selector}{${body}}`
}

function hex(value: string | undefined): string | null {
  return value && parseHex(value) ? value : null
}

function validColourOrDefault(value: string): string {
  return parseHex(value) ? value : cssColour(DEFAULT_ACCENT)
}
