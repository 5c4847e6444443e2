/**
 * A render child as a process. Beside what every leashed process lacks it starts no processes and no workers;
 * isolated-vm is an addon, which Node's permission model does not bind, so it is one layer of two.
 */
import { entryFile } from '../../base/files/program-files.ts'
import { createFrameReader, encodeFrame } from '../../sandbox/frames.ts'
import { type LeashedProcess, startLeashed } from '../../sandbox/leashed-process.ts'
import {
  RENDER_ADDRESS_SPACE,
  RENDER_FIRST_HEAP_MB,
  RENDER_HEAP_MB,
  RENDER_PROCESSOR_SECONDS,
  RENDER_SEMI_SPACE_MB,
} from '../../sandbox/limits.ts'
import type { FromChild, ToChild } from './protocol.ts'

export interface RenderChild extends Omit<LeashedProcess, 'child'> {
  send(message: ToChild): void
}

/** Loads its code before it is known what there is to render; it ends with this unless somebody has taken it. */
export interface ChildAhead extends AsyncDisposable {
  /** Null for all but the first. */
  take(onMessage: (message: FromChild) => void): RenderChild | null
}

export function startChildAhead(): ChildAhead {
  let listener: ((message: FromChild) => void) | null = null
  const child = startRenderChild((message) => listener?.(message))
  return {
    take: (onMessage) => {
      if (listener) return null
      listener = onMessage
      return child
    },
    [Symbol.asyncDispose]: async () => {
      if (listener) return
      child.kill()
      await child.gone
    },
  }
}

export function startRenderChild(onMessage: (message: FromChild) => void): RenderChild {
  const leashed = startLeashed({
    permissions: ['--allow-addons'],
    sources: ['render', 'openapi', 'sandbox', 'base'],
    files: ['/etc/alpine-release'], // the loader of isolated-vm asks for it
    args: [
      '--no-node-snapshot', // isolated-vm needs it
      `--max-semi-space-size=${RENDER_SEMI_SPACE_MB}`,
      `--max-old-space-size=${RENDER_HEAP_MB}`,
      `--initial-old-space-size=${RENDER_FIRST_HEAP_MB}`,
      '--single-threaded-gc', // threads that clear away the little there is wait for cores, and others for them
      '--no-turbofan', // it takes more processor time than it saves where a process lives for seconds
      '--no-regexp-tier-up', // bytecode of a pattern takes longer to make than machine code
      entryFile('render-child'),
    ],
    addressSpace: RENDER_ADDRESS_SPACE,
    processorSeconds: RENDER_PROCESSOR_SECONDS,
    isGroup: false,
  })
  const { child } = leashed
  const read = createFrameReader((message) => onMessage(message as FromChild))
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      leashed.kill()
    }
  })
  return {
    ...leashed,
    send: (message) => {
      for (const part of encodeFrame(message)) child.stdin?.write(part)
    },
  }
}
