/** Types of reference pages generated from a GraphQL schema or from a documentation tool's output for a library. */
import type { JsonNode } from '../json.ts'

export const SDK_FORMATS = ['typedoc'] as const
/** Values of the docs.json format for which pages cannot be generated. */
export const OTHER_SDK_FORMATS = ['docfx', 'javadoc', 'sphinx', 'phpdoc'] as const

export interface ReferenceScope {
  format: 'graphql' | (typeof SDK_FORMATS)[number]
  source: string
  directory: string
  node: JsonNode
}

export interface ReferenceSymbol {
  kind: string
  name: string
  /** Name of the parent symbol. A member only has a page if a page file refers to it. */
  parent: string | null
  group: string
  /** Path below the directory, without a leading slash. */
  path: string
  /** Markdown of one paragraph. */
  description: string | null
  isDeprecated: boolean
  /** Returns the body of the page as MDX; `linkTo` returns the link to another symbol's page by name. */
  renderBody(linkTo: LinkTo): string
}

export type LinkTo = (name: string) => string | null

/** In navigation order. */
export interface ReferenceDocument {
  symbols: readonly ReferenceSymbol[]
}

export const MAX_SYMBOLS = 5000

/** A symbol shown on the page of a file, below the text of the file. */
export interface ReferenceTarget {
  kind: string
  name: string
  parent: string | null
  /** Null to use the source of the enclosing entry. */
  source: string | null
  format: string | null
}
