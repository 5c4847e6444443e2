/**
 * Git LFS files of projects that enable them: downloaded from the forge's LFS server
 * (https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md), verified, and cached with the mirror. For
 * unavailable files, the tree contains the pointers of the repository and the reason.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import type { FileTree } from '../base/files/file-tree.ts'
import { type LfsPointer, MAX_POINTER_BYTES, readPointer } from '../base/files/lfs-pointer.ts'
import { effectivePort } from '../base/net/guarded-fetch.ts'
import { ForgeError } from './forges/forge.ts'
import { openAgent, readText } from './forges/forge-request.ts'
import type { GitSettings } from './git.ts'
import { unreachableMessage } from './git-error.ts'
import { resolveRemoteAddresses } from './pin-remote.ts'
import type { Repository } from './repository.ts'

const MAX_OBJECT_BYTES = 256 << 20
const MAX_TREE_BYTES = 2 * 2 ** 30
/** Maximum total size of cached LFS files per mirror; the least recently used are evicted first. */
const MAX_STORED_BYTES = 4 * 2 ** 30
const MAX_ANSWER_BYTES = 4 << 20
const MAX_OBJECTS_PER_REQUEST = 100
const MAX_CONCURRENT_DOWNLOADS = 4
const REQUEST_TIMEOUT_MS = 20_000
const DOWNLOAD_TIMEOUT_MS = 300_000
const MAX_REDIRECTS = 3
const LFS_JSON = 'application/vnd.git-lfs+json'
/** Headers that an LFS server must not set, because they would change the request itself. */
const PROTECTED_HEADERS = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|keep-alive)$/i

interface LfsServer {
  repository: Repository
  folder: string
  settings: GitSettings
  signal: AbortSignal | undefined
}

interface Connection extends LfsServer {
  agent: Dispatcher
}

/** Thrown for an unavailable object, with a message for the author of the site. */
class LfsError extends Error {}

/** Replaces the pointers in the tree with their files. Rejects with the signal's reason. */
export async function withLfsObjects(tree: FileTree, server: LfsServer): Promise<FileTree> {
  const pointers = await findPointers(tree)
  if (pointers.size === 0) return tree
  await mkdir(server.folder, { recursive: true })
  const failures = await fetchMissingObjects(
    server,
    new Map([...pointers.values()].map((one) => [one.oid, one])),
  )
  await removeOldest(server.folder)
  const has = (path: string) => !failures.has(pointers.get(path)?.oid ?? '')
  const files = [...tree.files].map(([path, entry]) => {
    const pointer = has(path) ? pointers.get(path) : undefined
    return [path, pointer ? { sizeBytes: pointer.sizeBytes, digest: pointer.oid } : entry] as const
  })
  const unfetched = [...pointers].flatMap(([path, { oid }]) => {
    const reason = failures.get(oid)
    return reason === undefined ? [] : [[path, reason] as const]
  })
  return {
    ...tree,
    files: new Map(files),
    unfetched: new Map(unfetched),
    read(path) {
      const pointer = has(path) ? pointers.get(path) : undefined
      return pointer ? readFile(join(server.folder, pointer.oid)) : tree.read(path)
    },
  }
}

async function findPointers(tree: FileTree): Promise<Map<string, LfsPointer>> {
  const pointers = new Map<string, LfsPointer>()
  for (const [path, { sizeBytes }] of tree.files) {
    if (sizeBytes > MAX_POINTER_BYTES) continue
    const pointer = readPointer(Buffer.from(await tree.read(path)).toString())
    if (pointer) pointers.set(path, pointer)
  }
  return pointers
}

/** Maps objects that could not be fetched to the reasons. */
async function fetchMissingObjects(
  server: LfsServer,
  pointersByOid: ReadonlyMap<string, LfsPointer>,
): Promise<Map<string, string>> {
  const failures = new Map<string, string>()
  const missing: LfsPointer[] = []
  let treeBytes = 0
  for (const pointer of pointersByOid.values()) {
    treeBytes += pointer.sizeBytes
    if (pointer.sizeBytes > MAX_OBJECT_BYTES)
      failures.set(pointer.oid, `It is larger than ${MAX_OBJECT_BYTES >> 20} MiB.`)
    else if (treeBytes > MAX_TREE_BYTES)
      failures.set(pointer.oid, `The Git LFS files are larger than ${MAX_TREE_BYTES / 2 ** 30} GiB in total.`)
    else if (!(await isStored(server.folder, pointer))) missing.push(pointer)
  }
  if (missing.length === 0) return failures
  let agent: Dispatcher | null = null
  try {
    agent = await openServer(server)
    for (let at = 0; at < missing.length; at += MAX_OBJECTS_PER_REQUEST)
      await fetchObjects({ ...server, agent }, missing.slice(at, at + MAX_OBJECTS_PER_REQUEST), failures)
  } catch (error) {
    const reason = failureReason(error, server)
    for (const { oid } of missing)
      if (!(failures.has(oid) || (await isStored(server.folder, { oid })))) failures.set(oid, reason)
  } finally {
    await agent?.destroy()
  }
  return failures
}

async function openServer({ repository, settings }: LfsServer): Promise<Dispatcher> {
  if (repository.protocol !== 'https' && repository.protocol !== 'http')
    throw new LfsError('Git LFS requires https. Give the project an https URL and a token.')
  return await openAgent({ host: new URL(repository.address).host, network: settings })
}

async function isStored(folder: string, { oid }: Pick<LfsPointer, 'oid'>): Promise<boolean> {
  const now = new Date()
  return await utimes(join(folder, oid), now, now).then(
    () => true,
    () => false,
  )
}

async function fetchObjects(
  connection: Connection,
  pointers: readonly LfsPointer[],
  failures: Map<string, string>,
): Promise<void> {
  const found = await requestObjects(connection, pointers)
  const waiting = [...pointers]
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      try {
        await download(connection, next, found.get(next.oid))
      } catch (error) {
        failures.set(next.oid, failureReason(error, connection))
      }
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_DOWNLOADS }, work))
}

interface FoundObject {
  error?: { message?: unknown }
  actions?: { download?: { href?: unknown; header?: unknown } }
}

async function requestObjects(
  connection: Connection,
  pointers: readonly LfsPointer[],
): Promise<Map<unknown, FoundObject>> {
  const { repository } = connection
  const address = repository.address.endsWith('/') ? repository.address.slice(0, -1) : repository.address
  const base = address.endsWith('.git') ? address : `${address}.git`
  const answer = await send(connection, new URL(`${base}/info/lfs/objects/batch`), REQUEST_TIMEOUT_MS, {
    method: 'POST',
    headers: { accept: LFS_JSON, 'content-type': LFS_JSON, ...authorization(repository) },
    body: JSON.stringify({
      operation: 'download',
      transfers: ['basic'],
      objects: pointers.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes })),
    }),
  })
  const text = await readText(answer.body, MAX_ANSWER_BYTES, () => protocolError(repository))
  try {
    const { objects } = JSON.parse(text) as {
      objects: ({ oid: unknown } & FoundObject)[]
    }
    return new Map(objects.map((object) => [object.oid, object]))
  } catch {
    throw protocolError(repository)
  }
}

async function download(connection: Connection, { oid, sizeBytes }: LfsPointer, found?: FoundObject) {
  const { repository, folder } = connection
  const action = found?.actions?.download
  if (found === undefined || found.error || !action)
    throw new LfsError(
      `${hostName(repository)} does not have the file. Push it with “git lfs push --all origin”.`,
    )
  const url = URL.parse(String(action.href))
  if (url === null) throw protocolError(repository)
  const given = Object.entries(action.header ?? {}).filter(
    ([name, value]) => typeof value === 'string' && !PROTECTED_HEADERS.test(name),
  )
  const isSameOrigin = url.origin === new URL(repository.address).origin
  const headers = {
    ...(isSameOrigin && given.length === 0 ? authorization(repository) : {}),
    ...Object.fromEntries(given),
  }
  const answer = await send(connection, url, DOWNLOAD_TIMEOUT_MS, { method: 'GET', headers })
  const part = join(folder, `${oid}.${randomUUID()}`)
  const hash = createHash('sha256')
  let bytes = 0
  const check = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      bytes += chunk.byteLength
      if (bytes > sizeBytes) break
      hash.update(chunk)
      yield chunk
    }
    if (bytes !== sizeBytes || hash.digest('hex') !== oid)
      throw new LfsError(`The content from ${hostName(repository)} does not match the pointer.`)
  }
  try {
    await pipeline(answer.body, check, createWriteStream(part))
    await rename(part, join(folder, oid))
  } finally {
    await rm(part, { force: true })
  }
}

/** Sends headers only to the host for which they are intended. */
async function send(
  connection: Connection,
  url: URL,
  timeoutMs: number,
  request: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  redirects = 0,
): Promise<Dispatcher.ResponseData> {
  const { repository, settings, agent } = connection
  const host = hostName(repository)
  if (url.protocol !== 'https:' && url.protocol !== `${repository.protocol}:`) throw protocolError(repository)
  // With a proxy, checks the host first, because the connector would only check the proxy's address.
  if (settings.proxy) await resolveRemoteAddresses(url.hostname, effectivePort(url), settings)
  const signal = AbortSignal.any([
    ...(connection.signal ? [connection.signal] : []),
    AbortSignal.timeout(timeoutMs),
  ])
  const answer = await agent.request({
    ...request,
    origin: url.origin,
    path: url.pathname + url.search,
    signal,
  })
  const { statusCode, headers } = answer
  if (statusCode === 200) return answer
  await answer.body.dump().catch(() => undefined)
  const next = typeof headers.location === 'string' ? URL.parse(headers.location, url) : null
  if (request.method === 'GET' && statusCode > 300 && statusCode < 309 && next && redirects < MAX_REDIRECTS) {
    const forwardedHeaders = next.origin === url.origin ? request.headers : {}
    return await send(connection, next, timeoutMs, { ...request, headers: forwardedHeaders }, redirects + 1)
  }
  if (statusCode === 401 || statusCode === 403)
    throw new LfsError(
      `${host} rejected the request. Give the project a token with read access to the repository.`,
    )
  if (statusCode === 404)
    throw new LfsError(`${host} has no Git LFS for this repository, or the token has no access to it.`)
  throw new LfsError(`${host} returned status ${statusCode} for Git LFS.`)
}

function authorization({
  credentials: { username = 'x-access-token', token },
}: Repository): Record<string, string> {
  return token ? { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` } : {}
}

function failureReason(error: unknown, { repository, signal }: LfsServer): string {
  signal?.throwIfAborted()
  if (error instanceof LfsError || error instanceof ForgeError) return error.message
  return unreachableMessage(`The Git LFS server of ${repository.address}`)
}

function protocolError(repository: Repository): LfsError {
  return new LfsError(`${hostName(repository)} returned an invalid response for Git LFS.`)
}

function hostName({ address }: Repository): string {
  return URL.parse(address)?.host ?? address
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder)
  const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
  const files = names.flatMap((name, index) => {
    const found = stats[index]
    return found ? [{ name, bytes: found.size, usedAt: found.mtimeMs }] : []
  })
  let bytes = 0
  for (const file of files.sort((a, b) => b.usedAt - a.usedAt)) {
    bytes += file.bytes
    if (bytes > MAX_STORED_BYTES) await rm(join(folder, file.name), { force: true })
  }
}
