/** The navigation as written in docs.json, parsed but not yet resolved to pages. */
import type { Icon } from '../icon.ts'
import type { JsonNode } from '../json.ts'
import type { DirectoryListing, DivisionKind, NavLevel } from '../model.ts'
import type { ReferenceScope } from '../reference/reference-document.ts'

/** Values that descendants inherit unless they set their own. */
export interface Inherited {
  directory: DirectoryListing | null
  boost: number | null
}

export interface NavigationTree extends Inherited {
  content: NavContent
  globals: readonly NavLevel[]
}

export type NavContent =
  | { kind: 'branch'; division: DivisionKind; choices: readonly RawChoice[] }
  | { kind: 'leaf'; items: readonly RawItem[] }
  | { kind: 'link'; href: string }
  | { kind: 'none' }

/** An entry of a division: a tab, a version, a language … */
export interface RawChoice extends Inherited {
  label: string
  language: string | null
  icon: Icon | null
  tag: string | null
  description: string | null
  color: { light: string; dark: string } | null
  align: 'start' | 'end'
  isDefault: boolean
  isHidden: boolean
  /** `searchable` as written; only relevant for hidden entries. */
  isSearchable: boolean | null
  content: NavContent
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

/** Generates a page for each operation of the scope's descriptions. */
export interface RawGenerated {
  kind: 'generated'
  scope: ApiScope
}

/** Generates a page for each symbol of a schema or library. */
export interface RawReference {
  kind: 'reference'
  scope: ReferenceScope
}

/** API descriptions that apply to an entry and its descendants. */
export interface ApiScope {
  kind: 'openapi' | 'asyncapi'
  specs: readonly string[]
  /** URL path of the folder that contains the generated pages. */
  directory: string
  node: JsonNode
  reference: ReferenceScope | null
}

export function createGroup<Item>(label: string, items: readonly Item[], icon: Icon | null = null) {
  return {
    ...{ kind: 'group' as const, label, icon, tag: null, root: null },
    ...{ isExpanded: false, isHidden: false, isSearchable: null, directory: null, boost: null },
    items,
  }
}
