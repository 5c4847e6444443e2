/** The output folder of a build: filled next to its destination and moved there when complete. */

import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rmdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import { isAlive } from '../../base/process-state.ts'

const HOST = sha256(hostname()).slice(0, 8)

/** Distinguishes a process from earlier ones with the same process id. */
const PROCESS_START = Math.round(performance.timeOrigin).toString(36)

/** Age at which leftovers of other machines are removed, because their processes cannot be checked. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

const NAME = /^([0-9a-f]{8})-(\d{1,10})-([0-9a-z]{1,12})-[0-9a-f]{8}(?=\.(?:new|old)$)/

/** Thrown if writing the output folder would lose data. The message is for the user who chose the folder. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError'
}

export interface OutputFolder {
  readonly folder: string
  /** Deletes the output of an earlier build and moves the new output to its path. */
  replace(): void
  /** Keeps the output of an earlier build unless `replace` was called. */
  [Symbol.asyncDispose](): Promise<void>
}

/** `out` and `source` are absolute. Rejects with OutputFolderError before it creates anything. */
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
      // Removes synchronously, because the files rarely exist and the thread pool would cost more than the check.
      for (const left of [temporaryPaths.made, temporaryPaths.old])
        rmSync(left, { recursive: true, force: true })
    },
  }
}

const TRIES = 5

/** Concurrent builds may move the current output away and move their own output to its path; the last build wins. */
function replaceOutput(out: string, { made, old }: TemporaryPaths): void {
  for (let tries = 0; tries < TRIES && existsSync(made); tries++) {
    tryRename(out, old)
    const isThere = tryRename(made, out)
    rmSync(old, { recursive: true, force: true })
    if (isThere) return
  }
  throw new OutputFolderError(
    `${out} could not be written because another build was writing to it. Build again.`,
  )
}

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
    throw new OutputFolderError(`${out} contains the site itself. Use another folder for the pages.`)
  }
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new OutputFolderError(`${out} is a file. Use a folder for the pages.`)
    throw error
  })
  if (entries.length > 0 && !(await isOctavoOutput(out))) {
    throw new OutputFolderError(
      `${out} is not empty and was not created by octavo. Use an empty folder, or empty this one.`,
    )
  }
}

/** Checks that the output can be created, by creating and removing a folder at its location. */
async function checkWritable(out: string): Promise<void> {
  try {
    await mkdir(dirname(out), { recursive: true })
    await rmdir(await mkdtemp(join(dirname(out), '.octavo-')))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new OutputFolderError(
      `Nothing can be written in ${dirname(out)} (${code}). Use another folder for the pages.`,
      { cause },
    )
  }
}

/** Returns true for an earlier build's folder: its manifest names Octavo and Octavo's own files exist. */
async function isOctavoOutput(out: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { octavo?: unknown }
    return typeof manifest.octavo === 'string' && existsSync(join(out, '_octavo'))
  } catch {
    return false
  }
}

/**
 * Folders of a running build, next to its output. A killed build leaves them behind. Their names identify the
 * process, so the next build with the same output can remove them and restore an earlier build that was moved
 * away.
 */
interface TemporaryPaths {
  made: string
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

/** Ignores folders that cannot be removed, because no build depends on them. */
function removeLeftovers(out: string): void {
  for (const beside of listLeftovers(out)) {
    const { made, old } = resolveTemporaryPaths(beside)
    try {
      // An earlier build is moved away only after the new build is complete.
      if (!existsSync(out) && existsSync(old)) renameSync(existsSync(made) ? made : old, out)
      for (const leftoverPath of [made, old]) rmSync(leftoverPath, { recursive: true, force: true })
    } catch {
      // read-only, or handled by another build
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

/** Other users can create folders with these names if the output is in a shared folder. */
function isOwnedByUser(leftoverPath: string): boolean {
  const about = lstatSync(leftoverPath, { throwIfNoEntry: false })
  return about !== undefined && !about.isSymbolicLink() && about.uid === (process.getuid?.() ?? about.uid)
}
