/** The navigation as an indented outline for the model. */

import { fitLines, plural } from '../loop/result-text.ts'
import { allEntries, allPages, type NavEntry, nameOf } from './navigation-outline.ts'

/** A longer outline is shown without its pages first. */
const MAX_WHOLE = 250
const PAGE = 300

const KINDS: Record<NavEntry['kind'], string> = {
  navigation: 'navigation',
  group: 'group',
  languages: 'language',
  versions: 'version',
  products: 'product',
  tabs: 'tab',
  dropdowns: 'dropdown',
  anchors: 'anchor',
  menu: 'item',
}

export function showNavigation(entry: NavEntry, offset: number): string {
  const isWhole = allPages(entry).length + allEntries(entry).length <= MAX_WHOLE || entry.entries.length === 0
  const lines = linesOf(entry, 0, isWhole)
  const shown = fitLines(lines.slice(offset, offset + PAGE))
  const end = offset + shown.length
  const notes = [
    end < lines.length ? `(More follow: ask again with offset ${end}.)` : '',
    isWhole ? '' : '(Pages are left out; see those of an entry with within.)',
  ]
  return [`${nameOf(entry)}:`, ...shown, ...notes].filter(Boolean).join('\n')
}

/** The items of one entry in the order of their list, those of deeper lists only counted. */
export function entryLines(entry: NavEntry, most: number): string[] {
  const items = itemsOf(entry)
  const lines = items.map((item) => ('route' in item ? item.text : titleOf(item, false)))
  return lines.length <= most ? lines : [...lines.slice(0, most), `(and ${lines.length - most} more)`]
}

type Item = NavEntry | NavEntry['pages'][number]

function itemsOf(entry: NavEntry): Item[] {
  const items: Item[] = [...entry.pages.filter(({ place }) => place !== null), ...entry.entries]
  const keyOf = ({ place }: Item) => place?.list.offset ?? 0
  return items.sort((a, b) => keyOf(a) - keyOf(b) || (a.place?.index ?? 0) - (b.place?.index ?? 0))
}

function linesOf(entry: NavEntry, depth: number, isWhole: boolean): string[] {
  const indent = '  '.repeat(depth)
  return itemsOf(entry).flatMap((item) => {
    if ('route' in item) return isWhole ? [indent + item.text] : []
    return [indent + titleOf(item, isWhole), ...linesOf(item, depth + 1, isWhole)]
  })
}

function titleOf(entry: NavEntry, isWhole: boolean): string {
  const root = entry.pages.find(({ place }) => place === null)
  const count = allPages(entry).length
  const notes = [root ? `title leads to ${root.text}` : '', isWhole ? '' : plural(count, 'page')].filter(
    Boolean,
  )
  const label = JSON.stringify(entry.labels.at(-1) ?? '')
  return `${KINDS[entry.kind]} ${label}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
}
