/** Fonts of the theme: files from packages, and their `@font-face` rules. */
import type { SiteConfig } from '../../site/settings/config.ts'

interface Subset {
  name: string
  range: string
}

const SUBSETS: readonly Subset[] = [
  {
    name: 'latin',
    range:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  },
  {
    name: 'latin-ext',
    range:
      'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  },
  { name: 'cyrillic', range: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116' },
  { name: 'greek', range: 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF' },
  {
    name: 'vietnamese',
    range:
      'U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB',
  },
]

const FONT_FAMILIES = [
  {
    family: 'Inter Variable',
    usual: 'Inter',
    name: 'inter',
    package: '@fontsource-variable/inter',
    weights: '100 900',
  },
  {
    family: 'JetBrains Mono Variable',
    usual: 'JetBrains Mono',
    name: 'jetbrains-mono',
    package: '@fontsource-variable/jetbrains-mono',
    weights: '100 800',
  },
] as const

/** Files to write, with their module specifier as the source and a path below `/_octavo/` as the output. */
export const FONT_FILES: readonly { source: string; output: string }[] = FONT_FAMILIES.flatMap((font) =>
  SUBSETS.map((subset) => ({
    source: `${font.package}/files/${font.name}-${subset.name}-wght-normal.woff2`,
    output: `fonts/${font.name}-${subset.name}.woff2`,
  })),
)

/** Returns the paths of fonts to preload on every page. Excludes the theme's body font if the site has its own. */
export function preloadedFonts({ theme, fonts }: Pick<SiteConfig, 'theme' | 'fonts'>): string[] {
  const needsText = theme !== 'linden' && (fonts.body === null || /^inter\b/i.test(fonts.body.family))
  return FONT_FAMILIES.filter(({ name }) => name !== 'inter' || needsText).map(
    (font) => `/_octavo/fonts/${font.name}-latin.woff2`,
  )
}

/**
 * Returns `@font-face` rules with URLs relative to a style sheet in `/_octavo/`. Includes two local fallbacks
 * with the metrics of the fonts, to prevent a layout shift when they load.
 */
export function fontFaces(): string {
  const faces = FONT_FAMILIES.flatMap((font) => createFaces(font, font.family))
  // Inter: ascent 0.96875, descent 0.24121, average width 1.0712 of Arial. JetBrains Mono: 1.02, 0.3, 600/1000 wide.
  faces.push(
    `@font-face{font-family:'Inter Fallback';src:local('Arial'),local('Liberation Sans');size-adjust:107.12%;ascent-override:90.44%;descent-override:22.52%;line-gap-override:0%}`,
    `@font-face{font-family:'JetBrains Mono Fallback';src:local('Courier New'),local('Liberation Mono');size-adjust:99.98%;ascent-override:102.02%;descent-override:30.01%;line-gap-override:0%}`,
  )
  return faces.join('\n')
}

const FONT_DECLARATION = /^\s*(?:font|font-family|--[\w-]+)\s*:/

/** Returns rules for these fonts under their usual names, for style sheets that use the fonts without defining them. */
export function createNamedFontFaces(css: string): string {
  const declarations = css.split(/[;{}]/).filter((text) => FONT_DECLARATION.test(text))
  const declared = [...css.matchAll(/@font-face\s*\{([^{}]*)\}/g)].map(([, face = '']) => face)
  const named = FONT_FAMILIES.filter(({ usual }) => {
    const name = new RegExp(`\\b${usual}\\b(?! Variable)`)
    return declarations.some((text) => name.test(text)) && !declared.some((face) => name.test(face))
  })
  return named.flatMap((font) => createFaces(font, font.usual)).join('\n')
}

function createFaces(font: (typeof FONT_FAMILIES)[number], family: string): string[] {
  return SUBSETS.map(
    (subset) =>
      `@font-face{font-family:'${family}';font-style:normal;font-weight:${font.weights};font-display:optional;src:url(./fonts/${font.name}-${subset.name}.woff2) format('woff2');unicode-range:${subset.range}}`,
  )
}
