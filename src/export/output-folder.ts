/** The folder that a build fills: made beside its place, and put there when it is whole. */
import { existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { type FileStamps, stampAt, stampsBelow } from '../base/file-stamps.ts'
import { moveFile, removeFile, tryRename } from './moved-files.ts'
import { type BesideOutput, placesBeside, settleLeftovers } from './output-leftovers.ts'

/** The output folder cannot be written without losing something. The message is for whoever named the folder. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError'
}

export interface OutputFolder {
  /** Empty; to be filled. */
  readonly folder: string
  /**
   * Puts what was made, and what is kept of an earlier build, in the place of that build, which is gone then. Answers the
   * files that are there; null when somebody else has changed the place since this one began: then nothing can be kept.
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

/** While files are moved and removed there is nothing in the place: twenty microseconds a file. */
const MOST_MOVED = 500

/** `out` and `source` are absolute. Rejects with OutputFolderError before anything is made. */
export async function openOutputFolder(out: string, source: string): Promise<OutputFolder> {
  settleLeftovers(out)
  await checkOutput(out, source)
  await tryOutput(out)
  const place: Place = { out, ...placesBeside(out), before: identityOf(out) }
  await mkdir(place.made)
  return {
    folder: place.made,
    replace: async (kept) => {
      if (kept.taken.size === 0) return replaceWhole(place)
      const made = stampsBelow(place.made)
      const isShort = made.size + goneOf(made, kept).length <= MOST_MOVED
      if (isShort || !linkKept(place, kept)) return mend(place, made, kept)
      return identityOf(out) === place.before ? replaceWhole(place) : null
    },
    clear: () => {
      rmSync(place.made, { recursive: true, force: true })
      mkdirSync(place.made)
    },
    [Symbol.asyncDispose]: async () => {
      if (!existsSync(out)) tryRename(place.old, out)
      // Nearly always there is nothing left: a thread would cost more than the look.
      for (const left of [place.made, place.text, place.old]) rmSync(left, { recursive: true, force: true })
    },
  }
}

const TRIES = 5

interface Place extends BesideOutput {
  out: string
  /** Of `out`. */
  before: string | null
}

/** Of the folder itself. Every build writes at its top level. Null where there is none. */
function identityOf(folder: string): string | null {
  const about = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return about ? `${about.ino} ${about.mtimeNs}` : null
}

/** Other builds may take what is in the place, and put their own there: what comes last stays. */
function replaceWhole({ out, made, old }: Place): FileStamps {
  for (let tries = 0; tries < TRIES && existsSync(made); tries++) {
    tryRename(out, old)
    const isThere = tryRename(made, out)
    // Before anybody looks at the new one: files of both change when they lose a name.
    // Without threads, which cost more than the removing.
    rmSync(old, { recursive: true, force: true })
    if (isThere) return stampsBelow(out)
  }
  throw contested(out)
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
function mend(place: Place, made: FileStamps, kept: KeptFiles): FileStamps | null {
  const { out, old } = place
  if (!tryRename(out, old)) return null
  if (identityOf(old) !== place.before) {
    tryRename(old, out)
    return null
  }
  const now = new Map<string, string>()
  let isWhole = false
  try {
    for (const path of goneOf(made, kept)) removeFile(old, path)
    for (const path of kept.taken) now.set(path, kept.stamps.get(path) as string)
    for (const path of made.keys()) {
      moveFile(place.made, old, path)
      now.set(path, stampAt(join(old, path)))
    }
    isWhole = true
  } catch {
    // Somebody has put a file where a folder was, or taken the right to write: all is made anew, and replaces this.
  } finally {
    putBack(old, out)
  }
  return isWhole ? now : null
}

function goneOf(made: FileStamps, { stamps, taken }: KeptFiles): string[] {
  return [...stamps.keys()].filter((path) => !taken.has(path) && !made.has(path))
}

/** Another build may have found the place empty: what comes last stays. */
function putBack(old: string, out: string): void {
  for (let tries = 0; tries < TRIES; tries++) {
    if (tryRename(old, out)) return
    rmSync(out, { recursive: true, force: true })
  }
  throw contested(out)
}

function contested(out: string): OutputFolderError {
  return new OutputFolderError(
    `${out} could not be written, as other builds write it too; build it once more.`,
  )
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
