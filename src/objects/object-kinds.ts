/** What lies in a store, by the first part of its key, and how each kind is held against its name when it is read. */
import { createHash, hash } from 'node:crypto'
import { ObjectDamagedError } from './object-store.ts'

/**
 * `bytes`: the name is the SHA-256 of what is stored; `content`: of what is in the one gzip member that is stored;
 * `seal`: the name says what the content was made from, and the content begins with a SHA-256 of name and content.
 */
type NamedBy = 'bytes' | 'content' | 'seal'

export const OBJECT_KINDS = {
  /** Archives of exports. */
  bundles: 'bytes',
  /** Lists of the files of site versions. */
  manifests: 'bytes',
  /** Files of site versions. */
  blobs: 'content',
  /** The build cache; see object-cache.ts. */
  cache: 'seal',
} as const satisfies Record<string, NamedBy>

export type ObjectKind = keyof typeof OBJECT_KINDS

/** Caches of earlier versions: nothing reads them any more. */
export const RETIRED_KINDS = 'bodies plain-bodies favicons thumbnails remote specs stamps'.split(' ')

/** Null for a key that is of no kind. */
export function kindOf(key: string): ObjectKind | null {
  const first = key.split('/', 1)[0] ?? ''
  return Object.hasOwn(OBJECT_KINDS, first) ? (first as ObjectKind) : null
}

/** The digest that a key of this kind names: all behind the kind, up to the first dot. */
export function digestIn(key: string): string {
  const [digest = ''] = key.slice(key.indexOf('/') + 1).split('.', 1)
  return digest.replaceAll('/', '')
}

const SEAL_BYTES = 32

/** What is stored under a key of a kind with a seal. */
export function seal(key: string, content: Uint8Array): Uint8Array {
  return Buffer.concat([sealOf(key, content), content])
}

/** The content. Throws ObjectDamagedError. */
export function unseal(key: string, stored: Uint8Array): Uint8Array {
  const content = stored.subarray(SEAL_BYTES)
  if (!sealOf(key, content).equals(stored.subarray(0, SEAL_BYTES)))
    throw new ObjectDamagedError(key, 'its seal does not fit')
  return content
}

function sealOf(key: string, content: Uint8Array): Buffer {
  return createHash('sha256')
    .update(hash('sha256', key, 'buffer'))
    .update(content)
    .digest()
}
