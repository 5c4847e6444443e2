/**
 * Calls in both directions over one pipe. Each side has named handlers and calls those of the other side.
 *
 * The parent process stops reading while too many calls are running, their data is too large, or too many of
 * its results are unread: further calls wait in the pipe, which blocks the sandboxed process. Handlers of the
 * parent never call the sandboxed process, so they always finish. The sandboxed process never stops reading.
 */
import type { Duplex } from 'node:stream'
import { decodeFault, encodeFault, type Fault, type FaultRegistry } from './faults.ts'
import { createFrameReader, encodeFrame } from './frames.ts'
import { MAX_CONCURRENT_CALLS, MAX_UNREAD_BYTES } from './limits.ts'

export interface Answer {
  value?: unknown
  bytes?: Uint8Array
}

export type Handler = (input: never, bytes: Uint8Array) => Promise<Answer> | Answer

export interface Peer {
  /** Rejects with the error of the other side's handler, or with the reason of `close`. */
  call(name: string, input: unknown, bytes?: Uint8Array): Promise<Required<Answer>>
  notify(name: string, input: unknown): void
  close(reason: Error): void
}

type Frame =
  | { kind: 'call'; id: number; name: string; input: unknown }
  | { kind: 'tell'; name: string; input: unknown }
  | { kind: 'answer'; id: number; value?: unknown }
  | { kind: 'fault'; id: number; fault: Fault }

interface QueuedCall {
  frame: Frame & { kind: 'call' }
  bytes: Uint8Array
}

interface PeerOptions {
  pipe: Duplex
  handlers: Readonly<Record<string, Handler>>
  faultRegistry: FaultRegistry
  onInvalidMessage(): void
  /** Called for each received message, with the name of a call or notification and with null for a result. */
  onActivity?(name: string | null): void
}

export function createPeer(options: PeerOptions): Peer {
  return new PipePeer(options)
}

class PipePeer implements Peer {
  readonly #pipe: Duplex
  readonly #handlers: PeerOptions['handlers']
  readonly #faults: FaultRegistry
  readonly #onSign: ((name: string | null) => void) | undefined
  readonly #waiting = new Map<number, PromiseWithResolvers<Required<Answer>>>()
  readonly #queued: QueuedCall[] = []
  #running = 0
  #heldBytes = 0
  #lastId = 0
  #closed: Error | null = null
  #lanes = Promise.resolve()
  #onRoom: (() => void) | null = null

  constructor({ pipe, handlers, faultRegistry, onInvalidMessage, onActivity }: PeerOptions) {
    this.#pipe = pipe
    this.#handlers = handlers
    this.#faults = faultRegistry
    this.#onSign = onActivity
    const read = createFrameReader((message, bytes) => this.#take(message as Frame, bytes))
    pipe.on('data', (chunk: Buffer) => {
      try {
        read(chunk)
      } catch {
        onInvalidMessage()
      }
    })
    const resume = () => {
      this.#onRoom?.()
      this.#onRoom = null
      this.#next()
    }
    pipe.on('drain', resume)
    pipe.on('close', resume)
    pipe.on('error', () => {}) // reported by the exit of the process
  }

  call(name: string, input: unknown, bytes?: Uint8Array): Promise<Required<Answer>> {
    if (this.#closed) return Promise.reject(this.#closed)
    const id = ++this.#lastId
    const answer = Promise.withResolvers<Required<Answer>>()
    this.#waiting.set(id, answer)
    this.#lanes = this.#lanes
      .then(() => this.#written({ kind: 'call', id, name, input }, bytes))
      .catch(() => {})
    return answer.promise
  }

  notify(name: string, input: unknown): void {
    if (!this.#closed) this.#send({ kind: 'tell', name, input })
  }

  close(reason: Error): void {
    this.#closed ??= reason
    for (const call of this.#waiting.values()) call.reject(this.#closed)
    this.#waiting.clear()
    this.#queued.length = 0
  }

  #send(frame: Frame, bytes?: Uint8Array): boolean {
    let isWritable = true
    for (const part of encodeFrame(frame, bytes)) isWritable = this.#pipe.write(part)
    return isWritable
  }
  #isFull(): boolean {
    return (
      this.#faults.side === 'outside' &&
      (this.#running >= MAX_CONCURRENT_CALLS ||
        this.#heldBytes > MAX_UNREAD_BYTES ||
        this.#pipe.writableLength > MAX_UNREAD_BYTES)
    )
  }

  #next(): void {
    while (this.#queued.length > 0 && !this.#isFull()) {
      const { frame, bytes } = this.#queued.shift() as QueuedCall
      void this.#work(frame, bytes)
    }
    if (this.#isFull()) this.#pipe.pause()
    else this.#pipe.resume()
  }

  async #work({ id, name, input }: Frame & { kind: 'call' }, bytes: Uint8Array) {
    this.#running += 1
    this.#heldBytes += bytes.length
    try {
      const handler = Object.hasOwn(this.#handlers, name) ? this.#handlers[name] : undefined
      if (!handler) throw new Error(`there is no call ${name}`)
      const { value, bytes: given } = await handler(input as never, bytes)
      if (!this.#closed) this.#send({ kind: 'answer', id, value }, given)
    } catch (error) {
      if (!this.#closed) this.#send({ kind: 'fault', id, fault: encodeFault(error, this.#faults) })
    } finally {
      this.#running -= 1
      this.#heldBytes -= bytes.length
      this.#next()
    }
  }

  #take(frame: Frame, bytes: Uint8Array) {
    this.#onSign?.('name' in frame ? frame.name : null)
    if (frame.kind === 'call') {
      this.#queued.push({ frame, bytes })
      this.#next()
    } else if (frame.kind === 'tell') {
      const handler = Object.hasOwn(this.#handlers, frame.name) ? this.#handlers[frame.name] : undefined
      void handler?.(frame.input as never, bytes)
    } else {
      const call = this.#waiting.get(frame.id)
      this.#waiting.delete(frame.id)
      if (frame.kind === 'answer') call?.resolve({ value: frame.value, bytes })
      else call?.reject(decodeFault(frame.fault, this.#faults))
    }
  }

  /** Writes sequentially, so that a full pipe blocks callers instead of filling memory. */
  async #written(frame: Frame, bytes: Uint8Array | undefined) {
    if (this.#closed) throw this.#closed
    if (this.#send(frame, bytes)) return
    await new Promise<void>((resolve) => {
      this.#onRoom = resolve
    })
  }
}
