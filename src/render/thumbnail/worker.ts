/** Thread in which images are drawn, one after the other. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { initWasm } from '@resvg/resvg-wasm'
import { packageFolder } from '../../base/files/program-files.ts'
import { drawLogo, drawThumbnail, drawTouchIcon } from './draw.ts'
import type { Thumbnail } from './thumbnail.ts'

/** Memory limit in pages of 64 KiB: 256 MiB. */
const MAX_MEMORY_PAGES = 4096

const MEMORY_SECTION = 5

/** Magic number and version. */
const PREAMBLE_BYTES = 8

export type DrawingTask =
  | { kind: 'thumbnail'; thumbnail: Thumbnail }
  | { kind: 'logo'; content: Uint8Array; type: string }
  | { kind: 'touch-icon'; svg: string }

export type DrawingResponse = { png: Uint8Array | null }

const ready = loadRenderer().then((renderer) => initWasm(renderer))

parentPort?.on('message', async (task: DrawingTask) => {
  await ready
  parentPort?.postMessage({ png: await answerTo(task) } satisfies DrawingResponse)
})

/** Returns null if the renderer throws, which means that the image cannot be drawn. */
async function answerTo(task: DrawingTask): Promise<Uint8Array | null> {
  try {
    if (task.kind === 'logo') return drawLogo(task.content, task.type)
    return task.kind === 'touch-icon' ? drawTouchIcon(task.svg) : await drawThumbnail(task.thumbnail)
  } catch {
    return null
  }
}

/**
 * The SVG renderer is WebAssembly: it has no access to files or the network, and its memory is limited here because
 * the limits of the thread do not include it.
 */
async function loadRenderer(): Promise<WebAssembly.Module> {
  const file = await readFile(join(packageFolder('@resvg/resvg-wasm'), 'index_bg.wasm'))
  return WebAssembly.compile(limitMemory(file))
}

/** Adds a maximum to the module's memory section, which only declares a minimum. */
function limitMemory(module: Uint8Array): Uint8Array<ArrayBuffer> {
  for (let at = PREAMBLE_BYTES; at < module.length; ) {
    const size = readNumber(module, at + 1)
    const end = size.end + size.value
    if (module[at] === MEMORY_SECTION) {
      const declared = module.subarray(size.end, end)
      if (declared[0] !== 1 || declared[1] !== 0)
        throw new Error('the renderer requires a different amount of memory')
      const bounded = [1, 1, ...declared.subarray(2), ...encodeNumber(MAX_MEMORY_PAGES)]
      const section = [MEMORY_SECTION, ...encodeNumber(bounded.length), ...bounded]
      return Buffer.concat([module.subarray(0, at), Uint8Array.from(section), module.subarray(end)])
    }
    at = end
  }
  throw new Error('the renderer does not define its memory')
}

/** Reads a LEB128 number: seven bits per byte, lowest first; the highest bit means that another byte follows. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte % 128) * factor
    if (byte < 128) return { value, end: at + 1 }
  }
}

function encodeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...encodeNumber(Math.floor(value / 128))]
}
