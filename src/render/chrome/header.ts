/** The bar at the top: logo, switchers, search, links, theme switch, primary action; below it the row of tabs. */
import type { NavbarLink } from '../../site/config.ts'
import { resolveLink } from '../../site/links.ts'
import type { NavLevel, Sidebar } from '../../site/model.ts'
import { attributes, escapeHtml } from '../html/html.ts'
import { iconPlaceholder, lucide } from '../icons/icon-placeholder.ts'
import { versionLabel } from '../page/version-label.ts'
import type { UiText } from '../words/languages/en.ts'
import { outwardAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'
import { type CounterpartOf, levelsOf, levelTitle, shownChoices, switcherMenu } from './switchers.ts'

type Choice = NavLevel['choices'][number]

/** They differ from page to page: each leads to the same page of another version. */
export interface HeaderSwitchers {
  products: string
  languages: string
}

export function headerSwitchers(
  view: SiteView,
  sidebar: Sidebar | null,
  language: string,
  counterpartOf: CounterpartOf | null,
): HeaderSwitchers {
  const text = view.text(language)
  const languageOf = (choice: Choice) => view.sidebar(choice.sidebars[0] ?? '')?.language ?? null
  const menus = (kinds: readonly ('products' | 'versions' | 'languages')[]) =>
    sidebar
      ? levelsOf(sidebar, kinds)
          .map((level) =>
            switcherMenu(level, levelTitle(level.kind, text), counterpartOf, 'header', languageOf),
          )
          .join('')
      : ''
  return { products: menus(['products', 'versions']), languages: menus(['languages']) }
}

/** For all pages of a sidebar: what stands before the product switchers, before those of languages, and after both. */
export function headerFrame(
  view: SiteView,
  sidebar: Sidebar | null,
  language: string,
): [string, string, string] {
  const text = view.text(language)
  const { navbar } = view.chrome(language)
  const { appearance } = view.site.config
  const links = navbar.links.map((link) => `<li>${navbarLink(link)}</li>`).join('')
  const theme = appearance.strict ? '' : themeSwitch(text)
  const search = view.input.features.search ? searchButtons(view, language) : ''
  const tabs = sidebar ? tabRow(sidebar, text) : ''
  return [
    `<header id="navbar"><div class="navbar-row"><div class="navbar-inner">
<a class="icon-button menu-button" href="#sidebar" aria-label="${escapeHtml(text.menu)}" aria-controls="sidebar" aria-expanded="false">${lucide('menu', { size: 20 })}</a>
<div class="navbar-start">${logo(view, language)}<div class="switchers">`,
    `</div></div>${search}
<div class="topbar-right-container">${links ? `<ul class="navbar-links">${links}</ul>` : ''}${assistantButton(view, sidebar, language)}`,
    `${theme}${navbar.primary ? primaryAction(navbar.primary) : ''}</div>
</div></div>${tabs}</header>`,
  ]
}

/** Links of the bar again, for the drawer of small screens. */
export function drawerLinks(view: SiteView, language: string): string {
  const { navbar } = view.chrome(language)
  const links = [...navbar.links, ...(navbar.primary ? [navbar.primary] : [])]
  if (links.length === 0) return ''
  return `<ul class="drawer-links">${links.map((link) => `<li>${navbarLink(link)}</li>`).join('')}</ul>`
}

/** Exported for its test. A logo whose file is not there gives its place to the name of the site. */
export function logo(view: SiteView, language: string): string {
  const { config, homeRoute } = view.site
  const isLost = (url: string) => resolveLink(view.site, null, url).kind === 'missing'
  const shown = config.logo && [config.logo.light, config.logo.dark].some(isLost) ? null : config.logo
  const href = config.logo?.href ?? firstRoute(view, language) ?? homeRoute ?? '/'
  const name = escapeHtml(config.name)
  const image = (src: string, className: string) =>
    `<img class="${className}" src="${escapeHtml(src)}" alt="${name}" height="24">`
  const content = !shown
    ? `<span class="nav-logo-text">${name}</span>`
    : shown.light === shown.dark
      ? image(shown.light, 'nav-logo-image')
      : image(shown.light, 'nav-logo-image only-light') + image(shown.dark, 'nav-logo-image only-dark')
  return `<a class="nav-logo" href="${escapeHtml(href)}">${content}</a>`
}

/** First page of a language other than the default one. */
function firstRoute(view: SiteView, language: string): string | null {
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

function searchButtons(view: SiteView, language: string): string {
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
  return `<button type="button" id="search-bar-entry" class="search-entry" aria-keyshortcuts="Control+K Meta+K" aria-haspopup="dialog"${attributes({ 'data-labels': JSON.stringify(labels) })}>${lucide('search')}<span class="search-entry-text">${escapeHtml(prompt)}</span><kbd class="search-entry-keys">Ctrl K</kbd></button><button type="button" id="search-bar-entry-mobile" class="icon-button search-entry" aria-label="${escapeHtml(text.search)}" aria-haspopup="dialog">${lucide('search', { size: 20 })}</button>`
}

/** Shown once its script is there: without one it would open nothing. */
function assistantButton({ input, text }: SiteView, sidebar: Sidebar | null, language: string): string {
  if (!input.assistant) return ''
  const { askAssistant, askAbout, askLoadFailed } = text(language)
  const data = attributes({
    'data-failed': askLoadFailed,
    'data-about': askAbout,
    'data-language': language,
    'data-version': sidebar && versionLabel(sidebar),
    'data-links': input.deployment === 'cloud' ? 'routes' : 'files',
    title: askAssistant,
  })
  return `<button type="button" class="icon-button ask-button" aria-label="${escapeHtml(askAssistant)}" aria-keyshortcuts="Control+I Meta+I" aria-haspopup="dialog"${data} hidden>${lucide('sparkles', { size: 18 })}</button>`
}

function navbarLink(link: NavbarLink): string {
  const brand = link.type === 'github' || link.type === 'discord' ? brandIcon(link.type) : ''
  const icon = link.icon ? iconPlaceholder(link.icon) : brand
  const label =
    link.label ?? (link.type === 'github' ? 'GitHub' : link.type === 'discord' ? 'Discord' : link.href)
  return `<a class="navbar-link" href="${escapeHtml(link.href)}"${outwardAttributes(link.href)}>${icon}<span>${escapeHtml(label)}</span></a>`
}

function primaryAction(link: NavbarLink): string {
  const isBrand = link.type === 'github' || link.type === 'discord'
  const label =
    link.label ?? (link.type === 'github' ? 'GitHub' : link.type === 'discord' ? 'Discord' : link.href)
  const icon = isBrand ? brandIcon(link.type as 'github' | 'discord') : ''
  return `<a id="topbar-cta-button" class="button" data-component-name="primary-header-button" href="${escapeHtml(link.href)}"${outwardAttributes(link.href)}>${icon}${escapeHtml(label)}</a>`
}

function brandIcon(name: 'github' | 'discord'): string {
  return iconPlaceholder({ kind: 'name', name, style: 'brands', library: 'fontawesome' })
}

/** Three states in a circle; the script names the one that is on. */
function themeSwitch(text: UiText): string {
  const modes = { light: text.light, dark: text.dark, system: text.system }
  return `<button type="button" class="icon-button theme-toggle" data-component-name="theme-toggle" aria-label="${escapeHtml(text.theme)}"${attributes({ 'data-title': text.theme, 'data-modes': JSON.stringify(modes) })}>${lucide('sun', { className: 'theme-light' })}${lucide('moon', { className: 'theme-dark' })}${lucide('monitor', { className: 'theme-system' })}</button>`
}

function tabRow(sidebar: Sidebar, text: UiText): string {
  const rows = levelsOf(sidebar, ['tabs']).filter((level) => shownChoices(level).length > 1)
  const start: string[] = []
  const end: string[] = []
  for (const level of rows) {
    for (const { choice, isActive } of shownChoices(level)) {
      const html = choice.menu.length > 0 ? tabMenu(level, choice, isActive) : tabLink(choice, isActive)
      if (choice.align === 'end') end.push(html)
      else start.push(html)
    }
  }
  if ([...start, ...end].every((html) => html === '')) return ''
  const tail = end.length > 0 ? `<li class="nav-tabs-space" aria-hidden="true"></li>${end.join('')}` : ''
  return `<nav class="nav-tabs" aria-label="${escapeHtml(text.sections)}"><ul>${start.join('')}${tail}</ul></nav>`
}

function tabLink(choice: Choice, isActive: boolean): string {
  if (choice.href === null) return ''
  const state = { href: choice.href, 'data-active': isActive && 'true', 'aria-current': isActive && 'true' }
  return `<li><a class="nav-tabs-item"${attributes(state)}${outwardAttributes(choice.href)}>${iconPlaceholder(choice.icon)}${escapeHtml(choice.label)}${choice.tag ? `<span class="nav-tag-pill">${escapeHtml(choice.tag)}</span>` : ''}</a></li>`
}

function tabMenu(level: NavLevel, choice: Choice, isActive: boolean): string {
  const inner: NavLevel = { ...level, choices: choice.menu, active: null }
  const items = shownChoices(inner)
    .filter((entry) => entry.choice.href !== null)
    .map(({ choice: item }) => {
      const icon = item.icon
        ? `<span class="nav-dropdown-item-icon">${iconPlaceholder(item.icon)}</span>`
        : ''
      const description = item.description
        ? `<span class="nav-dropdown-item-description">${escapeHtml(item.description)}</span>`
        : ''
      return `<li><a class="nav-dropdown-item" href="${escapeHtml(item.href ?? '')}"${outwardAttributes(item.href)}>${icon}<span class="nav-dropdown-item-text-container"><span class="nav-dropdown-item-title">${escapeHtml(item.label)}</span>${description}</span></a></li>`
    })
    .join('')
  return `<li><details class="menu nav-tabs-menu"><summary class="nav-tabs-item"${attributes({ 'data-active': isActive && 'true' })}>${iconPlaceholder(choice.icon)}${escapeHtml(choice.label)}<span class="chevron" aria-hidden="true"></span></summary><ul class="menu-list nav-dropdown-content">${items}</ul></details></li>`
}
