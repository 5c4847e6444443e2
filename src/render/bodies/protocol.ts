/** Messages between parent and render child. Responses have the same order as the requests. */

import type { CompiledScript } from '../compile/compile-page.ts'
import type { BodyRequest } from '../page/body.ts'

export type ToChild =
  | { kind: 'prelude'; source: string }
  /** The request of the job is attached as JSON. */
  | ({ kind: 'render' } & Omit<RenderJob, 'request'>)
  | { kind: 'sample'; code: string; isTyped: boolean }

export interface RenderJob {
  id: number
  request: BodyRequest
  scripts: Record<string, CompiledScript>
  /** Components to skip, because they killed a child. */
  disabled: number[]
  isCodeOff: boolean
  isHighlightOff: boolean
  isGuarded: boolean
  /** Hashes of texts to show without parsing, because parsing took too long. */
  unparsed: string[]
}

export type FromChild =
  | { kind: 'ready' }
  | { kind: 'sampled'; result: SampleResult }
  /** Sent before each stage, to identify the stage in which a child was killed. */
  | { kind: 'stage'; id: number; stage: RenderStage }
  /** Sent before parsing a text of the given length. Valid until the next stage. */
  | { kind: 'parse'; id: number; text: string; characters: number }
  | { kind: 'mark'; id: number; mark: number; file: string; line: number | null; label: string }
  /** Reports an internal error, after which the child is unusable. */
  | { kind: 'broken'; id: number; message: string }
  /** The body is attached as JSON. */
  | { kind: 'done'; id: number; disabled: number[]; times: StageTimes }

export interface SampleResult {
  output: string
  error: { message: string; line: number | null } | null
}

export function failedSample(message: string, line: number | null = null): SampleResult {
  return { output: '', error: { message, line } }
}

export type RenderStage = 'compile' | 'render' | 'highlight'
/** Milliseconds by stage. */
export type StageTimes = Record<RenderStage, number>
