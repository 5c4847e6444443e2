/** A folder on disk as a FileTree: its files as they are at the moment of opening, each known by its SHA-256. */
import { createHash } from 'node:crypto'
import { constants, createReadStream, type Dirent } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { mapBounded } from './bounded.ts'
import { type FileEntry, FileMissingError, type FileTree } from './file-tree.ts'
import { sha256 } from './hash.ts'

/** Folders that never belong to a site, wherever they lie. */
const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])
const MAX_FILES = 200_000
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

interface FoundFile {
  path: string
  /** Where its bytes are: absolute, without symlinks. */
  place: string
}

interface Walk {
  root: string
  files: FoundFile[]
  refused: { path: string; reason: FileTree['refused'][number]['reason'] }[]
}

/**
 * Reads and hashes every file below `folder`, then serves them. Symlinks that stay inside count as what they point
 * to; the others are in `refused`. `read` gives the bytes that were hashed, or rejects with FileChangedError. Rejects
 * with FolderUnreadableError when the folder is missing, no folder, or holds more than 200,000 files.
 */
export async function openFolderTree(folder: string): Promise<FileTree> {
  const root = await realpath(folder).catch(() => {
    throw new FolderUnreadableError(`there is no folder ${folder}`)
  })
  if (!(await stat(root)).isDirectory()) throw new FolderUnreadableError(`${folder} is not a folder`)
  const walk: Walk = { root, files: [], refused: [] }
  await walkFolder(walk, root, '', [root])
  walk.files.sort((a, b) => (a.path < b.path ? -1 : 1))

  const places = new Map<string, string>()
  const files = new Map<string, FileEntry>()
  const entries = await mapBounded(walk.files, 32, ({ place }) => hashFile(place))
  for (const [index, { path, place }] of walk.files.entries()) {
    const entry = entries[index]
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
      const bytes = await readWhole(place).catch(() => undefined)
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
  const children = await readdir(place, { withFileTypes: true }).catch(() => undefined)
  if (!children) {
    if (path === '') throw new FolderUnreadableError(`the folder ${place} cannot be read`)
    return void walk.refused.push({ path, reason: 'not_a_file' })
  }
  const folders: { place: string; path: string }[] = []
  for (const child of children) {
    if (SKIPPED.has(child.name)) continue
    const childPath = path === '' ? child.name : `${path}/${child.name}`
    const found = await look(walk.root, join(place, child.name), child, above)
    if (typeof found === 'string') walk.refused.push({ path: childPath, reason: found })
    else if (found.isFolder) folders.push({ place: found.place, path: childPath })
    else walk.files.push({ path: childPath, place: found.place })
  }
  if (walk.files.length > MAX_FILES) {
    throw new FolderUnreadableError(`the folder ${walk.root} holds more than ${MAX_FILES} files`)
  }
  for (const folder of folders) await walkFolder(walk, folder.place, folder.path, [...above, folder.place])
}

async function look(
  root: string,
  place: string,
  child: Dirent,
  above: readonly string[],
): Promise<{ place: string; isFolder: boolean } | FileTree['refused'][number]['reason']> {
  if (child.isFile()) return { place, isFolder: false }
  if (child.isDirectory()) return { place, isFolder: true }
  if (!child.isSymbolicLink()) return 'not_a_file'
  const target = await realpath(place).catch(() => undefined)
  if (!target) return 'symlink_broken'
  if (target !== root && !target.startsWith(root + sep)) return 'symlink_outside'
  const isSkipped = target
    .slice(root.length)
    .split(sep)
    .some((name) => SKIPPED.has(name))
  if (isSkipped) return 'symlink_outside'
  if (above.includes(target)) return 'symlink_broken'
  const kind = await stat(target).catch(() => undefined)
  if (kind?.isDirectory()) return { place: target, isFolder: true }
  return kind?.isFile() ? { place: target, isFolder: false } : 'not_a_file'
}

async function hashFile(place: string): Promise<FileEntry | undefined> {
  try {
    const { size } = await stat(place)
    if (size > WHOLE_READ_BYTES) return await hashPieces(place)
    const bytes = await readWhole(place)
    return { sizeBytes: bytes.length, digest: sha256(bytes) }
  } catch {
    return undefined // gone or unreadable since it was listed
  }
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
async function readWhole(place: string): Promise<Buffer> {
  await using file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  return await file.readFile()
}
