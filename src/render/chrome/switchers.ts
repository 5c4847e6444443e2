/** Renders menus for language, version, product or section as `<details>`. A script closes them on Escape. */
import type { DivisionKind, NavChoice, NavLevel, Sidebar } from '../../site/model.ts'
import type { Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { iconMarkup, lucide } from '../icons/icon-markup.ts'
import type { UiText } from '../words/english.ts'
import { languageTag } from '../words/ui-text.ts'
import { linkAttributes } from './links.ts'

export interface ShownChoice {
  choice: NavChoice
  isActive: boolean
}

/** Returns the levels of these kinds: levels around the sidebar, outermost first, then global levels. */
export function listLevels(sidebar: Sidebar, kinds: readonly DivisionKind[]): NavLevel[] {
  return [...sidebar.levels, ...sidebar.globals].filter((level) => kinds.includes(level.kind))
}

/** Returns the choices, including a hidden one only if it is active. */
export function listShownChoices(level: NavLevel): ShownChoice[] {
  return level.choices
    .map((choice, index) => ({ choice, isActive: index === level.active }))
    .filter(({ choice, isActive }) => isActive || !choice.isHidden)
}

export function getLevelTitle(kind: DivisionKind, text: UiText): string {
  if (kind === 'languages') return text.language
  if (kind === 'versions') return text.version
  if (kind === 'products') return text.product
  return text.switcher
}

/** Returns the target of a choice: the counterpart of the current page or, by default, the first page. */
export type FindCounterpart = (level: NavLevel, choice: NavChoice) => string | null

/** Renders a menu, or nothing if there are fewer than two choices. */
export function switcherMenu(
  level: NavLevel,
  title: string,
  findCounterpart: FindCounterpart | null,
  look: 'header' | 'wide',
  languageOf: (choice: NavChoice) => string | null = () => null,
): Markup {
  const shown = listShownChoices(level)
  const active = shown.find((entry) => entry.isActive) ?? shown[0]
  if (!active || shown.length < 2) return []
  const isLanguage = level.kind === 'languages'
  const items = shown.flatMap(({ choice, isActive }) => {
    const href = isActive ? choice.href : (findCounterpart?.(level, choice) ?? choice.href)
    if (href === null) return []
    const code = isLanguage ? languageOf(choice) : null
    const language = code === null ? null : languageTag(code)
    const state = {
      hreflang: language,
      lang: language,
      'data-active': isActive && 'true',
      'aria-current': isActive && 'true',
      id: isLanguage && isActive ? 'localization-select-item' : null,
    }
    const description =
      choice.description && html`<span class="nav-dropdown-item-description">${choice.description}</span>`
    const tag = choice.tag && html`<span class="nav-tag-pill">${choice.tag}</span>`
    return html`<li><a class="nav-dropdown-item"${linkAttributes(href, state)}>${menuIcon(choice)}<span class="nav-dropdown-item-text-container"><span class="nav-dropdown-item-title">${choice.label}${tag}</span>${description}</span><span class="menu-check" aria-hidden="true"></span></a></li>`
  })
  const trigger = attributes({ id: isLanguage && 'localization-select-trigger' })
  const icon = isLanguage ? lucide('globe') : menuIcon(active.choice)
  return html`<details class="menu nav-dropdown" data-look="${look}" data-kind="${level.kind}"><summary class="nav-dropdown-trigger"${trigger} aria-label="${title}: ${active.choice.label}">${icon}<span class="menu-label">${active.choice.label}</span><span class="chevron" aria-hidden="true"></span></summary><ul class="menu-list nav-dropdown-content">${items}</ul></details>`
}

export function menuIcon({ icon }: Pick<NavChoice, 'icon'>): Markup {
  return icon ? html`<span class="nav-dropdown-item-icon">${iconMarkup(icon)}</span>` : []
}
