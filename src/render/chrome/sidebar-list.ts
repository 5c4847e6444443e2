/** Renders the entries of a sidebar, complete or shortened. Slots mark the entry of the current page. */
import type { NavGroup, NavItem, NavPage, Sidebar, SitePage } from '../../site/model.ts'
import { isEmpty, type Markup } from '../html/markup.ts'
import { attributes, breakable, html, joinMarkup } from '../html/template.ts'
import { iconMarkup } from '../icons/icon-markup.ts'
import { findFirstPage } from '../links/directories.ts'
import { findEndpoint } from './api-bar.ts'
import { isExternalHref, linkAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'
import { slot } from './slots.ts'

interface EntryPosition {
  item: NavItem
  /** Slot name. */
  entry: string
  /** Enclosing groups, outermost first. */
  groups: readonly NavGroup[]
}

export class SidebarList {
  /** First location of each page. Complete after the whole list has been rendered. */
  readonly #positions = new Map<string, EntryPosition>()
  /** Slot names. */
  readonly #names = new Map<NavGroup, string>()
  readonly #view: SiteView
  readonly #sidebar: Sidebar
  /** Groups to render with their content; null for all. */
  #written: ReadonlySet<NavGroup> | null = null

  constructor(view: SiteView, sidebar: Sidebar) {
    this.#view = view
    this.#sidebar = sidebar
  }

  whole(): Markup {
    this.#written = null
    return this.#list(this.#sidebar.items, [], true)
  }

  /**
   * Renders the list, with the content of the given groups only. Other groups become links to their first page.
   */
  around(groups: readonly NavGroup[]): Markup {
    this.#written = new Set(groups)
    return this.#list(this.#sidebar.items, [], true)
  }

  findParentGroups(page: SitePage | null): readonly NavGroup[] {
    return (page && this.#positions.get(page.route)?.groups) ?? []
  }

  listSlots(page: SitePage | null): string[] {
    const entryPosition = page ? this.#positions.get(page.route) : undefined
    return entryPosition
      ? [entryPosition.entry, ...entryPosition.groups.map((group) => this.#nameOf(group))]
      : []
  }

  #list(items: readonly NavItem[], groups: readonly NavGroup[], isTop: boolean): Markup {
    return joinMarkup(items.map((item) => this.#item(item, groups, isTop)))
  }

  #item(item: NavItem, groups: readonly NavGroup[], isTop: boolean): Markup {
    if (item.kind === 'link') {
      const { href, icon, label } = item
      return html`<li><a${linkAttributes(href)}>${iconMarkup(icon)}<span>${label}</span>${external(href)}</a></li>`
    }
    if (item.kind === 'page') return this.#page(item, groups)
    if (item.isHidden) return []
    // Assigns slot names in the order of the list, so that they do not depend on the first page to be rendered.
    this.#nameOf(item)
    if (this.#written?.has(item) === false) return this.#sectionLink(item, isTop)
    return isTop ? this.#topGroup(item, groups) : this.#nestedGroup(item, groups)
  }

  #page(item: NavPage, groups: readonly NavGroup[]): Markup {
    const { route } = item
    const page = this.#shownPage(route)
    if (!page) return []
    const method =
      page.frontmatter.hideApiMarker === true ? null : findEndpoint(this.#view.site, page)?.method
    const own = html`${linkAttributes(page.url ?? route)}${this.#entry(item, route, groups)}${page.isDeprecated && ' data-deprecated'}`
    const pill = method && method !== 'SCHEMA' && methodPill(method)
    return html`<li><a${own}>${iconMarkup(page.icon)}${pill}<span>${breakable(page.sidebarTitle)}</span>${tagPill(page.tag)}${external(page.url)}</a></li>`
  }

  #shownPage(route: string): SitePage | null {
    const page = this.#view.site.pages.get(route)
    return page && (!page.isHidden || this.#showsHidden(page)) ? page : null
  }

  /** Returns whether to list a hidden page. True if its tab is hidden, but not the page itself. */
  #showsHidden(page: SitePage): boolean {
    const isWhollyHidden = this.#sidebar.levels.some(
      ({ choices, active }) => active !== null && choices[active]?.isHidden === true,
    )
    return isWhollyHidden && page.frontmatter.hidden !== true
  }

  #topGroup(group: NavGroup, groups: readonly NavGroup[]): Markup {
    const path = [...groups, group]
    const inner = this.#list(group.items, path, false)
    if (isEmpty(inner) && group.root === null) return []
    const label = groupLabel(this.#named(group), true)
    const title =
      group.root === null
        ? group.label.trim() === ''
          ? []
          : html`<div class="sidebar-title">${label}</div>`
        : html`<a class="sidebar-title"${attributes({ href: group.root })}${this.#entry(group, group.root, path)}>${label}</a>`
    return html`<li class="sidebar-group-header">${title}<ul class="sidebar-group">${inner}</ul></li>`
  }

  #nestedGroup(group: NavGroup, groups: readonly NavGroup[]): Markup {
    const path = [...groups, group]
    const start =
      group.root ?? (this.#view.site.config.interaction.drilldown ? findFirstPage(group.items) : null)
    // Registers the page of the group before the pages in the group.
    const entry = group.root === null ? [] : this.#entry(group, group.root, path)
    const inner = this.#list(group.items, path, false)
    if (isEmpty(inner) && group.root === null) return []
    const label = groupLabel(this.#named(group), false)
    const open = group.isExpanded ? html` open` : slot(this.#nameOf(group))
    const chevron = html`<span class="chevron" aria-hidden="true"></span>`
    if (start === null)
      return html`<li><details${open}><summary>${label}${chevron}</summary><ul>${inner}</ul></details></li>`
    const link = html`<a${attributes({ href: start })}${entry}>${label}</a>`
    // An empty group is not collapsible.
    if (isEmpty(inner)) return html`<li>${link}</li>`
    // The link precedes the details, because a summary must not contain interactive elements.
    return html`<li class="nav-branch">${link}<details${open}><summary aria-label="${this.#named(group).label}">${chevron}</summary><ul>${inner}</ul></details></li>`
  }

  /**
   * Returns the group with a label, because links require one. If the group has none, uses the title of the page that
   * the group links to.
   */
  #named(group: NavGroup, href: string | null = group.root): NavGroup {
    if (group.label.trim() !== '') return group
    const page = this.#view.site.pages.get((href ?? findFirstPage(group.items) ?? '').replace(/[?#].*$/s, ''))
    return { ...group, label: page?.sidebarTitle ?? href ?? '' }
  }

  /** Renders a link to the first page of a group instead of its content. */
  #sectionLink(group: NavGroup, isTop: boolean): Markup {
    const href = group.root ?? this.#firstHref(group.items)
    if (href === null) return []
    const label = groupLabel(this.#named(group, href), isTop)
    const link = html`${linkAttributes(href)}>${label}</a>`
    return isTop
      ? html`<li class="sidebar-group-header"><a class="sidebar-title"${link}</li>`
      : html`<li><a${link}</li>`
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
    const existing = this.#names.get(group)
    if (existing !== undefined) return existing
    const name = `g${this.#names.size}`
    this.#names.set(group, name)
    return name
  }

  /** Returns a slot to mark the entry as current. Empty if an earlier entry already links to the page. */
  #entry(item: NavItem, route: string, groups: readonly NavGroup[]): Markup {
    const existing = this.#positions.get(route)
    if (existing) return existing.item === item ? slot(existing.entry) : []
    const entry = `p${this.#positions.size}`
    this.#positions.set(route, { item, entry, groups })
    return slot(entry)
  }
}

function groupLabel({ icon, label, tag }: NavGroup, isTop: boolean): Markup {
  const drawn = iconMarkup(icon, isTop ? { className: 'sidebar-group-icon' } : {})
  return html`${drawn}<span>${breakable(label)}</span>${tagPill(tag)}`
}

function methodPill(method: string): Markup {
  const short = method === 'DELETE' ? 'DEL' : method === 'WEBHOOK' ? 'HOOK' : method
  return html`<span class="method-nav-pill" data-method="${method}">${short}</span>`
}

function tagPill(tag: string | null): Markup {
  return tag ? html`<span class="nav-tag-pill"><span class="nav-tag-pill-text">${tag}</span></span>` : []
}

function external(href: string | null): Markup {
  return isExternalHref(href) ? html`<span class="external" aria-hidden="true"></span>` : []
}
