/** Writes what other programs read of each page: its Markdown twin, its part of the full text, its feed. */
import { sha256 } from '../../base/hash.ts'
import type { SitePage } from '../../site/model.ts'
import { encodePath } from '../html/encode-path.ts'
import { directoriesOf } from '../links/directories.ts'
import { type LinkRewriter, routeUrl } from '../links/links.ts'
import type { RenderedBody } from '../page/body.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { FullText } from '../versions/full-text.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'
import { feedXml } from './feeds.ts'
import { pagesForAgents } from './machine-files.ts'
import { indexLine, markdownTwin } from './markdown-twin.ts'

interface TwinWriterScope {
  input: RenderInput
  names: OutputNames
  links: LinkRewriter
  files: SiteFiles
  fullText: FullText
}

/** Each is to be asked for every page once, `body` only where it is needed. */
export interface TwinWriter {
  /** In any order. `key` names all that the twin is made of. What the last full text has of the page is taken over too. */
  writeTwin(page: SitePage, body: BodyOf, key: string | null): Promise<void>
  /** After its twin. The full text keeps what comes before its turn. */
  writeLists(page: SitePage, body: BodyOf): Promise<void>
}

type BodyOf = () => Promise<RenderedBody>

/** `pages` are in the order of the full text. */
export function createTwinWriter(scope: TwinWriterScope, pages: readonly SitePage[]): TwinWriter {
  const { site, origin } = scope.input
  const listed = pagesForAgents(site, pages)
  const places = new Map(listed.map((page, index) => [page.route, index]))
  const { canonicalLink } = scope.links
  const directories = directoriesOf(site)
  const markdownOf = (page: SitePage, body: RenderedBody) =>
    markdownTwin({ site, canonicalLink, directories }, page, body.markdown)
  const twinOf = (page: SitePage) => scope.names.twins.get(page.route) as string
  const partOf = (page: SitePage, place: number) => {
    const source = (origin ?? '') + routeUrl(site, page.route)
    const end = place === listed.length - 1 ? '' : '\n\n'
    const digest = scope.files.fileOf(twinOf(page))?.sha256 ?? null
    const name = digest === null ? '' : sha256(JSON.stringify([digest, source, end])).slice(0, 32)
    return { source, end, name }
  }
  const same = new Set<number>()
  return {
    writeTwin: async (page, body, key) => {
      await scope.files.addMade(twinOf(page), key, async () => markdownOf(page, await body()))
      const place = places.get(page.route)
      if (place === undefined) return
      const { name } = partOf(page, place)
      if (name !== '' && scope.fullText.addSame(place, name)) same.add(place)
    },
    writeLists: async (page, body) => {
      const place = places.get(page.route)
      if (place !== undefined && !same.has(place)) {
        const { source, end, name } = partOf(page, place)
        const markdown = (await scope.files.textOf(twinOf(page))) ?? markdownOf(page, await body())
        const line = indexLine({ site, canonicalLink })
        const text = line === '' ? markdown : markdown.replace(`${line}\n\n`, '')
        scope.fullText.add(place, withSource(text, source) + end, name)
      }
      const feed = scope.names.feeds.get(page.route)
      if (feed !== undefined && origin !== null) await writeFeed(scope, page, await body(), { feed, origin })
    },
  }
}

/** The address of the page stands below its title. */
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
  const xml = feedXml({
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
