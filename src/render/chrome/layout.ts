/**
 * Lays out pages around their bodies. The layout is rendered once per sidebar and depth; body, title and
 * location in the navigation are added for each page. The same input results in the same bytes.
 */

import { sha256 } from '../../base/hash.ts'
import type { Icon } from '../../site/icon.ts'
import type { NavGroup, Sidebar, SitePage } from '../../site/model.ts'
import { OUTPUT_FILE_PREFIX } from '../html/addresses.ts'
import { isEmpty, type Markup } from '../html/markup.ts'
import { attributes, html, raw, startTag } from '../html/template.ts'
import { iconMarkup, lucide } from '../icons/icon-markup.ts'
import { type DirectoryEntry, listDirectoryEntries } from '../links/directories.ts'
import type { RenderedBody } from '../page/body.ts'
import { type IdsAfterText, idsAfterText } from '../tree/chrome-ids.ts'
import { serializeScriptTexts } from '../words/component-texts.ts'
import type { UiText } from '../words/english.ts'
import { direction, languageTag } from '../words/ui-text.ts'
import { createCounterparts } from './counterparts.ts'
import { formatLabel, formatText } from './format-text.ts'
import { pageHead, unlistedPageHead } from './head.ts'
import { drawerLinks, type HeaderSwitchers, headerFrame, headerSwitchers } from './header.ts'
import type { LayoutInput } from './layout-input.ts'
import { linkAttributes } from './links.ts'
import { contentsActions } from './page-actions.ts'
import { hasPageFooter, isAuthorControlledPage, pageFooter, siteFooter } from './page-footer.ts'
import { joinOpening, pageHeader } from './page-header.ts'
import { createListCache, createSidebarHtml, type SidebarHtml, type SidebarPart } from './sidebar.ts'
import { createSiteView, getDepth, type SiteView } from './site-view.ts'
import { slottedText } from './slots.ts'
import { createStructuredData } from './structured-data.ts'
import type { FindCounterpart } from './switchers.ts'
import { tocHtml } from './table-of-contents.ts'

export interface Layout {
  /** Renders a page. Throws if the route does not exist. */
  page(route: string, body: RenderedBody): string
  /** Returns the page as UTF-8. */
  pageBytes(route: string, body: RenderedBody): Uint8Array
  /** Returns navigation scripts of the pages rendered so far, by path. */
  navigation(): ReadonlyMap<string, string>
  /** Renders the not-found page, with links relative to the root. */
  notFound(): string
  /** Renders a redirect. `destination` must be resolved for the deployment. */
  redirect(destination: string): string
}

/** Preserves the query, which a meta refresh drops. */
const KEEP_QUERY_SCRIPT = raw(`<script>(function(){if(!location.search)return
var to=new URL(document.querySelector('link[rel=canonical]').href)
if(!to.search)to.search=location.search
location.replace(to)})()</script>`)

export function createLayout(input: LayoutInput): Layout {
  const view = createSiteView(input)
  const counterparts = createCounterparts(view)
  const chrome = createChrome(view)
  const tags = { view, counterparts, structured: createStructuredData(view) }
  const pageParts = (route: string, body: RenderedBody): string[] => {
    const page = view.site.pages.get(route)
    if (!page) throw new Error(`there is no page ${route} in this site`)
    const sidebar = view.sidebarOf(page)
    const depth = getDepth(route)
    const findCounterpart: FindCounterpart = (level, choice) =>
      counterparts.exact(page, level, choice) ?? choice.href
    const switchers = headerSwitchers(view, sidebar, page.language, findCounterpart)
    const list = chrome.sidebar(sidebar, page, depth)
    const idOf = idsAfterText(body.anchors.ids)
    const state = { 'data-current-path': route, 'data-mode': page.mode }
    const head = html`${documentStart(view, page.language, state)}<head>${pageHead(tags, page, body, list.script)}</head>`
    return [
      `${view.finishedText(head, depth)}\n`,
      `${chrome.bodyStart(sidebar, page.language, depth, switchers)}\n`,
      `${list.html}\n`,
      view.finishedText(mainHtml(view, page, body, idOf), depth),
      `\n${chrome.bodyEnd(page, depth, idOf)}`,
    ]
  }
  return {
    page: (route, body) => pageParts(route, body).join(''),
    // A character beyond Latin-1 in one part would double the size of a joined string.
    pageBytes: (route, body) => Buffer.concat(pageParts(route, body).map((part) => Buffer.from(part))),
    navigation: () => chrome.navigation(),
    notFound: () => notFoundPage(view, chrome),
    redirect: (destination) => slottedText(redirectPage(view, destination)).text,
  }
}

function documentStart(view: SiteView, language: string, state: Record<string, string>): Markup {
  const { theme, appearance, background } = view.site.config
  return html`<!doctype html>
<html${attributes({
    lang: languageTag(language),
    dir: direction(language),
    ...state,
    'data-theme': theme,
    'data-appearance': appearance.default,
    'data-appearance-strict': appearance.strict,
    'data-decoration': background.decoration,
    // The server redirects to the language of the browser, until the reader selects one.
    'data-routed': view.input.deployment === 'cloud' && view.site.languages.length > 1,
  })}>
`
}

function mainHtml(view: SiteView, page: SitePage, body: RenderedBody, idOf: IdsAfterText): Markup {
  const text = view.text(page.language)
  const isFree = isAuthorControlledPage(page)
  const side = page.mode === 'default' ? body.side : null
  const toc =
    page.mode === 'default' && side === null
      ? tocHtml(body.toc, body.updateTags, text, contentsActions(view, page))
      : []
  const titled = isFree
    ? { header: [], body: joinOpening(body) }
    : pageHeader(view, page, body, !isEmpty(toc))
  const footer = hasPageFooter(page) ? pageFooter(view, page, idOf) : []
  const layout = side !== null ? 'side' : isEmpty(toc) ? 'single' : 'toc'
  const prose = page.mode === 'custom' ? 'mdx-content' : 'mdx-content prose'
  const group = view.directoryOf(page)
  const directory = group && directoryHtml(view, group)
  // Without a right column, its content is shown below the text.
  const inlineSide = side === null && body.side !== null && html`<div class="side-inline">${body.side}</div>`
  const column =
    side &&
    html`<aside${attributes({ id: idOf('content-side-layout'), 'aria-label': text.apiExamples })}><div class="side-inner">${side}</div></aside>`
  const words = { 'data-copied': text.copied, 'data-wrap-label': text.wrap }
  const state = attributes({ ...words, 'data-words': serializeScriptTexts(text, body.islands !== null) })
  return html`<main id="content-columns" tabindex="-1" data-layout="${layout}">${toc}<div id="content-area"${state}>${titled.header}${column}<div id="content" class="${prose}">${titled.body}${directory}${inlineSide}</div>${page.mode === 'assistant' && conversation(view, text)}${footer}</div></main>`
}

function conversation({ input }: SiteView, text: UiText): Markup {
  if (!input.assistant) return html`<p class="ask-absent">${text.askElsewhere}</p>`
  return html`<div id="ask-place"><noscript><p class="ask-absent">${text.askLoadFailed}</p></noscript></div>`
}

interface Chrome {
  /** `hasDrawer` adds the button for the sidebar. */
  bodyStart(
    sidebar: Sidebar | null,
    language: string,
    depth: number,
    switchers: HeaderSwitchers,
    hasDrawer?: boolean,
  ): string
  sidebar(sidebar: Sidebar | null, page: SitePage, depth: number): SidebarPart
  navigation(): ReadonlyMap<string, string>
  bodyEnd(page: SitePage | null, depth: number, idOf: IdsAfterText): string
}

/** Renders and caches the parts that many pages share. */
function createChrome(view: SiteView): Chrome {
  const finished = new Map<string, readonly string[]>()
  const sidebars = new Map<string, SidebarHtml>()
  const lists = createListCache()
  const cachedTexts = (key: string, depth: number, make: () => readonly Markup[]): readonly string[] => {
    const name = `${key} ${depth}`
    const texts = finished.get(name) ?? make().map((part) => view.finishedText(part, depth))
    finished.set(name, texts)
    return texts
  }
  const list = (sidebar: Sidebar): SidebarHtml => {
    const sidebarHtml = sidebars.get(sidebar.id) ?? createSidebarHtml(view, sidebar, lists)
    sidebars.set(sidebar.id, sidebarHtml)
    return sidebarHtml
  }
  return {
    bodyStart: (sidebar, language, depth, { products, languages }, hasDrawer = sidebar !== null) => {
      const name = `start ${sidebar?.id ?? ''} ${language} ${hasDrawer}`
      const [start, middle, end] = cachedTexts(name, depth, () => {
        const skip = html`<a class="skip-link" href="#content-columns">${view.text(language).skip}</a>`
        const [before, between, behind] = headerFrame(view, sidebar, language, hasDrawer)
        return [
          html`<body>${skip}${llmsLink(view)}${bannerHtml(view, language)}${before}`,
          between,
          html`${behind}<div id="body-content">`,
        ]
      })
      return `${start}${view.finishedText(products, depth)}${middle}${view.finishedText(languages, depth)}${end}`
    },
    sidebar: (sidebar, page, depth) => {
      if (!sidebar) return { html: '', script: null }
      const { language } = sidebar
      const [start, end] = cachedTexts(`drawer ${language}`, depth, () => {
        const { close, navigation } = view.text(language)
        return [
          html`<aside id="sidebar" aria-label="${navigation}">${drawerClose(close)}<nav id="sidebar-content" aria-label="${navigation}">`,
          html`${drawerLinks(view, language)}</nav></aside>`,
        ]
      })
      const part = list(sidebar).forPage(page, depth)
      return { ...part, html: `${start}${part.html}${end}` }
    },
    navigation: () => {
      const files = [...sidebars.values()].flatMap(({ file }) => (file === null ? [] : [file]))
      return new Map(files.map(({ path, content }) => [path, content]))
    },
    bodyEnd: (page, depth, idOf) => {
      const language = page?.language ?? view.site.languages[0]?.code ?? 'en'
      const id = idOf('footer')
      const footer =
        page && !hasPageFooter(page)
          ? []
          : cachedTexts(`footer ${language} ${id}`, depth, () => [siteFooter(view, language, id)])
      return `</div>${footer.join('')}</body></html>\n`
    },
  }
}

/** Renders a hidden link for agents, which may ignore the head of a page. */
function llmsLink({ input: { llmsFile, origin } }: SiteView): Markup {
  if (llmsFile === null) return []
  const link = attributes({ href: OUTPUT_FILE_PREFIX + llmsFile })
  return html`<a class="visually-hidden" aria-hidden="true" tabindex="-1"${link}>Index of all pages for agents: ${origin === null ? '' : `${origin}/`}${llmsFile}</a>`
}

function drawerClose(label: string): Markup {
  return html`<div class="drawer-top"><a class="icon-button drawer-close" href="#content-columns" aria-label="${label}">${lucide('x', { size: 20 })}</a></div>`
}

function notFoundPage(view: SiteView, chrome: Chrome): string {
  const language =
    view.site.languages.find((entry) => entry.isDefault)?.code ?? view.site.languages[0]?.code ?? 'en'
  const text = view.text(language)
  const { title, description, redirect } = view.site.config.errors.notFound
  const sidebar = view.site.sidebars[0] ?? null
  const home = view.site.homeRoute
  const link = home !== null && html`<p><a class="button"${attributes({ href: home })}>${text.home}</a></p>`
  const heading = title ?? text.notFoundTitle
  const leadHome =
    redirect && home !== null && startTag('meta', { 'http-equiv': 'refresh', content: `0; url=${home}` })
  const head = html`${documentStart(view, language, { 'data-mode': 'center' })}<head>${unlistedPageHead(view, heading, language)}${leadHome}</head>`
  const content = html`<main id="content-columns" tabindex="-1" data-layout="single"><div id="content-area"><div class="not-found-container"><p class="not-found-status-code">404</p><h1 class="not-found-title">${heading}</h1><div class="not-found-description">${formatText(description ?? text.notFoundText)}</div>${link}</div></div></main>`
  return [
    view.finishedText(head, 0),
    chrome.bodyStart(sidebar, language, 0, headerSwitchers(view, sidebar, language, null), false),
    view.finishedText(content, 0),
    chrome.bodyEnd(null, 0, idsAfterText('')),
  ].join('\n')
}

/** Renders a redirect. The destination is already final, unlike URLs in other pages. */
function redirectPage(view: SiteView, destination: string): Markup {
  const language = view.site.languages[0]?.code ?? 'en'
  const { moved } = view.text(language)
  return html`<!doctype html><html lang="${languageTag(language)}"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${destination}"><link rel="canonical" href="${destination}"><meta name="robots" content="noindex"><title>${moved}</title>${KEEP_QUERY_SCRIPT}</head><body><p>${moved} <a href="${destination}">${destination}</a></p></body></html>\n`
}

/** Renders the banner. A dismissed banner stays hidden until its content changes. */
function bannerHtml(view: SiteView, language: string): Markup {
  const { banner } = view.chrome(language)
  if (!banner) return []
  const text = view.text(language)
  const style = banner.color ? `--banner:${banner.color.light};--banner-dark:${banner.color.dark}` : null
  const key = banner.isDismissible ? sha256(banner.content).slice(0, 12) : null
  const close =
    banner.isDismissible &&
    html`<button type="button" class="banner-close" aria-label="${text.dismiss}">${lucide('x')}</button>`
  const state = { 'data-type': banner.type, 'data-key': key, style, 'data-colored': banner.color !== null }
  return html`<section id="banner" aria-label="${view.site.config.name}"${attributes(state)}><div class="banner-text">${formatText(banner.content)}</div>${close}</section>`
}

function directoryHtml(view: SiteView, group: NavGroup): Markup {
  const entries = listDirectoryEntries(view.site, group.items)
  if (entries.length === 0) return []
  if (group.directory === 'card') {
    const cards = entries.flatMap((entry) => card(view, entry))
    return html`<div class="directory not-prose"><div class="columns card-group" data-cols="2">${cards}</div></div>`
  }
  return html`<div class="directory not-prose">${rows(view, entries)}</div>`
}

function card(view: SiteView, entry: DirectoryEntry): Markup {
  const icon = findIcon(view, entry)
  const title = link(entry, 'card-link')
  const description =
    entry.description && html`<div class="card-content">${formatLabel(entry.description)}</div>`
  return html`<div class="card directory-card"${attributes({ 'data-linked': entry.href !== null })}><div class="card-inner">${iconMarkup(icon, { className: 'card-icon', size: 20 })}<div class="card-text"><div class="card-title">${title}</div>${description}</div></div></div>`
}

function rows(view: SiteView, entries: readonly DirectoryEntry[]): Markup {
  const items = entries.flatMap((entry) => {
    const label = html`${iconMarkup(findIcon(view, entry))}${link(entry, 'directory-link')}`
    const description =
      entry.description && html`<div class="directory-description">${formatText(entry.description)}</div>`
    if (entry.item.kind !== 'group') return html`<li class="directory-page">${label}${description}</li>`
    const inner = rows(view, listDirectoryEntries(view.site, entry.item.items))
    return html`<li class="directory-group"><details open><summary>${label}<span class="chevron" aria-hidden="true"></span></summary>${description}${inner}</details></li>`
  })
  return html`<ul class="directory-list">${items}</ul>`
}

function link(entry: DirectoryEntry, className: string): Markup {
  if (entry.href === null) return html`<span>${entry.title}</span>`
  return html`<a class="${className}"${linkAttributes(entry.href)}>${entry.title}</a>`
}

function findIcon(view: SiteView, { item }: DirectoryEntry): Icon | null {
  if (item.kind !== 'page') return item.icon
  return view.site.pages.get(item.route)?.icon ?? null
}
