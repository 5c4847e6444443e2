/** Reads the file from `playground-servers.ts` with the servers of a version that readers may call. */
import type { ObjectStore } from '../../objects/object-store.ts'
import { readBlob } from '../versions/blobs.ts'
import type { SiteManifest } from '../versions/manifest.ts'

const SERVERS_FILE = /^_octavo\/servers\.[0-9a-f]{10}\.json$/

/** Returns an empty list for a version from before this file was introduced. Rejects with ObjectMissingError. */
export async function readPlaygroundServers(
  objects: Pick<ObjectStore, 'read'>,
  { files }: Pick<SiteManifest, 'files'>,
): Promise<string[]> {
  const [, file] = Object.entries(files).find(([path]) => SERVERS_FILE.test(path)) ?? []
  if (file === undefined) return []
  return JSON.parse(Buffer.from(await readBlob(objects, file.sha256)).toString('utf8')) as string[]
}

/** True if the URL belongs to one of the servers: same origin, and below its path. */
export function isAtServer(address: string, servers: readonly string[]): boolean {
  const asked = URL.parse(address)
  if (asked === null || asked.username !== '' || asked.password !== '') return false
  return servers.some((one) => {
    const server = URL.parse(one)
    if (server === null || server.origin !== asked.origin) return false
    const base = server.pathname.replace(/(?<!\/)\/+$/, '')
    return [asked.pathname, decodedPath(asked)].every((path) => path === base || path.startsWith(`${base}/`))
  })
}

/** Decodes as servers do that treat encoded slashes and dots as the characters: `/v1/..%2fadmin` is `/admin`. */
function decodedPath({ pathname, origin }: URL): string {
  return new URL(origin + pathname.replace(/%(?:2f|5c)/gi, '/').replace(/%2e/gi, '.')).pathname
}
