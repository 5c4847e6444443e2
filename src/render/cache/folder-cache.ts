/**
 * The cache of builds of folders: below the user's own cache folder, for all sites of that user. An entry is used when it
 * is a file of this user and its checksum fits its name and content; otherwise it is as good as missing. Nothing is forced
 * to disk, and two processes may use it at once.
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
  /** Bytes that may stay when a build ends. */
  mostBytes?: number
  /** Milliseconds. */
  now?: () => number
  /** From 0 to 1. */
  random?: () => number
}

const MOST_BYTES = 1024 ** 3
/** A larger file is none that a build has put there. */
const MOST_FILE_BYTES = 512 << 20
/** Up to here a thread that writes costs several times what the writing does. */
const SMALL_BYTES = 256 * 1024
/** After a removal this share is left, so that not every build has to look for what to remove. */
const SHARE_LEFT = 0.8
/** Added by one build: then it looks for what to remove. One that adds less does so as much more rarely. */
const LOOKED_SHARE = 1 / 256
/** A file that was used within this time is not marked as used again. */
const MARK_AFTER_MS = 24 * 3_600_000
const FOLDER_NAME = /^[0-9a-f]{2}$/
const FILE_NAME = /^[0-9a-f]{62}(?:\.[0-9a-f]{12}\.part)?$/
const ABANDONED_AFTER_MS = 3_600_000

/** Null where the folder cannot be written, or is not the user's alone. */
export function openFolderCache(
  folder: string,
  { mostBytes = MOST_BYTES, now = Date.now, random = Math.random }: FolderCacheOptions = {},
): FolderCache | null {
  if (!isOwnFolder(folder)) return null
  let grownBytes = 0
  return {
    isEmpty: namesIn(folder, FOLDER_NAME).length === 0,
    read: async (name) => {
      const key = entryName(name)
      const stored = readStored(placeOf(folder, key), now())
      return stored && unsealed(key, stored)
    },
    put: async (name, content) => {
      const key = entryName(name)
      const stored = seal(key, content)
      grownBytes += stored.byteLength
      await write(placeOf(folder, key), stored)
    },
    [Symbol.asyncDispose]: async () => {
      if (grownBytes > random() * mostBytes * LOOKED_SHARE) removeOldest(folder, mostBytes, now())
    },
  }
}

/** For one build that neither finds nor leaves anything: on disk, since that of a large site would fill the memory. */
export async function openTemporaryCache(): Promise<FolderCache> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-build-')).catch(() => null)
  const cache = folder && openFolderCache(folder)
  if (!folder || !cache) return { ...createMemoryCache(), async [Symbol.asyncDispose]() {} }
  const remove = () => rm(folder, { recursive: true, force: true })
  return { ...cache, isTemporary: true, [Symbol.asyncDispose]: remove }
}

/** Two levels, so that no folder holds a hundred thousand files. */
function placeOf(folder: string, key: string): string {
  return join(folder, key.slice(0, 2), key.slice(2))
}

function isOwnFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const about = lstatSync(folder)
    return about.isDirectory() && isOwn(about) && (about.mode & 0o022) === 0
  } catch {
    return false
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === (process.getuid?.() ?? uid)
}

/** Null for what cannot be read. Small files are read faster here than by the threads that others wait for. */
function readStored(place: string, now: number): Uint8Array | null {
  let file: number | null = null
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const about = fstatSync(file)
    if (!about.isFile() || !isOwn(about) || about.size > MOST_FILE_BYTES) return null
    const stored = readFileSync(file)
    // A time in the future is of before the clock was set back.
    if (Math.abs(now - about.mtimeMs) >= MARK_AFTER_MS) futimesSync(file, now / 1000, now / 1000)
    return stored
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

function unsealed(key: string, stored: Uint8Array): Uint8Array | null {
  try {
    return unseal(key, stored)
  } catch (error) {
    if (error instanceof ObjectDamagedError) return null
    throw error
  }
}

/** Under its name all at once, or not at all: what cannot be written costs the next build time, and this one nothing. */
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
    // another process has put something else there
  }
}

function removeOldest(folder: string, mostBytes: number, now: number): void {
  const files = filesOf(folder).filter(({ place, usedAt }) => {
    if (!place.endsWith('.part')) return true
    if (Math.abs(now - usedAt) > ABANDONED_AFTER_MS) remove(place)
    return false
  })
  let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= mostBytes) return
  files.sort((one, other) => one.usedAt - other.usedAt)
  for (const { place, sizeBytes } of files) {
    if (bytes <= mostBytes * SHARE_LEFT) return
    remove(place)
    bytes -= sizeBytes
  }
}

/** Those whose names only this cache gives. */
function filesOf(folder: string): { place: string; sizeBytes: number; usedAt: number }[] {
  return namesIn(folder, FOLDER_NAME).flatMap((start) =>
    namesIn(join(folder, start), FILE_NAME).flatMap((name) => {
      const place = join(folder, start, name)
      const about = lstatSync(place, { throwIfNoEntry: false })
      return about?.isFile() ? [{ place, sizeBytes: about.size, usedAt: about.mtimeMs }] : []
    }),
  )
}

function namesIn(folder: string, form: RegExp): string[] {
  try {
    if (!lstatSync(folder).isDirectory()) return []
    return readdirSync(folder).filter((name) => form.test(name))
  } catch {
    return []
  }
}
