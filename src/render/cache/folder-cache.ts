/**
 * The cache for builds of folders: in the user's cache folder, shared by all sites of that user. An entry counts only
 * if it is a file owned by this user whose checksum matches its name and content; otherwise it is treated as missing.
 * Writes are not synced to disk, and two processes may use the cache at once.
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
  /** Maximum size after a build, in bytes. */
  maxBytes?: number
  /** Returns the time in milliseconds. */
  now?: () => number
  /** Returns a number from 0 to 1. */
  random?: () => number
}

const MAX_BYTES = 1024 ** 3
/** A larger file was not written by a build. */
const MAX_FILE_BYTES = 512 << 20
/** Up to this size, writing in a thread costs several times more than writing directly. */
const SMALL_BYTES = 256 * 1024
/** Share of the limit that is left after eviction, so that not every build has to evict. */
const TARGET_SHARE = 0.8
/** A build that adds this share of the limit evicts; one that adds less does so proportionally less often. */
const CLEANUP_CHECK_SHARE = 1 / 256
/** The time of last use is not updated again within this period. */
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

/** Opens a cache for a single build. It is on disk, because that of a large site would fill the memory. */
export async function openTemporaryCache(): Promise<FolderCache> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-build-')).catch(() => null)
  const cache = folder && openFolderCache(folder)
  if (!folder || !cache) return { ...createMemoryCache(), async [Symbol.asyncDispose]() {} }
  const remove = () => rm(folder, { recursive: true, force: true })
  return { ...cache, isTemporary: true, [Symbol.asyncDispose]: remove }
}

/** Two levels, so that no folder contains a hundred thousand files. */
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

/** Returns null for unreadable files. Small files are faster to read synchronously than in the busy thread pool. */
function readStored(place: string, now: number): Uint8Array | null {
  let file: number | null = null
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const stats = fstatSync(file)
    if (!stats.isFile() || !isOwn(stats) || stats.size > MAX_FILE_BYTES) return null
    const stored = readFileSync(file)
    // A time in the future stems from before the clock was set back.
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

/** Writes atomically. A failed write only costs the next build time. */
async function write(place: string, stored: Uint8Array): Promise<void> {
  const part = `${place}.${randomBytes(6).toString('hex')}.part`
  const options = { flag: 'wx', mode: 0o600 }
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    if (stored.byteLength > SMALL_BYTES) {
      await writeFile(part, stored, options)
      await rename(part, place)
    } else {
      writeFileSync(part, stored, options)
      renameSync(part, place)
    }
  } catch {
    remove(part)
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // another process wrote a different entry
  }
}

function removeOldest(folder: string, maxBytes: number, now: number): void {
  const files = listFiles(folder).filter(({ place, usedAt }) => {
    if (!place.endsWith('.part')) return true
    if (Math.abs(now - usedAt) > ABANDONED_AFTER_MS) remove(place)
    return false
  })
  let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= maxBytes) return
  files.sort((one, other) => one.usedAt - other.usedAt)
  for (const { place, sizeBytes } of files) {
    if (bytes <= maxBytes * TARGET_SHARE) return
    remove(place)
    bytes -= sizeBytes
  }
}

/** Lists the files whose names have the format of this cache. */
function listFiles(folder: string): { place: string; sizeBytes: number; usedAt: number }[] {
  return listNames(folder, FOLDER_NAME).flatMap((start) =>
    listNames(join(folder, start), FILE_NAME).flatMap((name) => {
      const place = join(folder, start, name)
      const stats = lstatSync(place, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ place, sizeBytes: stats.size, usedAt: stats.mtimeMs }] : []
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
