/** The thread in which pictures are drawn, one after the other. */
import { parentPort } from 'node:worker_threads'
import { initWasm } from '@resvg/resvg-wasm'
import { drawLogo, drawThumbnail, drawTouchIcon } from './draw.ts'
import { loadRenderer } from './load-renderer.ts'
import type { Thumbnail } from './thumbnail.ts'

export type DrawingTask =
  | { kind: 'thumbnail'; thumbnail: Thumbnail }
  | { kind: 'logo'; content: Uint8Array; type: string }
  | { kind: 'touch-icon'; svg: string }

/** Null: nothing can be drawn of it. */
export type DrawingAnswer = { png: Uint8Array | null }

const ready = loadRenderer().then((renderer) => initWasm(renderer))

parentPort?.on('message', async (task: DrawingTask) => {
  await ready
  parentPort?.postMessage({ png: await answerTo(task) } satisfies DrawingAnswer)
})

/** The renderer throws what it cannot draw. */
async function answerTo(task: DrawingTask): Promise<Uint8Array | null> {
  try {
    if (task.kind === 'logo') return drawLogo(task.content, task.type)
    return task.kind === 'touch-icon' ? drawTouchIcon(task.svg) : await drawThumbnail(task.thumbnail)
  } catch {
    return null
  }
}
