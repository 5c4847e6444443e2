/**
 * A render child as a process. In addition to the usual restrictions of sandboxed processes it cannot start processes
 * or workers. isolated-vm is a native addon, which Node's permission model does not restrict, so that is one of two
 * layers.
 */
import { entryFile } from '../../base/files/program-files.ts'
import { createFrameReader, encodeFrame } from '../../sandbox/frames.ts'
import {
  RENDER_ADDRESS_SPACE,
  RENDER_FIRST_HEAP_MB,
  RENDER_HEAP_MB,
  RENDER_PROCESSOR_SECONDS,
  RENDER_SEMI_SPACE_MB,
} from '../../sandbox/limits.ts'
import { type RestrictedProcess, startRestrictedProcess } from '../../sandbox/restricted-process.ts'
import type { FromChild, ToChild } from './protocol.ts'

export interface RenderChild extends Omit<RestrictedProcess, 'child'> {
  send(message: ToChild): void
}

/** A child that loads its code before the first job is known; disposing of it ends the process unless taken. */
export interface PrestartedChild extends AsyncDisposable {
  /** Returns null on all calls but the first. */
  claim(onMessage: (message: FromChild) => void): RenderChild | null
}

export function prestartChild(): PrestartedChild {
  let listener: ((message: FromChild) => void) | null = null
  const child = startRenderChild((message) => listener?.(message))
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

export function startRenderChild(onMessage: (message: FromChild) => void): RenderChild {
  const leashed = startRestrictedProcess({
    permissions: ['--allow-addons'],
    sources: ['render', 'openapi', 'sandbox', 'base'],
    files: ['/etc/alpine-release'], // read by the loader of isolated-vm
    args: [
      '--no-node-snapshot', // required by isolated-vm
      `--max-semi-space-size=${RENDER_SEMI_SPACE_MB}`,
      `--max-old-space-size=${RENDER_HEAP_MB}`,
      `--initial-old-space-size=${RENDER_FIRST_HEAP_MB}`,
      '--single-threaded-gc', // with so little garbage, parallel GC threads only compete for cores
      '--no-turbofan', // costs more processor time than it saves in a process that lives for seconds
      '--no-regexp-tier-up', // compiling a pattern to bytecode takes longer than to machine code
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
