/** One large text made piece by piece, so that a large site needs little memory. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { constants, createGzip } from 'node:zlib'

export interface FullText {
  /** Pieces may come in any order; they are put together in that of their index, which begins at 0. */
  add(index: number, text: string): void
  /** To be called when every index has come. */
  finish(): Promise<WholeText>
}

export interface WholeText {
  sha256: string
  sizeBytes: number
  /** One gzip member, or the file that holds it. */
  content: { member: Uint8Array } | { place: string }
}

/** Bytes that are written at a time. */
const AT_A_TIME = 1 << 20

/** Where the bytes go. */
interface Sink {
  write(bytes: Uint8Array): void
  end(): WholeText['content'] | Promise<WholeText['content']>
}

export function createFullText(sink: Sink): FullText {
  const hash = createHash('sha256')
  const early = new Map<number, string>()
  let next = 0
  let sizeBytes = 0
  let texts: string[] = []
  let characters = 0
  const flush = () => {
    const bytes = Buffer.from(texts.join(''))
    hash.update(bytes)
    sizeBytes += bytes.byteLength
    sink.write(bytes)
    texts = []
    characters = 0
  }
  return {
    add: (index, text) => {
      early.set(index, text)
      for (let ready = early.get(next); ready !== undefined; ready = early.get(next)) {
        early.delete(next)
        next += 1
        texts.push(ready)
        characters += ready.length
        if (characters > AT_A_TIME) flush()
      }
    },
    finish: async () => {
      flush()
      const content = await sink.end()
      return { sha256: hash.digest('hex'), sizeBytes, content }
    },
  }
}

/** In memory, as one gzip member. */
export function packedSink(level: number): Sink {
  const gzip = createGzip({ level, flush: constants.Z_NO_FLUSH })
  const packed = buffer(gzip)
  return {
    write: (bytes) => void gzip.write(bytes),
    end: async () => {
      gzip.end()
      const member = await packed
      // The field for the system says that it is unknown: equal bytes on every system.
      member[9] = 255
      return { member }
    },
  }
}

/** Into the file `place`, which is made here. */
export function fileSink(place: string): Sink {
  const file = openSync(place, 'wx')
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at)
    },
    end: () => {
      closeSync(file)
      return { place }
    },
  }
}
