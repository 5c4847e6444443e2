/** The list of a group on the group's own page: cards, or rows that open where a group holds groups. */
import type { Icon } from '../../site/icon.ts'
import type { NavGroup } from '../../site/model.ts'
import type { Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { iconMarkup } from '../icons/icon-markup.ts'
import { type DirectoryEntry, directoryEntries } from '../links/directories.ts'
import { formatted, formattedLabel } from './formatted.ts'
import { linkTo } from './links.ts'
import type { SiteView } from './site-view.ts'

export function directoryHtml(view: SiteView, group: NavGroup): Markup {
  const entries = directoryEntries(view.site, group.items)
  if (entries.length === 0) return []
  if (group.directory === 'card') {
    const cards = entries.flatMap((entry) => card(view, entry))
    return html`<div class="directory not-prose"><div class="columns card-group" data-cols="2">${cards}</div></div>`
  }
  return html`<div class="directory not-prose">${rows(view, entries)}</div>`
}

function card(view: SiteView, entry: DirectoryEntry): Markup {
  const icon = iconOf(view, entry)
  const title = link(entry, 'card-link')
  const description =
    entry.description && html`<div class="card-content">${formattedLabel(entry.description)}</div>`
  return html`<div class="card directory-card"${attributes({ 'data-linked': entry.href !== null })}><div class="card-inner">${iconMarkup(icon, { className: 'card-icon', size: 20 })}<div class="card-text"><div class="card-title">${title}</div>${description}</div></div></div>`
}

function rows(view: SiteView, entries: readonly DirectoryEntry[]): Markup {
  const items = entries.flatMap((entry) => {
    const label = html`${iconMarkup(iconOf(view, entry))}${link(entry, 'directory-link')}`
    const description =
      entry.description && html`<div class="directory-description">${formatted(entry.description)}</div>`
    if (entry.item.kind !== 'group') return html`<li class="directory-page">${label}${description}</li>`
    const inner = rows(view, directoryEntries(view.site, entry.item.items))
    return html`<li class="directory-group"><details open><summary>${label}<span class="chevron" aria-hidden="true"></span></summary>${description}${inner}</details></li>`
  })
  return html`<ul class="directory-list">${items}</ul>`
}

function link(entry: DirectoryEntry, className: string): Markup {
  if (entry.href === null) return html`<span>${entry.title}</span>`
  return html`<a class="${className}"${linkTo(entry.href)}>${entry.title}</a>`
}

function iconOf(view: SiteView, { item }: DirectoryEntry): Icon | null {
  if (item.kind !== 'page') return item.icon
  return view.site.pages.get(item.route)?.icon ?? null
}
