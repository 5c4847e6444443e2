/** Reads files of a published version that only the server uses. */
import type { Readable } from 'node:stream'
import { isPassagesFile } from '../../base/api/passages.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { readBlob } from '../versions/blobs.ts'
import { blobKey, type SiteManifest } from '../versions/manifest.ts'

const SERVERS_FILE = /^_octavo\/servers\.[0-9a-f]{10}\.json$/

/**
 * Returns the servers that readers may call. Empty for older versions, which lack this file. Rejects with
 * ObjectMissingError.
 */
export async function readPlaygroundServers(
  objects: Pick<ObjectStore, 'read'>,
  { files }: Pick<SiteManifest, 'files'>,
): Promise<string[]> {
  const [, file] = Object.entries(files).find(([path]) => SERVERS_FILE.test(path)) ?? []
  if (file === undefined) return []
  return JSON.parse(Buffer.from(await readBlob(objects, file.sha256)).toString('utf8')) as string[]
}

/** Returns whether a URL has the origin of a server and a path below its path. */
export function isUrlBelowServer(address: string, servers: readonly string[]): boolean {
  const asked = URL.parse(address)
  if (asked === null || asked.username !== '' || asked.password !== '') return false
  return servers.some((one) => {
    const server = URL.parse(one)
    if (server === null || server.origin !== asked.origin) return false
    const base = server.pathname.replace(/(?<!\/)\/+$/, '')
    return [asked.pathname, decodedPath(asked)].every((path) => path === base || path.startsWith(`${base}/`))
  })
}

/** Decodes slashes and dots like some servers, for which `/v1/..%2fadmin` is `/admin`. */
function decodedPath({ pathname, origin }: URL): string {
  return new URL(origin + pathname.replace(/%(?:2f|5c)/gi, '/').replace(/%2e/gi, '.')).pathname
}

/**
 * Returns the passages as stored, compressed; null for a version without passages. Rejects with
 * ObjectMissingError.
 */
export async function openPassages(
  objects: Pick<ObjectStore, 'get'>,
  { files }: Pick<SiteManifest, 'files'>,
): Promise<Readable | null> {
  const [, file] = Object.entries(files).find(([path]) => isPassagesFile(path)) ?? []
  return file === undefined ? null : await objects.get(blobKey(file.sha256))
}
