/** The folder that a build fills: made beside its place, and put there when it is whole. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { type BesideOutput, placesBeside, settleLeftovers } from './output-leftovers.ts'

/** The output folder cannot be written without losing something. The message is for whoever named the folder. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError'
}

export interface OutputFolder {
  /** Empty; to be filled. */
  readonly folder: string
  /** Puts what was made in the place of an earlier build, which is gone then. */
  replace(): void
  /** Leaves an earlier build where it is, unless it was replaced. */
  [Symbol.asyncDispose](): Promise<void>
}

/** `out` and `source` are absolute. Rejects with OutputFolderError before anything is made. */
export async function openOutputFolder(out: string, source: string): Promise<OutputFolder> {
  settleLeftovers(out)
  await checkOutput(out, source)
  await tryOutput(out)
  const places = placesBeside(out)
  await mkdir(places.made)
  return {
    folder: places.made,
    replace: () => replaceOutput(out, places),
    [Symbol.asyncDispose]: async () => {
      if (!existsSync(out)) tryRename(places.old, out)
      // Nearly always there is nothing left: a thread would cost more than the look.
      for (const left of [places.made, places.old]) rmSync(left, { recursive: true, force: true })
    },
  }
}

const TRIES = 5

/** Other builds may take what is in the place, and put their own there: what comes last stays. */
function replaceOutput(out: string, { made, old }: BesideOutput): void {
  for (let tries = 0; tries < TRIES && existsSync(made); tries++) {
    tryRename(out, old)
    const isThere = tryRename(made, out)
    rmSync(old, { recursive: true, force: true })
    if (isThere) return
  }
  throw new OutputFolderError(
    `${out} could not be written, as other builds write it too; build it once more.`,
  )
}

/** False when `from` is not there, or something else is at `to`. */
export function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (/^(?:ENOENT|ENOTEMPTY|EEXIST|ENOTDIR|EISDIR)$/.test(String((error as NodeJS.ErrnoException).code)))
      return false
    throw error
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
