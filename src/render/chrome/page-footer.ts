/** What stands below the text of a page: feedback, previous and next, when it was changed, and the footer of the site. */
import type { SitePage } from '../../site/model.ts'
import { attributes, escapeHtml } from '../html/html.ts'
import { iconPlaceholder, lucide } from '../icons/icon-placeholder.ts'
import type { UiText } from '../words/languages/en.ts'
import { languageTag } from '../words/ui-text.ts'
import { feedbackToolbar } from './feedback-toolbar.ts'
import { outwardAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'

export function pageFooter(view: SiteView, page: SitePage): string {
  const text = view.text(page.language)
  const modified = lastModified(view, page, text)
  const pages = page.frontmatter.hideFooterPagination === true ? '' : pagination(view, page, text)
  const feedback = feedbackToolbar(view, page)
  const html = feedback + modified + pages
  return html ? `<footer class="page-footer">${html}</footer>` : ''
}

function pagination(view: SiteView, page: SitePage, text: UiText): string {
  const placement = page.placements[0]
  if (!placement) return ''
  const link = (route: string | null, side: 'prev' | 'next') => {
    const target = route === null ? undefined : view.site.pages.get(route)
    if (!target) return ''
    const word = side === 'prev' ? text.previous : text.next
    const title = target.sidebarTitle
    const arrow = lucide(side === 'prev' ? 'arrow-left' : 'arrow-right', { className: 'pagination-arrow' })
    return `<a class="pagination-${side}"${attributes({ href: target.route, rel: side })}><span class="pagination-word">${side === 'prev' ? arrow : ''}${escapeHtml(word)}${side === 'next' ? arrow : ''}</span><span class="pagination-title">${escapeHtml(title)}</span></a>`
  }
  const html = link(placement.previous, 'prev') + link(placement.next, 'next')
  return html
    ? `<nav id="pagination" class="pagination" aria-label="${escapeHtml(`${text.previous}, ${text.next}`)}">${html}</nav>`
    : ''
}

/** Only dates that the content names: a build has no other date that is the same on every machine. */
function lastModified(view: SiteView, page: SitePage, text: UiText): string {
  const { timestamp, lastUpdatedDate } = page.frontmatter
  const isShown = typeof timestamp === 'boolean' ? timestamp : view.site.config.metadata.timestamp
  if (!isShown || lastUpdatedDate === undefined) return ''
  const date = new Date(lastUpdatedDate instanceof Date ? lastUpdatedDate : String(lastUpdatedDate))
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString().slice(0, 10)
  return `<p class="last-modified">${escapeHtml(text.lastModified)} <time datetime="${iso}">${escapeHtml(longDate(date, page.language))}</time></p>`
}

function longDate(date: Date, language: string): string {
  const format: Intl.DateTimeFormatOptions = { dateStyle: 'long', timeZone: 'UTC' }
  try {
    return new Intl.DateTimeFormat(languageTag(language), format).format(date)
  } catch {
    return new Intl.DateTimeFormat('en', format).format(date)
  }
}

/** Names of the format to icons of Font Awesome; all but the last three are brands. */
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

export function siteFooter(view: SiteView, language: string): string {
  const { footer } = view.chrome(language)
  const socials = footer.socials
    .map(({ name, href }) => {
      const known = Object.hasOwn(SOCIALS, name) ? SOCIALS[name] : undefined
      const icon = known
        ? iconPlaceholder({ kind: 'name', name: known.icon, style: known.style, library: 'fontawesome' })
        : lucide('link')
      return `<li><a class="icon-button" href="${escapeHtml(href)}" aria-label="${escapeHtml(known?.name ?? name)}"${outwardAttributes(href)}>${icon}</a></li>`
    })
    .join('')
  const columns = footer.links
    .map((column) => {
      const header = column.header ? `<div class="footer-header">${escapeHtml(column.header)}</div>` : ''
      const items = column.items
        .map(
          (item) =>
            `<li><a href="${escapeHtml(item.href)}"${outwardAttributes(item.href)}>${escapeHtml(item.label)}</a></li>`,
        )
        .join('')
      return `<div class="footer-column">${header}<ul>${items}</ul></div>`
    })
    .join('')
  if (!socials && !columns) return ''
  const className = columns ? 'footer advanced-footer' : 'footer'
  return `<footer id="footer" class="${className}">${columns ? `<div class="footer-columns">${columns}</div>` : ''}${socials ? `<ul class="footer-socials">${socials}</ul>` : ''}</footer>`
}
