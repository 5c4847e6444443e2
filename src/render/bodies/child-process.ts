/**
 * Runs a render child as a restricted process. In addition, the child cannot start processes or workers. This
 * restriction is only one of two layers, because Node's permission model does not apply to native addons such as
 * isolated-vm.
 */
import { entryFile } from '../../base/files/program-files.ts'
import { createFrameReader, encodeFrame } from '../../sandbox/frames.ts'
import {
  RENDER_ADDRESS_SPACE_KB,
  RENDER_FIRST_HEAP_MB,
  RENDER_HEAP_MB,
  RENDER_PROCESSOR_SECONDS,
  RENDER_SEMI_SPACE_MB,
} from '../../sandbox/limits.ts'
import { type RestrictedProcess, startRestrictedProcess } from '../../sandbox/restricted-process.ts'
import type { FromChild, ToChild } from './protocol.ts'

type Receive = (message: FromChild, attached: Buffer) => void

export interface RenderChild extends Omit<RestrictedProcess, 'child'> {
  send(message: ToChild, attached?: Uint8Array): void
}

/** Child started before the first job is known. Disposing ends it unless it was claimed. */
export interface PrestartedChild extends AsyncDisposable {
  /** Returns null if already claimed. */
  claim(onMessage: Receive): RenderChild | null
}

export function prestartChild(): PrestartedChild {
  let listener: Receive | null = null
  const child = startRenderChild((message, attached) => listener?.(message, attached))
  return {
    claim: (onMessage) => {
      if (listener) return null
      listener = onMessage
      return child
    },
    [Symbol.asyncDispose]: async () => {
      if (listener) return
      child.kill()
      await child.exited
    },
  }
}

export function startRenderChild(onMessage: Receive): RenderChild {
  const restricted = startRestrictedProcess({
    permissions: ['--allow-addons'],
    sources: ['render', 'openapi', 'sandbox', 'base'],
    files: ['/etc/alpine-release'], // read by isolated-vm when loading
    args: [
      '--no-node-snapshot', // required by isolated-vm
      `--max-semi-space-size=${RENDER_SEMI_SPACE_MB}`,
      `--max-old-space-size=${RENDER_HEAP_MB}`,
      `--initial-old-space-size=${RENDER_FIRST_HEAP_MB}`,
      '--no-incremental-marking', // while marking in steps, the heap grows by 100 MB
      '--single-threaded-gc', // parallel GC threads would compete for processors with little garbage to collect
      '--no-turbofan', // optimizing takes more processor time than it saves in a process that lives for seconds
      '--no-regexp-tier-up', // compiling patterns to bytecode takes longer than to machine code
      entryFile('render-child'),
    ],
    addressSpace: RENDER_ADDRESS_SPACE_KB,
    processorSeconds: RENDER_PROCESSOR_SECONDS,
    isGroup: false,
  })
  const { child } = restricted
  const read = createFrameReader((message, attached) => onMessage(message as FromChild, attached))
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      restricted.kill()
    }
  })
  return {
    ...restricted,
    send: (message, attached) => {
      for (const part of encodeFrame(message, attached)) child.stdin?.write(part)
    },
  }
}
