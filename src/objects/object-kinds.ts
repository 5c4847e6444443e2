/** Kinds of objects, identified by the first segment of the key, and how to verify each kind. */
import { createHash, hash } from 'node:crypto'
import { ObjectDamagedError } from './object-store.ts'

/**
 * Digest that the key contains. `bytes`: SHA-256 of the stored bytes. `content`: SHA-256 of the decompressed
 * content. `seal`: digest of the inputs; the stored object begins with a SHA-256 of name and content.
 */
type KeyDigestKind = 'bytes' | 'content' | 'seal'

export const OBJECT_KINDS = {
  /** Exported archives. */
  bundles: 'bytes',
  /** Lists of the files of site versions. */
  manifests: 'bytes',
  /** Files of site versions. */
  blobs: 'content',
  /** The build cache; see object-cache.ts. */
  cache: 'seal',
} as const satisfies Record<string, KeyDigestKind>

export type ObjectKind = keyof typeof OBJECT_KINDS

/** Kinds of former caches, which are no longer read. */
export const RETIRED_KINDS = 'bodies plain-bodies favicons thumbnails remote specs stamps'.split(' ')

export function kindOf(key: string): ObjectKind | null {
  const first = key.split('/', 1)[0] ?? ''
  return Object.hasOwn(OBJECT_KINDS, first) ? (first as ObjectKind) : null
}

/** Returns the digest in a key: the text between the kind and the first dot. */
export function getKeyDigest(key: string): string {
  const [digest = ''] = key.slice(key.indexOf('/') + 1).split('.', 1)
  return digest.replaceAll('/', '')
}

const SEAL_BYTES = 32

export function seal(key: string, content: Uint8Array): Uint8Array {
  return Buffer.concat([computeSeal(key, content), content])
}

/** Verifies and removes the seal. Throws ObjectDamagedError. */
export function unseal(key: string, stored: Uint8Array): Uint8Array {
  const content = stored.subarray(SEAL_BYTES)
  if (!computeSeal(key, content).equals(stored.subarray(0, SEAL_BYTES)))
    throw new ObjectDamagedError(key, 'its seal does not match its content')
  return content
}

function computeSeal(key: string, content: Uint8Array): Buffer {
  return createHash('sha256')
    .update(hash('sha256', key, 'buffer'))
    .update(content)
    .digest()
}
