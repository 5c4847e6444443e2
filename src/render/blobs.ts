/** Writes content-addressed blobs: one gzip member each, named by the SHA-256 of what is inside. */
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { sha256 } from '../base/hash.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { contentTypeOf, isCompressedType } from './content-types.ts'
import { blobKey, type ManifestFile } from './manifest.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** How hard text is pressed: `small` for what is kept or sent, `fast` for what is read back at once. */
export type BlobPress = 'small' | 'fast'

const LEVELS: Record<BlobPress, number> = { small: 6, fast: 1 }

/** Stores the content unless it is there already. */
export async function putBlob(
  objects: ObjectStore,
  path: string,
  content: string | Uint8Array,
  press: BlobPress = 'small',
): Promise<ManifestFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const digest = sha256(bytes)
  const key = blobKey(digest)
  const contentType = contentTypeOf(path)
  if ((await objects.head(key)) === null) {
    const level = isCompressedType(contentType) ? constants.Z_NO_COMPRESSION : LEVELS[press]
    await objects.put(key, await gzipMember(bytes, level), { contentType: 'application/gzip' })
  }
  return { sha256: digest, sizeBytes: bytes.byteLength, contentType }
}

/** Stores content that is one gzip member already, unless it is there. */
export async function putMember(
  objects: ObjectStore,
  path: string,
  made: { sha256: string; sizeBytes: number; member: Uint8Array },
): Promise<ManifestFile> {
  const key = blobKey(made.sha256)
  if ((await objects.head(key)) === null)
    await objects.put(key, made.member, { contentType: 'application/gzip' })
  return { sha256: made.sha256, sizeBytes: made.sizeBytes, contentType: contentTypeOf(path) }
}

/** What is inside of a blob. Rejects with ObjectMissingError. */
export async function readBlob(objects: ObjectStore, sha256: string): Promise<Uint8Array> {
  return decompress(await objects.read(blobKey(sha256)))
}

/** Equal bytes on every system: no time, no file name, and the field for the system says that it is unknown. */
export async function gzipMember(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  const member = await compress(bytes, { level })
  member[9] = 255
  return member
}
