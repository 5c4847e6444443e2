/** SUMMARY.md, the table of contents of GitBook, as navigation. */
import { posix } from 'node:path'
import { decodePath } from '../../base/text/decode-path.ts'
import type { NavGroup, NavItem } from '../imported-site.ts'
import { indentOf, type Line } from '../markdown/blocks.ts'
import { plainTitle } from '../page-file.ts'

export interface SummaryEntry {
  title: string
  /** Path of a page below the root, or an address. Null for an entry without a link. */
  target: string | null
  line: number
  children: SummaryEntry[]
}

export interface SummaryGroup {
  /** Null for what stands before the first heading. */
  title: string | null
  entries: SummaryEntry[]
}

const ITEM = /^\s*[*+-][ \t]+(\S.*)$/
const MAX_DEPTH = 20

export function readSummary(lines: readonly Line[]): SummaryGroup[] {
  const groups: SummaryGroup[] = [{ title: null, entries: [] }]
  /** Entries that are open, each with its indent. */
  let open: { indent: number; entry: SummaryEntry }[] = []
  for (const { text, number } of lines) {
    if (text.startsWith('## ')) {
      groups.push({ title: plainTitle(text.slice(3)), entries: [] })
      open = []
      continue
    }
    const item = ITEM.exec(text)?.[1]
    if (item === undefined) continue
    const entry = entryOf(item, number)
    const indent = indentOf(text)
    open = open.filter((one) => one.indent < indent).slice(0, MAX_DEPTH)
    const above = open.at(-1)?.entry.children ?? groups.at(-1)?.entries
    above?.push(entry)
    open.push({ indent, entry })
  }
  return groups.filter(({ title, entries }) => entries.length > 0 || title !== null)
}

function entryOf(item: string, line: number): SummaryEntry {
  const found = /^\[((?:[^[\]\\]|\\.){0,500})\]\((?:<([^<>]{0,1000})>|([^\s()]{0,1000}))/.exec(item)
  const target = found ? (decodePath(found[2] ?? found[3] ?? '').split('#', 1)[0] ?? '') : null
  return { title: plainTitle(found?.[1] ?? item), target: target === '' ? null : target, line, children: [] }
}

export interface SummaryPlaces {
  /** Place of a page by its path below the root; null when there is none. */
  placeOf(path: string, entry: SummaryEntry): string | null
  makeLink(title: string, url: string): string
}

export function navigationOf(groups: readonly SummaryGroup[], places: SummaryPlaces): NavItem[] {
  return groups.flatMap(({ title, entries }): NavItem[] => {
    const pages = entries.flatMap((entry) => itemOf(entry, places))
    return title === null ? pages : [{ group: title || 'Pages', pages }]
  })
}

/** A page with others below it is a group that has it for its title. */
function itemOf(entry: SummaryEntry, places: SummaryPlaces): NavItem[] {
  const { title, target, children } = entry
  const isAddress = target !== null && /^[a-z][a-z0-9+.-]*:/i.test(target)
  const place =
    target === null
      ? null
      : isAddress
        ? places.makeLink(title, target)
        : places.placeOf(posix.normalize(target), entry)
  if (children.length === 0) return place === null ? [] : [place]
  const pages = children.flatMap((child) => itemOf(child, places))
  const group: NavGroup = { group: title || 'Pages', pages }
  return [place === null ? group : { ...group, root: place }]
}
