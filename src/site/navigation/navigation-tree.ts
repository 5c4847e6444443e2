/** The navigation as docs.json writes it, read but not yet matched with pages. */
import type { Icon } from '../icon.ts'
import type { JsonNode } from '../json.ts'
import type { DirectoryListing, DivisionKind, NavLevel } from '../model.ts'
import type { ReferenceScope } from '../reference/reference-document.ts'

/** What an entry says for all below it that says nothing itself. */
export interface Inherited {
  directory: DirectoryListing | null
  boost: number | null
}

export interface NavigationTree extends Inherited {
  content: NavContent
  /** What shows on every page. */
  globals: readonly NavLevel[]
}

export type NavContent =
  | { kind: 'branch'; division: DivisionKind; choices: readonly RawChoice[] }
  | { kind: 'leaf'; items: readonly RawItem[] }
  | { kind: 'link'; href: string }
  | { kind: 'none' }

/** One entry of a division: a tab, a version, a language … */
export interface RawChoice extends Inherited {
  label: string
  /** Code of a language entry. */
  language: string | null
  icon: Icon | null
  tag: string | null
  description: string | null
  color: { light: string; dark: string } | null
  align: 'start' | 'end'
  isDefault: boolean
  isHidden: boolean
  /** `searchable` as written; it only matters on what is hidden. */
  isSearchable: boolean | null
  content: NavContent
  /** What shows on every page below this entry. */
  globals: readonly NavLevel[]
}

export type RawItem = RawEntry | RawGroup | RawLink | RawGenerated | RawReference

/** A page path, or an operation such as `GET /users`. */
export interface RawEntry {
  kind: 'entry'
  text: string
  scope: ApiScope | null
  node: JsonNode
}

export interface RawGroup extends Inherited {
  kind: 'group'
  label: string
  icon: Icon | null
  tag: string | null
  root: RawEntry | null
  isExpanded: boolean
  isHidden: boolean
  isSearchable: boolean | null
  items: readonly RawItem[]
}

export interface RawLink {
  kind: 'link'
  label: string
  href: string
  icon: Icon | null
}

/** Stands for a page for each operation of the scope's descriptions. */
export interface RawGenerated {
  kind: 'generated'
  scope: ApiScope
}

/** Stands for a page for each symbol of a schema or a library. */
export interface RawReference {
  kind: 'reference'
  scope: ReferenceScope
}

/** The API descriptions that hold for an entry and all below it. */
export interface ApiScope {
  kind: 'openapi' | 'asyncapi'
  specs: readonly string[]
  /** Folder of the generated pages in addresses. */
  directory: string
  node: JsonNode
  /** The library or the schema that pages are made of; null for none. */
  reference: ReferenceScope | null
}
