/** Style sheets generated for a site. */
import { mapBounded } from '../../base/bounded.ts'
import { readTextFile } from '../../site/text.ts'
import type { LinkRewriter } from '../links/links.ts'
import { type BuiltInFile, type BuiltIns, hashed } from '../machinery/built-ins.ts'
import { createNamedFontFaces } from '../machinery/fonts.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { SiteFonts } from './site-fonts.ts'
import { siteTokens } from './site-tokens.ts'

const READ_CONCURRENCY = 8
const BUILT_IN_DEPTH = 1
const LAYER_NAME = /^(?!octavo\b)[A-Za-z_][\w.-]*$/
const MAX_LAYERS = 100

/** Returns the theme with the site's colors and fonts, and with the theme fonts that the site's style sheets use. */
export async function themeSheet(
  { site, tree }: Pick<RenderInput, 'site' | 'tree'>,
  fonts: SiteFonts,
  themes: BuiltIns['themes'],
  links: LinkRewriter,
): Promise<BuiltInFile<string>> {
  const { config } = site
  const tokens = await siteTokens(config, fonts)
  const texts = await readStyleSheets({ site, tree })
  const faces = createNamedFontFaces(texts.join('\n'))
  const css = [faces, themes[config.theme], tokens].filter((part) => part !== '').join('\n')
  return sheet(`theme-${config.theme}`, css, links)
}

/**
 * Returns a style sheet that declares the cascade layers used in a site's style sheets. Must be loaded before all
 * others. Rules in these layers then yield to the theme, as on the platform that introduced the format, where the theme
 * is unlayered. Unlayered rules override the theme. Empty if the site uses no layers.
 */
export async function layersSheet(
  input: Pick<RenderInput, 'site' | 'tree'>,
  links: LinkRewriter,
): Promise<BuiltInFile<string>> {
  const names = new Set<string>()
  for (const [, list = ''] of (await readStyleSheets(input)).join('\n').matchAll(/@layer([\w.,\s-]+)[;{]/g))
    for (const name of list.split(',').map((one) => one.trim()))
      if (LAYER_NAME.test(name) && names.size < MAX_LAYERS) names.add(name)
  return sheet('layers', names.size === 0 ? '' : `@layer ${[...names].join(', ')};`, links)
}

function readStyleSheets({ site, tree }: Pick<RenderInput, 'site' | 'tree'>): Promise<string[]> {
  return mapBounded(site.styles, READ_CONCURRENCY, (file) => readTextFile(tree, file))
}

/** Loads the CSS generator. It is large, so builds load it while they wait for pages. */
export function loadUtilities(): Promise<typeof import('./utility-classes.ts')> {
  return import('./utility-classes.ts')
}

/** Returns rules for the utility classes in `classes`, which are values of class attributes. */
export async function utilitiesSheet(
  classes: Iterable<string>,
  links: LinkRewriter,
): Promise<BuiltInFile<string>> {
  const names = new Set([...classes].flatMap((value) => value.split(/\s+/)))
  const { utilityCss } = await loadUtilities()
  return sheet('utilities', await utilityCss(names), links)
}

function sheet(name: string, css: string, links: LinkRewriter): BuiltInFile<string> {
  return hashed(name, 'css', links.rewriteCss(css, BUILT_IN_DEPTH))
}
