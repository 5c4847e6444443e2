/** Result of a conversion, before anything is written. */
import { posix } from 'node:path'
import type { FileTree } from '../base/files/file-tree.ts'
import type { Notes } from './notes.ts'

export const IMPORT_KINDS = ['docusaurus', 'mkdocs', 'gitbook'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** Reads a site of one generator. Rejects with ImportError if the folder contains none. */
export type SiteReader = (tree: FileTree, notes: Notes) => Promise<ImportedSite>

export interface ImportedSite {
  settings: Record<string, unknown>
  /** Texts by path in the new folder. */
  texts: Map<string, string>
  /** Source files by target path in the new folder. */
  copies: Map<string, string>
  drafts?: readonly string[]
}

/** Lists unpublished paths: drafts and the report of the import. */
export const IGNORE_FILE = '.octavoignore'

/** Thrown if a site cannot be imported or written. The message is written for the user. */
export class ImportError extends Error {
  override name = 'ImportError'
}

/** Path of a page, or a group. */
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

/** Returns whether a file is code. Octavo would load such a file on every page, or has no use for it. */
export function isCode(path: string): boolean {
  return /\.(?:css|scss|sass|less|styl|[cm]?jsx?|[cm]?tsx?|map|py|vue|svelte)$/i.test(path)
}

export function isPage(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path)
}

/** Top-level folders that Octavo ignores, or whose files are not pages. */
const RESERVED_FOLDERS = /^(?:_?snippets|build|dist|coverage|tmp|temp)\//

export type PathAllocator = ReturnType<typeof createPathAllocator>

/** Allocates unique paths. `/a/b` becomes `a/b.mdx`, or `a/b/index.mdx` for the page of a folder. */
export function createPathAllocator(notes: Notes) {
  const usedPaths = new Set<string>()
  return (file: string, route: string, isFolder: boolean): string => {
    const path = posix.normalize(`/${route}`).slice(1).replace(/\/$/, '')
    const base = path === '' ? 'index' : isFolder ? `${path}/index` : path
    const free = RESERVED_FOLDERS.test(`${base}/`) ? `pages/${base}` : base
    let pagePath = free
    for (let count = 2; usedPaths.has(pagePath.toLowerCase()); count++) pagePath = `${free}-${count}`
    usedPaths.add(pagePath.toLowerCase())
    if (pagePath !== base)
      notes.add('page', file, `The path /${path} is already used, so the page is at /${pagePath}.`)
    return pagePath
  }
}

/** Converts the path of a file to the path on the site: `a/b/index` → `/a/b`. */
export function toRoute(pagePath: string): string {
  return `/${pagePath.replace(/(?:^|\/)index$/, '')}`
}

export function trimSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  return path.slice(start, end)
}

export function omitUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  )
}
