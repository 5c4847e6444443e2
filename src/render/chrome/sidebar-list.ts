/** The entries of a sidebar as HTML, whole or short. A page fills slots: its own entry becomes the current one. */
import type { NavGroup, NavItem, NavPage, Sidebar, SitePage } from '../../site/model.ts'
import { attributes, escapeHtml, withBreaks } from '../html/html.ts'
import { iconPlaceholder } from '../icons/icon-placeholder.ts'
import { firstPage } from '../links/directories.ts'
import { endpointOf } from './api-bar.ts'
import { isExternalHref, outwardAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'
import { slot } from './slots.ts'

/** Where a page stands in the list. */
interface Place {
  item: NavItem
  /** Slot of its entry. */
  entry: string
  /** Around it, from the outside in. */
  groups: readonly NavGroup[]
}

export class SidebarList {
  /** First place of each page; known once the whole list was made. */
  readonly #places = new Map<string, Place>()
  /** Slots of groups. */
  readonly #names = new Map<NavGroup, string>()
  readonly #view: SiteView
  readonly #sidebar: Sidebar
  /** Groups that are written with what is in them; null for all. */
  #written: ReadonlySet<NavGroup> | null = null

  constructor(view: SiteView, sidebar: Sidebar) {
    this.#view = view
    this.#sidebar = sidebar
  }

  whole(): string {
    this.#written = null
    return this.#list(this.#sidebar.items, [], true)
  }

  /** These groups with what is in them; the others as links to their first pages. */
  around(groups: readonly NavGroup[]): string {
    this.#written = new Set(groups)
    return this.#list(this.#sidebar.items, [], true)
  }

  groupsAround(page: SitePage | null): readonly NavGroup[] {
    return (page && this.#places.get(page.route)?.groups) ?? []
  }

  /** What is filled in for this page. */
  slotsOf(page: SitePage | null): string[] {
    const place = page ? this.#places.get(page.route) : undefined
    return place ? [place.entry, ...place.groups.map((group) => this.#nameOf(group))] : []
  }

  #list(items: readonly NavItem[], groups: readonly NavGroup[], isTop: boolean): string {
    return items.map((item) => this.#item(item, groups, isTop)).join('')
  }

  #item(item: NavItem, groups: readonly NavGroup[], isTop: boolean): string {
    if (item.kind === 'link') {
      return `<li><a href="${escapeHtml(item.href)}"${outwardAttributes(item.href)}>${iconPlaceholder(item.icon)}<span>${escapeHtml(item.label)}</span>${external(item.href)}</a></li>`
    }
    if (item.kind === 'page') return this.#page(item, groups)
    if (item.isHidden) return ''
    // Named in the order of the whole list, whichever page is laid out first.
    this.#nameOf(item)
    if (this.#written?.has(item) === false) return this.#sectionLink(item, isTop)
    return isTop ? this.#topGroup(item, groups) : this.#nestedGroup(item, groups)
  }

  #page(item: NavPage, groups: readonly NavGroup[]): string {
    const { route } = item
    const page = this.#shownPage(route)
    if (!page) return ''
    const method = page.frontmatter.hideApiMarker === true ? null : endpointOf(this.#view.site, page)?.method
    const href = page.url ?? route
    const deprecated = page.isDeprecated ? ` data-deprecated` : ''
    const label = `<span>${withBreaks(escapeHtml(page.sidebarTitle))}</span>`
    return `<li><a href="${escapeHtml(href)}"${this.#entry(item, route, groups)}${deprecated}${outwardAttributes(page.url)}>${iconPlaceholder(page.icon)}${method && method !== 'SCHEMA' ? methodPill(method) : ''}${label}${tagPill(page.tag)}${external(page.url)}</a></li>`
  }

  #shownPage(route: string): SitePage | null {
    const page = this.#view.site.pages.get(route)
    return page && (!page.isHidden || this.#showsHidden(page)) ? page : null
  }

  /** The sidebar of a hidden tab is seen only from its own pages, and then it shows them. */
  #showsHidden(page: SitePage): boolean {
    const isWhollyHidden = this.#sidebar.levels.some(
      ({ choices, active }) => active !== null && choices[active]?.isHidden === true,
    )
    return isWhollyHidden && page.frontmatter.hidden !== true
  }

  #topGroup(group: NavGroup, groups: readonly NavGroup[]): string {
    const path = [...groups, group]
    const inner = this.#list(group.items, path, false)
    if (inner === '' && group.root === null) return ''
    const label = groupLabel(this.#named(group), true)
    const title =
      group.root === null
        ? group.label.trim() === ''
          ? ''
          : `<div class="sidebar-title">${label}</div>`
        : `<a class="sidebar-title" href="${escapeHtml(group.root)}"${this.#entry(group, group.root, path)}>${label}</a>`
    return `<li class="sidebar-group-header">${title}<ul class="sidebar-group">${inner}</ul></li>`
  }

  #nestedGroup(group: NavGroup, groups: readonly NavGroup[]): string {
    const path = [...groups, group]
    const start = group.root ?? (this.#view.site.config.interaction.drilldown ? firstPage(group.items) : null)
    // The group's own page is its label: it comes before the pages inside of it.
    const entry = group.root === null ? '' : this.#entry(group, group.root, path)
    const inner = this.#list(group.items, path, false)
    if (inner === '' && group.root === null) return ''
    const label = groupLabel(this.#named(group), false)
    const open = group.isExpanded ? ' open' : slot(this.#nameOf(group))
    const chevron = '<span class="chevron" aria-hidden="true"></span>'
    if (start === null)
      return `<li><details${open}><summary>${label}${chevron}</summary><ul>${inner}</ul></details></li>`
    const link = `<a href="${escapeHtml(start)}"${entry}>${label}</a>`
    // Nothing is inside: there is nothing to open.
    if (inner === '') return `<li>${link}</li>`
    // A link within a summary would be a control within a control, so it stands before the details.
    return `<li class="nav-branch">${link}<details${open}><summary${attributes({ 'aria-label': this.#named(group).label })}>${chevron}</summary><ul>${inner}</ul></details></li>`
  }

  /** A link needs a name: a group without a label has that of the page it leads to. */
  #named(group: NavGroup, href: string | null = group.root): NavGroup {
    if (group.label.trim() !== '') return group
    const page = this.#view.site.pages.get((href ?? firstPage(group.items) ?? '').replace(/[?#].*$/s, ''))
    return { ...group, label: page?.sidebarTitle ?? href ?? '' }
  }

  /** A group of which only its first page can be reached. */
  #sectionLink(group: NavGroup, isTop: boolean): string {
    const href = group.root ?? this.#firstHref(group.items)
    if (href === null) return ''
    const label = groupLabel(this.#named(group, href), isTop)
    const link = `${attributes({ href })}${outwardAttributes(href)}>${label}</a>`
    return isTop
      ? `<li class="sidebar-group-header"><a class="sidebar-title"${link}</li>`
      : `<li><a${link}</li>`
  }

  #firstHref(items: readonly NavItem[]): string | null {
    for (const item of items) {
      const href = this.#hrefOf(item)
      if (href !== null) return href
    }
    return null
  }

  #hrefOf(item: NavItem): string | null {
    if (item.kind === 'link') return item.href
    if (item.kind === 'group') return item.isHidden ? null : (item.root ?? this.#firstHref(item.items))
    const page = this.#shownPage(item.route)
    return page && (page.url ?? page.route)
  }

  #nameOf(group: NavGroup): string {
    const known = this.#names.get(group)
    if (known !== undefined) return known
    const name = `g${this.#names.size}`
    this.#names.set(group, name)
    return name
  }

  /** A slot for the mark of the current page. Only the first place of a page is marked. */
  #entry(item: NavItem, route: string, groups: readonly NavGroup[]): string {
    const known = this.#places.get(route)
    if (known) return known.item === item ? slot(known.entry) : ''
    const entry = `p${this.#places.size}`
    this.#places.set(route, { item, entry, groups })
    return slot(entry)
  }
}

function groupLabel({ icon, label, tag }: NavGroup, isTop: boolean): string {
  const drawn = icon ? iconPlaceholder(icon, isTop ? { className: 'sidebar-group-icon' } : {}) : ''
  return `${drawn}<span>${withBreaks(escapeHtml(label))}</span>${tagPill(tag)}`
}

function methodPill(method: string): string {
  const short = method === 'DELETE' ? 'DEL' : method === 'WEBHOOK' ? 'HOOK' : method
  return `<span class="method-nav-pill" data-method="${escapeHtml(method)}">${escapeHtml(short)}</span>`
}

function tagPill(tag: string | null): string {
  return tag
    ? `<span class="nav-tag-pill"><span class="nav-tag-pill-text">${escapeHtml(tag)}</span></span>`
    : ''
}

function external(href: string | null): string {
  return isExternalHref(href) ? '<span class="external" aria-hidden="true"></span>' : ''
}
