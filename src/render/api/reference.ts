/**
 * Content of an API page in addition to the author's text. Plain data, built by the server from a description
 * and rendered in a render process. Descriptions are untrusted: their text is shown as text or Markdown and
 * never executed.
 */
import type { ApiSample } from '../../openapi/sample-call.ts'
import type { ApiTexts } from '../words/api-texts.ts'

export interface ApiReference {
  /** Path of the description. Links in the description are relative to it. Empty for a fetched description. */
  source: string
  words: ApiTexts
  /** Whether the blocks precede the author's text. */
  isAbove: boolean
  /** Whether nested fields are initially expanded. */
  isExpanded: boolean
  blocks: ApiBlock[]
  /** Request panel of the right column; null if there is no request. */
  request: ApiPanel | null
  /** Request bodies, if there are several. */
  bodies: ApiPanel | null
  responses: ApiPanel | null
}

/** Parts of a reference that do not depend on the page. */
export type DescribedReference = Pick<ApiReference, 'words' | 'blocks' | 'request' | 'bodies' | 'responses'>

/** Panels of the right column, created once the left column is within its limits. */
export type ApiPanels = Pick<ApiReference, 'request' | 'bodies' | 'responses'>

export interface ReferenceParts {
  blocks: ApiBlock[]
  panels(): Promise<ApiPanels> | ApiPanels
}

export type ApiBlock =
  | { kind: 'prose'; markdown: string }
  /** Shown instead of a missing part. `what` is its name as written by the author. */
  | { kind: 'missing'; text: string; what: string }
  | { kind: 'heading'; level: 2 | 3; text: string; id: string; note: string }
  | { kind: 'fields'; fields: readonly ApiField[] }
  /** Alternatives, one of which is shown: media types, statuses, variants of a schema, authentication methods. */
  | { kind: 'choice'; label: string; choices: readonly ApiChoice[]; isStatus: boolean }
  /** Initially collapsed. */
  | { kind: 'details'; title: string; blocks: readonly ApiBlock[] }
  | { kind: 'call'; method: string; path: string }
  | { kind: 'code'; code: string; language: string; title: string }

export interface ApiChoice {
  title: string
  /** Shown after the title of the selected choice. */
  note: string
  /** Ids of the content; left out if a field in the content has them. */
  anchor?: { id: string; others: readonly string[] }
  blocks: ApiBlock[]
  /** Index of an earlier choice with the same content, in which case `blocks` is empty. */
  shows?: number
}

export interface ApiField {
  /** Unique on the page. */
  id: string
  /** Alternative ids for links. */
  others: readonly string[]
  name: string
  type: string
  isRequired: boolean
  isDeprecated: boolean
  /** Labels before the name. `pills` are labels after it. */
  before: readonly string[]
  pills: readonly string[]
  initial: string | null
  /** Markdown. */
  description: string
  facts: readonly ApiFact[]
  blocks: ApiBlock[]
  /** Location where the page already describes this schema, or null. */
  same: { id: string; name: string } | null
}

export interface ApiFact {
  label: string
  /** `note` is a description in Markdown. */
  values: readonly { text: string; note: string }[]
}

export interface ApiPanel {
  title: string
  method: string | null
  /** Label of the menu, for screen readers. */
  label: string
  samples: readonly ApiSample[]
  /** Whether a selection also applies to other pages. */
  isRemembered: boolean
}

/** Limits the size of a page for any description. */
export const LIMITS = {
  fields: 2500,
  /** If exceeded, the page is built again with less nesting, so that all outer levels are shown. */
  manyFields: 700,
  /** Number of fields beyond which a schema is described only once. */
  freeFields: 200,
  /** Same limit for nested schemas, which are initially collapsed. */
  freeInnerFields: 60,
  /** Maximum nesting, from the first to the last attempt. */
  depths: [12, 6, 4, 3, 2],
  options: 5000,
  /** Maximum length of a sample and of a value. */
  sampleCharacters: 60_000,
  valueCharacters: 5000,
  samples: 60,
} as const
