/** Messages between parent and render child. Requests are answered in order. */

import type { CompiledScript } from '../compile/compile-page.ts'
import type { BodyRequest, RenderedBody } from '../page/body.ts'

export type ToChild = { kind: 'prelude'; source: string } | ({ kind: 'render' } & RenderJob)

export interface RenderJob {
  id: number
  request: BodyRequest
  scripts: Record<string, CompiledScript>
  /** Components to skip, because they killed earlier children. */
  disabled: number[]
  isCodeOff: boolean
  isHighlightOff: boolean
  isGuarded: boolean
  /** Hashes of texts that took too long to parse; they are shown unparsed. */
  unparsed: string[]
}

export type FromChild =
  | { kind: 'ready' }
  /** Sent before a stage starts, so that the last one is known if the child is killed. */
  | { kind: 'stage'; id: number; stage: RenderStage }
  /** Sent before a text is parsed; `characters` is its length. Valid until the next stage. */
  | { kind: 'parse'; id: number; text: string; characters: number }
  | { kind: 'mark'; id: number; mark: number; file: string; line: number | null; label: string }
  /** Reports an internal fault that is unrelated to the page. The child is unusable afterwards. */
  | { kind: 'broken'; id: number; message: string }
  | { kind: 'done'; id: number; body: RenderedBody; disabled: number[]; times: StageTimes }

export type RenderStage = 'compile' | 'render' | 'highlight'
/** In milliseconds. */
export type StageTimes = Record<RenderStage, number>
