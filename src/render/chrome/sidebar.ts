/**
 * Renders the sidebar, once per sidebar and depth; slots are filled for each page. If the list is long, pages
 * only contain the entries around their own, and a shared script adds the others.
 */
import { LRUCache } from 'lru-cache'
import { ROOT_MARK, slotPlaceholder, slotValue } from '../../base/api/navigation-script.ts'
import type { NavLevel, Sidebar, SitePage } from '../../site/model.ts'
import { OUTPUT_FILE_PREFIX } from '../html/addresses.ts'
import { fillPlaceholders, type Markup } from '../html/markup.ts'
import { html } from '../html/template.ts'
import { iconMarkup } from '../icons/icon-markup.ts'
import { ANY_DEPTH } from '../links/links.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { linkAttributes } from './links.ts'
import { SidebarList } from './sidebar-list.ts'
import type { SiteView } from './site-view.ts'
import { fillSlots, type SlottedText, slot, slottedText } from './slots.ts'
import { getLevelTitle, listLevels, listShownChoices, switcherMenu } from './switchers.ts'

export interface SidebarHtml {
  forPage(page: SitePage, depth: number): SidebarPart
  /** Script with the complete list; null if all pages contain the complete list. */
  readonly file: BuiltInFile<string> | null
}

export interface SidebarPart {
  html: string
  /** URL of the script with the complete list; null if `html` is complete. */
  script: string | null
}

/** Length up to which pages contain the complete list, because a separate file would be slower. */
const MAX_INLINE_CHARACTERS = 8_000
/** Maximum length of a shortened list, relative to the complete list. */
const MAX_SHORT_SHARE = 0.75
/**
 * Maximum number of cached lists. Sufficient because pages are rendered in reading order, so that successive
 * pages often have the same list.
 */
const MAX_CACHED_LISTS = 64

export type ListCache = LRUCache<string, SlottedText>

export function createListCache(): ListCache {
  return new LRUCache({ max: MAX_CACHED_LISTS })
}

export function createSidebarHtml(view: SiteView, sidebar: Sidebar, listCache: ListCache): SidebarHtml {
  const list = new SidebarList(view, sidebar)
  const top = sidebarTop(view, sidebar)
  const shared = createSharedList(view, list.whole())
  const wholeLength = shared.length
  const file =
    wholeLength > MAX_INLINE_CHARACTERS ? navigationFile(shared, view.input.navigationScript) : null

  const finished = (key: string, depth: number, make: () => Markup) => {
    const name = `${sidebar.id} ${depth} ${key}`
    const slotted = listCache.get(name) ?? slottedText(view.finish(make(), depth))
    listCache.set(name, slotted)
    return slotted
  }
  const wholeAt = (depth: number) =>
    finished('whole', depth, () => html`${top}<ul class="sidebar-nav">${list.whole()}</ul>`)
  const shortFor = (page: SitePage, depth: number) =>
    finished(
      list.listSlots(page).slice(1).join(' '),
      depth,
      () =>
        html`${top}<ul class="sidebar-nav"${slot('list')}>${list.around(list.findParentGroups(page))}</ul>`,
    )
  return {
    file,
    forPage: (page, depth) => {
      const slots = list.listSlots(page)
      const values = new Map(slots.map((name) => [name, slotValue(name)]))
      const part = file && shortFor(page, depth)
      if (!file || !part || part.text.length > wholeLength * MAX_SHORT_SHARE)
        return { html: fillSlots(wholeAt(depth), values), script: null }
      values.set('list', ` data-slots="${slots.join(' ')}"`)
      return { html: fillSlots(part, values), script: OUTPUT_FILE_PREFIX + file.path }
    },
  }
}

/** Serializes the complete list. The browser fills in depth and location of the page. */
function createSharedList(view: SiteView, list: Markup): string {
  const text = JSON.stringify(list)
  // Removes the marker of the root path from content of authors.
  const own = text.includes(ROOT_MARK) ? (JSON.parse(text.replaceAll(ROOT_MARK, '')) as Markup) : list
  const marked = fillPlaceholders(view.finish(own, ANY_DEPTH), (placeholder) =>
    placeholder.kind === 'slot' ? slotPlaceholder(placeholder.name) : placeholder,
  )
  return slottedText(marked).text
}

function navigationFile(list: string, script: string): BuiltInFile<string> {
  return hashed('navigation', 'js', `globalThis.__octavoNavigation=${JSON.stringify(list)};${script}\n`)
}

function sidebarTop(view: SiteView, sidebar: Sidebar): Markup {
  const text = view.text(sidebar.language)
  const tabs = listLevels(sidebar, ['tabs']).flatMap(drawerTabs)
  const dropdowns = listLevels(sidebar, ['dropdowns', 'menu']).flatMap((level) =>
    switcherMenu(level, getLevelTitle(level.kind, text), null, 'wide'),
  )
  const anchors = listLevels(sidebar, ['anchors']).flatMap(anchorLinks)
  return html`${tabs}${dropdowns}${anchors.length > 0 && html`<ul class="nav-anchors">${anchors}</ul>`}`
}

function drawerTabs(level: NavLevel): Markup {
  const shown = listShownChoices(level).filter(({ choice }) => choice.href !== null)
  if (shown.length < 2) return []
  const items = shown.flatMap(({ choice: { href, icon, label }, isActive }) => {
    const own = linkAttributes(href, { 'data-active': isActive && 'true' })
    return html`<li><a class="mobile-nav-tabs-item"${own}>${iconMarkup(icon)}${label}</a></li>`
  })
  return html`<ul class="mobile-nav-tabs">${items}</ul>`
}

function anchorLinks(level: NavLevel): Markup {
  return listShownChoices(level)
    .filter(({ choice }) => choice.href !== null)
    .flatMap(({ choice: { href, icon, label, color }, isActive }) => {
      const style = color ? `--anchor:${color.light};--anchor-dark:${color.dark}` : null
      const sign = icon && html`<span class="nav-anchor-icon">${iconMarkup(icon)}</span>`
      const own = linkAttributes(href, { style, 'data-active': isActive && 'true' })
      return html`<li><a class="nav-anchor"${own}>${sign}<span>${label}</span></a></li>`
    })
}
