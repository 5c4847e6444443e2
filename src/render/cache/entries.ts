/** Serializes and compresses cache entries. */
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { ObjectCache } from '../../objects/object-cache.ts'

const MAX_ENTRY_BYTES = 500_000_000
/**
 * Smaller entries are (de)compressed synchronously in about a millisecond, several times faster than in a
 * thread.
 */
const SMALL_BYTES = 512 * 1024
const SMALL_PACKED_BYTES = 64 * 1024
/** Fastest level. The size is similar to that of gzip. */
const COMPRESSION_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Stores a value that can be serialized. `name` must identify all input of its computation. */
export async function putEntry(cache: ObjectCache, name: string, value: unknown): Promise<void> {
  await putJson(cache, name, Buffer.from(JSON.stringify(value)))
}

/** Stores a value that has already been serialized as JSON. */
export async function putJson(cache: ObjectCache, name: string, bytes: Uint8Array): Promise<void> {
  const isSmall = bytes.byteLength <= SMALL_BYTES
  await cache.put(
    name,
    isSmall ? zstdCompressSync(bytes, COMPRESSION_OPTIONS) : await compress(bytes, COMPRESSION_OPTIONS),
  )
}

/** Returns null if the entry is missing or damaged. */
export async function readEntry<Value>(cache: ObjectCache, name: string): Promise<Value | null> {
  const compressed = await cache.read(name)
  if (compressed === null) return null
  try {
    const bounds = { maxOutputLength: MAX_ENTRY_BYTES }
    const isSmall = compressed.byteLength <= SMALL_PACKED_BYTES
    const content = isSmall ? zstdDecompressSync(compressed, bounds) : await decompress(compressed, bounds)
    return JSON.parse(content.toString()) as Value
  } catch (error) {
    if (error instanceof SyntaxError || isZlibError(error)) return null
    throw error
  }
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(String((error as NodeJS.ErrnoException).code))
}
