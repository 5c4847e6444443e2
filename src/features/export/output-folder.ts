/** The output folder of a build: filled beside its destination and moved there once complete. */

import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rmdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import { isAlive } from '../../base/process-state.ts'

const HOST = sha256(hostname()).slice(0, 8)

/** Distinguishes processes that got the same process id one after the other. */
const PROCESS_START = Math.round(performance.timeOrigin).toString(36)

/** Age at which leftovers of other machines are removed, since their processes cannot be checked. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

const NAME = /^([0-9a-f]{8})-(\d{1,10})-([0-9a-z]{1,12})-[0-9a-f]{8}(?=\.(?:new|old)$)/

/** The output folder cannot be written without losing data. The message is for the user who named the folder. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError'
}

export interface OutputFolder {
  /** Empty folder for the build to fill. */
  readonly folder: string
  /** Replaces an earlier build, which is deleted. */
  replace(): void
  /** Leaves an earlier build in place unless `replace` was called. */
  [Symbol.asyncDispose](): Promise<void>
}

/** `out` and `source` are absolute. Rejects with OutputFolderError before anything is created. */
export async function openOutputFolder(out: string, source: string): Promise<OutputFolder> {
  removeLeftovers(out)
  await checkOutput(out, source)
  await checkWritable(out)
  const temporaryPaths = createTemporaryPaths(out)
  await mkdir(temporaryPaths.made)
  return {
    folder: temporaryPaths.made,
    replace: () => replaceOutput(out, temporaryPaths),
    [Symbol.asyncDispose]: async () => {
      if (!existsSync(out)) tryRename(temporaryPaths.old, out)
      // There is almost never anything to remove, so a thread would cost more than the check.
      for (const left of [temporaryPaths.made, temporaryPaths.old])
        rmSync(left, { recursive: true, force: true })
    },
  }
}

const TRIES = 5

/** Concurrent builds may move away the current output and put theirs there. The last one wins. */
function replaceOutput(out: string, { made, old }: TemporaryPaths): void {
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

/** Returns false when `from` does not exist, or something else is at `to`. */
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
  if (entries.length > 0 && !(await isOctavoOutput(out))) {
    throw new OutputFolderError(
      `${out} is not empty and was not made by octavo; name an empty folder, or empty this one.`,
    )
  }
}

/**
 * Checks before the work that the output can be created, by creating and removing a folder where it will be built.
 */
async function checkWritable(out: string): Promise<void> {
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

/** Whether an earlier build created the folder: its manifest names Octavo, and our own files exist. */
async function isOctavoOutput(out: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { octavo?: unknown }
    return typeof manifest.octavo === 'string' && existsSync(join(out, '_octavo'))
  } catch {
    return false
  }
}

/**
 * Folders beside the output of a running build. A killed build leaves them behind. Their names identify the process,
 * so that the next build to the same output can remove them, and restore an earlier build that was moved away.
 */
interface TemporaryPaths {
  /** The new build. */
  made: string
  /** The earlier build, moved away. */
  old: string
}

function createTemporaryPaths(out: string): TemporaryPaths {
  const random = randomBytes(4).toString('hex')
  return resolveTemporaryPaths(`${temporaryPrefix(out)}${HOST}-${process.pid}-${PROCESS_START}-${random}`)
}

function temporaryPrefix(out: string): string {
  return join(dirname(out), `.${basename(out)}.`)
}

function resolveTemporaryPaths(beside: string): TemporaryPaths {
  return { made: `${beside}.new`, old: `${beside}.old` }
}

/** Folders that cannot be removed are left, because no build depends on them. */
function removeLeftovers(out: string): void {
  for (const beside of listLeftovers(out)) {
    const { made, old } = resolveTemporaryPaths(beside)
    try {
      // The earlier pages were moved away once the new ones were complete.
      if (!existsSync(out) && existsSync(old)) renameSync(existsSync(made) ? made : old, out)
      for (const leftoverPath of [made, old]) rmSync(leftoverPath, { recursive: true, force: true })
    } catch {
      // read-only, or another build is handling it
    }
  }
}

function listLeftovers(out: string): Set<string> {
  const prefix = temporaryPrefix(out)
  const names = listNames(dirname(out)).filter((name) => name.startsWith(basename(prefix)))
  const found = new Set<string>()
  for (const name of names) {
    const [match, host, pid, start] = NAME.exec(name.slice(basename(prefix).length)) ?? []
    if (match === undefined) continue
    const leftoverPath = join(dirname(out), name)
    if (host === HOST ? !isRunning(Number(pid), start) : isOld(leftoverPath)) {
      if (isOwnedByUser(leftoverPath)) found.add(prefix + match)
    }
  }
  return found
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isRunning(pid: number, start: string | undefined): boolean {
  return pid === process.pid ? start === PROCESS_START : isAlive(pid)
}

function isOld(leftoverPath: string): boolean {
  const about = lstatSync(leftoverPath, { throwIfNoEntry: false })
  return about !== undefined && Date.now() - about.mtimeMs > ABANDONED_AFTER_MS
}

/** In a shared folder, other users may create such names. */
function isOwnedByUser(leftoverPath: string): boolean {
  const about = lstatSync(leftoverPath, { throwIfNoEntry: false })
  return about !== undefined && !about.isSymbolicLink() && about.uid === (process.getuid?.() ?? about.uid)
}
