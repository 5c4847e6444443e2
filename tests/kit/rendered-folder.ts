/** Writes a site version to a folder, for browsers that open pages from disk. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { readBlob } from '../../src/render/versions/blobs.ts'
import type { SiteManifest } from '../../src/render/versions/manifest.ts'

export async function writeManifest(
  objects: ObjectStore,
  { files }: Pick<SiteManifest, 'files'>,
  folder: string,
): Promise<void> {
  for (const [path, { sha256 }] of Object.entries(files)) {
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, await readBlob(objects, sha256))
  }
}
