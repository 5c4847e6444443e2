/**
 * Interface of object stores. Octavo generates all keys (`blobs/ab/cdef….gz`, `bundles/….tar.gz`); they never
 * come from user input.
 */
import type { Readable } from 'node:stream'

export interface ObjectStore {
  /** Stores an object. Replaces an existing object atomically. Resolves when the object is durable. */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<StoredObject>
  /** Returns null if the object does not exist. Rejects with ObjectDamagedError if the store detects damage. */
  head(key: string): Promise<FoundObject | null>
  /**
   * Returns the bytes as stored. `range` is inclusive; an end beyond the last byte is clamped, a start beyond
   * it rejects with RangeError. Rejects with ObjectMissingError.
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Reads a small object into memory. Rejects with ObjectMissingError or ObjectDamagedError. */
  read(key: string): Promise<Uint8Array>
  /** Resolves even if the object does not exist. */
  delete(key: string): Promise<void>
  /** Lists objects by key prefix, sorted by code unit. Type and etag are not available in listings. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Creates a link for GET that anyone can use until it expires. Links to our own server also support HEAD. */
  presign(key: string, options: PresignOptions): Promise<{ url: string; expiresAt: Date }>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PutOptions {
  contentType?: string
}

export interface StoredObject {
  key: string
  sizeBytes: number
  /** Includes the quotes of the HTTP header. */
  etag: string
  contentType: string
}

export interface FoundObject extends StoredObject {
  /** SHA-256 of the stored bytes; null if the store does not record it. */
  sha256: string | null
  /** Time of the last `put`, or of a modification of the bytes. */
  modifiedAt: Date
}

export interface ListedObject {
  key: string
  sizeBytes: number
  /** Time of the last `put`. Cleanup checks it before deleting. */
  modifiedAt: Date
}

export interface PresignOptions {
  /** 60 to 604,800. */
  lifetimeSeconds: number
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

/** The stored object is damaged. Treated as missing. */
export class ObjectDamagedError extends ObjectMissingError {
  override name = 'ObjectDamagedError'
  constructor(key: string, why: string) {
    super(key)
    this.message = `the object ${key} is damaged: ${why}`
  }
}

export const DEFAULT_CONTENT_TYPE = 'application/octet-stream'

/** Returns the range that `get` reads, by default the whole object. Throws RangeError like `get`. */
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
