/** RSS of a page of changes: one item for each heading in its entries, or for an entry without any. */
import { escapeText } from '../html/html-tags.ts'
import {
  attributeOf,
  findElement,
  type HtmlElement,
  hasClass,
  parseHtml,
  rawText,
} from '../html/html-tree.ts'
import { tidyLine } from '../html/markdown-text.ts'

export interface FeedInput {
  title: string
  description: string
  /** Of the page and of the feed itself; absolute. */
  pageUrl: string
  feedUrl: string
  language: string
  /** Body of the page. */
  html: string
}

interface FeedItem {
  title: string
  id: string | null
  text: string
  date: Date | null
}

/** Characters of an item's text. */
const MOST_TEXT = 2000

export function feedXml(feed: FeedInput): string {
  const items = entriesOf(parseHtml(feed.html)).flatMap(itemsOf)
  const lines = items.map((item) => itemXml(feed, item))
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${text(feed.title)}</title>
<link>${text(feed.pageUrl)}</link>
<description>${text(feed.description)}</description>
<language>${text(feed.language)}</language>
<atom:link href="${text(feed.feedUrl)}" rel="self" type="application/rss+xml"/>
${lines.join('')}</channel>
</rss>
`
}

function itemXml(feed: FeedInput, { title, id, text: about, date }: FeedItem): string {
  const address = text(id === null ? feed.pageUrl : `${feed.pageUrl}#${encodeURIComponent(id)}`)
  const published = date ? `<pubDate>${date.toUTCString()}</pubDate>` : ''
  return `<item><title>${text(title)}</title><link>${address}</link><guid isPermaLink="true">${address}</guid>${published}<description>${text(about)}</description></item>\n`
}

/** Escaped, and without the characters that XML cannot hold. */
function text(value: string): string {
  return escapeText(
    value.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''),
  ).replaceAll('"', '&quot;')
}

function entriesOf(element: HtmlElement): HtmlElement[] {
  if (element.tag === 'section' && hasClass(element, 'update')) return [element]
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : entriesOf(child)))
}

function itemsOf(entry: HtmlElement): FeedItem[] {
  const label = findElement(entry, (child) => hasClass(child, 'update-label'))
  const content = findElement(entry, (child) => hasClass(child, 'update-content')) ?? entry
  const name = label ? tidyLine(rawText(label)) : ''
  const description = findElement(entry, (child) => hasClass(child, 'update-description'))
  const date = dateIn(name) ?? (description ? dateIn(tidyLine(rawText(description))) : null)
  const whole = { id: attributeOf(entry, 'id'), date }
  const title = attributeOf(entry, 'data-rss-title')
  const about = attributeOf(entry, 'data-rss-description')
  if (title !== null || about !== null) {
    return [{ ...whole, title: title ?? name, text: about ?? wordsOf(content) }]
  }
  const parts = divide(content)
  const headed = parts.filter((part) => part.heading !== null)
  if (headed.length === 0) return [{ ...whole, title: name, text: wordsOf(content) }]
  return headed.map(({ heading, words }) => ({
    title: tidyLine(rawText(heading as HtmlElement)),
    id: attributeOf(heading as HtmlElement, 'id') ?? whole.id,
    text: words.slice(0, MOST_TEXT),
    date,
  }))
}

/** The content by its headings of the highest rank that it has. */
function divide(content: HtmlElement): { heading: HtmlElement | null; words: string }[] {
  const rank = content.children
    .map((child) => (typeof child === 'string' ? '' : child.tag))
    .filter((tag) => /^h[1-6]$/.test(tag))
    .sort()[0]
  const parts: { heading: HtmlElement | null; words: string }[] = [{ heading: null, words: '' }]
  for (const child of content.children) {
    if (typeof child !== 'string' && child.tag === rank) parts.push({ heading: child, words: '' })
    else {
      const part = parts.at(-1)
      const words = wordsOf({ ...content, children: [child] })
      if (part && words !== '') part.words += part.words === '' ? words : ` ${words}`
    }
  }
  return parts
}

function wordsOf(element: HtmlElement): string {
  const parts = element.children.map((child) => {
    if (typeof child === 'string') return child
    if (hasClass(child, 'code-block') || attributeOf(child, 'aria-hidden') === 'true') return ' '
    return child.isBlock ? ` ${wordsOf(child)} ` : wordsOf(child)
  })
  return tidyLine(parts.join('')).slice(0, MOST_TEXT)
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** `2026-11-21`, `November 21, 2026`, `21 Nov 2026`, `November 2026`: what labels of entries look like. */
function dateIn(label: string): Date | null {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(label)
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const year = /\b(20\d{2})\b/.exec(label)?.[1]
  const word = label
    .toLowerCase()
    .match(/[a-z]{3,}/g)
    ?.find((one) => MONTHS.some((month) => month.startsWith(one)))
  if (year === undefined || word === undefined) return null
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)/i.exec(label.replace(year, ''))?.[1]
  return dateOf(
    Number(year),
    MONTHS.findIndex((month) => month.startsWith(word)),
    Number(day ?? 1),
  )
}

function dateOf(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month, day))
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date : null
}
