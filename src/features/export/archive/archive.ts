/**
 * Packs a site version as a `tar.gz`. Each file is stored as a gzip member, and consecutive members form a valid gzip
 * file. An archive therefore consists of stored members, with small members (tar headers and padding) in between, and
 * no page is compressed again. Equal manifests result in equal bytes.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createYielder } from '../../../base/text/yielder.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import { gzipMember } from '../../../render/versions/blobs.ts'
import { blobKey, type ManifestFile, type SiteManifest } from '../../../render/versions/manifest.ts'
import { type FilesCheck, MAX_WHOLE_READ_BYTES } from '../../../render/whole-site.ts'
import { archiveSeal } from './archive-seal.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

export interface BundleDigest {
  sha256: string
  sizeBytes: number
}

/** Number of blobs read ahead. Blobs of up to MAX_WHOLE_READ_BYTES are read whole; larger ones are streamed. */
const READ_AHEAD = 8

/** Computes the archive's digest without storing the archive. The digest is meaningless if files are lost. */
export async function measureBundle(
  objects: ObjectStore,
  manifest: SiteManifest,
  signal: AbortSignal,
): Promise<BundleDigest & FilesCheck> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const lost: string[] = []
  for await (const chunk of archiveMembers(objects, manifest, (path) => lost.push(path))) {
    signal.throwIfAborted()
    hash.update(chunk)
    sizeBytes += chunk.byteLength
  }
  return { sha256: hash.digest('hex'), sizeBytes, lost }
}

/** Returns the archive that `measured` describes. The stream fails at its end if the bytes differ. */
export function openBundle(objects: ObjectStore, manifest: SiteManifest, measured: BundleDigest): Readable {
  async function* packed() {
    const hash = createHash('sha256')
    for await (const chunk of archiveMembers(objects, manifest)) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== measured.sha256)
      throw new Error('the archive differs from the one that was measured')
  }
  return Readable.from(packed(), { objectMode: false })
}

/** Yields the whole archive. Rejects with ObjectMissingError for a lost file unless `onLost` is given. */
async function* archiveMembers(
  objects: ObjectStore,
  manifest: SiteManifest,
  onLost?: (path: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of contentMembers(objects, manifest, onLost)) {
    hash.update(chunk)
    yield chunk
  }
  if (manifest.format > 1) yield archiveSeal(hash.digest())
}

async function* contentMembers(
  objects: ObjectStore,
  manifest: SiteManifest,
  onLost?: (path: string) => void,
): AsyncGenerator<Uint8Array> {
  const paths = Object.keys(manifest.files)
  const ahead: Promise<Uint8Array | null>[] = []
  const fetch = (index: number) => {
    const file = manifest.files[paths[index] ?? '']
    if (!file) return
    const body =
      file.sizeBytes > MAX_WHOLE_READ_BYTES ? Promise.resolve(null) : objects.read(blobKey(file.sha256))
    body.catch(() => {}) // errors are handled at the await
    ahead[index] = body
  }
  for (let index = 0; index < READ_AHEAD; index++) fetch(index)
  let padding: Uint8Array = new Uint8Array()
  const breaks = createYielder()
  for (const [index, path] of paths.entries()) {
    const file = manifest.files[path] as ManifestFile
    fetch(index + READ_AHEAD)
    if (breaks.isDue()) await breaks.yieldNow()
    yield await gzipMember(Buffer.concat([padding, tarHeader(path, file.sizeBytes)]))
    try {
      yield* body(objects, file, (await ahead[index]) ?? null)
    } catch (error) {
      if (!(error instanceof ObjectMissingError) || onLost === undefined) throw error
      onLost(path)
    }
    delete ahead[index]
    padding = tarPadding(file.sizeBytes)
  }
  yield await gzipMember(Buffer.concat([padding, TAR_END]))
}

async function* body(objects: ObjectStore, file: ManifestFile, whole: Uint8Array | null) {
  if (whole) yield whole
  else yield* (await objects.get(blobKey(file.sha256))) as AsyncIterable<Uint8Array>
}
