/** The folder that a build fills: made beside its place, and put there when it is whole. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { type FileStamps, stampAt, stampsBelow } from '../base/file-stamps.ts'

/** The output folder cannot be written without losing something. The message is for whoever named the folder. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError'
}

export interface OutputFolder {
  /** Empty; to be filled. */
  readonly folder: string
  /**
   * Puts what was made, and what is kept of an earlier build, in the place of that build, which is gone then. Answers the
   * files that are there; null when another build has put its own there since this one began: then the place is as it was,
   * and nothing can be kept.
   */
  replace(kept: KeptFiles): Promise<FileStamps | null>
  /** Empties `folder`. */
  clear(): void
  /** Leaves an earlier build where it is, unless it was replaced. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface KeptFiles {
  /** All that lay in the place when the build began. */
  stamps: FileStamps
  /** Paths of those of them that stay. */
  taken: ReadonlySet<string>
}

/** While files are moved there is nothing in the place: twenty microseconds a file. */
const MOST_MOVED = 500

/** `out` and `source` are absolute. Rejects with OutputFolderError before anything is made. */
export async function openOutputFolder(out: string, source: string): Promise<OutputFolder> {
  await checkOutput(out, source)
  await tryOutput(out)
  const beside = join(dirname(out), `.${basename(out)}.${randomBytes(4).toString('hex')}`)
  const place: Place = { out, made: `${beside}.new`, old: `${beside}.old`, before: identityOf(out) }
  await mkdir(place.made)
  return {
    folder: place.made,
    replace: async (kept) => {
      if (kept.taken.size === 0) return replaceWhole(place)
      const made = stampsBelow(place.made)
      if (made.size <= MOST_MOVED || !linkKept(place, kept)) return mend(place, made, kept)
      return identityOf(out) === place.before ? replaceWhole(place) : null
    },
    clear: () => {
      rmSync(place.made, { recursive: true, force: true })
      mkdirSync(place.made)
    },
    [Symbol.asyncDispose]: async () => {
      await rm(place.made, { recursive: true, force: true })
      await rm(`${place.made}.text`, { force: true }) // see site-files.ts
      await rm(place.old, { recursive: true, force: true })
    },
  }
}

interface Place {
  out: string
  made: string
  old: string
  /** Of `out`. */
  before: string | null
}

/** Of the folder itself. Every build writes at its top level. Null where there is none. */
function identityOf(folder: string): string | null {
  const about = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return about ? `${about.ino} ${about.mtimeNs}` : null
}

async function replaceWhole({ out, made, old }: Place): Promise<FileStamps> {
  if (existsSync(out)) await rename(out, old)
  await rename(made, out)
  // Before anybody looks at the new one: files of both change when they lose a name.
  // Without threads, which cost more than the removing.
  rmSync(old, { recursive: true, force: true })
  return stampsBelow(out)
}

/** Gives what is kept a second name in the new folder; false where files have one name only. */
function linkKept({ out, made }: Place, { taken }: KeptFiles): boolean {
  try {
    const folders = new Set<string>()
    for (const path of taken) {
      const place = join(made, path)
      if (!folders.has(dirname(place))) mkdirSync(dirname(place), { recursive: true })
      folders.add(dirname(place))
      linkSync(join(out, path), place)
    }
    return true
  } catch {
    return false
  }
}

/** Takes the earlier build from its place, so that no other build and no reader meets half of it, and puts it back mended. */
function mend(place: Place, made: FileStamps, { stamps, taken }: KeptFiles): FileStamps | null {
  const { out, old } = place
  if (!tryRename(out, old)) return null
  if (identityOf(old) !== place.before) {
    tryRename(old, out)
    return null
  }
  const now = new Map<string, string>()
  try {
    for (const [path, stamp] of stamps) {
      if (taken.has(path)) now.set(path, stamp)
      else if (!made.has(path)) removeFile(old, path)
    }
    for (const path of made.keys()) {
      moveFile(place, path)
      now.set(path, stampAt(join(old, path)))
    }
  } finally {
    putBack(old, out)
  }
  return now
}

/** Another build may have found the place empty: what comes last stays. */
function putBack(old: string, out: string): void {
  for (let tries = 0; tries < 5; tries++) {
    if (tryRename(old, out)) return
    rmSync(out, { recursive: true, force: true })
  }
  throw new OutputFolderError(
    `${out} could not be written, as other builds write it too; build it once more.`,
  )
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (/^(?:ENOENT|ENOTEMPTY|EEXIST|ENOTDIR|EISDIR)$/.test(String((error as NodeJS.ErrnoException).code)))
      return false
    throw error
  }
}

function moveFile({ made, old }: Place, path: string): void {
  const to = join(old, path)
  if (!existsSync(dirname(to))) mkdirSync(dirname(to), { recursive: true })
  // A folder with nothing in it is none of ours.
  if (!tryRename(join(made, path), to)) {
    rmSync(to, { recursive: true, force: true })
    renameSync(join(made, path), to)
  }
}

/** With the folders that nothing else is in. */
function removeFile(root: string, path: string): void {
  rmSync(join(root, path), { force: true })
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) rmdirSync(join(root, folder))
  } catch {
    // there is more in it
  }
}

async function checkOutput(out: string, folder: string): Promise<void> {
  const below = relative(out, folder)
  if (below !== '..' && !below.startsWith(`..${sep}`)) {
    throw new OutputFolderError(`${out} holds the site itself; name another folder for the pages.`)
  }
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR')
      throw new OutputFolderError(`${out} is a file; name a folder for the pages.`)
    throw error
  })
  if (entries.length > 0 && !(await isOurs(out))) {
    throw new OutputFolderError(
      `${out} is not empty and was not made by octavo; name an empty folder, or empty this one.`,
    )
  }
}

/** Before the work: what is made beside the folder at the end is made there once, and taken away. */
async function tryOutput(out: string): Promise<void> {
  try {
    await mkdir(dirname(out), { recursive: true })
    await rmdir(await mkdtemp(join(dirname(out), '.octavo-')))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new OutputFolderError(
      `Nothing can be written in ${dirname(out)} (${code}); name another folder for the pages.`,
      { cause },
    )
  }
}

/** A folder that an earlier build made: its list names Octavo, and our own files are there. */
async function isOurs(out: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { octavo?: unknown }
    return typeof manifest.octavo === 'string' && existsSync(join(out, '_octavo'))
  } catch {
    return false
  }
}
