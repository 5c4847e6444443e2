/** Stores manifests of site versions under the hash of their content. */

import { PermanentError } from '../../base/errors/permanent-error.ts'
import { sha256 } from '../../base/hash.ts'
import { ObjectMissingError, type ObjectStore } from '../../objects/object-store.ts'
import type { SiteManifest } from './manifest.ts'
import { encodeManifest, parseManifest } from './manifest-text.ts'

/** Maximum bytes of a manifest: some 200,000 files. Servers hold it in memory, so larger ones are rejected. */
export const MAX_MANIFEST_BYTES = 32 << 20

/** Returns the key under which the manifest can be read. Rejects with PermanentError if the site is too large. */
export async function saveManifest(objects: ObjectStore, manifest: SiteManifest): Promise<string> {
  const bytes = await encodeManifest(manifest)
  if (bytes.length > MAX_MANIFEST_BYTES)
    throw new PermanentError(
      'too_large',
      `The list of files and redirects of this site is too large (${megabytes(bytes.length)} MB, limit ${megabytes(MAX_MANIFEST_BYTES)} MB). Combine redirects with wildcards, or split the site.`,
    )
  const key = `manifests/${sha256(bytes)}.json`
  if (!(await isThere(objects, key))) await objects.put(key, bytes, { contentType: 'application/json' })
  return key
}

/** Reads the whole object, because its metadata alone would not show that it is damaged. */
async function isThere(objects: ObjectStore, key: string): Promise<boolean> {
  try {
    await objects.read(key)
    return true
  } catch (error) {
    if (error instanceof ObjectMissingError) return false
    throw error
  }
}

/** Rejects with ObjectMissingError; a manifest that is too large is rejected before it is parsed. */
export async function readManifest(objects: ObjectStore, key: string): Promise<SiteManifest> {
  const bytes = await objects.read(key)
  if (bytes.length > MAX_MANIFEST_BYTES)
    throw new Error(`${key} has ${bytes.length} bytes, which exceeds the limit for a manifest`)
  return await parseManifest(bytes)
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_048_576)
}
