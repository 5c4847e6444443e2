/**
 * Verifies objects against their names. A damaged object is deleted, counted and logged. It is then missing,
 * and recreated like any other missing object.
 *
 * `read` verifies every object. `get` reads the whole object before returning the first byte, unless an
 * object with this size, etag and modification time was verified in the last ten minutes. Damage during that
 * time is detected later.
 */
import { createHash } from 'node:crypto'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { sha256 } from '../base/hash.ts'
import type { Log } from '../base/log.ts'
import { getKeyDigest, kindOf, OBJECT_KINDS, type ObjectKind, unseal } from './object-kinds.ts'
import {
  type FoundObject,
  ObjectDamagedError,
  ObjectMissingError,
  type ObjectStore,
  type PutOptions,
} from './object-store.ts'

export type ObjectState = 'whole' | 'missing' | 'damaged'

export interface CheckedStore extends ObjectStore {
  /** Verifies an object, unless recently verified. Deletes it if damaged. */
  check(key: string): Promise<ObjectState>
  /** Number of damaged objects deleted since the process started, by kind. */
  damaged(): Readonly<Partial<Record<ObjectKind, number>>>
}

const VERIFIED_TTL_MS = 10 * 60_000
const MAX_VERIFIED_ENTRIES = 20_000
/** Objects whose compressed size does not exceed this limit are decompressed in memory. */
const SMALL_BYTES = 256 * 1024

const unpack = promisify(gunzip)

/** Disposing the store disposes `inner`. */
export function openCheckedStore(inner: ObjectStore, log: Log): CheckedStore {
  const discards = createDamagedObjectRemover(inner, log)
  const verify = createVerification(inner)

  /** Deletes the object if `work` throws ObjectDamagedError. Rethrows all errors. */
  async function discardingDamaged<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ObjectDamagedError) await discards.discard(key, error)
      throw error
    }
  }

  return {
    async check(key) {
      const state = await discardingDamaged(key, () => verifyWhole(inner, verify, key)).catch(stateOf)
      return state ?? 'whole'
    },
    damaged: () => ({ ...discards.counts }),
    put: (key: string, body: Uint8Array | Readable, options?: PutOptions) => inner.put(key, body, options),
    head: (key) => discardingDamaged(key, () => inner.head(key)).catch(nullWhenDamaged),
    read: (key) => discardingDamaged(key, () => readWhole(inner, key)),
    async get(key, range) {
      const kind = kindOf(key)
      return await discardingDamaged(key, async () => {
        const found = kind === null ? null : await inner.head(key)
        if (kind !== null && found !== null) await verify(key, kind, found)
        return await inner.get(key, range)
      })
    },
    delete: (key) => inner.delete(key),
    list: (prefix) => inner.list(prefix),
    presign: (key, options) => inner.presign(key, options),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  }
}

/** Deletes damaged objects, only once if several readers detect the damage concurrently. */
function createDamagedObjectRemover(inner: ObjectStore, log: Log) {
  const counts: Partial<Record<ObjectKind, number>> = {}
  const underWay = new Map<string, Promise<void>>()

  async function discardOnce(key: string, error: ObjectDamagedError): Promise<void> {
    if (await isGone(inner, key)) return
    const kind = kindOf(key)
    log.error({ key, reason: error.message }, 'object.damaged')
    if (kind === null) return // Unknown kinds are not deleted, because they would not be recreated.
    counts[kind] = (counts[kind] ?? 0) + 1
    await inner.delete(key)
  }

  return {
    counts,
    discard(key: string, error: ObjectDamagedError): Promise<void> {
      const known = underWay.get(key)
      if (known !== undefined) return known
      const work = discardOnce(key, error).finally(() => underWay.delete(key))
      underWay.set(key, work)
      return work
    },
  }
}

/** Returns whether another reader has already deleted the object. */
async function isGone(inner: ObjectStore, key: string): Promise<boolean> {
  try {
    return (await inner.head(key)) === null
  } catch (error) {
    if (error instanceof ObjectDamagedError) return false
    throw error
  }
}

type Verify = (key: string, kind: ObjectKind, found: FoundObject) => Promise<void>

function createVerification(inner: ObjectStore): Verify {
  const verified = new Map<string, { stamp: string; at: number }>()
  return async (key, kind, found) => {
    const stamp = getObjectStamp(found)
    const known = verified.get(key)
    if (known?.stamp === stamp && performance.now() - known.at < VERIFIED_TTL_MS) return
    verified.delete(key)
    if (OBJECT_KINDS[kind] === 'seal') unseal(key, await inner.read(key))
    else await verifyStream(key, kind, found, await inner.get(key))
    if (verified.size >= MAX_VERIFIED_ENTRIES) verified.clear()
    verified.set(key, { stamp, at: performance.now() })
  }
}

/** Verifies the content of an object, which may be stored elsewhere. Throws ObjectDamagedError. */
export async function verifyContent(key: string, body: Readable): Promise<void> {
  const kind = kindOf(key)
  if (kind !== null && OBJECT_KINDS[kind] === 'content') compare(key, await streamDigest(key, body))
  else {
    const hash = createHash('sha256')
    for await (const chunk of body as AsyncIterable<Uint8Array>) hash.update(chunk)
    if (kind !== null && OBJECT_KINDS[kind] === 'bytes') compare(key, hash.digest('hex'))
  }
}

async function verifyWhole(inner: ObjectStore, verify: Verify, key: string): Promise<void> {
  const kind = kindOf(key)
  const found = await inner.head(key)
  if (found === null) throw new ObjectMissingError(key)
  if (kind !== null) await verify(key, kind, found)
}

async function readWhole(inner: ObjectStore, key: string): Promise<Uint8Array> {
  const kind = kindOf(key)
  const bytes = await inner.read(key)
  if (kind !== null) await verifyBytes(key, kind, bytes)
  return bytes
}

function stateOf(error: unknown): ObjectState {
  if (error instanceof ObjectDamagedError) return 'damaged'
  if (error instanceof ObjectMissingError) return 'missing'
  throw error
}

function nullWhenDamaged(error: unknown): null {
  if (error instanceof ObjectDamagedError) return null
  throw error
}

function getObjectStamp({ etag, sizeBytes, modifiedAt }: FoundObject): string {
  return `${etag} ${sizeBytes} ${modifiedAt.getTime()}`
}

async function verifyBytes(key: string, kind: ObjectKind, bytes: Uint8Array): Promise<void> {
  switch (OBJECT_KINDS[kind]) {
    case 'bytes':
      return compare(key, sha256(bytes))
    case 'content':
      return compare(key, await contentDigest(key, bytes))
    case 'seal':
      unseal(key, bytes)
  }
}

async function contentDigest(key: string, packed: Uint8Array): Promise<string> {
  if (packed.byteLength > SMALL_BYTES) return streamDigest(key, [packed])
  return sha256(await asDamagedError(key, unpack(packed)))
}

async function verifyStream(
  key: string,
  kind: ObjectKind,
  { sha256: expected }: FoundObject,
  body: Readable,
): Promise<void> {
  const asPut = createHash('sha256')
  async function* tapped() {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      asPut.update(chunk)
      yield chunk
    }
  }
  if (OBJECT_KINDS[kind] === 'content') compare(key, await streamDigest(key, tapped()))
  else for await (const _chunk of tapped());
  const digest = asPut.digest('hex')
  if (OBJECT_KINDS[kind] === 'bytes') compare(key, digest)
  if (expected !== null && digest !== expected)
    throw new ObjectDamagedError(key, 'its bytes differ from those that were stored')
}

async function streamDigest(
  key: string,
  packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<string> {
  const hash = createHash('sha256')
  const into = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk)
      done()
    },
  })
  await asDamagedError(key, pipeline(packed, createGunzip(), into))
  return hash.digest('hex')
}

function compare(key: string, digest: string): void {
  if (digest !== getKeyDigest(key))
    throw new ObjectDamagedError(key, 'the hash of its content does not match its name')
}

/** Converts decompression errors to ObjectDamagedError. */
async function asDamagedError<T>(key: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (!/^Z_/.test(String((cause as NodeJS.ErrnoException).code))) throw cause
    throw new ObjectDamagedError(key, 'it cannot be unpacked')
  }
}
