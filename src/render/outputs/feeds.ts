/** RSS feed of a changelog page, with an item for each heading, or for each entry without headings. */
import { escapeHtml } from '../html/html.ts'
import type { UpdateItem } from '../page/body.ts'

export interface FeedInput {
  title: string
  description: string
  /** Absolute URLs. */
  pageUrl: string
  feedUrl: string
  language: string
  /** Time of the last change, in ISO 8601; null if unknown. */
  changedAt: string | null
  updates: readonly UpdateItem[]
}

export function createFeed(feed: FeedInput): string {
  const lines = feed.updates.map((item) => createFeedItem(feed, item))
  const changed =
    feed.changedAt === null
      ? ''
      : `\n<lastBuildDate>${new Date(feed.changedAt).toUTCString()}</lastBuildDate>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${text(feed.title)}</title>
<link>${text(feed.pageUrl)}</link>
<description>${text(feed.description)}</description>
<language>${text(feed.language)}</language>${changed}
<atom:link href="${text(feed.feedUrl)}" rel="self" type="application/rss+xml"/>
${lines.join('')}</channel>
</rss>
`
}

function createFeedItem(feed: FeedInput, { title, id, text: itemText, date }: UpdateItem): string {
  const address = text(id === null ? feed.pageUrl : `${feed.pageUrl}#${encodeURIComponent(id)}`)
  const published = date === null ? '' : `<pubDate>${new Date(date).toUTCString()}</pubDate>`
  return `<item><title>${text(title)}</title><link>${address}</link><guid isPermaLink="true">${address}</guid>${published}<description>${text(itemText)}</description></item>\n`
}

/** Escapes text and removes characters that are invalid in XML. */
function text(value: string): string {
  return escapeHtml(value.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
}
