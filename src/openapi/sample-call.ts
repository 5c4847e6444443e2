/** A call with all its values, and what a sample of it in a language is. */
import type { Json } from './api-json.ts'

export interface SampleRequest {
  method: string
  /** With path parameters and query. */
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
  /** What one chooses: a language, a status. Samples of one title are chosen among by their `name`. */
  title: string
  name: string
  /** Markdown; what the sample shows. */
  description: string
  language: string
  code: string
}
