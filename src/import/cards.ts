/** Cards for the pages of a group, where the old site listed them. */
import type { NavItem } from './imported-site.ts'
import { routeOfPlace } from './imported-site.ts'
import { attribute } from './markdown/tags.ts'

export type Titles = ReadonlyMap<string, { title: string; description: string | null }>

export function cardsOf(items: readonly NavItem[], titles: Titles): string {
  const cards = items.flatMap((item) => {
    const place = typeof item === 'string' ? item : firstPage(item)
    if (place === null) return []
    const known = titles.get(place)
    const title = typeof item === 'string' ? (known?.title ?? place) : item.group
    const description = typeof item === 'string' ? known?.description : null
    const body = description ? `\n${plainText(description)}\n` : ''
    return [`<Card${attribute('title', title)}${attribute('href', routeOfPlace(place))}>${body}</Card>`]
  })
  return cards.length === 0 ? '' : `\n<CardGroup cols={2}>\n${cards.join('\n')}\n</CardGroup>\n`
}

function plainText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[{<]/g, (mark) => (mark === '{' ? '\\{' : '&lt;'))
}

function firstPage(item: NavItem): string | null {
  if (typeof item === 'string') return item
  if (item.root) return item.root
  for (const one of item.pages) {
    const found = firstPage(one)
    if (found !== null) return found
  }
  return null
}

/** The entries among which a page stands: those of the group whose root it is, or that holds it. */
export function groupOf(items: readonly NavItem[], place: string): readonly NavItem[] | null {
  for (const item of items) {
    if (typeof item === 'string') continue
    if (item.root === place) return item.pages
    const inside = groupOf(item.pages, place)
    if (inside !== null) return inside
  }
  return items.includes(place) ? items : null
}
