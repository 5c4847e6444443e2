/**
 * Pages around their bodies, by string assembly. Chrome is made once for each sidebar and depth; a page adds its
 * body, its title block and its place in the navigation. Same input, same bytes.
 */
import type { Sidebar, SitePage } from '../../site/model.ts'
import { attributes, escapeHtml } from '../html/html.ts'
import { inlineMarkup } from '../html/inline-markup.ts'
import { lucide } from '../icons/icon-placeholder.ts'
import type { RenderedBody } from '../page/body.ts'
import { afterText } from '../tree/chrome-ids.ts'
import { wordsForScripts } from '../words/component-words.ts'
import { direction, languageTag } from '../words/ui-text.ts'
import { bannerHtml } from './banner.ts'
import { createCounterparts } from './counterparts.ts'
import { directoryHtml } from './directory.ts'
import { bareHead, pageHead } from './head.ts'
import { drawerLinks, type HeaderSwitchers, headerFrame, headerSwitchers } from './header.ts'
import type { LayoutInput } from './layout-input.ts'
import { contentsActions } from './page-actions.ts'
import { pageFooter, siteFooter } from './page-footer.ts'
import { pageHeader } from './page-header.ts'
import { drawnPicture } from './page-tags.ts'
import { createSidebarHtml, keepLists, type SidebarHtml, type SidebarPart } from './sidebar.ts'
import { createSiteView, depthOf, type SiteView } from './site-view.ts'
import { createStructuredData } from './structured-data.ts'
import type { CounterpartOf } from './switchers.ts'
import { tocHtml } from './toc.ts'

export interface Layout {
  /** A whole page; throws for a route that is none of the site's. */
  page(route: string, body: RenderedBody): string
  /** Of a page that is there already: its navigation is among those of `navigation`. */
  hold(route: string): void
  /** Of a page that may be there already: the path of the picture that is drawn for links to it. */
  picture(route: string): string | null
  /** By path: the scripts of navigations that pages made or held so far name. */
  navigation(): ReadonlyMap<string, string>
  /** The page for addresses without a page; its links are those of a page in the root. */
  notFound(): string
  /** A page that leads on to `destination`, which is a link of the deployment already. */
  redirect(destination: string): string
}

/** A refresh drops what the address asks after `?`; this takes it along, where there is something to take. */
const KEEP_QUERY = `<script>(function(){if(!location.search)return
var to=new URL(document.querySelector('link[rel=canonical]').href)
if(!to.search)to.search=location.search
location.replace(to)})()</script>`

export function createLayout(input: LayoutInput): Layout {
  const view = createSiteView(input)
  const counterparts = createCounterparts(view)
  const chrome = createChrome(view)
  const tags = { view, counterparts, structured: createStructuredData(view) }
  return {
    page: (route, body) => {
      const page = view.site.pages.get(route)
      if (!page) throw new Error(`there is no page ${route} in this site`)
      const sidebar = view.sidebarOf(page)
      const depth = depthOf(route)
      const counterpartOf: CounterpartOf = (level, choice) =>
        counterparts.exact(page, level, choice) ?? choice.href
      const switchers = headerSwitchers(view, sidebar, page.language, counterpartOf)
      const list = chrome.sidebar(sidebar, page, depth)
      const after = afterText(body.html)
      return [
        documentStart(view, page.language, { 'data-current-path': route, 'data-mode': page.mode }),
        `<head>${view.finish(pageHead(tags, page, body, list.script), depth)}</head>`,
        chrome.bodyStart(sidebar, page.language, depth, switchers),
        list.html,
        view.finish(mainHtml(view, page, body, after), depth),
        after(chrome.bodyEnd(page, depth)),
      ].join('\n')
    },
    hold: (route) => {
      const page = view.site.pages.get(route)
      const sidebar = page && view.sidebarOf(page)
      if (sidebar) chrome.list(sidebar)
    },
    picture: (route) => {
      const page = view.site.pages.get(route)
      return page ? drawnPicture(view, page) : null
    },
    navigation: () => chrome.navigation(),
    notFound: () => notFoundPage(view, chrome),
    redirect: (destination) => {
      const language = view.site.languages[0]?.code ?? 'en'
      const href = escapeHtml(destination)
      const text = escapeHtml(view.text(language).moved)
      return `<!doctype html><html${attributes({ lang: languageTag(language) })}><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${href}"><link rel="canonical" href="${href}"><meta name="robots" content="noindex"><title>${text}</title>${KEEP_QUERY}</head><body><p>${text} <a href="${href}">${href}</a></p></body></html>\n`
    },
  }
}

function documentStart(view: SiteView, language: string, state: Record<string, string>): string {
  const { theme, appearance, background } = view.site.config
  return `<!doctype html>\n<html${attributes({
    lang: languageTag(language),
    dir: direction(language),
    ...state,
    'data-theme': theme,
    'data-appearance': appearance.default,
    'data-appearance-strict': appearance.strict,
    'data-decoration': background.decoration,
    // The server leads to the language of the browser, until the reader chooses one.
    'data-routed': view.input.deployment === 'cloud' && view.site.languages.length > 1,
  })}>`
}

/** The text of the page with all that belongs to it. */
function mainHtml(
  view: SiteView,
  page: SitePage,
  body: RenderedBody,
  after: (html: string) => string,
): string {
  const text = view.text(page.language)
  const isFree = page.mode === 'custom' || page.mode === 'frame'
  const isPlain = page.mode === 'default' || page.mode === 'center'
  const side = page.mode === 'default' ? body.side : null
  const toc =
    page.mode === 'default' && side === null
      ? tocHtml(body.toc, body.updateTags, text, contentsActions(view, page))
      : ''
  const titled = isFree ? { header: '', body: body.html } : pageHeader(view, page, body, toc !== '')
  const footer = isFree ? '' : pageFooter(view, page)
  const layout = side !== null ? 'side' : toc ? 'toc' : 'single'
  const prose = isPlain || page.mode === 'wide' || page.mode === 'frame' ? 'mdx-content prose' : 'mdx-content'
  const group = view.directoryOf(page)
  const directory = group ? directoryHtml(view, group) : ''
  // A page without a right column shows what would stand there below its text: no word of an author is lost.
  const inlineSide =
    side === null && body.side !== null ? `<div class="side-inline">${after(body.side)}</div>` : ''
  const sideHtml =
    side === null
      ? ''
      : `<aside id="content-side-layout" aria-label="${escapeHtml(text.apiExamples)}"><div class="side-inner">${side}</div></aside>`
  const words = { 'data-copied': text.copied, 'data-wrap-label': text.wrap }
  const state = attributes({ ...words, 'data-words': wordsForScripts(text, body.islands !== null) })
  const content = `<div id="content" class="${prose}">${titled.body}${directory}${inlineSide}</div>`
  return `<main id="content-columns" tabindex="-1" data-layout="${layout}">${toc}<div id="content-area"${state}>${titled.header}${after(sideHtml)}${content}${after(footer)}</div></main>`
}

interface Chrome {
  bodyStart(sidebar: Sidebar | null, language: string, depth: number, switchers: HeaderSwitchers): string
  sidebar(sidebar: Sidebar | null, page: SitePage, depth: number): SidebarPart
  /** The whole of it. */
  list(sidebar: Sidebar): SidebarHtml
  navigation(): ReadonlyMap<string, string>
  bodyEnd(page: SitePage | null, depth: number): string
}

/** What is the same on many pages, kept by what it depends on. */
function createChrome(view: SiteView): Chrome {
  const finished = new Map<string, readonly string[]>()
  const sidebars = new Map<string, SidebarHtml>()
  const lists = keepLists()
  const keptPieces = (key: string, depth: number, make: () => readonly string[]): readonly string[] => {
    const name = `${key} ${depth}`
    const known = finished.get(name) ?? make().map((html) => view.finish(html, depth))
    finished.set(name, known)
    return known
  }
  const kept = (key: string, depth: number, make: () => string): string =>
    keptPieces(key, depth, () => [make()]).join('')
  const list = (sidebar: Sidebar): SidebarHtml => {
    const html = sidebars.get(sidebar.id) ?? createSidebarHtml(view, sidebar, lists)
    sidebars.set(sidebar.id, html)
    return html
  }
  return {
    list,
    bodyStart: (sidebar, language, depth, switchers) => {
      const [start, middle, end] = keptPieces(`start ${sidebar?.id ?? ''} ${language}`, depth, () => {
        const skip = `<a class="skip-link" href="#content-columns">${escapeHtml(view.text(language).skip)}</a>`
        const [before, between, behind] = headerFrame(view, sidebar, language)
        return [
          `<body>${skip}${bannerHtml(view, language)}${before}`,
          between,
          `${behind}<div id="body-content">`,
        ]
      })
      const products = view.finish(switchers.products, depth)
      return start + products + middle + view.finish(switchers.languages, depth) + end
    },
    sidebar: (sidebar, page, depth) => {
      if (!sidebar) return { html: '', script: null }
      const text = view.text(sidebar.language)
      const links = kept(`drawer ${sidebar.language}`, depth, () => drawerLinks(view, sidebar.language))
      const close = kept(`close ${sidebar.language}`, depth, () => drawerClose(text.close))
      const part = list(sidebar).forPage(page, depth)
      return {
        ...part,
        html: `<aside id="sidebar" aria-label="${escapeHtml(text.navigation)}">${close}<nav id="sidebar-content" aria-label="${escapeHtml(text.navigation)}">${part.html}${links}</nav></aside>`,
      }
    },
    navigation: () => {
      const files = [...sidebars.values()].flatMap(({ file }) => (file === null ? [] : [file]))
      return new Map(files.map(({ path, content }) => [path, content]))
    },
    bodyEnd: (page, depth) => {
      const language = page?.language ?? view.site.languages[0]?.code ?? 'en'
      const isBare = page?.mode === 'custom' || page?.mode === 'frame'
      const footer = isBare ? '' : kept(`footer ${language}`, depth, () => siteFooter(view, language))
      return `</div>${footer}</body></html>\n`
    },
  }
}

function drawerClose(label: string): string {
  return `<div class="drawer-top"><a class="icon-button drawer-close" href="#content-columns" aria-label="${escapeHtml(label)}">${lucide('x', { size: 20 })}</a></div>`
}

function notFoundPage(view: SiteView, chrome: Chrome): string {
  const language =
    view.site.languages.find((entry) => entry.isDefault)?.code ?? view.site.languages[0]?.code ?? 'en'
  const text = view.text(language)
  const { title, description, redirect } = view.site.config.errors.notFound
  const sidebar = view.site.sidebars[0] ?? null
  const home = view.site.homeRoute
  const link =
    home === null ? '' : `<p><a class="button" href="${escapeHtml(home)}">${escapeHtml(text.home)}</a></p>`
  const heading = title ?? text.notFoundTitle
  const leadHome =
    redirect && home !== null ? `<meta http-equiv="refresh" content="0; url=${escapeHtml(home)}">` : ''
  const content = `<main id="content-columns" tabindex="-1" data-layout="single"><div id="content-area"><div class="not-found-container"><p class="not-found-status-code">404</p><h1 class="not-found-title">${escapeHtml(heading)}</h1><div class="not-found-description">${inlineMarkup(description ?? text.notFoundText)}</div>${link}</div></div></main>`
  const switchers = headerSwitchers(view, sidebar, language, null)
  return [
    documentStart(view, language, { 'data-mode': 'center' }),
    `<head>${view.finish(bareHead(view, heading, language) + leadHome, 0)}</head>`,
    chrome.bodyStart(sidebar, language, 0, switchers),
    view.finish(content, 0),
    chrome.bodyEnd(null, 0),
  ].join('\n')
}
