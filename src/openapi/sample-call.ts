/** Types of a call with all its values, and of a code sample. */
import type { Json } from './api-json.ts'

export interface SampleRequest {
  method: string
  /** Including path parameters and query. */
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body: SampleBody | null
}

export type SampleBody =
  /** `text` is `value` as indented JSON. */
  | { kind: 'json'; text: string; value: Json }
  | { kind: 'form'; fields: readonly { name: string; value: string }[] }
  | { kind: 'multipart'; fields: readonly { name: string; value: string; isFile: boolean }[] }
  | { kind: 'text'; text: string }
  | { kind: 'file' }

export interface ApiSample {
  /** Label in the selector, such as a language or a status. Samples with the same title are selected by `name`. */
  title: string
  name: string
  /** Markdown that describes the sample. */
  description: string
  language: string
  code: string
}
