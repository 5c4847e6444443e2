/** Types of reference pages generated from a GraphQL schema or from a documentation tool's output for a library. */
import type { JsonNode } from '../json.ts'

export const SDK_FORMATS = ['typedoc'] as const
/** Values of the docs.json format for which pages cannot be generated. */
export const OTHER_SDK_FORMATS = ['docfx', 'javadoc', 'sphinx', 'phpdoc'] as const

/** Reference of a navigation entry to a schema or library. */
export interface ReferenceScope {
  format: 'graphql' | (typeof SDK_FORMATS)[number]
  /** Path below the docs folder, or URL. */
  source: string
  /** Folder of the pages in URLs. */
  directory: string
  node: JsonNode
}

export interface ReferenceSymbol {
  kind: string
  name: string
  /** Name of the parent symbol; members only have a page if one refers to them. */
  parent: string | null
  /** Label of the page's section. */
  group: string
  /** Path below the directory, without a leading slash. */
  path: string
  /** Markdown of one paragraph. */
  description: string | null
  isDeprecated: boolean
  /** Returns the body of the page as MDX; `linkAttributes` finds the page of another symbol by name. */
  renderBody(linkTo: LinkTo): string
}

export type LinkTo = (name: string) => string | null

/** In navigation order. */
export interface ReferenceDocument {
  symbols: readonly ReferenceSymbol[]
}

/** Maximum number of pages generated from one source. */
export const MAX_SYMBOLS = 5000

/** A symbol shown on the page of a file, below its own text. */
export interface ReferenceTarget {
  kind: string
  name: string
  parent: string | null
  /** Null for the source of the enclosing entry. */
  source: string | null
  format: string | null
}
