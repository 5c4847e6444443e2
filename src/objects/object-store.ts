/** Where blobs live. Keys are ours (`blobs/ab/cdef….gz`, `bundles/….tar.gz`), never a caller's text. */
import type { Readable } from 'node:stream'

export interface ObjectStore {
  /** Stores the whole object, durable when the promise resolves; replaces an object of the same key atomically. */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<StoredObject>
  /** Null when there is no such object. Rejects with ObjectDamagedError where the store can tell. */
  head(key: string): Promise<FoundObject | null>
  /**
   * Rejects with ObjectMissingError. `range` bounds are inclusive bytes; an end behind the last byte means the last
   * byte, a start behind it rejects with RangeError. The bytes are as they lie there.
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Whole body in memory, for small objects. Rejects with ObjectMissingError, and ObjectDamagedError as `head` does. */
  read(key: string): Promise<Uint8Array>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
  /** Keys that start with the prefix, sorted by code unit; without type and etag, which a listing does not know. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** A link that anyone can GET until it expires; one that our own server serves takes HEAD as well. */
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

export interface FoundObject extends StoredObject {
  /** SHA-256 of the bytes as they were put, where the store keeps it. */
  sha256: string | null
  /** When it was stored last, or its bytes were touched. */
  modifiedAt: Date
}

export interface ListedObject {
  key: string
  sizeBytes: number
  /** When it was stored last: what a clean-up asks before it deletes. */
  modifiedAt: Date
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

/** What is there is not what was put: as good as missing. */
export class ObjectDamagedError extends ObjectMissingError {
  override name = 'ObjectDamagedError'
  constructor(key: string, why: string) {
    super(key)
    this.message = `the object ${key} is damaged: ${why}`
  }
}

export const DEFAULT_CONTENT_TYPE = 'application/octet-stream'

/** The bytes that `get` answers with: of the whole object when no range is given. Throws RangeError, see `get`. */
export function clampRange(
  sizeBytes: number,
  range: { start: number; end: number } | undefined,
): { start: number; end: number } {
  if (range === undefined) return { start: 0, end: sizeBytes - 1 }
  const { start, end } = range
  if (start < 0 || end < start || start >= sizeBytes) {
    throw new RangeError(`bytes ${start} to ${end} are not in an object of ${sizeBytes} bytes`)
  }
  return { start, end: Math.min(end, sizeBytes - 1) }
}
