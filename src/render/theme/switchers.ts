/** Lists to switch language, version, product or section. Native `<details>`; a script closes them on Escape. */
import type { DivisionKind, NavChoice, NavLevel, Sidebar, SitePage } from '../../site/model.ts'
import { attributes, escapeHtml } from './html.ts'
import { iconPlaceholder } from './icon-placeholder.ts'
import { outwardAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'
import { languageTag, type UiText } from './ui-text.ts'

export interface ShownChoice {
  choice: NavChoice
  isActive: boolean
}

/** Levels of these kinds around a sidebar, from the outside in, then the global ones. */
export function levelsOf(sidebar: Sidebar, kinds: readonly DivisionKind[]): NavLevel[] {
  return [...sidebar.levels, ...sidebar.globals].filter((level) => kinds.includes(level.kind))
}

/** Choices to show; a hidden one only while the reader is in it. */
export function shownChoices(level: NavLevel): ShownChoice[] {
  return level.choices
    .map((choice, index) => ({ choice, isActive: index === level.active }))
    .filter(({ choice, isActive }) => isActive || !choice.isHidden)
}

export function levelTitle(kind: DivisionKind, text: UiText): string {
  if (kind === 'languages') return text.language
  if (kind === 'versions') return text.version
  if (kind === 'products') return text.product
  return text.switcher
}

/** Where a choice leads from this page: the page with the same address below the choice, else its first page. */
export type CounterpartOf = (level: NavLevel, choice: NavChoice) => string | null

/**
 * The same page in another language or version: its route is this one with one part exchanged, added or left out, and
 * it lies in a sidebar of the choice.
 */
export function createCounterparts(view: SiteView): (page: SitePage) => CounterpartOf {
  const byTail = new Map<string, SitePage[]>()
  for (const page of view.site.pages.values()) {
    const tail = tailOf(page.route)
    const same = byTail.get(tail)
    if (same) same.push(page)
    else byTail.set(tail, [page])
  }
  return (page) => (level, choice) => {
    if (choice.sidebars.length === 0) return choice.href
    const wanted = new Set(choice.sidebars)
    let best: SitePage | null = null
    let bestScore = 0
    for (const other of byTail.get(tailOf(page.route)) ?? []) {
      if (!other.placements.some((placement) => wanted.has(placement.sidebar))) continue
      const score = counterpartScore(page.route, other.route)
      if (score > bestScore) {
        best = other
        bestScore = score
      }
    }
    if (page.placements.some((placement) => wanted.has(placement.sidebar)) && level.kind !== 'languages') {
      return page.route
    }
    return best?.route ?? choice.href
  }
}

/** 0 when the routes differ by more than one part; more for more shared parts. */
function counterpartScore(route: string, other: string): number {
  const a = route.split('/').slice(1)
  const b = other.split('/').slice(1)
  let end = 0
  while (end < a.length && end < b.length && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  let start = 0
  while (start < a.length - end && start < b.length - end && a[start] === b[start]) start++
  const differing = Math.max(a.length - end - start, b.length - end - start)
  return differing <= 1 ? start + end + 1 : 0
}

function tailOf(route: string): string {
  return route.slice(route.lastIndexOf('/') + 1)
}

/** One list; empty when there is nothing to choose. */
export function switcherMenu(
  level: NavLevel,
  title: string,
  counterpartOf: CounterpartOf | null,
  look: 'header' | 'wide',
  languageOf: (choice: NavChoice) => string | null = () => null,
): string {
  const shown = shownChoices(level)
  const active = shown.find((entry) => entry.isActive) ?? shown[0]
  if (!active || shown.length < 2) return ''
  const isLanguage = level.kind === 'languages'
  const items = shown
    .map(({ choice, isActive }) => {
      const href = isActive ? choice.href : (counterpartOf?.(level, choice) ?? choice.href)
      if (href === null) return ''
      const code = isLanguage ? languageOf(choice) : null
      const language = code === null ? null : languageTag(code)
      const state = {
        href,
        hreflang: language,
        lang: language,
        'data-active': isActive && 'true',
        'aria-current': isActive && 'true',
        id: isLanguage && isActive ? 'localization-select-item' : null,
      }
      const description = choice.description
        ? `<span class="nav-dropdown-item-description">${escapeHtml(choice.description)}</span>`
        : ''
      const tag = choice.tag ? `<span class="nav-tag-pill">${escapeHtml(choice.tag)}</span>` : ''
      return `<li><a class="nav-dropdown-item"${attributes(state)}${outwardAttributes(href)}>${menuIcon(choice)}<span class="nav-dropdown-item-text-container"><span class="nav-dropdown-item-title">${escapeHtml(choice.label)}${tag}</span>${description}</span><span class="menu-check" aria-hidden="true"></span></a></li>`
    })
    .join('')
  const trigger = isLanguage ? ' id="localization-select-trigger"' : ''
  const icon = isLanguage
    ? iconPlaceholder({ kind: 'name', name: 'globe', style: null, library: 'lucide' })
    : menuIcon(active.choice)
  return `<details class="menu nav-dropdown" data-look="${look}" data-kind="${level.kind}"><summary class="nav-dropdown-trigger"${trigger} aria-label="${escapeHtml(`${title}: ${active.choice.label}`)}">${icon}<span class="menu-label">${escapeHtml(active.choice.label)}</span><span class="chevron" aria-hidden="true"></span></summary><ul class="menu-list nav-dropdown-content">${items}</ul></details>`
}

function menuIcon(choice: NavChoice): string {
  return choice.icon ? `<span class="nav-dropdown-item-icon">${iconPlaceholder(choice.icon)}</span>` : ''
}
