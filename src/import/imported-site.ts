/** What a site of another kind becomes, before anything of it is written. */
import { posix } from 'node:path'
import type { FileTree } from '../base/files/file-tree.ts'
import type { Notes } from './notes.ts'

export const IMPORT_KINDS = ['docusaurus', 'mkdocs', 'gitbook'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** Reads one kind of site. Rejects with ImportError when the folder holds none of it. */
export type SiteReader = (tree: FileTree, notes: Notes) => Promise<ImportedSite>

export interface ImportedSite {
  /** What docs.json holds. */
  settings: Record<string, unknown>
  /** Texts by their path in the new folder. */
  texts: Map<string, string>
  /** Source files by the path in the new folder that they are copied to. */
  copies: Map<string, string>
  /** Paths of texts that are not published. */
  drafts?: readonly string[]
}

/** Names what of the new folder is not published: drafts, and the report of the import. */
export const IGNORE_FILE = '.octavoignore'

/** The folder cannot be imported, or the new one not written; the message is for whoever named it. */
export class ImportError extends Error {
  override name = 'ImportError'
}

/** An entry of the navigation: the path of a page, or a group. */
export type NavItem = string | NavGroup

export interface NavGroup {
  group: string
  pages: NavItem[]
  root?: string
  icon?: string
  expanded?: boolean
}

export interface NavTab {
  tab: string
  pages?: NavItem[]
  href?: string
}

/** Files that every page would load, or that a folder of pages has no use for. */
export function isCode(path: string): boolean {
  return /\.(?:css|scss|sass|less|styl|[cm]?jsx?|[cm]?tsx?|map|py|vue|svelte)$/i.test(path)
}

export function isPage(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path)
}

/** Folders at the root that Octavo passes over, or reads as something else than pages. */
const TAKEN_FOLDERS = /^(?:_?snippets|build|dist|coverage|tmp|temp)\//

export type PlaceOf = ReturnType<typeof createPagePlaces>

/** Places for pages, each given once. `/a/b` is `a/b.mdx`, or `a/b/index.mdx` for the page of a folder. */
export function createPagePlaces(notes: Notes) {
  const taken = new Set<string>()
  return (file: string, route: string, isFolder: boolean): string => {
    const path = posix.normalize(`/${route}`).slice(1).replace(/\/$/, '')
    const base = path === '' ? 'index' : isFolder ? `${path}/index` : path
    const free = TAKEN_FOLDERS.test(`${base}/`) ? `pages/${base}` : base
    let place = free
    for (let count = 2; taken.has(place.toLowerCase()); count++) place = `${free}-${count}`
    taken.add(place.toLowerCase())
    if (place !== base)
      notes.add('page', { file, line: null }, `The address /${path} is taken; the page is at /${place}.`)
    return place
  }
}

/** `a/b/index` → `/a/b`. */
export function routeOfPlace(place: string): string {
  return `/${place.replace(/(?:^|\/)index$/, '')}`
}

/** Without slashes at either end. */
export function withoutSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  return path.slice(start, end)
}

/** Without names that have no value. */
export function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  )
}
