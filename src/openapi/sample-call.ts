/** Types for a request with its values filled in, and for a code sample. */
import type { Json } from './api-json.ts'

export interface SampleRequest {
  method: string
  /** Includes path parameters and query. */
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
  /**
   * Language, status or other label of the sample in the menu. Samples with the same title are distinguished by
   * `name`.
   */
  title: string
  name: string
  /** Description in Markdown. */
  description: string
  language: string
  code: string
}
