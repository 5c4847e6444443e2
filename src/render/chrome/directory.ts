/** The list of a group on the group's own page: cards, or rows that open where a group holds groups. */
import type { Icon } from '../../site/icon.ts'
import type { NavGroup } from '../../site/model.ts'
import { attributes, escapeHtml } from '../html/html.ts'
import { inlineMarkup } from '../html/inline-markup.ts'
import { iconPlaceholder } from '../icons/icon-placeholder.ts'
import { type DirectoryEntry, directoryEntries } from '../links/directories.ts'
import { outwardAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'

export function directoryHtml(view: SiteView, group: NavGroup): string {
  const entries = directoryEntries(view.site, group.items)
  if (entries.length === 0) return ''
  if (group.directory === 'card') {
    const cards = entries.map((entry) => card(view, entry)).join('')
    return `<div class="directory not-prose"><div class="columns card-group" data-cols="2">${cards}</div></div>`
  }
  return `<div class="directory not-prose">${rows(view, entries)}</div>`
}

function card(view: SiteView, entry: DirectoryEntry): string {
  const icon = iconOf(view, entry)
  const title = link(entry, 'card-link')
  const description = entry.description
    ? `<div class="card-content">${inlineMarkup(entry.description, { links: false })}</div>`
    : ''
  return `<div class="card directory-card"${attributes({ 'data-linked': entry.href !== null })}><div class="card-inner">${icon ? iconPlaceholder(icon, { className: 'card-icon', size: 20 }) : ''}<div class="card-text"><div class="card-title">${title}</div>${description}</div></div></div>`
}

function rows(view: SiteView, entries: readonly DirectoryEntry[]): string {
  const items = entries.map((entry) => {
    const icon = iconOf(view, entry)
    const label = `${icon ? iconPlaceholder(icon) : ''}${link(entry, 'directory-link')}`
    const description = entry.description
      ? `<div class="directory-description">${inlineMarkup(entry.description)}</div>`
      : ''
    if (entry.item.kind !== 'group') return `<li class="directory-page">${label}${description}</li>`
    const inner = rows(view, directoryEntries(view.site, entry.item.items))
    return `<li class="directory-group"><details open><summary>${label}<span class="chevron" aria-hidden="true"></span></summary>${description}${inner}</details></li>`
  })
  return `<ul class="directory-list">${items.join('')}</ul>`
}

function link(entry: DirectoryEntry, className: string): string {
  if (entry.href === null) return `<span>${escapeHtml(entry.title)}</span>`
  return `<a class="${className}"${attributes({ href: entry.href })}${outwardAttributes(entry.href)}>${escapeHtml(entry.title)}</a>`
}

function iconOf(view: SiteView, { item }: DirectoryEntry): Icon | null {
  if (item.kind !== 'page') return item.icon
  return view.site.pages.get(item.route)?.icon ?? null
}
