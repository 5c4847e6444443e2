/** The announcement above everything. A closed one stays closed until its content changes. */
import { sha256 } from '../../base/hash.ts'
import type { Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { lucide } from '../icons/icon-markup.ts'
import { formatted } from './formatted.ts'
import type { SiteView } from './site-view.ts'

export function bannerHtml(view: SiteView, language: string): Markup {
  const { banner } = view.chrome(language)
  if (!banner) return []
  const text = view.text(language)
  const style = banner.color ? `--banner:${banner.color.light};--banner-dark:${banner.color.dark}` : null
  const key = banner.isDismissible ? sha256(banner.content).slice(0, 12) : null
  const close =
    banner.isDismissible &&
    html`<button type="button" class="banner-close" aria-label="${text.dismiss}">${lucide('x')}</button>`
  const state = { 'data-type': banner.type, 'data-key': key, style, 'data-colored': banner.color !== null }
  return html`<section id="banner" aria-label="${view.site.config.name}"${attributes(state)}><div class="banner-text">${formatted(banner.content)}</div>${close}</section>`
}
