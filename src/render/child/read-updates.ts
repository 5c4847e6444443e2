/**
 * Reads the feed entries of a changelog page: one per heading in an Update, or one per Update without
 * headings.
 */
import {
  createTextTree,
  findElement,
  getAttribute,
  hasClass,
  rawText,
  type TextElement,
} from '../html/html-tree.ts'
import { toSingleLine } from '../html/markdown-text.ts'
import type { HtmlElement } from '../html/parse-html.ts'
import type { UpdateItem } from '../page/body.ts'

/** Maximum length of an entry's text. */
const MAX_TEXT_CHARACTERS = 2000

export function readUpdates(tree: HtmlElement): UpdateItem[] {
  return findEntries(createTextTree(tree, (tag) => tag === 'o-agents')).flatMap(readItems)
}

function findEntries(element: TextElement): TextElement[] {
  if (element.tag === 'section' && hasClass(element, 'update')) return [element]
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : findEntries(child)))
}

function readItems(entry: TextElement): UpdateItem[] {
  const label = findElement(entry, (child) => hasClass(child, 'update-label'))
  const content = findElement(entry, (child) => hasClass(child, 'update-content')) ?? entry
  const name = label ? toSingleLine(rawText(label)) : ''
  const description = findElement(entry, (child) => hasClass(child, 'update-description'))
  const date = parseDate(name) ?? (description ? parseDate(toSingleLine(rawText(description))) : null)
  const whole = { id: getAttribute(entry, 'id'), date }
  const title = getAttribute(entry, 'data-rss-title')
  const feedDescription = getAttribute(entry, 'data-rss-description')
  if (title !== null || feedDescription !== null) {
    return [{ ...whole, title: title ?? name, text: feedDescription ?? readText(content) }]
  }
  const parts = splitByHeadings(content)
  const headed = parts.filter((part) => part.heading !== null)
  if (headed.length === 0) return [{ ...whole, title: name, text: readText(content) }]
  return headed.map(({ heading, words }) => ({
    title: toSingleLine(rawText(heading as TextElement)),
    id: getAttribute(heading as TextElement, 'id') ?? whole.id,
    text: words.slice(0, MAX_TEXT_CHARACTERS),
    date,
  }))
}

/** Splits the content at headings of the highest level that occurs in it. */
function splitByHeadings(content: TextElement): { heading: TextElement | null; words: string }[] {
  const rank = content.children
    .map((child) => (typeof child === 'string' ? '' : child.tag))
    .filter((tag) => /^h[1-6]$/.test(tag))
    .sort()[0]
  const parts: { heading: TextElement | null; words: string }[] = [{ heading: null, words: '' }]
  for (const child of content.children) {
    if (typeof child !== 'string' && child.tag === rank) parts.push({ heading: child, words: '' })
    else {
      const part = parts.at(-1)
      const words = readText({ ...content, children: [child] })
      if (part && words !== '') part.words += part.words === '' ? words : ` ${words}`
    }
  }
  return parts
}

function readText(element: TextElement): string {
  const parts = element.children.map((child) => {
    if (typeof child === 'string') return child
    if (hasClass(child, 'code-block') || getAttribute(child, 'aria-hidden') === 'true') return ' '
    return child.isBlock ? ` ${readText(child)} ` : readText(child)
  })
  return toSingleLine(parts.join('')).slice(0, MAX_TEXT_CHARACTERS)
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** Parses dates in labels: `2026-11-21`, `November 21, 2026`, `21 Nov 2026`, `November 2026`. */
function parseDate(label: string): number | null {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(label)
  if (iso) return toTimestamp(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const year = /\b(20\d{2})\b/.exec(label)?.[1]
  const word = label
    .toLowerCase()
    .match(/[a-z]{3,}/g)
    ?.find((one) => MONTHS.some((month) => month.startsWith(one)))
  if (year === undefined || word === undefined) return null
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)/i.exec(label.replace(year, ''))?.[1]
  return toTimestamp(
    Number(year),
    MONTHS.findIndex((month) => month.startsWith(word)),
    Number(day ?? 1),
  )
}

function toTimestamp(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month, day))
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.getTime() : null
}
