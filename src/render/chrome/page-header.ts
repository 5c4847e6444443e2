/** Renders the parts above the text: breadcrumb, title, description and actions. */
import type { SitePage } from '../../site/model.ts'
import { insertBreaks } from '../html/html.ts'
import { inlineMarkup, plainText } from '../html/inline-markup.ts'
import { isEmpty, type Markup } from '../html/markup.ts'
import { attributes, html, joinMarkup, raw } from '../html/template.ts'
import { lucide } from '../icons/icon-markup.ts'
import type { RenderedBody } from '../page/body.ts'
import { isTitleGiven } from '../page/given-title.ts'
import { apiBar } from './api-bar.ts'
import { formatText } from './format-text.ts'
import { pageActions } from './page-actions.ts'
import type { SiteView } from './site-view.ts'

/**
 * Renders the title, and returns the body. Authors expect a first heading that repeats the title to be hidden, so
 * it is removed from the body. If the page has no other title, its first heading becomes the title.
 */
export function pageHeader(
  view: SiteView,
  page: SitePage,
  body: RenderedBody,
  hasContents: boolean,
): { header: Markup; body: Markup } {
  const text = view.text(page.language)
  const { own, rest } = splitTitle(page, body)
  const deprecated =
    page.isDeprecated && html`<span class="title-pill" data-deprecated>${text.deprecated}</span>`
  const pills = html`${deprecated}${page.tag && html`<span class="title-pill">${page.tag}</span>`}`
  const words = own ?? raw(insertBreaks(inlineMarkup(page.title, { links: false })))
  const title = html`<h1 id="page-title">${words}${!isEmpty(pills) && ' '}${pills}</h1>`
  const description =
    page.description && html`<div class="page-description">${formatText(page.description)}</div>`
  const top = eyebrow(view, page)
  const actions = pageActions(view, page, hasContents)
  const header = html`<header class="page-header" id="header">${top}<div class="title-row">${title}${actions}</div>${description}</header>${staleNote(view, page)}${apiBar(view, page)}`
  return { header, body: rest }
}

function staleNote(view: SiteView, page: SitePage): Markup {
  const { original } = page
  if (original === null || !view.site.config.translations.staleNote) return []
  const text = view.text(page.language)
  const link = html`<a${attributes({ href: original })}>${text.staleOriginal}</a>`
  return html`<p class="stale-note" role="note">${text.stalePage} ${link}</p>`
}

/** Separates a level-1 heading at the start, which repeats or replaces the title. */
function splitTitle(page: SitePage, body: RenderedBody): { own: Markup | null; rest: Markup } {
  const { opening, html: rest } = body
  if (!opening) return { own: null, rest }
  const isRepeated = opening.words.trim().toLowerCase() === plainText(page.title).trim().toLowerCase()
  if (isRepeated) return { own: null, rest }
  if (isTitleGiven(page)) return { own: null, rest: joinOpening(body) }
  // Keeps the id, because links may refer to it.
  return { own: html`<span${attributes({ id: opening.id })}>${opening.content}</span>`, rest }
}

/** Returns the body including a heading at the start. */
export function joinOpening({ opening, html: rest }: RenderedBody): Markup {
  return opening ? joinMarkup([opening.whole, rest]) : rest
}

function eyebrow(view: SiteView, page: SitePage): Markup {
  const groups = (page.placements[0]?.groups ?? []).filter((group) => group.trim() !== '')
  const last = groups.at(-1)
  if (last === undefined) return []
  if (view.site.config.styling.eyebrows === 'section') {
    return html`<div class="eyebrow">${last}</div>`
  }
  const separator = html`<li class="breadcrumb-separator" aria-hidden="true">${lucide('chevron-right', { size: 14 })}</li>`
  const items = groups.flatMap(
    (group, index) => html`${index > 0 && separator}<li class="breadcrumb-item">${group}</li>`,
  )
  return html`<nav class="eyebrow" aria-label="${view.text(page.language).breadcrumbs}"><ol class="breadcrumb-list">${items}</ol></nav>`
}
