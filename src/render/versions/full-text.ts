/** Builds a large string piece by piece, so that a large site uses little memory. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { constants, createGzip } from 'node:zlib'

export interface FullText {
  /** Pieces may come in any order; they are joined in the order of their index, which starts at 0. */
  add(index: number, text: string): void
  /** Must be called after all pieces were added. */
  finish(): Promise<WholeText>
}

export interface WholeText {
  sha256: string
  sizeBytes: number
  /** A gzip member, or the file that contains it. */
  content: { member: Uint8Array } | { path: string }
}

const WRITE_CHUNK_BYTES = 1 << 20

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
        if (characters > WRITE_CHUNK_BYTES) flush()
      }
    },
    finish: async () => {
      flush()
      const content = await sink.end()
      return { sha256: hash.digest('hex'), sizeBytes, content }
    },
  }
}

export function packedSink(level: number): Sink {
  const gzip = createGzip({ level, flush: constants.Z_NO_FLUSH })
  const packed = buffer(gzip)
  return {
    write: (bytes) => void gzip.write(bytes),
    end: async () => {
      gzip.end()
      const member = await packed
      // The operating system is "unknown", so that the bytes are the same on every system.
      member[9] = 255
      return { member }
    },
  }
}

export function fileSink(path: string): Sink {
  const file = openSync(path, 'wx')
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at)
    },
    end: () => {
      closeSync(file)
      return { path }
    },
  }
}
