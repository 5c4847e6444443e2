/**
 * The list on the left of a page, rendered once for each sidebar and depth; pages only fill slots. If it is large, a
 * page contains the part around its entry, and the rest comes with a script shared by all pages.
 */
import { LRUCache } from 'lru-cache'
import { ROOT_MARK, slotPlaceholder, slotValue } from '../../base/api/navigation-script.ts'
import type { NavLevel, Sidebar, SitePage } from '../../site/model.ts'
import { OUTPUT_FILE } from '../html/addresses.ts'
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
  /** Marks the page's entry, if it has one. */
  forPage(page: SitePage, depth: number): SidebarPart
  /** Script with the complete list; null if every page contains it. */
  readonly file: BuiltInFile<string> | null
}

export interface SidebarPart {
  html: string
  /** URL of the script with the rest of the list; null if the list is complete. */
  script: string | null
}

/** Up to this many characters, pages contain the whole list, because another file would cost readers more. */
const MAX_INLINE_CHARACTERS = 8_000
/** Maximum size of a short list, as a share of the whole. */
const MAX_SHORT_SHARE = 0.75
/** For all sidebars. Pages come in reading order, so pages with a similar location follow each other. */
const MAX_CACHED_LISTS = 64

/** LRU cache of lists, for all sidebars of a site. */
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
      return { html: fillSlots(part, values), script: OUTPUT_FILE + file.path }
    },
  }
}

/** The list for all pages; the browser fills in the page's depth and location. */
function createSharedList(view: SiteView, list: Markup): string {
  const text = JSON.stringify(list)
  // Marks written by authors would be mistaken for the path to the root.
  const own = text.includes(ROOT_MARK) ? (JSON.parse(text.replaceAll(ROOT_MARK, '')) as Markup) : list
  const marked = fillPlaceholders(view.finish(own, ANY_DEPTH), (placeholder) =>
    placeholder.kind === 'slot' ? slotPlaceholder(placeholder.name) : placeholder,
  )
  return slottedText(marked).text
}

function navigationFile(list: string, script: string): BuiltInFile<string> {
  return hashed('navigation', 'js', `globalThis.__octavoNavigation=${JSON.stringify(list)};${script}\n`)
}

/** Part above the entries. */
function sidebarTop(view: SiteView, sidebar: Sidebar): Markup {
  const text = view.text(sidebar.language)
  const tabs = listLevels(sidebar, ['tabs']).flatMap(drawerTabs)
  const dropdowns = listLevels(sidebar, ['dropdowns', 'menu']).flatMap((level) =>
    switcherMenu(level, getLevelTitle(level.kind, text), null, 'wide'),
  )
  const anchors = listLevels(sidebar, ['anchors']).flatMap(anchorLinks)
  return html`${tabs}${dropdowns}${anchors.length > 0 && html`<ul class="nav-anchors">${anchors}</ul>`}`
}

/** On small screens, the row of tabs moves to the drawer. */
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
