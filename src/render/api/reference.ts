/**
 * Content of an API page besides its author's text: plain data, built in the server from a description and rendered
 * in a render process. Descriptions are untrusted, so their texts are shown as text or as Markdown and never
 * executed.
 */
import type { ApiSample } from '../../openapi/sample-call.ts'
import type { ApiTexts } from '../words/api-texts.ts'

export interface ApiReference {
  /** Path of the description, the base of its relative links; empty for a fetched one. */
  source: string
  words: ApiTexts
  /** True if the blocks precede the author's text. */
  isAbove: boolean
  /** Nested fields are open initially. */
  isExpanded: boolean
  /** Blocks of the left column, in order. */
  blocks: ApiBlock[]
  /** Request panel of the right column; null if there is nothing to send. */
  request: ApiPanel | null
  /** Request bodies, if there are several. */
  bodies: ApiPanel | null
  responses: ApiPanel | null
}

/** Everything that does not depend on the surrounding page. */
export type DescribedReference = Pick<ApiReference, 'words' | 'blocks' | 'request' | 'bodies' | 'responses'>

/** The right column, built once the left one is known to be within its limits. */
export type ApiPanels = Pick<ApiReference, 'request' | 'bodies' | 'responses'>

export interface ReferenceParts {
  blocks: ApiBlock[]
  panels(): Promise<ApiPanels> | ApiPanels
}

export type ApiBlock =
  | { kind: 'prose'; markdown: string }
  /** Replaces a missing part: `what` is the name as the author wrote it. */
  | { kind: 'missing'; text: string; what: string }
  | { kind: 'heading'; level: 2 | 3; text: string; id: string; note: string }
  | { kind: 'fields'; fields: readonly ApiField[] }
  /** Shows one of several contents: media types, statuses, variants of a schema, authentication methods. */
  | { kind: 'choice'; label: string; choices: readonly ApiChoice[]; isStatus: boolean }
  /** Closed initially. */
  | { kind: 'details'; title: string; blocks: readonly ApiBlock[] }
  | { kind: 'call'; method: string; path: string }
  | { kind: 'code'; code: string; language: string; title: string }

export interface ApiChoice {
  title: string
  /** Shown after the title of the selected choice. */
  note: string
  /** Id of its content, with alternatives; absent if a field in the content has the id. */
  anchor?: { id: string; others: readonly string[] }
  blocks: ApiBlock[]
  /** Index of an earlier choice with the same content; this one then has no blocks. */
  shows?: number
}

export interface ApiField {
  /** Unique on the page. */
  id: string
  /** Other ids that link here. */
  others: readonly string[]
  name: string
  type: string
  isRequired: boolean
  isDeprecated: boolean
  /** Labels before the name; `pills` follow it. */
  before: readonly string[]
  pills: readonly string[]
  initial: string | null
  /** Markdown. */
  description: string
  facts: readonly ApiFact[]
  /** Nested fields and variants. */
  blocks: ApiBlock[]
  /** Location of the description of the same schema; null if it is described here. */
  same: { id: string; name: string } | null
}

export interface ApiFact {
  label: string
  /** `note` is Markdown that explains the value. */
  values: readonly { text: string; note: string }[]
}

export interface ApiPanel {
  title: string
  method: string | null
  /** Label of the choice, for screen readers. */
  label: string
  samples: readonly ApiSample[]
  /** A selection also applies to the pages visited next. */
  isRemembered: boolean
}

/** Limits the size of a page, for any description. */
export const LIMITS = {
  fields: 2500,
  /** Above this, the page is built again with less nesting, so that its outer levels are complete. */
  manyFields: 700,
  /** Above this number of fields, a schema that is described already is not described again. */
  freeFields: 200,
  /** Same for nested schemas, which are collapsed initially. */
  freeInnerFields: 60,
  /** Nesting depths, tried in this order. */
  depths: [12, 6, 4, 3, 2],
  options: 5000,
  /** Maximum length of a sample, and of a value. */
  sampleCharacters: 60_000,
  valueCharacters: 5000,
  samples: 60,
} as const
