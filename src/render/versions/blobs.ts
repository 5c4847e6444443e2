/** Writes content-addressed blobs: one gzip member each, named by the SHA-256 of the uncompressed content. */
import { promisify } from 'node:util'
import { constants, gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib'
import { sha256 } from '../../base/hash.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { getContentType, isCompressedType } from './content-types.ts'
import { blobKey, type ManifestFile } from './manifest.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

export const GZIP_LEVEL = 6
/** Smaller contents are (de)compressed without a thread, which would cost four times as much as the work itself. */
const SMALL_BYTES = 32 * 1024

/** Stores the content unless it already exists. Contents in `stored` are known to exist and are not looked up. */
export async function putBlob(
  objects: Pick<ObjectStore, 'head' | 'put'>,
  path: string,
  content: string | Uint8Array,
  stored: ReadonlySet<string> = new Set(),
): Promise<ManifestFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const digest = sha256(bytes)
  const key = blobKey(digest)
  const contentType = getContentType(path)
  if (!stored.has(digest) && (await objects.head(key)) === null) {
    const level = isCompressedType(contentType) ? constants.Z_NO_COMPRESSION : GZIP_LEVEL
    await objects.put(key, await gzipMember(bytes, level), { contentType: 'application/gzip' })
  }
  return { sha256: digest, sizeBytes: bytes.byteLength, contentType }
}

export async function putMember(
  objects: Pick<ObjectStore, 'head' | 'put'>,
  path: string,
  packedMember: { sha256: string; sizeBytes: number; member: Uint8Array },
): Promise<ManifestFile> {
  const key = blobKey(packedMember.sha256)
  if ((await objects.head(key)) === null)
    await objects.put(key, packedMember.member, { contentType: 'application/gzip' })
  return { sha256: packedMember.sha256, sizeBytes: packedMember.sizeBytes, contentType: getContentType(path) }
}

/** Returns the uncompressed content of a blob. Rejects with ObjectMissingError. */
export async function readBlob(objects: Pick<ObjectStore, 'read'>, sha256: string): Promise<Uint8Array> {
  return unpackMember(await objects.read(blobKey(sha256)))
}

/** Returns the same bytes on every system: without time or file name, and with "unknown" as operating system. */
export async function gzipMember(bytes: Uint8Array, level = GZIP_LEVEL): Promise<Uint8Array> {
  const member =
    bytes.byteLength > SMALL_BYTES ? await compress(bytes, { level }) : gzipSync(bytes, { level })
  member[9] = 255
  return member
}

export async function unpackMember(member: Uint8Array): Promise<Uint8Array> {
  return readUncompressedSize(member) <= SMALL_BYTES
    ? gunzipSync(member, { maxOutputLength: SMALL_BYTES })
    : decompress(member)
}

/** Reads the uncompressed size from the last four bytes of a member. */
function readUncompressedSize(member: Uint8Array): number {
  return new DataView(member.buffer, member.byteOffset, member.byteLength).getUint32(
    Math.max(0, member.byteLength - 4),
    true,
  )
}
