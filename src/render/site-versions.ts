/** Keeps manifests of site versions, named by their own content. */
import { sha256 } from '../base/hash.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { SiteManifest } from './manifest.ts'

/** Answers the key under which the manifest can be read again. */
export async function saveManifest(objects: ObjectStore, manifest: SiteManifest): Promise<string> {
  const text = JSON.stringify(manifest)
  const key = `manifests/${sha256(text)}.json`
  await objects.put(key, Buffer.from(text), { contentType: 'application/json' })
  return key
}

/** Rejects with ObjectMissingError. */
export async function readManifest(objects: ObjectStore, key: string): Promise<SiteManifest> {
  return JSON.parse(Buffer.from(await objects.read(key)).toString('utf8'))
}
