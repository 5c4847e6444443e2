/** Warns authors about colors in docs.json that are adjusted because text in them would be unreadable. */
import type { Problem } from '../../base/errors/problem.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { contrast, ensureContrast, hexColour, type Oklch, parseHex } from './colour.ts'
import { pageColours, TARGET_CONTRAST, TEXT_CONTRAST } from './site-tokens.ts'

export function colourHints(config: SiteConfig): Problem[] {
  const { colors } = config
  const pages = pageColours(config)
  const hints = [hint('colors.primary', colors.primary, pages.light, 'light')]
  // `colors.light` defaults to the primary color, which the author did not choose for dark pages.
  if (colors.light !== colors.primary) hints.push(hint('colors.light', colors.light, pages.dark, 'dark'))
  return hints.filter((problem) => problem !== null)
}

function hint(setting: string, value: string, page: Oklch, mode: 'light' | 'dark'): Problem | null {
  const colour = parseHex(value)
  if (colour === null) return null
  const ratio = contrast(colour, page)
  if (ratio >= TEXT_CONTRAST) return null
  const shown = hexColour(ensureContrast(colour, [page], TARGET_CONTRAST))
  return {
    file: 'docs.json',
    line: null,
    code: 'color.contrast',
    level: 'hint',
    message: `${setting} ${value} has a contrast of ${ratio.toFixed(1)} on ${mode} pages, but text needs ${TEXT_CONTRAST}. Links use a ${mode === 'light' ? 'darker' : 'lighter'} shade.`,
    remedy: `Remove the setting, or choose a colour such as ${shown}.`,
  }
}
