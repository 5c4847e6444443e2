/**
 * The list at the left of a page. It is made once for each sidebar and depth; a page only fills slots: its own entry
 * becomes the current one and the groups around it open.
 */
import type { NavGroup, NavItem, NavLevel, Sidebar, SitePage } from '../../site/model.ts'
import { firstPage } from '../directories.ts'
import { endpointOf } from './api-bar.ts'
import { attributes, escapeHtml } from './html.ts'
import { iconPlaceholder } from './icon-placeholder.ts'
import { isExternalHref, outwardAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'
import { fillSlots, readSlots, type SlottedHtml, slot } from './slots.ts'
import { levelsOf, levelTitle, shownChoices, switcherMenu } from './switchers.ts'

export interface SidebarHtml {
  /** With the entry of this page marked; null for a page that has none. */
  forPage(page: SitePage | null, depth: number): string
}

const CURRENT = ' aria-current="page" data-active="true"'

export function createSidebarHtml(view: SiteView, sidebar: Sidebar): SidebarHtml {
  const builder = new SidebarBuilder(view, sidebar)
  const source = builder.build()
  const byDepth = new Map<number, SlottedHtml>()
  return {
    forPage: (page, depth) => {
      let slotted = byDepth.get(depth)
      if (!slotted) {
        slotted = readSlots(view.finish(source, depth))
        byDepth.set(depth, slotted)
      }
      const place = page ? builder.places.get(page.route) : undefined
      const values = new Map<string, string>()
      if (place) {
        values.set(place.entry, CURRENT)
        for (const group of place.groups) values.set(group, ' open')
      }
      return fillSlots(slotted, values)
    },
  }
}

interface Place {
  /** Slots. */
  entry: string
  groups: readonly string[]
}

class SidebarBuilder {
  /** First place of each page. */
  readonly places = new Map<string, Place>()
  readonly #view: SiteView
  readonly #sidebar: Sidebar
  #count = 0

  constructor(view: SiteView, sidebar: Sidebar) {
    this.#view = view
    this.#sidebar = sidebar
  }

  build(): string {
    return `${this.#top()}<ul class="sidebar-nav">${this.#list(this.#sidebar.items, [], true)}</ul>`
  }

  #top(): string {
    const text = this.#view.text(this.#sidebar.language)
    const tabs = levelsOf(this.#sidebar, ['tabs'])
      .map((level) => this.#drawerTabs(level))
      .join('')
    const dropdowns = levelsOf(this.#sidebar, ['dropdowns', 'menu'])
      .map((level) => switcherMenu(level, levelTitle(level.kind, text), null, 'wide'))
      .join('')
    const anchors = levelsOf(this.#sidebar, ['anchors'])
      .flatMap((level) => anchorLinks(level))
      .join('')
    return tabs + dropdowns + (anchors ? `<ul class="nav-anchors">${anchors}</ul>` : '')
  }

  /** The row of tabs has no place on small screens: there it stands in the drawer. */
  #drawerTabs(level: NavLevel): string {
    const items = shownChoices(level)
      .filter(({ choice }) => choice.href !== null)
      .map(
        ({ choice, isActive }) =>
          `<li><a class="mobile-nav-tabs-item"${attributes({ href: choice.href, 'data-active': isActive && 'true' })}${outwardAttributes(choice.href)}>${iconPlaceholder(choice.icon)}${escapeHtml(choice.label)}</a></li>`,
      )
    return items.length > 1 ? `<ul class="mobile-nav-tabs">${items.join('')}</ul>` : ''
  }

  #list(items: readonly NavItem[], groups: readonly string[], isTop: boolean): string {
    return items.map((item) => this.#item(item, groups, isTop)).join('')
  }

  #item(item: NavItem, groups: readonly string[], isTop: boolean): string {
    if (item.kind === 'link') {
      return `<li><a href="${escapeHtml(item.href)}"${outwardAttributes(item.href)}>${iconPlaceholder(item.icon)}<span>${escapeHtml(item.label)}</span>${external(item.href)}</a></li>`
    }
    if (item.kind === 'page') return this.#page(item.route, groups)
    if (item.isHidden) return ''
    return isTop ? this.#topGroup(item, groups) : this.#nestedGroup(item, groups)
  }

  #page(route: string, groups: readonly string[]): string {
    const page = this.#view.site.pages.get(route)
    if (!page || (page.isHidden && !this.#showsHidden(page))) return ''
    const method = page.frontmatter.hideApiMarker === true ? null : endpointOf(this.#view.site, page)?.method
    const href = page.url ?? route
    const deprecated = page.isDeprecated ? ` data-deprecated` : ''
    const label = `<span>${escapeHtml(page.sidebarTitle)}</span>`
    return `<li><a href="${escapeHtml(href)}"${this.#entry(route, groups)}${deprecated}${outwardAttributes(page.url)}>${iconPlaceholder(page.icon)}${method && method !== 'SCHEMA' ? methodPill(method) : ''}${label}${tagPill(page.tag)}${external(page.url)}</a></li>`
  }

  /** The sidebar of a hidden tab is seen only from its own pages, and then it shows them. */
  #showsHidden(page: SitePage): boolean {
    const isWhollyHidden = this.#sidebar.levels.some(
      ({ choices, active }) => active !== null && choices[active]?.isHidden === true,
    )
    return isWhollyHidden && page.frontmatter.hidden !== true
  }

  #topGroup(group: NavGroup, groups: readonly string[]): string {
    const inner = this.#list(group.items, groups, false)
    if (inner === '' && group.root === null) return ''
    const icon = group.icon ? iconPlaceholder(group.icon, { className: 'sidebar-group-icon' }) : ''
    const label = `${icon}<span>${escapeHtml(group.label)}</span>${tagPill(group.tag)}`
    const title =
      group.root === null
        ? `<div class="sidebar-title">${label}</div>`
        : `<a class="sidebar-title" href="${escapeHtml(group.root)}"${this.#entry(group.root, groups)}>${label}</a>`
    return `<li class="sidebar-group-header">${title}<ul class="sidebar-group">${inner}</ul></li>`
  }

  #nestedGroup(group: NavGroup, groups: readonly string[]): string {
    const name = `g${this.#count++}`
    const path = [...groups, name]
    const start = group.root ?? (this.#view.site.config.interaction.drilldown ? firstPage(group.items) : null)
    // The group's own page is its label: it comes before the pages inside of it.
    const entry = group.root === null ? '' : this.#entry(group.root, path)
    const inner = this.#list(group.items, path, false)
    if (inner === '' && group.root === null) return ''
    const icon = iconPlaceholder(group.icon)
    const label = `${icon}<span>${escapeHtml(group.label)}</span>${tagPill(group.tag)}`
    const open = group.isExpanded ? ' open' : slot(name)
    const chevron = '<span class="chevron" aria-hidden="true"></span>'
    if (start === null)
      return `<li><details${open}><summary>${label}${chevron}</summary><ul>${inner}</ul></details></li>`
    const link = `<a href="${escapeHtml(start)}"${entry}>${label}</a>`
    // Nothing is inside: there is nothing to open.
    if (inner === '') return `<li>${link}</li>`
    // A link within a summary would be a control within a control, so it stands before the details.
    return `<li class="nav-branch">${link}<details${open}><summary${attributes({ 'aria-label': group.label })}>${chevron}</summary><ul>${inner}</ul></details></li>`
  }

  /** A slot for the mark of the current page. Only the first place of a page is marked. */
  #entry(route: string, groups: readonly string[]): string {
    if (this.places.has(route)) return ''
    const name = `p${this.#count++}`
    this.places.set(route, { entry: name, groups })
    return slot(name)
  }
}

function anchorLinks(level: NavLevel): string[] {
  return shownChoices(level)
    .filter(({ choice }) => choice.href !== null)
    .map(({ choice, isActive }) => {
      const style = choice.color ? `--anchor:${choice.color.light};--anchor-dark:${choice.color.dark}` : null
      const icon = choice.icon ? `<span class="nav-anchor-icon">${iconPlaceholder(choice.icon)}</span>` : ''
      const state = { href: choice.href, style, 'data-active': isActive && 'true' }
      return `<li><a class="nav-anchor"${attributes(state)}${outwardAttributes(choice.href)}>${icon}<span>${escapeHtml(choice.label)}</span></a></li>`
    })
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
