/** Reference pages that are made from a GraphQL schema, or from what a documentation tool wrote of a library. */
import type { JsonNode } from '../json.ts'

export const SDK_FORMATS = ['typedoc'] as const
/** Formats of the docs.json format that no pages are made from. */
export const OTHER_SDK_FORMATS = ['docfx', 'javadoc', 'sphinx', 'phpdoc'] as const

/** What an entry of the navigation names. */
export interface ReferenceScope {
  format: 'graphql' | (typeof SDK_FORMATS)[number]
  /** Path below the docs folder, or address. */
  source: string
  /** Folder of the pages in addresses. */
  directory: string
  node: JsonNode
}

export interface ReferenceSymbol {
  kind: string
  name: string
  /** Name of what it is a member of; members have no page unless one names them. */
  parent: string | null
  /** Label of the section that its page stands in. */
  group: string
  /** Address below the directory, without a slash at the start. */
  path: string
  /** Markdown of one paragraph. */
  description: string | null
  isDeprecated: boolean
  /** Body of the page as MDX; `linkTo` knows the page of another symbol by its name. */
  text(linkTo: LinkTo): string
}

export type LinkTo = (name: string) => string | null

/** In the order of the navigation. */
export interface ReferenceDocument {
  symbols: readonly ReferenceSymbol[]
}

/** More pages than this are not made of one source. */
export const MOST_SYMBOLS = 5000

/** A symbol that the page of a file shows below its own text. */
export interface ReferenceTarget {
  kind: string
  name: string
  parent: string | null
  /** Null: that of the entry around the page. */
  source: string | null
  format: string | null
}
