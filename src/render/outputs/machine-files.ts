/** Files for search engines and agents: sitemap, robots.txt, and lists of pages. */

import type { NavItem, Site, SitePage } from '../../site/model.ts'
import { isIndexed } from '../../site/pages/visibility.ts'
import { escapeHtml } from '../html/html.ts'
import { escapeMarkdown, linkTo, toSingleLine } from '../html/markdown-text.ts'
import { routeUrl } from '../links/links.ts'

/** List of all pages, for language models. */
export const LLMS_FILE = 'llms.txt'
/** Text of all pages, for language models. */
export const FULL_TEXT_FILE = 'llms-full.txt'
const MAX_LLMS_CHARACTERS = 100_000
const MAX_DESCRIPTION_CHARACTERS = 300
/** Maximum number of URLs per sitemap. If exceeded, several sitemaps are listed in an index. */
const MAX_SITEMAP_URLS = 50_000

export interface MachineFile {
  path: string
  content: string
}

export function isSiteIndexed(site: Site): boolean {
  return !/\bnoindex\b/i.test(site.config.seo.metatags.robots ?? '')
}

/** `origin` has no trailing slash. */
export function sitemapFiles(
  site: Site,
  pages: readonly SitePage[],
  origin: string,
  limit: number = MAX_SITEMAP_URLS,
): MachineFile[] {
  const listed = isSiteIndexed(site) ? pages.filter(isIndexed) : []
  const entries = listed
    .map((page) => {
      const modified = page.lastUpdated?.slice(0, 10)
      const address = escapeHtml(origin + routeUrl(site, page.route))
      return `  <url><loc>${address}</loc>${modified ? `<lastmod>${modified}</lastmod>` : ''}</url>\n`
    })
    .sort()
  if (entries.length <= limit) return [{ path: 'sitemap.xml', content: sitemap('urlset', entries) }]
  const parts: MachineFile[] = []
  for (let at = 0; at < entries.length; at += limit) {
    const content = sitemap('urlset', entries.slice(at, at + limit))
    parts.push({ path: `sitemap-${parts.length + 1}.xml`, content })
  }
  const index = parts.map(
    ({ path }) => `  <sitemap><loc>${escapeHtml(`${origin}/${path}`)}</loc></sitemap>\n`,
  )
  return [{ path: 'sitemap.xml', content: sitemap('sitemapindex', index) }, ...parts]
}

function sitemap(root: 'urlset' | 'sitemapindex', entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</${root}>\n`
}

export function robotsTxt(site: Site, origin: string | null): string {
  if (!isSiteIndexed(site)) {
    return 'User-agent: *\nDisallow: /\nContent-Signal: ai-train=no, search=no, ai-input=no\n'
  }
  const sitemap = origin === null ? '' : `\nSitemap: ${origin}/sitemap.xml\n`
  return `User-agent: *\nAllow: /\nContent-Signal: ai-train=yes, search=yes, ai-input=yes\n${sitemap}`
}

/** Returns pages in the default language and version, in the given order. */
export function pagesForAgents(site: Site, pages: readonly SitePage[]): SitePage[] {
  const language = site.languages.find((one) => one.isDefault)?.code
  const sidebars = new Map(site.sidebars.map((sidebar) => [sidebar.id, sidebar]))
  const isCurrent = (page: SitePage) =>
    page.placements.length === 0 ||
    page.placements.some(({ sidebar }) =>
      (sidebars.get(sidebar)?.levels ?? []).every(
        ({ kind, choices, active }) => kind !== 'versions' || active === null || choices[active]?.isDefault,
      ),
    )
  return pages.filter(
    (page) => isIndexed(page) && (language === undefined || page.language === language) && isCurrent(page),
  )
}

export interface LlmsInput {
  site: Site
  /** In the order of the list. */
  pages: readonly SitePage[]
  /** Returns the URL of a page's Markdown version. */
  hrefOf(page: SitePage): string
  fileHref(path: string): string
  sections: readonly { title: string; href: string }[]
  mcpHref: string | null
}

/** If the list is too long, omits descriptions and then entries, and adds a note about omitted entries. */
export function createLlmsTxt(input: LlmsInput): string {
  const { site, pages } = input
  const head = formatLlmsHeader(site) + serverLine(input)
  const foot = sectionList(input) + specList(input) + linkList(site)
  const room = MAX_LLMS_CHARACTERS - head.length - foot.length
  return `${head}\n## Docs\n\n${formatPageList(input, pages, room)}${foot}`
}

/** Returns the list of a section. The list of the site links to it. */
export function createSectionTxt(input: Pick<LlmsInput, 'site' | 'pages' | 'hrefOf'>, title: string): string {
  const { site, pages } = input
  const head = [`# ${toSingleLine(site.config.name)}: ${toSingleLine(title)}`, instructionBlock(site)]
  const opening = `${head.filter((part) => part !== '').join('\n\n')}\n`
  return `${opening}\n## Docs\n\n${formatPageList(input, pages, MAX_LLMS_CHARACTERS - opening.length)}`
}

function formatPageList(input: Pick<LlmsInput, 'hrefOf'>, pages: readonly SitePage[], room: number): string {
  const whole = pages.map((page) => entry(input, page, true))
  const length = whole.reduce((sum, line) => sum + line.length, 0)
  const lines = length <= room ? whole : pages.map((page) => entry(input, page, false))
  let list = ''
  let listed = 0
  for (const line of lines) {
    if (list.length + line.length > room) break
    list += line
    listed += 1
  }
  const remaining = lines.length - listed
  return remaining > 0 ? `${list}\n${remaining} more pages are not listed here.\n` : list
}

function serverLine({ mcpHref }: LlmsInput): string {
  return mcpHref === null
    ? ''
    : `\nAgents can search and read these pages over the Model Context Protocol (streamable HTTP): ${mcpHref}\n`
}

function sectionList({ sections }: LlmsInput): string {
  const lines = sections.map(({ title, href }) => `- ${linkTo(escapeLabel(title), href, false)}\n`)
  return lines.length === 0 ? '' : `\n## Sections\n\n${lines.join('')}`
}

function formatLlmsHeader(site: Site): string {
  const { name, description } = site.config
  const instructions = instructionBlock(site)
  const parts = [`# ${toSingleLine(name)}`, description ? `> ${toSingleLine(description)}` : '', instructions]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function entry({ hrefOf }: Pick<LlmsInput, 'hrefOf'>, page: SitePage, isDescribed: boolean): string {
  const descriptionText = isDescribed && page.description ? `: ${firstParagraph(page.description)}` : ''
  return `- ${linkTo(escapeLabel(page.title), hrefOf(page), false)}${descriptionText}\n`
}

function escapeLabel(text: string): string {
  return toSingleLine(escapeMarkdown(text)).replace(/(?<!\\)[[\]]/g, '\\$&')
}

/** Lists API descriptions that pages use. */
function specList({ site, pages, fileHref }: LlmsInput): string {
  const specs = [...new Set(pages.flatMap((page) => (page.operation ? [page.operation.spec] : [])))]
  const isAsync = (spec: string) =>
    pages.some((page) => page.operation?.spec === spec && page.operation.method === 'CHANNEL')
  const section = (title: string, names: readonly string[]) => {
    const lines = names.map((spec) => {
      const label = spec.split('/').pop() ?? spec
      const href = /^https?:/i.test(spec) ? spec : fileHref(spec)
      return `- ${linkTo(escapeLabel(label), href, false)}\n`
    })
    return lines.length === 0 ? '' : `\n## ${title}\n\n${lines.join('')}`
  }
  const existingSpecs = specs.filter((spec) => /^https?:/i.test(spec) || site.assets.has(spec))
  return (
    section(
      'OpenAPI Specs',
      existingSpecs.filter((spec) => !isAsync(spec)),
    ) + section('AsyncAPI Specs', existingSpecs.filter(isAsync))
  )
}

/** Lists links to other sites in the navigation. */
function linkList(site: Site): string {
  const links = new Map<string, string>()
  const add = (label: string, href: string | null) => {
    if (href !== null && /^https?:\/\//i.test(href) && !links.has(href)) links.set(href, label)
  }
  const walk = (items: readonly NavItem[]) => {
    for (const item of items) {
      if (item.kind === 'link') add(item.label, item.href)
      if (item.kind === 'group') walk(item.items)
    }
  }
  for (const { items, levels, globals } of site.sidebars) {
    for (const { choices } of [...globals, ...levels]) {
      for (const { label, href, isHidden } of choices) if (!isHidden) add(label, href)
    }
    walk(items)
  }
  const lines = [...links].map(([href, label]) => `- ${linkTo(escapeLabel(label), href, false)}\n`)
  return lines.length === 0 ? '' : `\n## Optional\n\n${lines.join('')}`
}

function firstParagraph(text: string): string {
  const flat = toSingleLine(text.split(/\n\s*\n/)[0] ?? '')
  return flat.length <= MAX_DESCRIPTION_CHARACTERS
    ? flat
    : `${flat.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).trimEnd()}…`
}

/** Returns the site's instructions for agents, if any. */
export function instructionBlock(site: Site): string {
  const { instructions } = site.config.markdown
  if (instructions === null) return ''
  const lines = ['## Agent Instructions', '', ...instructions.split('\n')]
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}
