/**
 * The list at the left of a page. It is made once for each sidebar and depth; a page only fills slots. Of a large one
 * a page holds what is around its entry, and the rest comes with a script that all its pages share.
 */
import { LRUCache } from 'lru-cache'
import { ROOT_MARK, slotMark, slotValue } from '../../base/api/navigation-script.ts'
import type { NavLevel, Sidebar, SitePage } from '../../site/model.ts'
import { OUTPUT_FILE } from '../html/addresses.ts'
import { filled, type Markup } from '../html/markup.ts'
import { html } from '../html/template.ts'
import { iconMarkup } from '../icons/icon-markup.ts'
import { ANY_DEPTH } from '../links/links.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { linkTo } from './links.ts'
import { SidebarList } from './sidebar-list.ts'
import type { SiteView } from './site-view.ts'
import { fillSlots, type SlottedText, slot, slottedText } from './slots.ts'
import { levelsOf, levelTitle, shownChoices, switcherMenu } from './switchers.ts'

export interface SidebarHtml {
  /** With the entry of this page marked, if it has one. */
  forPage(page: SitePage, depth: number): SidebarPart
  /** The script with the whole list; null for a list that every page holds. */
  readonly file: BuiltInFile<string> | null
}

export interface SidebarPart {
  html: string
  /** Link to the script that brings what is left out; null when nothing is. */
  script: string | null
}

/** Characters up to which every page holds the whole list: another file would cost a reader more. */
const LIGHT = 8_000
/** A short list is at most this part of the whole. */
const SHORT_SHARE = 0.75
/** Of all sidebars. Pages come in reading order, so those around one place follow each other. */
const LISTS_KEPT = 64

/** Lists of all sidebars of a site, those used last. */
export type KeptLists = LRUCache<string, SlottedText>

export function keepLists(): KeptLists {
  return new LRUCache({ max: LISTS_KEPT })
}

export function createSidebarHtml(view: SiteView, sidebar: Sidebar, kept: KeptLists): SidebarHtml {
  const list = new SidebarList(view, sidebar)
  const top = sidebarTop(view, sidebar)
  const shared = sharedList(view, list.whole())
  const wholeLength = shared.length
  const file = wholeLength > LIGHT ? navigationFile(shared, view.input.navigationScript) : null

  const finished = (key: string, depth: number, make: () => Markup) => {
    const name = `${sidebar.id} ${depth} ${key}`
    const made = kept.get(name) ?? slottedText(view.finish(make(), depth))
    kept.set(name, made)
    return made
  }
  const wholeAt = (depth: number) =>
    finished('whole', depth, () => html`${top}<ul class="sidebar-nav">${list.whole()}</ul>`)
  const shortFor = (page: SitePage, depth: number) =>
    finished(
      list.slotsOf(page).slice(1).join(' '),
      depth,
      () => html`${top}<ul class="sidebar-nav"${slot('list')}>${list.around(list.groupsAround(page))}</ul>`,
    )
  return {
    file,
    forPage: (page, depth) => {
      const slots = list.slotsOf(page)
      const values = new Map(slots.map((name) => [name, slotValue(name)]))
      const part = file && shortFor(page, depth)
      if (!file || !part || part.text.length > wholeLength * SHORT_SHARE)
        return { html: fillSlots(wholeAt(depth), values), script: null }
      values.set('list', ` data-slots="${slots.join(' ')}"`)
      return { html: fillSlots(part, values), script: OUTPUT_FILE + file.path }
    },
  }
}

/** What readers' browsers fill in for the depth and the place of their page. */
function sharedList(view: SiteView, list: Markup): string {
  const text = JSON.stringify(list)
  // Those of authors would be taken for the way to the root.
  const own = text.includes(ROOT_MARK) ? (JSON.parse(text.replaceAll(ROOT_MARK, '')) as Markup) : list
  const marked = filled(view.finish(own, ANY_DEPTH), (place) =>
    place.kind === 'slot' ? slotMark(place.name) : place,
  )
  return slottedText(marked).text
}

function navigationFile(list: string, script: string): BuiltInFile<string> {
  return hashed('navigation', 'js', `globalThis.__octavoNavigation=${JSON.stringify(list)};${script}\n`)
}

/** What stands above the entries. */
function sidebarTop(view: SiteView, sidebar: Sidebar): Markup {
  const text = view.text(sidebar.language)
  const tabs = levelsOf(sidebar, ['tabs']).flatMap(drawerTabs)
  const dropdowns = levelsOf(sidebar, ['dropdowns', 'menu']).flatMap((level) =>
    switcherMenu(level, levelTitle(level.kind, text), null, 'wide'),
  )
  const anchors = levelsOf(sidebar, ['anchors']).flatMap(anchorLinks)
  return html`${tabs}${dropdowns}${anchors.length > 0 && html`<ul class="nav-anchors">${anchors}</ul>`}`
}

/** The row of tabs has no place on small screens: there it stands in the drawer. */
function drawerTabs(level: NavLevel): Markup {
  const shown = shownChoices(level).filter(({ choice }) => choice.href !== null)
  if (shown.length < 2) return []
  const items = shown.flatMap(({ choice: { href, icon, label }, isActive }) => {
    const own = linkTo(href, { 'data-active': isActive && 'true' })
    return html`<li><a class="mobile-nav-tabs-item"${own}>${iconMarkup(icon)}${label}</a></li>`
  })
  return html`<ul class="mobile-nav-tabs">${items}</ul>`
}

function anchorLinks(level: NavLevel): Markup {
  return shownChoices(level)
    .filter(({ choice }) => choice.href !== null)
    .flatMap(({ choice: { href, icon, label, color }, isActive }) => {
      const style = color ? `--anchor:${color.light};--anchor-dark:${color.dark}` : null
      const sign = icon && html`<span class="nav-anchor-icon">${iconMarkup(icon)}</span>`
      const own = linkTo(href, { style, 'data-active': isActive && 'true' })
      return html`<li><a class="nav-anchor"${own}>${sign}<span>${label}</span></a></li>`
    })
}
