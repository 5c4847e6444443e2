/** What stands above the text of a page: where it lies, its title and description, and what can be done with it. */
import type { SitePage } from '../../site/model.ts'
import { escapeHtml, withBreaks } from '../html/html.ts'
import { inlineMarkup, plainText } from '../html/inline-markup.ts'
import { lucide } from '../icons/icon-placeholder.ts'
import type { RenderedBody } from '../page/body.ts'
import { apiBar } from './api-bar.ts'
import { pageActions } from './page-actions.ts'
import type { SiteView } from './site-view.ts'

/**
 * The title block. `body` may come back shorter: a first heading that repeats the title is dropped, and one that is the
 * title of a page without another stands here, since authors hide first headings by style where they write both.
 */
export function pageHeader(
  view: SiteView,
  page: SitePage,
  body: RenderedBody,
  hasContents: boolean,
): { header: string; body: string } {
  const text = view.text(page.language)
  const { own, rest } = splitTitle(page, body.html)
  const pills = [
    page.isDeprecated ? `<span class="title-pill" data-deprecated>${escapeHtml(text.deprecated)}</span>` : '',
    page.tag ? `<span class="title-pill">${escapeHtml(page.tag)}</span>` : '',
  ].join('')
  const words = own ?? withBreaks(inlineMarkup(page.title, { links: false }))
  const title = `<h1 id="page-title">${words}${pills ? ` ${pills}` : ''}</h1>`
  const description = page.description
    ? `<div class="page-description">${inlineMarkup(page.description)}</div>`
    : ''
  const top = eyebrow(view, page)
  const actions = pageActions(view, page, hasContents)
  const header = `<header class="page-header" id="header">${top}<div class="title-row">${title}${actions}</div>${description}</header>${apiBar(view, page)}`
  return { header, body: rest }
}

/** A page whose text begins with a heading of the first level either repeats its title or brings its own. */
function splitTitle(page: SitePage, html: string): { own: string | null; rest: string } {
  const match = /^\s*<h1\b([^>]*)>([\s\S]*?)<\/h1>/.exec(html)
  if (!match) return { own: null, rest: html }
  const [whole, attributes = '', content = ''] = match
  const words = plainText(content.replace(/<[^<>]*>/g, '')).trim()
  const isRepeated = words.toLowerCase() === plainText(page.title).trim().toLowerCase()
  if (!isRepeated && page.frontmatter.title !== undefined) return { own: null, rest: html }
  const id = /\sid="[^"]*"/.exec(attributes)?.[0] ?? ''
  // Links lead to the id of the heading.
  return { own: isRepeated ? null : `<span${id}>${content}</span>`, rest: html.slice(whole.length) }
}

function eyebrow(view: SiteView, page: SitePage): string {
  const groups = (page.placements[0]?.groups ?? []).filter((group) => group.trim() !== '')
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
