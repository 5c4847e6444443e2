/**
 * A site version as one `tar.gz`. Every file is stored as a gzip member of its own, and members that follow one another
 * are a valid gzip file: an archive is made by setting small members (tar headers and padding) between those that
 * exist, without compressing a page again. The same manifest gives the same bytes.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { ObjectStore } from '../objects/object-store.ts'
import { blobKey, type ManifestFile, type SiteManifest } from '../render/manifest.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

export interface Bundle {
  stream: Readable
  /** Of the whole archive; throws before the stream has ended. */
  digest(): { sha256: string; sizeBytes: number }
}

/** Blobs up to this size are read whole, a few ahead; larger ones flow through. */
const READ_WHOLE_BYTES = 1024 * 1024
const READ_AHEAD = 8

export function openBundle(objects: ObjectStore, manifest: SiteManifest): Bundle {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let sha256: string | null = null
  async function* measured() {
    for await (const chunk of members(objects, manifest)) {
      hash.update(chunk)
      sizeBytes += chunk.byteLength
      yield chunk
    }
    sha256 = hash.digest('hex')
  }
  return {
    stream: Readable.from(measured(), { objectMode: false }),
    digest: () => {
      if (sha256 === null) throw new Error('the bundle has not been read to its end')
      return { sha256, sizeBytes }
    },
  }
}

async function* members(objects: ObjectStore, manifest: SiteManifest): AsyncGenerator<Uint8Array> {
  const files = Object.entries(manifest.files)
  const ahead: Promise<Uint8Array | null>[] = []
  const fetch = (index: number) => {
    const file = files[index]?.[1]
    if (!file) return
    const body =
      file.sizeBytes > READ_WHOLE_BYTES ? Promise.resolve(null) : objects.read(blobKey(file.sha256))
    body.catch(() => {}) // told where it is awaited
    ahead[index] = body
  }
  for (let index = 0; index < READ_AHEAD; index++) fetch(index)
  let padding: Uint8Array = new Uint8Array()
  for (const [index, [path, file]] of files.entries()) {
    fetch(index + READ_AHEAD)
    yield smallMember(Buffer.concat([padding, tarHeader(path, file.sizeBytes)]))
    yield* body(objects, file, (await ahead[index]) ?? null)
    delete ahead[index]
    padding = tarPadding(file.sizeBytes)
  }
  yield smallMember(Buffer.concat([padding, TAR_END]))
}

async function* body(objects: ObjectStore, file: ManifestFile, whole: Uint8Array | null) {
  if (whole) yield whole
  else yield* (await objects.get(blobKey(file.sha256))) as AsyncIterable<Uint8Array>
}

function smallMember(bytes: Uint8Array): Uint8Array {
  const member = gzipSync(bytes, { level: 6 })
  member[9] = 255 // the system that wrote it: unknown, whatever it was
  return member
}
