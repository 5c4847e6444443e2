/** Files for search engines, agents and hosts: sitemap, robots, llms.txt, and redirects in the form static hosts read. */

import { isIndexed } from '../site/make-pages.ts'
import type { Site, SitePage } from '../site/model.ts'
import { escapeText } from './html-tags.ts'
import { encodePath, routeUrl } from './links.ts'

const LLMS_LIMIT_CHARACTERS = 100_000
const DESCRIPTION_CHARACTERS = 300

/** Pages that search engines and agents are told about, in the order of the site. */
function indexablePages(site: Site): SitePage[] {
  return [...site.pages.values()].filter(isIndexed)
}

function isSiteIndexed(site: Site): boolean {
  return !/\bnoindex\b/i.test(site.config.seo.metatags.robots ?? '')
}

/** `origin` without a trailing slash. */
export function sitemapXml(site: Site, origin: string): string {
  const urls = isSiteIndexed(site)
    ? indexablePages(site).map((page) => origin + routeUrl(site, page.route))
    : []
  const entries = urls.sort().map((url) => `  <url><loc>${escapeText(url)}</loc></url>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

export function robotsTxt(site: Site, origin: string | null): string {
  if (!isSiteIndexed(site)) {
    return 'User-agent: *\nDisallow: /\nContent-Signal: ai-train=no, search=no, ai-input=no\n'
  }
  const sitemap = origin === null ? '' : `\nSitemap: ${origin}/sitemap.xml\n`
  return `User-agent: *\nAllow: /\nContent-Signal: ai-train=yes, search=yes, ai-input=yes\n${sitemap}`
}

/** `hrefOf` gives the address that stands behind a page's title. Entries beyond the size limit are counted, not listed. */
export function llmsTxt(site: Site, hrefOf: (route: string) => string): string {
  const { name, description } = site.config
  const language = site.languages.find((one) => one.isDefault)?.code
  let text = `# ${oneLine(name)}\n`
  if (description) text += `\n> ${oneLine(description)}\n`
  text += '\n## Docs\n\n'
  const pages = indexablePages(site).filter((page) => language === undefined || page.language === language)
  let left = pages.length
  for (const page of pages) {
    const about = page.description ? `: ${firstParagraph(page.description)}` : ''
    const entry = `- [${oneLine(page.title).replace(/[[\]]/g, '\\$&')}](${hrefOf(page.route)})${about}\n`
    if (text.length + entry.length > LLMS_LIMIT_CHARACTERS) break
    text += entry
    left -= 1
  }
  if (left > 0) text += `\n${left} more pages are not listed here.\n`
  return text
}

/** The `_redirects` file that several static hosts read: one rule a line, with `:splat` for what `*` stood for. */
export function redirectsFile(site: Site): string {
  const lines = site.redirects.map((redirect) => {
    const source = encodeUrl(redirect.source.replace(/:[A-Za-z0-9_-]+\*?$/, '*'))
    const destination = encodeUrl(redirect.destination.replace(/\*$|:[A-Za-z0-9_-]+\*?$/, ':splat'))
    return `${source} ${destination} ${redirect.isPermanent ? 308 : 307}`
  })
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function encodeUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]/gu, (character) => encodePath(character))
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function firstParagraph(text: string): string {
  const flat = oneLine(text.split(/\n\s*\n/)[0] ?? '')
  return flat.length <= DESCRIPTION_CHARACTERS
    ? flat
    : `${flat.slice(0, DESCRIPTION_CHARACTERS - 1).trimEnd()}…`
}
