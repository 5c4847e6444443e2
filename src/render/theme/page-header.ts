/** What stands above the text of a page: where it lies, its title and description, and what can be done with it. */
import type { SitePage } from '../../site/model.ts'
import type { RenderedBody } from '../body.ts'
import { apiBar } from './api-bar.ts'
import { escapeHtml } from './html.ts'
import { lucide } from './icon-placeholder.ts'
import { inlineMarkup, plainText } from './inline-markup.ts'
import { pageActions } from './page-actions.ts'
import type { SiteView } from './site-view.ts'

/** The title block. `body` may come back shorter: a first heading that repeats the title is dropped. */
export function pageHeader(
  view: SiteView,
  page: SitePage,
  body: RenderedBody,
  hasContents: boolean,
): { header: string; body: string } {
  const text = view.text(page.language)
  const { hasOwnTitle, rest } = splitTitle(page, body.html)
  const pills = [
    page.isDeprecated ? `<span class="title-pill" data-deprecated>${escapeHtml(text.deprecated)}</span>` : '',
    page.tag ? `<span class="title-pill">${escapeHtml(page.tag)}</span>` : '',
  ].join('')
  const title = hasOwnTitle
    ? ''
    : `<h1 id="page-title">${inlineMarkup(page.title, { links: false })}${pills ? ` ${pills}` : ''}</h1>`
  const description = page.description
    ? `<div class="page-description">${inlineMarkup(page.description)}</div>`
    : ''
  const top = eyebrow(view, page)
  const actions = pageActions(view, page, hasContents)
  if (!top && !title && !description && !actions) return { header: apiBar(view, page), body: rest }
  const header = `<header class="page-header">${top}<div class="title-row">${title}${actions}</div>${description}</header>${apiBar(view, page)}`
  return { header, body: rest }
}

/** A page whose text begins with a heading of the first level either repeats its title or brings its own. */
function splitTitle(page: SitePage, html: string): { hasOwnTitle: boolean; rest: string } {
  const match = /^\s*<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(html)
  if (!match) return { hasOwnTitle: false, rest: html }
  const own = plainText((match[1] ?? '').replace(/<[^>]*>/g, '')).trim()
  const given = plainText(page.title).trim()
  if (own.toLowerCase() === given.toLowerCase())
    return { hasOwnTitle: false, rest: html.slice(match[0].length) }
  return { hasOwnTitle: page.frontmatter.title === undefined, rest: html }
}

function eyebrow(view: SiteView, page: SitePage): string {
  const groups = page.placements[0]?.groups ?? []
  const last = groups.at(-1)
  if (last === undefined) return ''
  if (view.site.config.styling.eyebrows === 'section') {
    return `<div class="eyebrow">${escapeHtml(last)}</div>`
  }
  const items = groups.map((group) => `<li class="breadcrumb-item">${escapeHtml(group)}</li>`)
  const separator = `<li class="breadcrumb-separator" aria-hidden="true">${lucide('chevron-right', { size: 14 })}</li>`
  const label = escapeHtml(view.text(page.language).breadcrumbs)
  return `<nav class="eyebrow" aria-label="${label}"><ol class="breadcrumb-list">${items.join(separator)}</ol></nav>`
}
