/**
 * Kinds of objects, identified by the first segment of their key, and how each is verified against its name when
 * read.
 */
import { createHash, hash } from 'node:crypto'
import { ObjectDamagedError } from './object-store.ts'

/**
 * `bytes`: the name is the SHA-256 of the stored bytes; `content`: of the content of the stored gzip member; `seal`:
 * the name identifies the inputs, and the stored object begins with a SHA-256 of name and content.
 */
type NamedBy = 'bytes' | 'content' | 'seal'

export const OBJECT_KINDS = {
  /** Archives of exports. */
  bundles: 'bytes',
  /** Manifests: file lists of site versions. */
  manifests: 'bytes',
  /** Files of site versions. */
  blobs: 'content',
  /** The build cache; see object-cache.ts. */
  cache: 'seal',
} as const satisfies Record<string, NamedBy>

export type ObjectKind = keyof typeof OBJECT_KINDS

/** Caches of earlier versions, which are no longer read. */
export const RETIRED_KINDS = 'bodies plain-bodies favicons thumbnails remote specs stamps'.split(' ')

/** Returns null for a key of an unknown kind. */
export function kindOf(key: string): ObjectKind | null {
  const first = key.split('/', 1)[0] ?? ''
  return Object.hasOwn(OBJECT_KINDS, first) ? (first as ObjectKind) : null
}

/** Returns the digest in a key of this kind: everything after the kind up to the first dot. */
export function digestIn(key: string): string {
  const [digest = ''] = key.slice(key.indexOf('/') + 1).split('.', 1)
  return digest.replaceAll('/', '')
}

const SEAL_BYTES = 32

/** Prepends the seal to the content of a key. */
export function seal(key: string, content: Uint8Array): Uint8Array {
  return Buffer.concat([sealOf(key, content), content])
}

/** Verifies the seal and returns the content. Throws ObjectDamagedError. */
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
