/** Renders metadata for search engines, link previews and agents. */
import type { SitePage } from '../../site/model.ts'
import { OUTPUT_FILE_PREFIX } from '../html/addresses.ts'
import { plainText } from '../html/inline-markup.ts'
import type { Markup } from '../html/markup.ts'
import { html, startTag } from '../html/template.ts'
import { languageTag } from '../words/ui-text.ts'
import type { Counterparts } from './counterparts.ts'
import { getCanonicalUrl, toAbsoluteUrl } from './page-urls.ts'
import type { SiteView } from './site-view.ts'
import type { StructuredData } from './structured-data.ts'

/** Maximum length of a description in search results. */
const MAX_DESCRIPTION_LENGTH = 300
const PROPERTY_PREFIXES = /^(?:og|article|book|profile|fb|music|video):/
/** Frontmatter fields that are written as tags unchanged. */
const TAG_KEY = /^(?:og|twitter|article):/
/** Image types supported in link previews, which exclude SVG. */
const PREVIEW_IMAGE_EXTENSION = /\.(?:png|jpe?g|webp|gif)(?:[?#]|$)/i

/** Size of generated images. Some apps require it to lay out a preview before the image has loaded. */
const GENERATED_IMAGE_SIZE_TAGS = [
  ['og:image:width', '1200'],
  ['og:image:height', '630'],
] as const

export interface TagScope {
  view: SiteView
  counterparts: Counterparts
  structured: StructuredData
}

export function pageTags({ view, counterparts, structured }: TagScope, page: SitePage): Markup {
  const canonical = getCanonicalUrl(view, page)
  const tags = metaTags(view, page, canonical)
  const own = canonical ? startTag('link', { rel: 'canonical', href: canonical }) : []
  const metas = [...tags].flatMap(([name, value]) => meta(name, value))
  const all = html`${own}${metas}${machineLinks(view, page)}`
  if (page.noindex || canonical === null) return all
  const facts = {
    canonical,
    description: tags.get('description') ?? null,
    image: tags.get('og:image') ?? null,
  }
  return html`${all}${languageLinks(view, page, counterparts)}${structured.script(page, facts)}`
}

/** Returns the path of the generated preview image, unless a tag specifies another image. */
function findDrawnImage(view: SiteView, page: SitePage): string | null {
  return view.input.origin === null || findNamedImage(view, page) !== null
    ? null
    : view.input.thumbnailOf(page)
}

/** Combines tags. From lowest to highest precedence: generated, site, folders of the page, page. */
function metaTags(view: SiteView, page: SitePage, canonical: string | null): Map<string, string> {
  const { config } = view.site
  const own = page.frontmatter
  const tags = new Map<string, string>()
  const set = (name: string, value: string | null) => {
    if (value) tags.set(name, value)
  }
  const description = plainText(page.description ?? '').slice(0, MAX_DESCRIPTION_LENGTH)
  set('description', description || config.description)
  set('og:title', plainText(page.title).trim())
  set('og:description', description || config.description)
  set('og:type', 'website')
  set('og:site_name', config.name)
  set('keywords', page.keywords.join(', '))
  for (const metatags of listSiteTags(view, page)) {
    for (const [name, value] of Object.entries(metatags)) if (name !== 'canonical') set(name, value)
  }
  set('og:url', canonical)
  for (const [name, value] of Object.entries(own)) {
    if (TAG_KEY.test(name) && (typeof value === 'string' || typeof value === 'number'))
      set(name, String(value))
  }
  setImages(view, page, tags)
  set('twitter:title', tags.get('twitter:title') ?? tags.get('og:title') ?? null)
  set('twitter:description', tags.get('twitter:description') ?? tags.get('og:description') ?? null)
  if (typeof own.robots === 'string') set('robots', own.robots)
  if (page.noindex) set('robots', 'noindex')
  return tags
}

/** Returns the tags of the site, then those of the page's folders, innermost last. */
function listSiteTags({ site: { config } }: SiteView, page: SitePage): Readonly<Record<string, string>>[] {
  const folders = config.seo.paths.filter(({ path }) => isBelow(page.route, path)).reverse()
  return [config.seo.metatags, ...folders.map(({ metatags }) => metatags)]
}

function isBelow(route: string, folder: string): boolean {
  return route === folder || folder === '' || route.startsWith(`${folder}/`)
}

/** Returns the preview image that the page, a folder or the site specifies. */
function findNamedImage(view: SiteView, page: SitePage): string | null {
  const own = page.frontmatter['og:image']
  if (own !== '' && (typeof own === 'string' || typeof own === 'number')) return String(own)
  const named = listSiteTags(view, page).findLast((metatags) => metatags['og:image'])
  const { background } = view.site.config.thumbnails
  const standard = background !== null && PREVIEW_IMAGE_EXTENSION.test(background) ? background : null
  return named?.['og:image'] ?? standard
}

/** Sets preview images, which require absolute URLs. Without an image, the card is a small one. */
function setImages(view: SiteView, page: SitePage, tags: Map<string, string>): void {
  const drawn = findDrawnImage(view, page)
  if (drawn !== null) for (const [name, value] of GENERATED_IMAGE_SIZE_TAGS) tags.set(name, value)
  const imageTags: Record<string, string | null> = { 'og:image': drawn ?? findNamedImage(view, page) }
  imageTags['twitter:image'] = tags.get('twitter:image') ?? imageTags['og:image'] ?? null
  for (const [name, value] of Object.entries(imageTags)) {
    const url = value === null ? null : toAbsoluteUrl(view, value)
    if (url === null) tags.delete(name)
    else tags.set(name, url)
  }
  const card = tags.has('twitter:image') ? 'summary_large_image' : 'summary'
  if (!tags.has('twitter:card')) tags.set('twitter:card', card)
}

export function meta(name: string, value: string): Markup {
  const key = PROPERTY_PREFIXES.test(name) ? 'property' : 'name'
  return html`<meta ${key}="${name}" content="${value}">`
}

/** Renders links to the Markdown version, the feed, and the list of all pages. */
function machineLinks({ input }: SiteView, page: SitePage): Markup {
  const alternate = (type: string, file: string | null | undefined, title: string | null) =>
    file ? startTag('link', { rel: 'alternate', type, href: OUTPUT_FILE_PREFIX + file, title }) : []
  return [
    ...alternate('text/markdown', input.twins.get(page.route), null),
    ...alternate('application/rss+xml', input.feeds.get(page.route), plainText(page.title).trim()),
    ...alternate('text/plain', input.llmsFile, 'llms.txt'),
  ]
}

/** Renders links to the page in other languages. The default language is also `x-default`. */
function languageLinks(view: SiteView, page: SitePage, counterparts: Counterparts): Markup {
  const level = view.sidebarOf(page)?.levels.find(({ kind }) => kind === 'languages')
  if (!level || page.placements.length === 0) return []
  const addresses = level.choices.flatMap((choice, index) => {
    const route = index === level.active ? page.route : counterparts.exact(page, level, choice)
    const other = route === null ? undefined : view.site.pages.get(route)
    const code = view.sidebar(choice.sidebars[0] ?? '')?.language
    const href = other && !other.noindex && !other.isHidden ? getCanonicalUrl(view, other) : null
    return href === null || code === undefined
      ? []
      : [{ hreflang: languageTag(code), href, isDefault: choice.isDefault }]
  })
  if (addresses.length < 2) return []
  const standard = addresses.find(({ isDefault }) => isDefault)
  const all = standard ? [...addresses, { ...standard, hreflang: 'x-default' }] : addresses
  return all.flatMap(({ hreflang, href }) => startTag('link', { rel: 'alternate', hreflang, href }))
}
