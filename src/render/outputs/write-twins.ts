/** Writes the files of each page for programs: Markdown version, part of the full text, feed. */
import type { SitePage } from '../../site/model.ts'
import { encodePath } from '../html/encode-path.ts'
import { indexDirectories } from '../links/directories.ts'
import { type LinkRewriter, routeUrl } from '../links/links.ts'
import type { RenderedBody } from '../page/body.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { FullText } from '../versions/full-text.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'
import { createFeed } from './feeds.ts'
import { pagesForAgents } from './machine-files.ts'
import { indexLine, markdownTwin } from './markdown-twin.ts'

interface TwinWriterScope {
  input: RenderInput
  names: OutputNames
  links: LinkRewriter
  files: SiteFiles
  fullText: FullText
}

/** Must be called once per page. */
export type TwinWriter = (page: SitePage, body: RenderedBody) => Promise<void>

/** `pages` must be in the order of the full text. */
export function createTwinWriter(scope: TwinWriterScope, pages: readonly SitePage[]): TwinWriter {
  const { site, origin } = scope.input
  const listed = pagesForAgents(site, pages)
  const positions = new Map(listed.map((page, index) => [page.route, index]))
  const { canonicalLink } = scope.links
  const directories = indexDirectories(site)
  const line = indexLine({ site, canonicalLink })
  return async (page, body) => {
    const markdown = markdownTwin({ site, canonicalLink, directories }, page, body.markdown)
    await scope.files.add(scope.names.twins.get(page.route) as string, markdown)
    const position = positions.get(page.route)
    if (position !== undefined) {
      const text = line === '' ? markdown : markdown.replace(`${line}\n\n`, '')
      const end = position === listed.length - 1 ? '' : '\n\n'
      scope.fullText.add(position, withSource(text, (origin ?? '') + routeUrl(site, page.route)) + end)
    }
    const feed = scope.names.feeds.get(page.route)
    if (feed !== undefined && origin !== null) await writeFeed(scope, page, body, { feed, origin })
  }
}

/** Inserts the URL of the page below the title. */
function withSource(markdown: string, source: string): string {
  const end = markdown.indexOf('\n')
  return `${markdown.slice(0, end)}\nSource: ${source}\n${markdown.slice(end + 1)}`
}

async function writeFeed(
  { input: { site }, files }: TwinWriterScope,
  page: SitePage,
  body: RenderedBody,
  { feed, origin }: { feed: string; origin: string },
): Promise<void> {
  const xml = createFeed({
    title: `${page.title} - ${site.config.name}`,
    description: page.description ?? site.config.description ?? page.title,
    pageUrl: origin + routeUrl(site, page.route),
    feedUrl: `${origin}/${encodePath(feed)}`,
    language: page.language,
    changedAt: page.lastUpdated,
    updates: body.updates,
  })
  await files.add(feed, xml)
}
