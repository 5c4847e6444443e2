/** A folder on disk as a FileTree: its files as they are at the moment of opening, each known by its SHA-256. */
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

/** Folders that never belong to a site, wherever they lie. */
const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])
const MAX_FILES = 200_000
/** Files, folders and links that are looked at, each as often as links lead to it. */
const MAX_VISITED = 500_000
/** Links to folders, each as often as another leads to it: they multiply what is below them. */
const MAX_FOLDER_LINKS = 2000
/** Files after which others have their turn, where the file system is asked without waiting. */
const FILES_AT_A_TIME = 64
/** Larger files are hashed piece by piece. */
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

/** Digests of the files of a folder, so that opening it again reads only files that changed since. */
export interface FolderMemory {
  /** Null for a file that is not known, or is no longer what it was. */
  find(place: string, about: AboutFile): FileEntry | null
  keep(place: string, about: AboutFile, entry: FileEntry): void
}

/** What the file system says about a file; nanoseconds. */
type AboutFile = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs'>

/** A file that changed this shortly before it was looked at may change again with the same times. */
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
  /** Where its bytes are: absolute, without symlinks. */
  place: string
}

interface Walk {
  root: string
  /** Whether the file system is asked without waiting: the waits for many small files are most of the time. */
  isSync: boolean
  visited: number
  folderLinks: number
  files: FoundFile[]
  refused: { path: string; reason: FileTree['refused'][number]['reason'] }[]
}

/**
 * Reads and hashes every file below `folder`, then serves them; with a memory, in a process that does nothing else
 * meanwhile. Symlinks that stay inside count as what they point
 * to; the others are in `refused`. `read` gives the bytes that were hashed, or rejects with FileChangedError. Rejects
 * with FolderUnreadableError when the folder is missing, no folder, or holds more than 200,000 files, or folders without end
 * because of links to folders that hold links.
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

/** The revision of a tree without a commit: the same paths with the same bytes have the same one. */
export function contentRevision(files: ReadonlyMap<string, FileEntry>): string {
  const digest = createHash('sha256')
  for (const [path, entry] of files) digest.update(`${entry.digest} ${path}\0`)
  return `content:${digest.digest('hex')}`
}

/** `above` are the real folders on the way here: a link back to one of them would never end. */
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

/** Undefined for a folder that cannot be read. */
async function listFolder({ isSync }: Walk, place: string): Promise<Dirent[] | undefined> {
  try {
    return isSync
      ? readdirSync(place, { withFileTypes: true })
      : await readdir(place, { withFileTypes: true })
  } catch (error) {
    return unlessOfTheFile(error as NodeJS.ErrnoException)
  }
}

/** Null for what has to be looked at more closely. */
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

/** By place; without files that are gone or unreadable since they were listed. */
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
    return unlessOfTheFile(error as NodeJS.ErrnoException) // gone or unreadable since it was listed
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

/** Does not follow a symlink that took the file's place, and does not wait for a pipe that did. */
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
