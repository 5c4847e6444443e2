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
import { rethrowUnlessFileError } from '../internal-error.ts'
import { type FileEntry, FileMissingError, type FileTree } from './file-tree.ts'

const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])
const MAX_FILES = 200_000
/** Maximum number of visited files, folders and symlinks. An entry counts once for each symlink that leads to it. */
const MAX_VISITED = 500_000
/** Maximum number of followed symlinks to folders, because each repeats everything below its target. */
const MAX_FOLDER_LINKS = 2000
const YIELD_EVERY_FILES = 64
const MAX_FULL_READ_BYTES = 8 << 20

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

/** Caches the digests of a folder's files, so that reopening reads only files that have changed. */
export interface DigestCache {
  find(realPath: string, stats: FileStats): FileEntry | null
  remember(realPath: string, stats: FileStats, entry: FileEntry): void
}

/** File status, with times in nanoseconds. */
type FileStats = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs'>

/** Minimum age of files whose digests are cached. A younger file may change again without a new mtime. */
const MIN_AGE_NS = 2_000_000_000n

export function createDigestCache(): DigestCache {
  const known = new Map<string, { stamp: string; entry: FileEntry }>()
  return {
    find(realPath, stats) {
      const before = known.get(realPath)
      return before?.stamp === fileStamp(stats) ? before.entry : null
    },
    remember(realPath, stats, entry) {
      const settledBefore = BigInt(Date.now()) * 1_000_000n - MIN_AGE_NS
      if (stats.ctimeNs < settledBefore && stats.mtimeNs < settledBefore)
        known.set(realPath, { stamp: fileStamp(stats), entry })
      else known.delete(realPath)
    },
  }
}

function fileStamp({ size, mtimeNs, ino, ctimeNs }: FileStats): string {
  return `${size} ${mtimeNs} ${ino} ${ctimeNs}`
}

interface FoundFile {
  path: string
  realPath: string
}

interface Walk {
  root: string
  /** Uses synchronous file system calls, because asynchronous waits dominate when reading many small files. */
  isSync: boolean
  visited: number
  folderLinks: number
  files: FoundFile[]
  refused: { path: string; reason: FileTree['refused'][number]['reason'] }[]
}

/**
 * Reads and hashes every file below `folder`, then serves them. With a `digestCache`, this is synchronous and
 * blocks the process. Symlinks that stay inside are treated as their targets; all other symlinks are listed in
 * `refused`. `read` returns the bytes that were hashed, or rejects with FileChangedError. Rejects with
 * FolderUnreadableError if the folder is missing, is not a folder, holds more than 200,000 files, or is endless because
 * symlinks lead to folders that contain symlinks.
 */
export async function openFolderTree(folder: string, digestCache?: DigestCache): Promise<FileTree> {
  const root = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    rethrowUnlessFileError(error)
    throw new FolderUnreadableError(`There is no folder ${folder}. Check the path.`)
  })
  if (!(await stat(root)).isDirectory())
    throw new FolderUnreadableError(`${folder} is not a folder. Use the folder that contains it.`)
  const walk: Walk = {
    root,
    isSync: digestCache !== undefined,
    visited: 0,
    folderLinks: 0,
    files: [],
    refused: [],
  }
  await walkFolder(walk, root, '', [root])
  walk.files.sort((a, b) => (a.path < b.path ? -1 : 1))

  const realPaths = new Map<string, string>()
  const files = new Map<string, FileEntry>()
  const entries = await findEntries(walk.files, digestCache)
  for (const { path, realPath } of walk.files) {
    const entry = entries.get(realPath)
    if (entry) {
      realPaths.set(path, realPath)
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
      const realPath = realPaths.get(path)
      if (!entry || !realPath) throw new FileMissingError(path)
      const bytes = await readFileBytes(realPath, walk.isSync).catch(rethrowUnlessFileError)
      if (!bytes || sha256(bytes) !== entry.digest) throw new FileChangedError(path)
      return bytes
    },
    async [Symbol.asyncDispose]() {},
  }
}

export function contentRevision(files: ReadonlyMap<string, FileEntry>): string {
  const digest = createHash('sha256')
  for (const [path, entry] of files) digest.update(`${entry.digest} ${path}\0`)
  return `content:${digest.digest('hex')}`
}

/**
 * Visits a folder recursively. `above` holds the real paths of parents, because following a link back to a
 * parent would never end.
 */
async function walkFolder(
  walk: Walk,
  realPath: string,
  path: string,
  above: readonly string[],
): Promise<void> {
  const children = await listFolder(walk, realPath)
  if (!children) {
    if (path === '')
      throw new FolderUnreadableError(
        `The folder ${realPath} cannot be read. Grant read access to the user that runs Octavo.`,
      )
    return void walk.refused.push({ path, reason: 'not_a_file' })
  }
  const folders: { realPath: string; path: string }[] = []
  for (const child of children) {
    if (SKIPPED.has(child.name)) continue
    if (++walk.visited > MAX_VISITED) throw tooManyLinks(walk)
    const childPath = path === '' ? child.name : `${path}/${child.name}`
    const found =
      classifyEntry(realPath, child) ??
      (await resolveEntry(walk.root, join(realPath, child.name), child, above))
    if (typeof found === 'string') walk.refused.push({ path: childPath, reason: found })
    else if (found.isFolder) {
      if (child.isSymbolicLink() && ++walk.folderLinks > MAX_FOLDER_LINKS) throw tooManyLinks(walk)
      folders.push({ realPath: found.realPath, path: childPath })
    } else walk.files.push({ path: childPath, realPath: found.realPath })
  }
  if (walk.files.length > MAX_FILES) {
    throw new FolderUnreadableError(
      `The folder ${walk.root} contains more than ${MAX_FILES} files. Use only the docs folder, or exclude files with .mintignore.`,
    )
  }
  for (const folder of folders)
    await walkFolder(walk, folder.realPath, folder.path, [...above, folder.realPath])
}

function tooManyLinks({ root }: Walk): FolderUnreadableError {
  return new FolderUnreadableError(
    `The folder ${root} contains a cycle of symbolic links. Remove symbolic links to folders that themselves contain such links.`,
  )
}

async function listFolder({ isSync }: Walk, realPath: string): Promise<Dirent[] | undefined> {
  try {
    return isSync
      ? readdirSync(realPath, { withFileTypes: true })
      : await readdir(realPath, { withFileTypes: true })
  } catch (error) {
    return rethrowUnlessFileError(error as NodeJS.ErrnoException)
  }
}

/** Classifies files and folders. Returns null for entries that need further checks, such as symlinks. */
function classifyEntry(folder: string, child: Dirent): { realPath: string; isFolder: boolean } | null {
  if (child.isFile()) return { realPath: join(folder, child.name), isFolder: false }
  return child.isDirectory() ? { realPath: join(folder, child.name), isFolder: true } : null
}

async function resolveEntry(
  root: string,
  realPath: string,
  child: Dirent,
  above: readonly string[],
): Promise<{ realPath: string; isFolder: boolean } | FileTree['refused'][number]['reason']> {
  if (!child.isSymbolicLink()) return 'not_a_file'
  const target = await realpath(realPath).catch(rethrowUnlessFileError)
  if (!target) return 'symlink_broken'
  if (target !== root && !target.startsWith(root + sep)) return 'symlink_outside'
  const isSkipped = target
    .slice(root.length)
    .split(sep)
    .some((name) => SKIPPED.has(name))
  if (isSkipped) return 'symlink_outside'
  if (above.includes(target)) return 'symlink_broken'
  const kind = await stat(target).catch(rethrowUnlessFileError)
  if (kind?.isDirectory()) return { realPath: target, isFolder: true }
  return kind?.isFile() ? { realPath: target, isFolder: false } : 'not_a_file'
}

/** Returns entries by real path, without files that have become missing or unreadable since they were listed. */
async function findEntries(
  files: readonly FoundFile[],
  digestCache: DigestCache | undefined,
): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>()
  const unknown: string[] = []
  for (const { realPath } of files) {
    const stats = digestCache && statSync(realPath, { bigint: true, throwIfNoEntry: false })
    const known = stats && digestCache.find(realPath, stats)
    if (known) entries.set(realPath, known)
    else unknown.push(realPath)
  }
  await mapBounded(unknown, 32, async (realPath, index) => {
    if (digestCache && index % YIELD_EVERY_FILES === 0) await setImmediate()
    const entry = await hashFile(realPath, digestCache)
    if (entry) entries.set(realPath, entry)
  })
  return entries
}

async function hashFile(realPath: string, digestCache?: DigestCache): Promise<FileEntry | undefined> {
  try {
    const stats = await stat(realPath, { bigint: true })
    const entry =
      stats.size > MAX_FULL_READ_BYTES
        ? await hashFileStream(realPath)
        : await hashWholeFile(realPath, digestCache !== undefined)
    digestCache?.remember(realPath, stats, entry)
    return entry
  } catch (error) {
    return rethrowUnlessFileError(error as NodeJS.ErrnoException) // missing or unreadable since it was listed
  }
}

async function hashWholeFile(realPath: string, isSync: boolean): Promise<FileEntry> {
  const bytes = await readFileBytes(realPath, isSync)
  return { sizeBytes: bytes.length, digest: sha256(bytes) }
}

async function hashFileStream(realPath: string): Promise<FileEntry> {
  const digest = createHash('sha256')
  let sizeBytes = 0
  const stream = createReadStream(realPath, { highWaterMark: 1 << 20 })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    digest.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, digest: digest.digest('hex') }
}

/** Reads a file without following a symlink or blocking on a pipe that has replaced it. */
async function readFileBytes(realPath: string, isSync: boolean): Promise<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  if (isSync) {
    const file = openSync(realPath, flags)
    try {
      return readFileSync(file)
    } finally {
      closeSync(file)
    }
  }
  await using file = await open(realPath, flags)
  return await file.readFile()
}
