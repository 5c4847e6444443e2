/**
 * Cache for builds of folders, in the user's cache folder and shared by all of the user's sites. Ignores
 * entries that are not owned by the user or whose checksum does not match name and content. Writes are not
 * synced to disk. Several processes may use the cache at the same time.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { entryName, type ObjectCache } from '../../objects/object-cache.ts'
import { seal, unseal } from '../../objects/object-kinds.ts'
import { ObjectDamagedError } from '../../objects/object-store.ts'
import { createMemoryCache } from './memory-cache.ts'

export type FolderCache = ObjectCache & AsyncDisposable

export interface FolderCacheOptions {
  /** Maximum size in bytes after a build. */
  maxBytes?: number
  /** Milliseconds. */
  now?: () => number
  random?: () => number
}

const MAX_BYTES = 1024 ** 3
/** Maximum size of an entry. Larger files were not written by a build. */
const MAX_FILE_BYTES = 512 << 20
/** Smaller entries are written synchronously, which is several times faster than in a thread. */
const SMALL_BYTES = 256 * 1024
/** Share of the limit that remains after eviction, so that not every build evicts. */
const TARGET_SHARE = 0.8
/**
 * A build that adds at least this share of the limit always evicts. A build that adds less evicts with
 * proportional probability.
 */
const CLEANUP_CHECK_SHARE = 1 / 256
/** Interval for updating the time of last use. */
const TOUCH_AFTER_MS = 24 * 3_600_000
const FOLDER_NAME = /^[0-9a-f]{2}$/
const FILE_NAME = /^[0-9a-f]{62}(?:\.[0-9a-f]{12}\.part)?$/
const ABANDONED_AFTER_MS = 3_600_000

/** Returns null if the folder is not writable or is accessible to other users. */
export function openFolderCache(
  folder: string,
  { maxBytes = MAX_BYTES, now = Date.now, random = Math.random }: FolderCacheOptions = {},
): FolderCache | null {
  if (!isOwnFolder(folder)) return null
  let grownBytes = 0
  return {
    isEmpty: listNames(folder, FOLDER_NAME).length === 0,
    read: async (name) => {
      const key = entryName(name)
      const stored = readStored(getEntryPath(folder, key), now())
      return stored && unsealEntry(key, stored)
    },
    put: async (name, content) => {
      const key = entryName(name)
      const stored = seal(key, content)
      grownBytes += stored.byteLength
      await write(getEntryPath(folder, key), stored)
    },
    [Symbol.asyncDispose]: async () => {
      if (grownBytes > random() * maxBytes * CLEANUP_CHECK_SHARE) removeOldest(folder, maxBytes, now())
    },
  }
}

/** Opens a cache for a single build. Stored on disk, because a large site would not fit in memory. */
export async function openTemporaryCache(): Promise<FolderCache> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-build-')).catch(() => null)
  const cache = folder && openFolderCache(folder)
  if (!folder || !cache) return { ...createMemoryCache(), async [Symbol.asyncDispose]() {} }
  const remove = () => rm(folder, { recursive: true, force: true })
  return { ...cache, isTemporary: true, [Symbol.asyncDispose]: remove }
}

/** Returns a path with two levels, to limit the number of files per folder. */
function getEntryPath(folder: string, key: string): string {
  return join(folder, key.slice(0, 2), key.slice(2))
}

function isOwnFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stats = lstatSync(folder)
    return stats.isDirectory() && isOwn(stats) && (stats.mode & 0o022) === 0
  } catch {
    return false
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === (process.getuid?.() ?? uid)
}

/**
 * Returns null for unreadable files. Reads synchronously, because the thread pool is busy and most files are
 * small.
 */
function readStored(path: string, now: number): Uint8Array | null {
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const stats = fstatSync(file)
    if (!stats.isFile() || !isOwn(stats) || stats.size > MAX_FILE_BYTES) return null
    const stored = readFileSync(file)
    // Also updates a time in the future, from before the clock was set back.
    if (Math.abs(now - stats.mtimeMs) >= TOUCH_AFTER_MS) futimesSync(file, now / 1000, now / 1000)
    return stored
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

function unsealEntry(key: string, stored: Uint8Array): Uint8Array | null {
  try {
    return unseal(key, stored)
  } catch (error) {
    if (error instanceof ObjectDamagedError) return null
    throw error
  }
}

/** Writes atomically. Ignores errors, because a missing entry only slows down the next build. */
async function write(path: string, stored: Uint8Array): Promise<void> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  const options = { flag: 'wx', mode: 0o600 }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (stored.byteLength > SMALL_BYTES) {
      await writeFile(part, stored, options)
      await rename(part, path)
    } else {
      writeFileSync(part, stored, options)
      renameSync(part, path)
    }
  } catch {
    remove(part)
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // the next eviction tries again
  }
}

function removeOldest(folder: string, maxBytes: number, now: number): void {
  const files = listFiles(folder).filter(({ path, usedAt }) => {
    if (!path.endsWith('.part')) return true
    if (Math.abs(now - usedAt) > ABANDONED_AFTER_MS) remove(path)
    return false
  })
  let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= maxBytes) return
  files.sort((one, other) => one.usedAt - other.usedAt)
  for (const { path, sizeBytes } of files) {
    if (bytes <= maxBytes * TARGET_SHARE) return
    remove(path)
    bytes -= sizeBytes
  }
}

function listFiles(folder: string): { path: string; sizeBytes: number; usedAt: number }[] {
  return listNames(folder, FOLDER_NAME).flatMap((start) =>
    listNames(join(folder, start), FILE_NAME).flatMap((name) => {
      const path = join(folder, start, name)
      const stats = lstatSync(path, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ path, sizeBytes: stats.size, usedAt: stats.mtimeMs }] : []
    }),
  )
}

function listNames(folder: string, pattern: RegExp): string[] {
  try {
    if (!lstatSync(folder).isDirectory()) return []
    return readdirSync(folder).filter((name) => pattern.test(name))
  } catch {
    return []
  }
}
