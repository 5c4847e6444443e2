/**
 * Renders `<head>`: metadata for search engines, link previews and browsers, and the files in loading order.
 */
import type { SitePage } from '../../site/model.ts'
import { plainText } from '../html/inline-markup.ts'
import { isEmpty, type Markup } from '../html/markup.ts'
import { type AttributeValue, html, joinMarkup, raw, startTag } from '../html/template.ts'
import { preloadedFonts } from '../machinery/fonts.ts'
import type { RenderedBody } from '../page/body.ts'
import { faviconTags } from '../theme/favicon.ts'
import { hasPageFooter } from './page-footer.ts'
import { meta, pageTags, type TagScope } from './page-tags.ts'
import type { SiteView } from './site-view.ts'

/** `navigation` is the URL of the script with the complete navigation. */
export function pageHead(
  scope: TagScope,
  page: SitePage,
  body: RenderedBody,
  navigation: string | null,
): Markup {
  const { view } = scope
  return headFrame(view, {
    title: windowTitle(view, page),
    tags: pageTags(scope, page),
    usesMath: body.usesMath,
    usesMermaid: body.usesMermaid,
    isPage: true,
    hasFooter: hasPageFooter(page),
    scripts: view.input.islandScripts.get(page.route) ?? [],
    form: view.input.playground?.data.get(page.route) ?? null,
    navigation,
    language: page.language,
    version: findVersion(view, page),
  })
}

/** Renders the head of a page that is not in the navigation, such as the not-found page. */
export function unlistedPageHead(view: SiteView, title: string, language: string): Markup {
  return headFrame(view, {
    title: `${title} - ${view.site.config.name}`,
    tags: meta('robots', 'noindex'),
    usesMath: false,
    usesMermaid: false,
    isPage: false,
    hasFooter: false,
    scripts: [],
    form: null,
    navigation: null,
    language,
    version: null,
  })
}

interface HeadInput {
  title: string
  tags: Markup
  usesMath: boolean
  usesMermaid: boolean
  /** Whether the page is part of the site, so that its path can be reported. */
  isPage: boolean
  /** Whether the page has a footer, which contains the feedback form. */
  hasFooter: boolean
  scripts: readonly string[]
  /** URL of the playground data. */
  form: string | null
  /** URL of a script that is not deferred, so that the navigation is complete before the first paint. */
  navigation: string | null
  language: string
  version: string | null
}

function headFrame(view: SiteView, head: HeadInput): Markup {
  const { input, site } = view
  const utilities = input.utilities()
  const allStyles = utilities === null ? input.styles : [...input.styles, utilities]
  const styles = [...new Set([...allStyles, ...site.styles.map(sitePath)])]
  const { platformScript } = input
  const feedbackScript = head.hasFooter ? input.feedbackScript : null
  const analyticsScript = head.isPage ? input.analyticsScript : null
  const telling = [feedbackScript, analyticsScript].filter((script) => script !== null)
  const own = [...input.scripts, ...telling]
  const scripts = [...new Set([...own, ...head.scripts, ...site.scripts.map(sitePath)])]
  const playground = playgroundLinks(view, head)
  const mathStyle = head.usesMath || site.config.styling.latex === true ? [input.mathStyle] : []
  return joinMarkup([
    html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    html`<title>${head.title}</title>`,
    ...preloadedFonts(site.config).map((href) => fontLink(href, input.deployment === 'cloud')),
    html`<script>${raw(input.earlyScript)}</script>`,
    head.navigation === null ? [] : script({ src: head.navigation }),
    ...[...styles, ...mathStyle].map((href) => startTag('link', { rel: 'stylesheet', href })),
    head.tags,
    siteTags(view),
    searchLinks(view, head),
    head.usesMermaid ? startTag('link', { rel: 'octavo-mermaid', href: input.mermaidScript }) : [],
    playground,
    assistantLinks(view, head),
    (telling.length > 0 || input.assistant || !isEmpty(playground)) && platformScript
      ? startTag('link', { rel: 'octavo-platform', href: platformScript })
      : [],
    ...scripts.map((src) => script({ src, defer: true })),
  ])
}

function script(values: Readonly<Record<string, AttributeValue>>): Markup {
  return html`${startTag('script', values)}</script>`
}

function findVersion(view: SiteView, page: SitePage): string | null {
  if (page.placements.length === 0) return null
  const level = view.sidebarOf(page)?.levels.find(({ kind }) => kind === 'versions')
  return level?.choices[level.active ?? -1]?.label ?? null
}

/** Returns links for the search dialog. Languages without an index use the index of the first language. */
function searchLinks({ input, site }: SiteView, { language, version }: HeadInput): Markup {
  const { searchScript, searchIndexes, searchLanguages } = input
  const indexed = searchIndexes[language] ? language : (site.languages[0]?.code ?? language)
  const index = searchIndexes[indexed]
  if (!input.features.search || !searchScript || !index) return []
  return joinMarkup([
    startTag('link', { rel: 'octavo-search', href: searchScript }),
    startTag('link', { rel: 'octavo-index', href: index, hreflang: indexed, 'data-version': version }),
    searchLanguages ? startTag('link', { rel: 'octavo-indexes', href: searchLanguages }) : [],
  ])
}

/** Returns links to files that are loaded when the playground is opened. */
function playgroundLinks({ input: { playground } }: SiteView, { form, language }: HeadInput): Markup {
  const words = playground?.words[language]
  if (!playground || !words || form === null) return []
  const files = { data: form, words, script: playground.script, style: playground.style }
  return fileLinks('octavo-playground', files)
}

function assistantLinks({ input: { assistant } }: SiteView, { language }: HeadInput): Markup {
  const words = assistant?.words[language]
  if (!assistant || !words) return []
  return fileLinks('octavo-assistant', { ...assistant, words })
}

function fileLinks(rel: string, files: Record<string, string>): Markup {
  return joinMarkup(
    Object.entries(files).map(([name, href]) => startTag('link', { rel: `${rel}-${name}`, href })),
  )
}

/** Preloads a font. Browsers do not preload fonts for pages opened from disk, so an early script loads it there. */
function fontLink(href: string, isServed: boolean): Markup {
  if (!isServed) return startTag('link', { rel: 'octavo-font', href })
  return startTag('link', { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: true })
}

function windowTitle(view: SiteView, page: SitePage): string {
  const title = plainText(page.title).trim()
  const { name } = view.site.config
  return title === name || title === '' ? name : `${title} - ${name}`
}

function siteTags(view: SiteView): Markup {
  const { config } = view.site
  const light = config.background.color.light ?? '#ffffff'
  const dark = config.background.color.dark ?? '#0c0d0f'
  const color =
    config.appearance.strict && config.appearance.default !== 'system'
      ? meta('theme-color', config.appearance.default === 'dark' ? dark : light)
      : html`<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`
  return joinMarkup([
    faviconTags(view.site, view.input.touchIcon),
    color,
    meta('generator', 'Octavo'),
    meta('apple-mobile-web-app-title', config.name),
  ])
}

function sitePath(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}
