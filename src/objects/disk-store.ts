/**
 * Stores objects in a folder on this machine or on a shared file system. Objects are written to `temporary/`,
 * synced, and renamed into `objects/`; then the rename is synced. Readers see either the old or the new
 * object in full, and an object for which `put` has resolved survives a power failure.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { sha256 } from '../base/hash.ts'
import { decodeTrailer, encodeTrailer, type ObjectFacts, readFacts, TRAILER_BYTES } from './object-file.ts'
import { checkKey, checkPrefix } from './object-key.ts'
import {
  clampRange,
  DEFAULT_CONTENT_TYPE,
  type FoundObject,
  type ListedObject,
  ObjectDamagedError,
  ObjectMissingError,
  type ObjectStore,
  type PresignOptions,
  type PutOptions,
  type StoredObject,
} from './object-store.ts'
import { checkSecret, makeLink } from './presigned-link.ts'

export interface DiskStoreOptions {
  /** Created if missing. Reserved for this store. */
  folder: string
  /** URL that serves `/_octavo/objects/`, for links. */
  publicUrl: string
  /** Signs links. At least 16 bytes. */
  secret: string | Uint8Array
  /** Milliseconds. Determines the expiry of links. */
  now?: () => number
}

// Keys cannot contain `@`, so the file for `a` does not conflict with the folder for `a/b`.
const SUFFIX = '@'
// A write by another machine is considered abandoned if it has made no progress for this long.
const ABANDONED_AFTER_MS = 3_600_000
const PROCESS_START = Math.round(performance.timeOrigin).toString(36)
const HOST = sha256(hostname()).slice(0, 8)
const MAX_KNOWN_FOLDERS = 10_000

export async function openDiskStore(options: DiskStoreOptions): Promise<ObjectStore> {
  checkSecret(options.secret)
  const objects = join(options.folder, 'objects')
  const temporary = join(options.folder, 'temporary')
  await mkdir(objects, { recursive: true, mode: 0o700 })
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  await removeAbandoned(temporary)
  const syncFolder = createFolderSync()
  await syncFolder(options.folder)
  const folders = createFolders(objects, syncFolder)
  const pathOf = (key: string) => join(objects, checkKey(key) + SUFFIX)

  return {
    async put(key: string, body: Uint8Array | Readable, put: PutOptions = {}): Promise<StoredObject> {
      const path = pathOf(key)
      const name = `${HOST}-${process.pid}-${PROCESS_START}-${randomBytes(8).toString('hex')}`
      const part = join(temporary, name)
      const contentType = put.contentType ?? DEFAULT_CONTENT_TYPE
      try {
        const facts = await writeObject(part, body, contentType)
        await folders.moveIntoPlace(part, path)
        await syncFolder(dirname(path))
        return toStored(key, facts)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },

    async head(key: string): Promise<FoundObject | null> {
      await using file = await findObject(pathOf(key))
      if (file === undefined) return null
      const { facts, modifiedAt } = await readFacts(file)
      if (facts === null) throw damaged(key)
      return { ...toStored(key, facts), sha256: facts.sha256, modifiedAt }
    },

    get: async (key, range) => streamObject(key, await openObject(key, pathOf(key)), range),
    read: async (key) => readObject(key, await openObject(key, pathOf(key))),

    async delete(key: string): Promise<void> {
      const path = pathOf(key)
      await unlink(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
      await folders.removeEmptied(dirname(path))
    },

    async *list(prefix: string): AsyncGenerator<ListedObject> {
      yield* listFolderObjects(objects, '', checkPrefix(prefix))
    },

    async presign(key: string, presign: PresignOptions) {
      return makeLink(options, checkKey(key), presign, options.now?.())
    },

    async [Symbol.asyncDispose]() {},
  }
}

function createFolders(objects: string, syncFolder: (folder: string) => Promise<void>) {
  /** Folders that exist and whose directory entry is synced. */
  const known = new Map<string, Promise<void>>([[objects, Promise.resolve()]])

  function ensure(folder: string): Promise<void> {
    const promise = known.get(folder)
    if (promise !== undefined) return promise
    const made = ensure(dirname(folder))
      .then(() => mkdir(folder, { mode: 0o700 }).catch(ignoreCodes('EEXIST')))
      .then(() => syncFolder(dirname(folder)))
    if (known.size > MAX_KNOWN_FOLDERS) forget()
    known.set(folder, made)
    made.catch(() => known.delete(folder))
    return made
  }

  function forget(): void {
    known.clear()
    known.set(objects, Promise.resolve())
  }

  return {
    // Recreates folders that another process may have removed because they were empty.
    async moveIntoPlace(from: string, to: string): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        try {
          await ensure(dirname(to))
          await rename(from, to)
          return
        } catch (error) {
          if (!hasCode(error, 'ENOENT') || attempt === 5) throw error
          forget()
        }
      }
    },

    /** Removes a folder and then its parents, up to the first one that is not empty. */
    async removeEmptied(first: string): Promise<void> {
      for (let folder = first; folder !== objects; folder = dirname(folder)) {
        known.delete(folder)
        const isRemoved = await rmdir(folder).then(
          () => true,
          () => false,
        )
        if (!isRemoved) return
      }
    },
  }
}

function findObject(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch(ignoreCodes('ENOENT', 'ENOTDIR'))
}

async function openObject(key: string, path: string): Promise<FileHandle> {
  const file = await findObject(path)
  if (file === undefined) throw new ObjectMissingError(key)
  return file
}

/** Returns a stream that closes `file` at its end. */
async function streamObject(
  key: string,
  file: FileHandle,
  range?: { start: number; end: number },
): Promise<Readable> {
  try {
    const { facts } = await readFacts(file)
    if (facts === null) throw damaged(key)
    const { start, end } = clampRange(facts.sizeBytes, range)
    if (end >= start) return file.createReadStream({ start, end, highWaterMark: 256 * 1024 })
    await file.close()
    return Readable.from([])
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readObject(key: string, opened: FileHandle): Promise<Uint8Array> {
  await using file = opened
  const bytes = await file.readFile()
  const facts = decodeTrailer(bytes.subarray(-TRAILER_BYTES), bytes.length)
  if (facts === null) throw damaged(key)
  const body = bytes.subarray(0, facts.sizeBytes)
  if (sha256(body) !== facts.sha256)
    throw new ObjectDamagedError(key, 'its bytes differ from those that were stored')
  return body
}

async function writeObject(
  path: string,
  body: Uint8Array | Readable,
  contentType: string,
): Promise<ObjectFacts> {
  await using file = await open(path, 'wx', 0o600)
  const facts =
    body instanceof Uint8Array
      ? await writeBytes(file, body, contentType)
      : await writeStream(file, body, contentType)
  await file.sync()
  return facts
}

async function writeBytes(file: FileHandle, body: Uint8Array, contentType: string): Promise<ObjectFacts> {
  const facts = { sizeBytes: body.byteLength, sha256: sha256(body), contentType }
  const trailer = encodeTrailer(facts)
  const { bytesWritten } = await file.writev([body, trailer])
  // A single write may be incomplete, for example near 2 GiB. In this case, starts over with several writes.
  if (bytesWritten < body.byteLength + trailer.byteLength) {
    await file.truncate(0)
    await writeAll(file, body, 0)
    await writeAll(file, trailer, body.byteLength)
  }
  return facts
}

async function writeStream(file: FileHandle, body: Readable, contentType: string): Promise<ObjectFacts> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array)
    hash.update(bytes)
    await writeAll(file, bytes, sizeBytes)
    sizeBytes += bytes.byteLength
  }
  const facts = { sizeBytes, sha256: hash.digest('hex'), contentType }
  await writeAll(file, encodeTrailer(facts), sizeBytes)
  return facts
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done)
    done += bytesWritten
  }
}

// Lists folders in the order of the keys that they contain: `a/…` comes after `a-b` and `a.b`.
async function* listFolderObjects(
  folder: string,
  path: string,
  prefix: string,
): AsyncGenerator<ListedObject> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(ignoreCodes('ENOENT'))) ?? []
  const names = entries
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name.slice(0, -SUFFIX.length)))
    .sort()
  for (const name of names) {
    const key = path + name
    if (!key.startsWith(prefix) && !prefix.startsWith(key)) continue
    if (name.endsWith('/')) {
      yield* listFolderObjects(join(folder, name), key, prefix)
    } else if (key.startsWith(prefix)) {
      const found = await stat(join(folder, name + SUFFIX)).catch(ignoreCodes('ENOENT'))
      if (found !== undefined)
        yield { key, sizeBytes: found.size - TRAILER_BYTES, modifiedAt: new Date(found.mtimeMs) }
    }
  }
}

// Removes partial files of killed processes. Another process may be writing to the folder, so a file is only
// removed if its writer is known to be dead, or after an hour without changes.
async function removeAbandoned(temporary: string): Promise<void> {
  for (const name of await readdir(temporary)) {
    const path = join(temporary, name)
    const [host, pid, start] = name.split('-')
    const found = await stat(path).catch(ignoreCodes('ENOENT'))
    if (found === undefined) continue
    const isDead = host === HOST && !isRunning(Number(pid), start)
    if (isDead || Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
}

function isRunning(pid: number, start: string | undefined): boolean {
  if (pid === process.pid) return start === PROCESS_START
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function damaged(key: string): ObjectDamagedError {
  return new ObjectDamagedError(key, 'the trailer of its file is invalid')
}

function toStored(key: string, facts: ObjectFacts): StoredObject {
  return { key, sizeBytes: facts.sizeBytes, etag: `"${facts.sha256}"`, contentType: facts.contentType }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

function ignoreCodes(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error
  }
}

/** Resolves when all previous changes in the folder are on disk. */
type FolderSync = (folder: string) => Promise<void>

/** Makes renames durable with an fsync of the folder. Concurrent callers share one fsync. */
function createFolderSync(): FolderSync {
  // A call during an fsync joins the next one, since the current one may not cover its change.
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()

  function start(folder: string): Promise<void> {
    const run = syncFolder(folder).finally(() => running.delete(folder))
    running.set(folder, run)
    return run
  }

  return (folder) => {
    const current = running.get(folder)
    if (current === undefined) return start(folder)
    const waiting = next.get(folder)
    if (waiting !== undefined) return waiting
    const after = current
      .catch(() => undefined)
      .then(() => {
        next.delete(folder)
        return start(folder)
      })
    next.set(folder, after)
    return after
  }
}

// Ignores a missing folder, which needs no sync.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(ignoreMissing)
  if (handle === undefined) return
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
