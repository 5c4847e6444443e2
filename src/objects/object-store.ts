/** Where blobs live. Keys are ours (`blobs/ab/cdef…`, `exports/se_…/bundle.tar.gz`), never a caller's text. */
import type { Readable } from 'node:stream'

export interface ObjectStore {
  /** Stores the whole object, durable when the promise resolves; replaces an object of the same key atomically. */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<StoredObject>
  /** Null when there is no such object. */
  head(key: string): Promise<StoredObject | null>
  /** Rejects with ObjectMissingError. `range` bounds are inclusive bytes. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Whole body in memory, for small objects. Rejects with ObjectMissingError. */
  read(key: string): Promise<Uint8Array>
  delete(key: string): Promise<void>
  /** Keys below the prefix, sorted. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** A link that anyone can GET and HEAD until it expires. */
  presign(key: string, options: PresignOptions): Promise<{ url: string; expiresAt: Date }>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PutOptions {
  contentType?: string
}

export interface StoredObject {
  key: string
  sizeBytes: number
  /** Quoted, as in the HTTP header. */
  etag: string
  contentType: string
}

export interface PresignOptions {
  /** 60 to 604,800. */
  lifetimeSeconds: number
  /** File name of the download. */
  filename: string
}

export class ObjectMissingError extends Error {
  override name = 'ObjectMissingError'
  readonly key: string
  constructor(key: string) {
    super(`there is no object ${key}`)
    this.key = key
  }
}
