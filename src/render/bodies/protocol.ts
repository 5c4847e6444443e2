/** What parent and render child say to each other. Requests are answered in order. */

import type { CompiledScript } from '../compile/compile-page.ts'
import type { BodyRequest, RenderedBody } from '../page/body.ts'

export type ToChild = { kind: 'prelude'; source: string } | ({ kind: 'render' } & RenderJob)

export interface RenderJob {
  id: number
  request: BodyRequest
  scripts: Record<string, CompiledScript>
  /** What earlier children taught about this page. */
  disabled: number[]
  isCodeOff: boolean
  isHighlightOff: boolean
  isGuarded: boolean
  /** Hashes of texts whose reading took too long: they are shown as they are. */
  unparsed: string[]
}

export type FromChild =
  | { kind: 'ready' }
  /** What runs from now on; sent before it runs, so that the last one is known when the child is killed. */
  | { kind: 'stage'; id: number; stage: RenderStage }
  /** A text of so many characters is in the parsers from now on, until the next stage. */
  | { kind: 'parse'; id: number; text: string; characters: number }
  | { kind: 'mark'; id: number; mark: number; file: string; line: number | null; label: string }
  /** A part of ours failed; the page has nothing to do with it. The child is of no use any more. */
  | { kind: 'broken'; id: number; message: string }
  | { kind: 'done'; id: number; body: RenderedBody; disabled: number[]; times: StageTimes }

export type RenderStage = 'compile' | 'render' | 'highlight'
/** Milliseconds. */
export type StageTimes = Record<RenderStage, number>
