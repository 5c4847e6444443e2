/** What a render keeps for the next one, under the name of what it was made from. What is not there is made again. */
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { seal, unseal } from '../../objects/object-kinds.ts'
import { type ObjectCache, ObjectMissingError } from '../../objects/object-store.ts'

/** Characters of a text that there can be are a few more. */
const MOST_ENTRY_BYTES = 500_000_000
/** Packed, and unpacked, in a millisecond: up to here a thread costs several times what the work itself does. */
const SMALL_BYTES = 512 * 1024
const SMALL_PACKED_BYTES = 64 * 1024
/** As fast as it gets with a size like that of gzip. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** What all builds of a hosted project keep lies below this key. */
export function memoryOfProject(projectId: string): string {
  return `stamps/${projectId}/`
}

/** `key` is of a kind with a seal; `value` is plain data. */
export async function putEntry(objects: ObjectCache, key: string, value: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value))
  const isSmall = bytes.byteLength <= SMALL_BYTES
  await putBytes(objects, key, isSmall ? zstdCompressSync(bytes, PACKING) : await compress(bytes, PACKING))
}

/** Null when it is not there, or not what was put. */
export async function readEntry<Value>(objects: ObjectCache, key: string): Promise<Value | null> {
  try {
    const packed = await readBytes(objects, key)
    if (packed === null) return null
    const bounds = { maxOutputLength: MOST_ENTRY_BYTES }
    const isSmall = packed.byteLength <= SMALL_PACKED_BYTES
    const content = isSmall ? zstdDecompressSync(packed, bounds) : await decompress(packed, bounds)
    return JSON.parse(content.toString()) as Value
  } catch (error) {
    if (error instanceof SyntaxError || isZlibError(error)) return null
    throw error
  }
}

/** As `putEntry`, for JSON that lies there as it is: to unpack it takes longer than to read it. */
export function putPlain(objects: ObjectCache, key: string, json: string): Promise<void> {
  return putBytes(objects, key, Buffer.from(json))
}

/** Null when it is not there, or not what was put. */
export async function readPlain<Value>(objects: ObjectCache, key: string): Promise<Value | null> {
  const bytes = await readBytes(objects, key)
  try {
    return (
      bytes && (JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Value)
    )
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** As `putEntry`, for what is bytes and is not packed. */
export async function putBytes(objects: ObjectCache, key: string, bytes: Uint8Array): Promise<void> {
  await objects.put(key, objects.isSealed ? bytes : seal(key, bytes))
}

export async function readBytes(objects: ObjectCache, key: string): Promise<Uint8Array | null> {
  try {
    const stored = await objects.read(key)
    return objects.isSealed ? stored : unseal(key, stored)
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(String((error as NodeJS.ErrnoException).code))
}
