/** Renders the header: logo, switchers, search, links, color scheme, primary action, and a row of tabs. */

import type { NavLevel, Sidebar } from '../../site/model.ts'
import { resolveLink } from '../../site/navigation/links.ts'
import type { NavbarLink } from '../../site/settings/config.ts'
import { isEmpty, type Markup, type Piece } from '../html/markup.ts'
import { attributes, html, startTag } from '../html/template.ts'
import { iconMarkup, lucide } from '../icons/icon-markup.ts'
import { findVersionLabel } from '../page/version-label.ts'
import type { UiText } from '../words/english.ts'
import { linkAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'
import {
  type FindCounterpart,
  getLevelTitle,
  listLevels,
  listShownChoices,
  menuIcon,
  switcherMenu,
} from './switchers.ts'

type Choice = NavLevel['choices'][number]

/** Menus that differ by page, because they link to counterparts of the page. */
export interface HeaderSwitchers {
  products: Markup
  languages: Markup
}

export function headerSwitchers(
  view: SiteView,
  sidebar: Sidebar | null,
  language: string,
  findCounterpart: FindCounterpart | null,
): HeaderSwitchers {
  const text = view.text(language)
  const languageOf = (choice: Choice) => view.sidebar(choice.sidebars[0] ?? '')?.language ?? null
  const menus = (kinds: readonly ('products' | 'versions' | 'languages')[]) =>
    (sidebar ? listLevels(sidebar, kinds) : []).flatMap((level) =>
      switcherMenu(level, getLevelTitle(level.kind, text), findCounterpart, 'header', languageOf),
    )
  return { products: menus(['products', 'versions']), languages: menus(['languages']) }
}

/**
 * Returns the parts that the pages of a sidebar share: before, between and after the two groups of switchers.
 */
export function headerFrame(
  view: SiteView,
  sidebar: Sidebar | null,
  language: string,
  hasDrawer: boolean,
): [Markup, Markup, Markup] {
  const text = view.text(language)
  const menu =
    hasDrawer &&
    html`<a class="icon-button menu-button" href="#sidebar" aria-label="${text.menu}" aria-controls="sidebar" aria-expanded="false">${lucide('menu', { size: 20 })}</a>`
  const { navbar } = view.chrome(language)
  const { appearance } = view.site.config
  const links = navbar.links.length > 0 && html`<ul class="navbar-links">${createLinkList(navbar.links)}</ul>`
  const search = view.input.features.search && searchButtons(view, language)
  return [
    html`<header id="navbar"><div class="navbar-row"><div class="navbar-inner">
${menu}
<div class="navbar-start">${logo(view, language)}<div class="switchers">`,
    html`</div></div>${search}
<div class="topbar-right-container">${links}${assistantButton(view, sidebar, language)}`,
    html`${!appearance.strict && themeSwitch(text)}${navbar.primary && primaryAction(navbar.primary)}</div>
</div></div>${sidebar && tabRow(sidebar, text)}</header>`,
  ]
}

/** Renders the links of the header again, for the drawer on small screens. */
export function drawerLinks(view: SiteView, language: string): Markup {
  const { navbar } = view.chrome(language)
  const links = [...navbar.links, ...(navbar.primary ? [navbar.primary] : [])]
  return links.length === 0 ? [] : html`<ul class="drawer-links">${createLinkList(links)}</ul>`
}

function createLinkList(links: readonly NavbarLink[]): Markup {
  return links.flatMap((link) => html`<li>${navbarLink(link)}</li>`)
}

/** Renders the logo, or the name of the site if the logo file is missing. Exported for tests. */
export function logo(view: SiteView, language: string): Markup {
  const { config, homeRoute } = view.site
  const isLost = (url: string) => resolveLink(view.site, null, url).kind === 'missing'
  const shown = config.logo && [config.logo.light, config.logo.dark].some(isLost) ? null : config.logo
  const href = config.logo?.href ?? findFirstRoute(view, language) ?? homeRoute ?? '/'
  const image = (src: string, className: string) =>
    startTag('img', { class: className, src, alt: config.name, height: 24 })
  const content = !shown
    ? html`<span class="nav-logo-text">${config.name}</span>`
    : shown.light === shown.dark
      ? image(shown.light, 'nav-logo-image')
      : html`${image(shown.light, 'nav-logo-image only-light')}${image(shown.dark, 'nav-logo-image only-dark')}`
  return html`<a class="nav-logo"${attributes({ href })}>${content}</a>`
}

/** Returns the first page of a language, or null for the default language. */
function findFirstRoute(view: SiteView, language: string): string | null {
  const isDefault = view.site.languages.some((entry) => entry.code === language && entry.isDefault)
  if (isDefault) return null
  for (const sidebar of view.site.sidebars) {
    if (sidebar.language !== language) continue
    const level = sidebar.levels.find((entry) => entry.kind === 'languages')
    const choice = level && level.active !== null ? level.choices[level.active] : undefined
    if (choice?.href) return choice.href
  }
  return null
}

function searchButtons(view: SiteView, language: string): Markup {
  const text = view.text(language)
  const prompt = view.site.config.search.prompt ?? text.searchPrompt
  const labels = {
    prompt,
    empty: text.searchEmpty,
    hint: text.searchHint,
    start: text.searchStart,
    recent: text.searchRecent,
    failed: text.searchFailed,
    nearest: text.searchNearest,
    clear: text.clear,
    close: text.close,
    title: text.search,
  }
  return html`<button type="button" id="search-bar-entry" class="search-entry" aria-keyshortcuts="Control+K Meta+K" aria-haspopup="dialog" data-labels="${JSON.stringify(labels)}">${lucide('search')}<span class="search-entry-text">${prompt}</span><kbd class="search-entry-keys">Ctrl K</kbd></button><button type="button" id="search-bar-entry-mobile" class="icon-button search-entry" aria-label="${text.search}" aria-haspopup="dialog">${lucide('search', { size: 20 })}</button>`
}

/** Renders the assistant button, which is hidden until its script has loaded. */
function assistantButton({ input, text }: SiteView, sidebar: Sidebar | null, language: string): Markup {
  if (!input.assistant) return []
  const { askAssistant, askAbout, askLoadFailed } = text(language)
  const data = attributes({
    'data-failed': askLoadFailed,
    'data-about': askAbout,
    'data-language': language,
    'data-version': sidebar && findVersionLabel(sidebar),
    'data-links': input.deployment === 'cloud' ? 'routes' : 'files',
    title: askAssistant,
  })
  return html`<button type="button" class="icon-button ask-button" aria-label="${askAssistant}" aria-keyshortcuts="Control+I Meta+I" aria-haspopup="dialog"${data} hidden>${lucide('sparkles', { size: 18 })}</button>`
}

const BRANDS: Readonly<Record<string, string>> = { github: 'GitHub', discord: 'Discord' }

function navbarLink(link: NavbarLink): Markup {
  const { href } = link
  const icon = link.icon ? iconMarkup(link.icon) : brandIcon(link)
  return html`<a class="navbar-link"${linkAttributes(href)}>${icon}<span>${getLabel(link)}</span></a>`
}

function primaryAction(link: NavbarLink): Markup {
  const { href } = link
  return html`<a id="topbar-cta-button" class="button" data-component-name="primary-header-button"${linkAttributes(href)}>${brandIcon(link)}${getLabel(link)}</a>`
}

function getLabel({ type, label, href }: NavbarLink): string {
  return label ?? BRANDS[type] ?? href
}

function brandIcon({ type: name }: NavbarLink): Markup {
  return name in BRANDS ? iconMarkup({ kind: 'name', name, style: 'brands', library: 'fontawesome' }) : []
}

/** Renders the button that cycles through color schemes. A script sets its label. */
function themeSwitch(text: UiText): Markup {
  const modes = { light: text.light, dark: text.dark, system: text.system }
  return html`<button type="button" class="icon-button theme-toggle" data-component-name="theme-toggle" aria-label="${text.theme}" data-title="${text.theme}" data-modes="${JSON.stringify(modes)}">${lucide('sun', { className: 'theme-light' })}${lucide('moon', { className: 'theme-dark' })}${lucide('monitor', { className: 'theme-system' })}</button>`
}

function tabRow(sidebar: Sidebar, text: UiText): Markup {
  const rows = listLevels(sidebar, ['tabs']).filter((level) => listShownChoices(level).length > 1)
  const start: Piece[] = []
  const end: Piece[] = []
  for (const level of rows) {
    for (const { choice, isActive } of listShownChoices(level)) {
      const tab = choice.menu.length > 0 ? tabMenu(level, choice, isActive) : tabLink(choice, isActive)
      if (choice.align === 'end') end.push(...tab)
      else start.push(...tab)
    }
  }
  if (isEmpty(start) && isEmpty(end)) return []
  const tail = end.length > 0 && html`<li class="nav-tabs-space" aria-hidden="true"></li>${end}`
  return html`<nav class="nav-tabs" aria-label="${text.sections}"><ul>${start}${tail}</ul></nav>`
}

function tabLink(choice: Choice, isActive: boolean): Markup {
  if (choice.href === null) return []
  const state = { 'data-active': isActive && 'true', 'aria-current': isActive && 'true' }
  const tag = choice.tag && html`<span class="nav-tag-pill">${choice.tag}</span>`
  return html`<li><a class="nav-tabs-item"${linkAttributes(choice.href, state)}>${iconMarkup(choice.icon)}${choice.label}${tag}</a></li>`
}

function tabMenu(level: NavLevel, choice: Choice, isActive: boolean): Markup {
  const inner: NavLevel = { ...level, choices: choice.menu, active: null }
  const items = listShownChoices(inner)
    .filter((entry) => entry.choice.href !== null)
    .flatMap(({ choice: item }) => {
      const { href } = item
      const description =
        item.description && html`<span class="nav-dropdown-item-description">${item.description}</span>`
      return html`<li><a class="nav-dropdown-item"${linkAttributes(href)}>${menuIcon(item)}<span class="nav-dropdown-item-text-container"><span class="nav-dropdown-item-title">${item.label}</span>${description}</span></a></li>`
    })
  return html`<li><details class="menu nav-tabs-menu"><summary class="nav-tabs-item"${attributes({ 'data-active': isActive && 'true' })}>${iconMarkup(choice.icon)}${choice.label}<span class="chevron" aria-hidden="true"></span></summary><ul class="menu-list nav-dropdown-content">${items}</ul></details></li>`
}
