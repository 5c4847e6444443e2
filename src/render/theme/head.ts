/** `<head>`: what search engines, chats and browsers read, and the files of the page in load order. */
import type { SitePage } from '../../site/model.ts'
import type { RenderedBody } from '../body.ts'
import { PRELOADED_FONTS } from './fonts.ts'
import { attributes, escapeHtml } from './html.ts'
import { plainText } from './inline-markup.ts'
import type { SiteView } from './site-view.ts'

/** Longest description that engines show. */
const DESCRIPTION_LENGTH = 300
const PROPERTY_PREFIXES = /^(?:og|article|book|profile|fb|music|video):/
/** Frontmatter keys that become tags as they are written. */
const TAG_KEY = /^(?:og|twitter|article):/

export function pageHead(view: SiteView, page: SitePage, body: RenderedBody): string {
  return headFrame(view, {
    title: windowTitle(view, page),
    tags: pageTags(view, page),
    usesMath: body.usesMath,
    usesMermaid: body.usesMermaid,
    hasFooter: page.mode !== 'custom' && page.mode !== 'frame',
    language: page.language,
  })
}

/** Of a page that stands outside of the site, such as the one for missing pages. */
export function bareHead(view: SiteView, title: string, language: string): string {
  return headFrame(view, {
    title: `${title} - ${view.site.config.name}`,
    tags: meta('robots', 'noindex'),
    usesMath: false,
    usesMermaid: false,
    hasFooter: false,
    language,
  })
}

interface HeadInput {
  title: string
  tags: string
  usesMath: boolean
  usesMermaid: boolean
  /** Feedback is given in the footer of a page. */
  hasFooter: boolean
  language: string
}

function headFrame(view: SiteView, head: HeadInput): string {
  const { input, site } = view
  const styles = [...new Set([...input.styles, ...site.styles.map(sitePath)])]
  const { feedbackScript, platformScript } = input
  const gathers = head.hasFooter && feedbackScript !== null
  const own = gathers ? [...input.scripts, feedbackScript] : input.scripts
  const scripts = [...new Set([...own, ...site.scripts.map(sitePath)])]
  const mathStyle = head.usesMath || site.config.styling.latex === true ? [input.mathStyle] : []
  const index = input.searchIndexes[head.language]
  const search =
    input.features.search && input.searchScript && index
      ? `<link rel="octavo-search" href="${escapeHtml(input.searchScript)}"><link rel="octavo-index" href="${escapeHtml(index)}"${attributes({ hreflang: head.language })}>`
      : ''
  return [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(head.title)}</title>`,
    `<script>${input.earlyScript}</script>`,
    input.deployment === 'cloud' ? PRELOADED_FONTS.map(preload).join('') : '',
    ...styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`),
    ...mathStyle.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`),
    head.tags,
    siteTags(view),
    search,
    head.usesMermaid ? `<link rel="octavo-mermaid" href="${escapeHtml(input.mermaidScript)}">` : '',
    gathers && platformScript ? `<link rel="octavo-platform" href="${escapeHtml(platformScript)}">` : '',
    ...scripts.map((src) => `<script src="${escapeHtml(src)}" defer></script>`),
  ].join('')
}

/** A file loads fonts only from its own origin; from disk a preload would be an error in the console. */
function preload(href: string): string {
  return `<link rel="preload" href="${escapeHtml(href)}" as="font" type="font/woff2" crossorigin>`
}

function windowTitle(view: SiteView, page: SitePage): string {
  const title = plainText(page.title).trim()
  const { name } = view.site.config
  return title === name || title === '' ? name : `${title} - ${name}`
}

function siteTags(view: SiteView): string {
  const { config } = view.site
  const icons = !config.favicon
    ? ''
    : config.favicon.light === config.favicon.dark
      ? `<link rel="icon" href="${escapeHtml(config.favicon.light)}">`
      : `<link rel="icon" href="${escapeHtml(config.favicon.light)}" media="(prefers-color-scheme: light)"><link rel="icon" href="${escapeHtml(config.favicon.dark)}" media="(prefers-color-scheme: dark)">`
  const light = config.background.color.light ?? '#ffffff'
  const dark = config.background.color.dark ?? '#0c0d0f'
  const color =
    config.appearance.strict && config.appearance.default !== 'system'
      ? meta('theme-color', config.appearance.default === 'dark' ? dark : light)
      : `<meta name="theme-color" content="${escapeHtml(light)}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${escapeHtml(dark)}" media="(prefers-color-scheme: dark)">`
  return icons + color + meta('generator', 'Octavo') + meta('apple-mobile-web-app-title', config.name)
}

/** Later sources win: what is generated, then the site's tags, then the page's own. */
function pageTags(view: SiteView, page: SitePage): string {
  const { config } = view.site
  const own = page.frontmatter
  const tags = new Map<string, string>()
  const title = plainText(page.title).trim()
  const description = plainText(page.description ?? '').slice(0, DESCRIPTION_LENGTH)
  const set = (name: string, value: string | null) => {
    if (value) tags.set(name, value)
  }
  set('description', description || config.description)
  set('og:title', title)
  set('og:description', description || config.description)
  set('og:type', 'website')
  set('og:site_name', config.name)
  set('twitter:card', 'summary_large_image')
  set('keywords', page.keywords.join(', '))
  const { canonical: siteBase, ...siteTagValues } = config.seo.metatags
  for (const [name, value] of Object.entries(siteTagValues)) set(name, value)
  const canonical = canonicalUrl(view, page, siteBase ?? null)
  set('og:url', canonical)
  for (const [name, value] of Object.entries(own)) {
    if (TAG_KEY.test(name) && (typeof value === 'string' || typeof value === 'number'))
      set(name, String(value))
  }
  set('twitter:title', tags.get('twitter:title') ?? tags.get('og:title') ?? null)
  set('twitter:description', tags.get('twitter:description') ?? tags.get('og:description') ?? null)
  if (typeof own.robots === 'string') set('robots', own.robots)
  if (page.noindex) set('robots', 'noindex')
  let html = canonical ? `<link rel="canonical" href="${escapeHtml(canonical)}">` : ''
  for (const [name, value] of tags) html += meta(name, value)
  return html
}

function canonicalUrl(view: SiteView, page: SitePage, siteBase: string | null): string | null {
  if (typeof page.frontmatter.canonical === 'string') return page.frontmatter.canonical
  const base = (siteBase ?? view.input.origin)?.replace(/\/+$/, '')
  if (!base) return null
  const path = encodeURI(page.route)
  if (path === '/') return `${base}/`
  return `${base}${path}${view.site.config.seo.trailingSlash ? '/' : ''}`
}

function meta(name: string, value: string): string {
  const key = PROPERTY_PREFIXES.test(name) ? 'property' : 'name'
  return `<meta ${key}="${escapeHtml(name)}" content="${escapeHtml(value)}">`
}

function sitePath(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}
