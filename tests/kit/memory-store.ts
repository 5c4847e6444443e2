/** Stores objects in memory. Nothing is persisted; otherwise it behaves like the other stores. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sha256 } from '../../src/base/hash.ts'
import { checkKey, checkPrefix } from '../../src/objects/object-key.ts'
import {
  clampRange,
  DEFAULT_CONTENT_TYPE,
  type FoundObject,
  type ListedObject,
  ObjectMissingError,
  type ObjectStore,
  type PresignOptions,
  type PutOptions,
  type StoredObject,
} from '../../src/objects/object-store.ts'
import { makeLink } from '../../src/objects/presigned-link.ts'

export interface MemoryStoreOptions {
  /** Public URL that serves `/_octavo/objects/`, used in links. */
  publicUrl?: string
  /** Secret for signing links; random when left out, so that only this store can verify them. */
  secret?: string | Uint8Array
  /** Current time in milliseconds, for the expiry of links. */
  now?: () => number
}

export function openMemoryStore(options: MemoryStoreOptions = {}): ObjectStore {
  const objects = new Map<string, { stored: StoredObject; bytes: Uint8Array; modifiedAt: Date }>()
  const signer = {
    publicUrl: options.publicUrl ?? 'http://localhost',
    secret: options.secret ?? randomBytes(32),
  }

  function find(key: string) {
    const object = objects.get(checkKey(key))
    if (object === undefined) throw new ObjectMissingError(key)
    return object
  }

  return {
    async put(key: string, body: Uint8Array | Readable, put: PutOptions = {}): Promise<StoredObject> {
      checkKey(key)
      const bytes = body instanceof Uint8Array ? Uint8Array.from(body) : new Uint8Array(await buffer(body))
      const contentType = put.contentType ?? DEFAULT_CONTENT_TYPE
      const stored = { key, sizeBytes: bytes.byteLength, etag: `"${sha256(bytes)}"`, contentType }
      objects.set(key, { stored, bytes, modifiedAt: new Date() })
      return { ...stored }
    },
    async head(key: string): Promise<FoundObject | null> {
      const object = objects.get(checkKey(key))
      if (object === undefined) return null
      const { stored, bytes, modifiedAt } = object
      return { ...stored, sha256: sha256(bytes), modifiedAt }
    },
    async get(key: string, range?: { start: number; end: number }): Promise<Readable> {
      const { bytes } = find(key)
      const { start, end } = clampRange(bytes.byteLength, range)
      return Readable.from(end < start ? [] : [Buffer.from(bytes.slice(start, end + 1))])
    },
    async read(key: string): Promise<Uint8Array> {
      return find(key).bytes.slice()
    },
    async delete(key: string): Promise<void> {
      objects.delete(checkKey(key))
    },
    async *list(prefix: string): AsyncGenerator<ListedObject> {
      checkPrefix(prefix)
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
      for (const key of keys) {
        const object = objects.get(key)
        if (object === undefined) continue
        yield { key, sizeBytes: object.stored.sizeBytes, modifiedAt: object.modifiedAt }
      }
    },
    async presign(key: string, presign: PresignOptions) {
      return makeLink(signer, checkKey(key), presign, options.now?.())
    },
    async [Symbol.asyncDispose]() {
      objects.clear()
    },
  }
}
