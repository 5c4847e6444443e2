/** A folder on disk as a FileTree: its files at the time of opening, each identified by its SHA-256. */
import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  createReadStream,
  type Dirent,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { mapBounded } from '../bounded.ts'
import { sha256 } from '../hash.ts'
import { unlessOfTheFile } from '../machinery-error.ts'
import { type FileEntry, FileMissingError, type FileTree } from './file-tree.ts'

/** Folders that are never part of a site, at any depth. */
const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])
const MAX_FILES = 200_000
/** Maximum number of visited files, folders and links, counted once per link that leads to them. */
const MAX_VISITED = 500_000
/** Maximum number of followed links to folders, which multiply what is below them. */
const MAX_FOLDER_LINKS = 2000
/** Number of synchronously processed files before yielding to other work. */
const FILES_AT_A_TIME = 64
/** Larger files are hashed in chunks. */
const WHOLE_READ_BYTES = 8 << 20

export class FolderUnreadableError extends Error {
  override name = 'FolderUnreadableError'
}

export class FileChangedError extends Error {
  override name = 'FileChangedError'
  readonly path: string
  constructor(path: string) {
    super(`the file ${path} changed while the folder was being read`)
    this.path = path
  }
}

/** Remembers the digests of a folder's files, so that reopening reads only files that have changed. */
export interface FolderMemory {
  /** Returns null if the file is unknown or has changed. */
  find(place: string, about: AboutFile): FileEntry | null
  keep(place: string, about: AboutFile, entry: FileEntry): void
}

/** File status, with times in nanoseconds. */
type AboutFile = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs'>

/** A file modified this recently before its stat may change again without a new mtime. */
const UNSETTLED_NS = 2_000_000_000n

export function createFolderMemory(): FolderMemory {
  const known = new Map<string, { stamp: string; entry: FileEntry }>()
  return {
    find(place, about) {
      const before = known.get(place)
      return before?.stamp === stampOf(about) ? before.entry : null
    },
    keep(place, about, entry) {
      const settledBefore = BigInt(Date.now()) * 1_000_000n - UNSETTLED_NS
      if (about.ctimeNs < settledBefore && about.mtimeNs < settledBefore)
        known.set(place, { stamp: stampOf(about), entry })
      else known.delete(place)
    },
  }
}

function stampOf({ size, mtimeNs, ino, ctimeNs }: AboutFile): string {
  return `${size} ${mtimeNs} ${ino} ${ctimeNs}`
}

interface FoundFile {
  path: string
  /** Absolute path of the content, without symlinks. */
  place: string
}

interface Walk {
  root: string
  /** Use synchronous file system calls: for many small files, asynchronous waits take most of the time. */
  isSync: boolean
  visited: number
  folderLinks: number
  files: FoundFile[]
  refused: { path: string; reason: FileTree['refused'][number]['reason'] }[]
}

/**
 * Reads and hashes every file below `folder`, then serves them. With a memory, this is synchronous and blocks the
 * process. Symlinks that stay inside count as their targets; the others are listed in `refused`. `read` returns the
 * bytes that were hashed, or rejects with FileChangedError. Rejects with FolderUnreadableError if the folder is
 * missing, is not a folder, holds more than 200,000 files, or is endless because of links to folders that contain
 * links.
 */
export async function openFolderTree(folder: string, memory?: FolderMemory): Promise<FileTree> {
  const root = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    unlessOfTheFile(error)
    throw new FolderUnreadableError(`There is no folder ${folder}. Check the path.`)
  })
  if (!(await stat(root)).isDirectory())
    throw new FolderUnreadableError(`${folder} is not a folder. Name the folder that it lies in.`)
  const walk: Walk = {
    root,
    isSync: memory !== undefined,
    visited: 0,
    folderLinks: 0,
    files: [],
    refused: [],
  }
  await walkFolder(walk, root, '', [root])
  walk.files.sort((a, b) => (a.path < b.path ? -1 : 1))

  const places = new Map<string, string>()
  const files = new Map<string, FileEntry>()
  const entries = await findEntries(walk.files, memory)
  for (const { path, place } of walk.files) {
    const entry = entries.get(place)
    if (entry) {
      places.set(path, place)
      files.set(path, entry)
    } else walk.refused.push({ path, reason: 'not_a_file' })
  }
  walk.refused.sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    revision: contentRevision(files),
    files,
    refused: walk.refused,
    async read(path) {
      const entry = files.get(path)
      const place = places.get(path)
      if (!entry || !place) throw new FileMissingError(path)
      const bytes = await readWhole(place, walk.isSync).catch(unlessOfTheFile)
      if (!bytes || sha256(bytes) !== entry.digest) throw new FileChangedError(path)
      return bytes
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** Returns the revision of a tree without a commit, which depends only on paths and bytes. */
export function contentRevision(files: ReadonlyMap<string, FileEntry>): string {
  const digest = createHash('sha256')
  for (const [path, entry] of files) digest.update(`${entry.digest} ${path}\0`)
  return `content:${digest.digest('hex')}`
}

/**
 * Visits a folder recursively. `above` holds the real paths of parents: a link back to one of them would never end.
 */
async function walkFolder(walk: Walk, place: string, path: string, above: readonly string[]): Promise<void> {
  const children = await listFolder(walk, place)
  if (!children) {
    if (path === '')
      throw new FolderUnreadableError(
        `The folder ${place} cannot be read. Give this user the right to read it.`,
      )
    return void walk.refused.push({ path, reason: 'not_a_file' })
  }
  const folders: { place: string; path: string }[] = []
  for (const child of children) {
    if (SKIPPED.has(child.name)) continue
    if (++walk.visited > MAX_VISITED) throw tooManyLinks(walk)
    const childPath = path === '' ? child.name : `${path}/${child.name}`
    const found = lookAtOnce(place, child) ?? (await look(walk.root, join(place, child.name), child, above))
    if (typeof found === 'string') walk.refused.push({ path: childPath, reason: found })
    else if (found.isFolder) {
      if (child.isSymbolicLink() && ++walk.folderLinks > MAX_FOLDER_LINKS) throw tooManyLinks(walk)
      folders.push({ place: found.place, path: childPath })
    } else walk.files.push({ path: childPath, place: found.place })
  }
  if (walk.files.length > MAX_FILES) {
    throw new FolderUnreadableError(
      `The folder ${walk.root} holds more than ${MAX_FILES} files. Name the folder of the docs alone, or list the rest in .mintignore.`,
    )
  }
  for (const folder of folders) await walkFolder(walk, folder.place, folder.path, [...above, folder.place])
}

function tooManyLinks({ root }: Walk): FolderUnreadableError {
  return new FolderUnreadableError(
    `The folder ${root} holds folders without end when its symbolic links are followed. Remove links to folders that hold links to folders.`,
  )
}

/** Returns undefined if the folder cannot be read. */
async function listFolder({ isSync }: Walk, place: string): Promise<Dirent[] | undefined> {
  try {
    return isSync
      ? readdirSync(place, { withFileTypes: true })
      : await readdir(place, { withFileTypes: true })
  } catch (error) {
    return unlessOfTheFile(error as NodeJS.ErrnoException)
  }
}

/** Classifies files and folders. Returns null for entries that need a closer look, such as symlinks. */
function lookAtOnce(folder: string, child: Dirent): { place: string; isFolder: boolean } | null {
  if (child.isFile()) return { place: join(folder, child.name), isFolder: false }
  return child.isDirectory() ? { place: join(folder, child.name), isFolder: true } : null
}

async function look(
  root: string,
  place: string,
  child: Dirent,
  above: readonly string[],
): Promise<{ place: string; isFolder: boolean } | FileTree['refused'][number]['reason']> {
  if (!child.isSymbolicLink()) return 'not_a_file'
  const target = await realpath(place).catch(unlessOfTheFile)
  if (!target) return 'symlink_broken'
  if (target !== root && !target.startsWith(root + sep)) return 'symlink_outside'
  const isSkipped = target
    .slice(root.length)
    .split(sep)
    .some((name) => SKIPPED.has(name))
  if (isSkipped) return 'symlink_outside'
  if (above.includes(target)) return 'symlink_broken'
  const kind = await stat(target).catch(unlessOfTheFile)
  if (kind?.isDirectory()) return { place: target, isFolder: true }
  return kind?.isFile() ? { place: target, isFolder: false } : 'not_a_file'
}

/** Returns entries by real path, without files that have become missing or unreadable since they were listed. */
async function findEntries(
  files: readonly FoundFile[],
  memory: FolderMemory | undefined,
): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>()
  const unknown: string[] = []
  for (const { place } of files) {
    const about = memory && statSync(place, { bigint: true, throwIfNoEntry: false })
    const known = about && memory.find(place, about)
    if (known) entries.set(place, known)
    else unknown.push(place)
  }
  await mapBounded(unknown, 32, async (place, index) => {
    if (memory && index % FILES_AT_A_TIME === 0) await setImmediate()
    const entry = await hashFile(place, memory)
    if (entry) entries.set(place, entry)
  })
  return entries
}

async function hashFile(place: string, memory?: FolderMemory): Promise<FileEntry | undefined> {
  try {
    const about = await stat(place, { bigint: true })
    const entry =
      about.size > WHOLE_READ_BYTES ? await hashPieces(place) : await hashWhole(place, memory !== undefined)
    memory?.keep(place, about, entry)
    return entry
  } catch (error) {
    return unlessOfTheFile(error as NodeJS.ErrnoException) // missing or unreadable since it was listed
  }
}

async function hashWhole(place: string, isSync: boolean): Promise<FileEntry> {
  const bytes = await readWhole(place, isSync)
  return { sizeBytes: bytes.length, digest: sha256(bytes) }
}

async function hashPieces(place: string): Promise<FileEntry> {
  const digest = createHash('sha256')
  let sizeBytes = 0
  const stream = createReadStream(place, { highWaterMark: 1 << 20 })
  for await (const piece of stream as AsyncIterable<Buffer>) {
    digest.update(piece)
    sizeBytes += piece.length
  }
  return { sizeBytes, digest: digest.digest('hex') }
}

/** Does not follow a symlink or block on a pipe that has replaced the file. */
async function readWhole(place: string, isSync: boolean): Promise<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  if (isSync) {
    const file = openSync(place, flags)
    try {
      return readFileSync(file)
    } finally {
      closeSync(file)
    }
  }
  await using file = await open(place, flags)
  return await file.readFile()
}
