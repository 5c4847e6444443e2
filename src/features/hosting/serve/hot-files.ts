/** Files of published sites in memory, in the encodings that readers ask for: each is read and compressed once. */
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { createAsyncCache } from '../../../base/async-cache.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { unpackMember } from '../../../render/versions/blobs.ts'
import { isCompressedType } from '../../../render/versions/content-types.ts'
import { blobKey, type ManifestFile } from '../../../render/versions/manifest.ts'

export type Encoding = 'identity' | 'gzip' | 'br'

export interface HotFiles {
  /** Of a file that is read whole. Rejects with ObjectMissingError when it is lost or not whole. */
  read(file: ManifestFile, encoding: Encoding): Promise<Uint8Array>
  /** What is in memory already. */
  kept(file: ManifestFile, encoding: Encoding): Uint8Array | undefined
}

/** Of all sites together. */
const BYTES_KEPT = 96 << 20
/** A tenth smaller than gzip, for 2 ms of a thread once for a page; the highest takes fifty. */
const BROTLI_QUALITY = 5
/** Beside its bytes. */
const ENTRY_BYTES = 300

const compress = promisify(brotliCompress)

export function createHotFiles(objects: Pick<ObjectStore, 'read'>): HotFiles {
  const bodies = createAsyncCache<Uint8Array>({
    maxSize: BYTES_KEPT,
    sizeOf: (body) => body.byteLength + ENTRY_BYTES,
  })
  const read: HotFiles['read'] = (file, encoding) =>
    bodies.get(keyOf(file, encoding), async () => {
      const stored = await objects.read(blobKey(file.sha256))
      return alone(encoding === 'gzip' ? stored : await encode(await unpackMember(stored), encoding))
    })
  return { read, kept: (file, encoding) => bodies.kept(keyOf(file, encoding)) }
}

function keyOf({ sha256 }: ManifestFile, encoding: Encoding): string {
  return `${sha256} ${encoding}`
}

async function encode(bytes: Uint8Array, encoding: 'identity' | 'br'): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  }
  return compress(bytes, { params })
}

/** A view of a larger buffer would keep all of that one. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

/** What the reader takes and the file is the smaller for. */
export function encodingFor({ contentType }: Pick<ManifestFile, 'contentType'>, taken: Encoding): Encoding {
  return isCompressedType(contentType) ? 'identity' : taken
}

/** Longer headers are nobody's. */
const MOST_CHARACTERS = 500

/** The best encoding that an `Accept-Encoding` header takes. */
export function takenEncoding(header: string): Encoding {
  const known = TAKEN.get(header)
  if (known !== undefined) return known
  const taken = new Map<string, boolean>()
  for (const part of header.slice(0, MOST_CHARACTERS).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim())
    taken.set(name, !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)))
  }
  if (taken.get('br')) return 'br'
  return (taken.get('gzip') ?? taken.get('*')) ? 'gzip' : 'identity'
}

/** What browsers and common programs send. */
const TAKEN: ReadonlyMap<string, Encoding> = new Map([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip', 'gzip'],
  ['', 'identity'],
])
