/**
 * The list at the left of a page. It is made once for each sidebar and depth; a page only fills slots. Of a large one
 * a page holds what is around its entry, and the rest comes with a script that all its pages share.
 */
import { LRUCache } from 'lru-cache'
import { ROOT_MARK, slotValue } from '../../contract/navigation-script.ts'
import type { NavLevel, Sidebar, SitePage } from '../../site/model.ts'
import { attributes, escapeHtml } from '../html/html.ts'
import { iconPlaceholder } from '../icons/icon-placeholder.ts'
import { ANY_DEPTH, OUTPUT_FILE } from '../links/links.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { outwardAttributes } from './links.ts'
import { SidebarList } from './sidebar-list.ts'
import type { SiteView } from './site-view.ts'
import { fillSlots, readSlots, type SlottedHtml, slot } from './slots.ts'
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
export type KeptLists = LRUCache<string, SlottedHtml>

export function keepLists(): KeptLists {
  return new LRUCache({ max: LISTS_KEPT })
}

export function createSidebarHtml(view: SiteView, sidebar: Sidebar, kept: KeptLists): SidebarHtml {
  const list = new SidebarList(view, sidebar)
  const top = sidebarTop(view, sidebar)
  const shared = view.finish(list.whole().replaceAll(ROOT_MARK, ''), ANY_DEPTH)
  const wholeLength = shared.length
  const file = wholeLength > LIGHT ? navigationFile(shared, view.input.navigationScript) : null

  const slotted = (key: string, depth: number, make: () => string) => {
    const name = `${sidebar.id} ${depth} ${key}`
    const made = kept.get(name) ?? readSlots(view.finish(make(), depth))
    kept.set(name, made)
    return made
  }
  const wholeAt = (depth: number) =>
    slotted('whole', depth, () => `${top}<ul class="sidebar-nav">${list.whole()}</ul>`)
  const shortFor = (page: SitePage, depth: number) =>
    slotted(
      list.slotsOf(page).slice(1).join(' '),
      depth,
      () => `${top}<ul class="sidebar-nav"${slot('list')}>${list.around(list.groupsAround(page))}</ul>`,
    )
  return {
    file,
    forPage: (page, depth) => {
      const slots = list.slotsOf(page)
      const values = new Map(slots.map((name) => [name, slotValue(name)]))
      const part = file && shortFor(page, depth)
      if (!file || !part || part.html.length > wholeLength * SHORT_SHARE)
        return { html: fillSlots(wholeAt(depth), values), script: null }
      values.set('list', attributes({ 'data-slots': slots.join(' ') }))
      return { html: fillSlots(part, values), script: OUTPUT_FILE + file.path }
    },
  }
}

function navigationFile(list: string, script: string): BuiltInFile<string> {
  return hashed('navigation', 'js', `globalThis.__octavoNavigation=${JSON.stringify(list)};${script}\n`)
}

/** What stands above the entries. */
function sidebarTop(view: SiteView, sidebar: Sidebar): string {
  const text = view.text(sidebar.language)
  const tabs = levelsOf(sidebar, ['tabs'])
    .map((level) => drawerTabs(level))
    .join('')
  const dropdowns = levelsOf(sidebar, ['dropdowns', 'menu'])
    .map((level) => switcherMenu(level, levelTitle(level.kind, text), null, 'wide'))
    .join('')
  const anchors = levelsOf(sidebar, ['anchors'])
    .flatMap((level) => anchorLinks(level))
    .join('')
  return tabs + dropdowns + (anchors ? `<ul class="nav-anchors">${anchors}</ul>` : '')
}

/** The row of tabs has no place on small screens: there it stands in the drawer. */
function drawerTabs(level: NavLevel): string {
  const items = shownChoices(level)
    .filter(({ choice }) => choice.href !== null)
    .map(
      ({ choice, isActive }) =>
        `<li><a class="mobile-nav-tabs-item"${attributes({ href: choice.href, 'data-active': isActive && 'true' })}${outwardAttributes(choice.href)}>${iconPlaceholder(choice.icon)}${escapeHtml(choice.label)}</a></li>`,
    )
  return items.length > 1 ? `<ul class="mobile-nav-tabs">${items.join('')}</ul>` : ''
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
