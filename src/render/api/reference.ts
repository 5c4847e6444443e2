/**
 * What an API page shows beside its author's words: plain data, made in the server from a description, drawn in a
 * render child. Every text in it is somebody's and is shown as text or as Markdown, never run.
 */
import type { ApiSample } from '../../openapi/sample-call.ts'
import type { ApiWords } from '../words/api-words.ts'

export interface ApiReference {
  /** Path of the description, against which relative links in its words count; empty for a fetched one. */
  source: string
  words: ApiWords
  /** Whether the blocks stand above the author's words or below them. */
  isAbove: boolean
  /** Nested fields are open when the page opens. */
  isExpanded: boolean
  /** Blocks of the left column, in order. */
  blocks: ApiBlock[]
  /** The request panel of the right column; null when there is nothing to send. */
  request: ApiPanel | null
  /** Bodies that can be sent, when there are several. */
  bodies: ApiPanel | null
  responses: ApiPanel | null
}

/** All but what the page around it decides. */
export type DescribedReference = Pick<ApiReference, 'words' | 'blocks' | 'request' | 'bodies' | 'responses'>

/** The right column, made once the left one is known to be of a good size. */
export type ApiPanels = Pick<ApiReference, 'request' | 'bodies' | 'responses'>

export interface ReferenceParts {
  blocks: ApiBlock[]
  panels(): Promise<ApiPanels> | ApiPanels
}

export type ApiBlock =
  | { kind: 'prose'; markdown: string }
  /** In place of what should stand here: `what` is as the author wrote it. */
  | { kind: 'missing'; text: string; what: string }
  | { kind: 'heading'; level: 2 | 3; text: string; id: string; note: string }
  | { kind: 'fields'; fields: readonly ApiField[] }
  /** One of several is shown: media types, statuses, variants of a schema, ways to sign in. */
  | { kind: 'choice'; label: string; choices: readonly ApiChoice[]; isStatus: boolean }
  /** Closed at first. */
  | { kind: 'details'; title: string; blocks: readonly ApiBlock[] }
  | { kind: 'call'; method: string; path: string }
  | { kind: 'code'; code: string; language: string; title: string }

export interface ApiChoice {
  title: string
  /** Stands behind the title once it is chosen. */
  note: string
  /** Of its content, with others that lead there; none for what holds a field with the id. */
  anchor?: { id: string; others: readonly string[] }
  blocks: ApiBlock[]
  /** Place of the choice before it that has the same content; it has no blocks of its own. */
  shows?: number
}

export interface ApiField {
  /** Unique on the page. */
  id: string
  /** Other ids that lead here. */
  others: readonly string[]
  name: string
  type: string
  isRequired: boolean
  isDeprecated: boolean
  /** Before and behind the name. */
  before: readonly string[]
  pills: readonly string[]
  initial: string | null
  /** Markdown. */
  description: string
  facts: readonly ApiFact[]
  /** Fields inside of it, and variants. */
  blocks: ApiBlock[]
  /** Where the same schema is described already; null when it is described here. */
  same: { id: string; name: string } | null
}

export interface ApiFact {
  label: string
  /** `note`: Markdown, what one of the values means. */
  values: readonly { text: string; note: string }[]
}

export interface ApiPanel {
  title: string
  method: string | null
  /** Label of the choice, for screen readers. */
  label: string
  samples: readonly ApiSample[]
  /** Chosen on one page, it is chosen on the next ones too. */
  isRemembered: boolean
}

/** Bounds what one page may hold, whatever its description is like. */
export const LIMITS = {
  fields: 2500,
  /** A page that would hold more is made again with less nesting, so that what lies near the surface is whole. */
  manyFields: 700,
  /** From this many fields on, a schema that is described already is not described again. */
  freeFields: 200,
  /** The same for schemas inside of others, which are folded at first. */
  freeInnerFields: 60,
  /** Tried one after the other. */
  depths: [12, 6, 4, 3, 2],
  options: 5000,
  /** Characters of one sample, one value. */
  sampleCharacters: 60_000,
  valueCharacters: 5000,
  samples: 60,
} as const
