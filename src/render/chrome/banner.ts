/** The announcement above everything. A closed one stays closed until its content changes. */
import { sha256 } from '../../base/hash.ts'
import { attributes, escapeHtml } from '../html/html.ts'
import { inlineMarkup } from '../html/inline-markup.ts'
import { lucide } from '../icons/icon-placeholder.ts'
import type { SiteView } from './site-view.ts'

export function bannerHtml(view: SiteView, language: string): string {
  const { banner } = view.chrome(language)
  if (!banner) return ''
  const text = view.text(language)
  const style = banner.color ? `--banner:${banner.color.light};--banner-dark:${banner.color.dark}` : null
  const key = banner.isDismissible ? sha256(banner.content).slice(0, 12) : null
  const close = banner.isDismissible
    ? `<button type="button" class="banner-close" aria-label="${escapeHtml(text.dismiss)}">${lucide('x')}</button>`
    : ''
  const state = { 'data-type': banner.type, 'data-key': key, style, 'data-colored': banner.color !== null }
  return `<section id="banner" aria-label="${escapeHtml(view.site.config.name)}"${attributes(state)}><div class="banner-text">${inlineMarkup(banner.content)}</div>${close}</section>`
}
