/** Markdown version of a page: title, description and text. */
import type { NavGroup, Site, SitePage } from '../../site/model.ts'
import { relatedPages } from '../../site/pages/related-pages.ts'
import { escapeMarkdown, linkTo, resolveSiteLinks, toSingleLine } from '../html/markdown-text.ts'
import { listDirectoryEntries } from '../links/directories.ts'
import { isTitleGiven } from '../page/given-title.ts'
import { uiText } from '../words/ui-text.ts'
import { instructionBlock, isSiteIndexed, LLMS_FILE } from './machine-files.ts'

export interface TwinScope {
  site: Site
  /** Groups by the route of the page that lists them. */
  directories: ReadonlyMap<string, NavGroup>
  /** Returns a link for readers outside of the site, for `/path?query#fragment`. */
  canonicalLink(href: string): string
}

/** `markdown` is the body of the page. */
export function markdownTwin(scope: TwinScope, page: SitePage, markdown: string): string {
  const { title, body } = titleAndBody(page, resolveSiteLinks(markdown, scope.canonicalLink).trim())
  const parts = [
    title,
    page.description ? `> ${toSingleLine(page.description)}` : '',
    indexLine(scope),
    instructionBlock(scope.site),
    page.operation ? operationLine(scope, page.operation) : '',
    body,
    directoryList(scope, page),
    relatedList(scope, page),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Returns a link to the list of all pages for agents. Empty for a site that is excluded from indexes. */
export function indexLine({ site, canonicalLink }: Pick<TwinScope, 'site' | 'canonicalLink'>): string {
  if (!isSiteIndexed(site)) return ''
  return `> Index of all pages for agents: ${linkTo(LLMS_FILE, canonicalLink(`/${LLMS_FILE}`), false)}`
}

/** Returns the entries of a group, for the page of the group. */
function directoryList({ site, directories, canonicalLink }: TwinScope, page: SitePage): string {
  const group = directories.get(page.route)
  if (!group) return ''
  const lines = listDirectoryEntries(site, group.items).map(({ title, href, description }) => {
    const label = toSingleLine(escapeMarkdown(title))
    const descriptionText = description ? `: ${toSingleLine(description)}` : ''
    return `- ${href === null ? label : linkTo(label, canonicalLink(href), false)}${descriptionText}`
  })
  return lines.join('\n')
}

function relatedList({ site, canonicalLink }: TwinScope, page: SitePage): string {
  const lines = relatedPages(site, page).map(({ title, href }) => {
    const label = toSingleLine(escapeMarkdown(title))
    if (href === null) return `- ${label}`
    return `- ${linkTo(label, href.startsWith('/') && !href.startsWith('//') ? canonicalLink(href) : href, false)}`
  })
  return lines.length === 0 ? '' : `## ${uiText(page.language).related}\n\n${lines.join('\n')}`
}

/** Uses the first heading as the title if it equals the title of the page, or if the page has no other title. */
function titleAndBody(page: SitePage, body: string): { title: string; body: string } {
  const own = /^# (.*)(?:\n+|$)/.exec(body)
  const pageTitle = toSingleLine(page.title)
  if (!own) return { title: `# ${pageTitle}`, body }
  const isSame = toSingleLine(own[1] ?? '').toLowerCase() === pageTitle.toLowerCase()
  if (isSame || !isTitleGiven(page))
    return { title: `# ${toSingleLine(own[1] ?? '')}`, body: body.slice(own[0].length) }
  return { title: `# ${pageTitle}`, body }
}

function operationLine(scope: TwinScope, operation: NonNullable<SitePage['operation']>): string {
  const { method, path, spec } = operation
  const line = `\`${method} ${path}\``
  if (!scope.site.config.markdown.schema) return line
  const address = /^https?:/i.test(spec) ? spec : scope.canonicalLink(`/${encodeURI(spec)}`)
  return `${line} ([API description](${address}))`
}
