/**
 * Calls in both directions over one pipe. Each side has handlers by name and calls those of the other.
 *
 * The outside takes nothing more while too many calls are at work, too much came with them, or too many of its answers
 * are not read: the rest waits in the pipe, and so with the caller. Its handlers never call the inside, so they always
 * end. The inside always reads.
 */
import type { Duplex } from 'node:stream'
import { decodeFault, encodeFault, type Fault, type KeptFaults } from './faults.ts'
import { createFrameReader, encodeFrame } from './frames.ts'
import { CALLS_AT_ONCE, WAITING_BYTES } from './limits.ts'

export interface Answer {
  value?: unknown
  bytes?: Uint8Array
}

export type Handler = (input: never, bytes: Uint8Array) => Promise<Answer> | Answer

export interface Peer {
  /** Rejects with what the other side's handler rejected with, or with the reason of `close`. */
  call(name: string, input: unknown, bytes?: Uint8Array): Promise<Required<Answer>>
  /** Without an answer. */
  tell(name: string, input: unknown): void
  /** Every call that waits rejects with the reason, and later ones too. */
  close(reason: Error): void
}

type Frame =
  | { kind: 'call'; id: number; name: string; input: unknown }
  | { kind: 'tell'; name: string; input: unknown }
  | { kind: 'answer'; id: number; value?: unknown }
  | { kind: 'fault'; id: number; fault: Fault }

interface PeerOptions {
  pipe: Duplex
  handlers: Readonly<Record<string, Handler>>
  /** Of this side's handlers, so that the other side can give them back. */
  kept: KeptFaults
  /** What came is no message. */
  onNonsense(): void
  /** Something came; calls and tells have names. */
  onSign?(name: string | null): void
}

export function createPeer({ pipe, handlers, kept, onNonsense, onSign }: PeerOptions): Peer {
  const waiting = new Map<number, PromiseWithResolvers<Required<Answer>>>()
  const queued: { frame: Frame & { kind: 'call' }; bytes: Uint8Array }[] = []
  let running = 0
  let heldBytes = 0
  let lastId = 0
  let closed: Error | null = null
  let lanes = Promise.resolve()
  let onRoom: (() => void) | null = null

  const send = (frame: Frame, bytes?: Uint8Array): boolean => {
    let isRoom = true
    for (const part of encodeFrame(frame, bytes)) isRoom = pipe.write(part)
    return isRoom
  }
  const isFull = () =>
    kept.side === 'outside' &&
    (running >= CALLS_AT_ONCE || heldBytes > WAITING_BYTES || pipe.writableLength > WAITING_BYTES)

  const next = () => {
    while (queued.length > 0 && !isFull()) {
      const { frame, bytes } = queued.shift() as (typeof queued)[number]
      void work(frame, bytes)
    }
    if (isFull()) pipe.pause()
    else pipe.resume()
  }

  const work = async ({ id, name, input }: Frame & { kind: 'call' }, bytes: Uint8Array) => {
    running += 1
    heldBytes += bytes.length
    try {
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
      if (!handler) throw new Error(`there is no call ${name}`)
      const { value, bytes: given } = await handler(input as never, bytes)
      if (!closed) send({ kind: 'answer', id, value }, given)
    } catch (error) {
      if (!closed) send({ kind: 'fault', id, fault: encodeFault(error, kept) })
    } finally {
      running -= 1
      heldBytes -= bytes.length
      next()
    }
  }

  const take = (frame: Frame, bytes: Uint8Array) => {
    onSign?.('name' in frame ? frame.name : null)
    if (frame.kind === 'call') {
      queued.push({ frame, bytes })
      next()
    } else if (frame.kind === 'tell') {
      const handler = Object.hasOwn(handlers, frame.name) ? handlers[frame.name] : undefined
      void handler?.(frame.input as never, bytes)
    } else {
      const call = waiting.get(frame.id)
      waiting.delete(frame.id)
      if (frame.kind === 'answer') call?.resolve({ value: frame.value, bytes })
      else call?.reject(decodeFault(frame.fault, kept))
    }
  }

  const read = createFrameReader((message, bytes) => take(message as Frame, bytes))
  pipe.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      onNonsense()
    }
  })
  const room = () => {
    onRoom?.()
    onRoom = null
    next()
  }
  pipe.on('drain', room)
  pipe.on('close', room)
  pipe.on('error', () => {}) // its end is told by the process

  /** One after the other, so that a full pipe holds the callers up and not the memory. */
  const written = async (frame: Frame, bytes: Uint8Array | undefined) => {
    if (closed) throw closed
    if (send(frame, bytes)) return
    await new Promise<void>((resolve) => {
      onRoom = resolve
    })
  }

  return {
    call(name, input, bytes) {
      if (closed) return Promise.reject(closed)
      const id = ++lastId
      const answer = Promise.withResolvers<Required<Answer>>()
      waiting.set(id, answer)
      lanes = lanes.then(() => written({ kind: 'call', id, name, input }, bytes)).catch(() => {})
      return answer.promise
    },
    tell(name, input) {
      if (!closed) send({ kind: 'tell', name, input })
    },
    close(reason) {
      closed ??= reason
      for (const call of waiting.values()) call.reject(closed)
      waiting.clear()
      queued.length = 0
    },
  }
}
