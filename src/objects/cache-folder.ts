/**
 * A folder of what can be made again, for builds and checks of a folder of docs: what lies there is used when its seal
 * fits its name and is otherwise as good as missing. Nothing is forced to disk. Two processes may use one folder.
 *
 * The folder lies among files that may be a stranger's, so nothing but files of this cache is ever written or removed,
 * and never through a symbolic link.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { access, lstat, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sha256 } from '../base/hash.ts'
import { checkKey } from './object-key.ts'
import { OBJECT_KINDS, seal, sealIn, unseal } from './object-kinds.ts'
import {
  DEFAULT_CONTENT_TYPE,
  type ObjectCache,
  ObjectMissingError,
  type StoredObject,
} from './object-store.ts'

export interface CacheFolder extends ObjectCache {
  /** Nothing was kept there before. */
  readonly isNew: boolean
  /** Removes what was not used for longest, until the folder is small enough. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface CacheFolderOptions {
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
/** What is removed at a time, so that not every build has to look for what to remove. */
const KEPT_SHARE = 0.8
/** Added by one run: then it looks for what to remove. Who adds less does so as much more rarely. */
const LOOKED_SHARE = 1 / 256
/** A file that was used within this time is not marked as used again. */
const MARK_AFTER_MS = 24 * 3_600_000
/** Of a name: what ends so is being written, or was when a process ended. */
const PART = '.part'
const KEPT_NAME = /^[0-9a-f]{62}(?:\.[0-9a-f]{12}\.part)?$/
const ABANDONED_AFTER_MS = 3_600_000

/** Null where nothing can be kept: the folder cannot be written, or leads elsewhere. */
export async function openCacheFolder(
  folder: string,
  { mostBytes = MOST_BYTES, now = Date.now, random = Math.random }: CacheFolderOptions = {},
): Promise<CacheFolder | null> {
  const isNew = !existsSync(folder)
  if (!(await makeFolder(folder))) return null
  const makeParents = parentMaker()
  /** Keys of what counts as used, and was not read. */
  const used = new Set<string>()
  let grownBytes = 0

  /** Two levels, so that no folder holds a hundred thousand files. */
  const placeOf = (key: string) => {
    const digest = sha256(checkKey(key))
    return join(folder, key.split('/', 1)[0] as string, digest.slice(0, 2), digest.slice(2))
  }

  /** With its seal, which fits. */
  const readStored = (key: string): { stored: Uint8Array; bytes: Uint8Array } => {
    const stored = readKept(placeOf(key), now())
    if (stored === null) throw new ObjectMissingError(key)
    return { stored, bytes: unseal(key, stored) }
  }

  return {
    isNew,
    isSealed: true,
    read: async (key) => readStored(key).bytes,
    markUsed: (key) => void used.add(key),
    head: async (key) => {
      try {
        const { stored, bytes } = readStored(key)
        return { ...factsOf(key, bytes, stored), sha256: sha256(bytes), modifiedAt: new Date(now()) }
      } catch {
        return null
      }
    },
    put: async (key, body) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array(await buffer(body))
      const stored = seal(key, bytes)
      const place = placeOf(key)
      const before = statOf(place)?.size
      grownBytes += before === undefined ? bytes.byteLength : stored.byteLength - before
      // What cannot be kept costs the next build time, and this one nothing.
      if (makeParents(place)) await write(place, stored)
      return factsOf(key, bytes, stored)
    },
    [Symbol.asyncDispose]: async () => {
      if (grownBytes > random() * mostBytes * LOOKED_SHARE)
        await removeOldest({ folder, mostBytes, used: new Set([...used].map(placeOf)), now: now() })
    },
  }
}

function factsOf(key: string, bytes: Uint8Array, stored: Uint8Array): StoredObject {
  const etag = `"${Buffer.from(sealIn(stored)).toString('hex')}"`
  return { key, sizeBytes: bytes.byteLength, etag, contentType: DEFAULT_CONTENT_TYPE }
}

async function makeFolder(folder: string): Promise<boolean> {
  try {
    makePlain(dirname(folder))
    makePlain(folder)
    // Nobody is to commit it.
    const ignored = join(folder, '.gitignore')
    if ((await lstat(ignored).catch(() => null)) === null)
      await writeFile(ignored, '*\n', { flag: 'wx', mode: 0o600 })
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Of the place of a file; false when they cannot be made. */
function parentMaker(): (place: string) => boolean {
  const made = new Set<string>()
  return (place) => {
    const parent = dirname(place)
    if (made.has(parent)) return true
    try {
      makePlain(dirname(parent))
      makePlain(parent)
    } catch {
      return false
    }
    made.add(parent)
    return true
  }
}

/** Throws when it is no folder itself, or cannot be made. */
function makePlain(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // it is there, or the next line says so
  }
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is no folder`)
}

/** Under its name all at once, or not at all. */
async function write(place: string, stored: Uint8Array): Promise<void> {
  const part = `${place}.${randomBytes(6).toString('hex')}${PART}`
  const options = { flag: 'wx', mode: 0o600 }
  try {
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

/** Null for what cannot be read. Thousands of small files are read faster here than by the threads that others wait for. */
function readKept(place: string, now: number): Uint8Array | null {
  let file: number | null = null
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = fstatSync(file)
    // A device has no end.
    if (!found.isFile() || found.size > MOST_FILE_BYTES) return null
    const stored = readFileSync(file)
    if (isMarkedLongAgo(found.mtimeMs, now)) markUsed(file, now)
    return stored
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

function isMarkedLongAgo(usedAt: number, now: number): boolean {
  return now - usedAt >= MARK_AFTER_MS
}

function markUsed(file: number, now: number): void {
  try {
    futimesSync(file, now / 1000, now / 1000)
  } catch {
    // of another user: it is as good
  }
}

interface KeptFile {
  place: string
  sizeBytes: number
  usedAt: number
}

interface Removal {
  folder: string
  mostBytes: number
  used: ReadonlySet<string>
  now: number
}

async function removeOldest({ folder, mostBytes, used, now }: Removal): Promise<void> {
  const files: KeptFile[] = []
  for await (const file of keptFiles(folder)) {
    if (used.has(file.place)) files.push(usedNow(file, now))
    else if (!file.place.endsWith(PART)) files.push(file)
    else if (now - file.usedAt > ABANDONED_AFTER_MS) remove(file.place)
  }
  let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= mostBytes) return
  files.sort((one, other) => one.usedAt - other.usedAt)
  for (const { place, sizeBytes } of files) {
    if (bytes <= mostBytes * KEPT_SHARE) return
    remove(place)
    bytes -= sizeBytes
  }
}

function usedNow({ place, sizeBytes, usedAt }: KeptFile, now: number): KeptFile {
  try {
    if (isMarkedLongAgo(usedAt, now)) lutimesSync(place, now / 1000, now / 1000)
  } catch {
    // of another user: this run knows it
  }
  return { place, sizeBytes, usedAt: now }
}

/** Files whose place only this cache gives. */
async function* keptFiles(folder: string): AsyncGenerator<KeptFile> {
  for (const kind of Object.keys(OBJECT_KINDS)) {
    for (const start of await namesIn(join(folder, kind), /^[0-9a-f]{2}$/)) {
      for (const name of await namesIn(join(folder, kind, start), KEPT_NAME)) {
        const place = join(folder, kind, start, name)
        const found = statOf(place)
        if (found?.isFile()) yield { place, sizeBytes: found.size, usedAt: found.mtimeMs }
      }
    }
  }
}

/** Null for what cannot be looked at. Without threads, as in `readKept`. */
function statOf(place: string): Stats | null {
  try {
    return lstatSync(place)
  } catch {
    return null
  }
}

async function namesIn(folder: string, form: RegExp): Promise<string[]> {
  const about = await lstat(folder).catch(() => null)
  if (!about?.isDirectory()) return []
  return (await readdir(folder).catch(() => [])).filter((name) => form.test(name))
}
