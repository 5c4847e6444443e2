/** Style sheets that are made for one site. */
import type { SiteConfig } from '../site/config.ts'
import { type BuiltInFile, type BuiltIns, hashed } from './built-ins.ts'
import type { LinkRewriter } from './links.ts'
import type { SiteFonts } from './theme/site-fonts.ts'
import { siteTokens } from './theme/site-tokens.ts'
import { utilityCss } from './utility-classes.ts'

/** Our own style sheets lie one folder deep. */
const BUILT_IN_DEPTH = 1

/** The site's theme with its colours and fonts. */
export async function themeSheet(
  config: SiteConfig,
  fonts: SiteFonts,
  themes: BuiltIns['themes'],
  links: LinkRewriter,
): Promise<BuiltInFile<string>> {
  const tokens = await siteTokens(config, fonts)
  return sheet(`theme-${config.theme}`, `${themes[config.theme]}\n${tokens}`, links)
}

/** Rules for the utility classes among `classes`, which are values of class attributes. */
export async function utilitiesSheet(
  classes: Iterable<string>,
  links: LinkRewriter,
): Promise<BuiltInFile<string>> {
  const names = new Set([...classes].flatMap((value) => value.split(/\s+/)))
  return sheet('utilities', await utilityCss(names), links)
}

function sheet(name: string, css: string, links: LinkRewriter): BuiltInFile<string> {
  return hashed(name, 'css', links.rewriteCss(css, BUILT_IN_DEPTH))
}
