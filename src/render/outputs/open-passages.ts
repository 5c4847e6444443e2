/** Reads the file with passages of a version. */
import type { Readable } from 'node:stream'
import { isPassagesFile } from '../../base/api/passages.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { blobKey, type SiteManifest } from '../versions/manifest.ts'

/** Returns the passages, compressed as stored; null for a version without any. Rejects with ObjectMissingError. */
export async function openPassages(
  objects: Pick<ObjectStore, 'get'>,
  { files }: Pick<SiteManifest, 'files'>,
): Promise<Readable | null> {
  const [, file] = Object.entries(files).find(([path]) => isPassagesFile(path)) ?? []
  return file === undefined ? null : await objects.get(blobKey(file.sha256))
}
