/**
 * Renders the parts below the text: related pages, feedback, previous and next page, last modified date,
 * footer.
 */
import type { SitePage } from '../../site/model.ts'
import { relatedPages } from '../../site/pages/related-pages.ts'
import type { Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { iconMarkup, lucide } from '../icons/icon-markup.ts'
import type { IdsAfterText } from '../tree/chrome-ids.ts'
import type { UiText } from '../words/english.ts'
import { languageTag } from '../words/ui-text.ts'
import { feedbackToolbar } from './feedback-toolbar.ts'
import { linkAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'

/**
 * Returns whether the author controls the whole page, except for the header and, in `frame` mode, the
 * navigation.
 */
export function isAuthorControlledPage({ mode }: SitePage): boolean {
  return mode === 'custom' || mode === 'frame'
}

export function hasPageFooter(page: SitePage): boolean {
  return !isAuthorControlledPage(page) && page.mode !== 'assistant'
}

export function pageFooter(view: SiteView, page: SitePage, idOf: IdsAfterText): Markup {
  const text = view.text(page.language)
  const modified = lastModified(view, page, text)
  const pages = page.frontmatter.hideFooterPagination === true ? [] : pagination(view, page, text, idOf)
  const content = [...related(view, page, text), ...feedbackToolbar(view, page), ...modified, ...pages]
  return content.length > 0 ? html`<footer class="page-footer">${content}</footer>` : []
}

function related(view: SiteView, page: SitePage, text: UiText): Markup {
  const pages = relatedPages(view.site, page)
  if (pages.length === 0) return []
  const items = pages.flatMap(
    ({ title, href }) =>
      html`<li>${href === null ? title : html`<a${linkAttributes(href)}>${title}</a>`}</li>`,
  )
  return html`<nav class="related-pages" aria-label="${text.related}"><p class="related-pages-title">${text.related}</p><ul>${items}</ul></nav>`
}

function pagination(view: SiteView, page: SitePage, text: UiText, idOf: IdsAfterText): Markup {
  const placement = page.placements[0]
  if (!placement) return []
  const link = (route: string | null, side: 'prev' | 'next') => {
    const target = route === null ? undefined : view.site.pages.get(route)
    if (!target) return []
    const word = side === 'prev' ? text.previous : text.next
    const title = target.sidebarTitle
    const arrow = lucide(side === 'prev' ? 'arrow-left' : 'arrow-right', { className: 'pagination-arrow' })
    return html`<a class="pagination-${side}"${attributes({ href: target.route, rel: side })}><span class="pagination-word">${side === 'prev' && arrow}${word}${side === 'next' && arrow}</span><span class="pagination-title">${title}</span></a>`
  }
  const links = [...link(placement.previous, 'prev'), ...link(placement.next, 'next')]
  if (links.length === 0) return []
  return html`<nav${attributes({ id: idOf('pagination') })} class="pagination" aria-label="${text.previous}, ${text.next}">${links}</nav>`
}

/** Renders a date from content or commits, so that it does not depend on the machine that builds the site. */
function lastModified(view: SiteView, page: SitePage, text: UiText): Markup {
  const { timestamp } = page.frontmatter
  const isShown = typeof timestamp === 'boolean' ? timestamp : view.site.config.metadata.timestamp
  if (!isShown || page.lastUpdated === null) return []
  const date = new Date(page.lastUpdated)
  const iso = page.lastUpdated.slice(0, 10)
  return html`<p class="last-modified">${text.lastModified} <time datetime="${iso}">${longDate(date, page.language)}</time></p>`
}

function longDate(date: Date, language: string): string {
  const format: Intl.DateTimeFormatOptions = { dateStyle: 'long', timeZone: 'UTC' }
  try {
    return new Intl.DateTimeFormat(languageTag(language), format).format(date)
  } catch {
    return new Intl.DateTimeFormat('en', format).format(date)
  }
}

/** Font Awesome icons by social network. All but the last three are brands. */
const SOCIALS: Record<string, { icon: string; style: string; name: string }> = {
  x: brand('x-twitter', 'X'),
  'x-twitter': brand('x-twitter', 'X'),
  twitter: brand('twitter', 'Twitter'),
  facebook: brand('facebook', 'Facebook'),
  youtube: brand('youtube', 'YouTube'),
  discord: brand('discord', 'Discord'),
  slack: brand('slack', 'Slack'),
  github: brand('github', 'GitHub'),
  linkedin: brand('linkedin', 'LinkedIn'),
  instagram: brand('instagram', 'Instagram'),
  'hacker-news': brand('hacker-news', 'Hacker News'),
  medium: brand('medium', 'Medium'),
  telegram: brand('telegram', 'Telegram'),
  bluesky: brand('bluesky', 'Bluesky'),
  threads: brand('threads', 'Threads'),
  reddit: brand('reddit', 'Reddit'),
  website: { icon: 'globe', style: 'solid', name: 'Website' },
  'earth-americas': { icon: 'earth-americas', style: 'solid', name: 'Website' },
  podcast: { icon: 'podcast', style: 'solid', name: 'Podcast' },
}

function brand(icon: string, name: string): { icon: string; style: string; name: string } {
  return { icon, style: 'brands', name }
}

export function siteFooter(view: SiteView, language: string, id: string | null): Markup {
  const { footer } = view.chrome(language)
  const socials = footer.socials.flatMap(({ name, href }) => {
    const social = Object.hasOwn(SOCIALS, name) ? SOCIALS[name] : undefined
    const icon = social
      ? iconMarkup({ kind: 'name', name: social.icon, style: social.style, library: 'fontawesome' })
      : lucide('link')
    return html`<li><a class="icon-button"${linkAttributes(href, { 'aria-label': social?.name ?? name })}>${icon}</a></li>`
  })
  const columns = footer.links.flatMap((column) => {
    const header = column.header && html`<div class="footer-header">${column.header}</div>`
    const items = column.items.flatMap(
      ({ href, label }) => html`<li><a${linkAttributes(href)}>${label}</a></li>`,
    )
    return html`<div class="footer-column">${header}<ul>${items}</ul></div>`
  })
  if (socials.length === 0 && columns.length === 0) return []
  const state = { id, class: columns.length > 0 ? 'footer advanced-footer' : 'footer' }
  return html`<footer${attributes(state)}>${columns.length > 0 && html`<div class="footer-columns">${columns}</div>`}${socials.length > 0 && html`<ul class="footer-socials">${socials}</ul>`}</footer>`
}
