/**
 * A bounded process is started anew for each site and each step of an agent, so how fast its own code loads counts. Node
 * keeps what it has compiled in a folder; under its permission model it does so only with the right to write there. The
 * process has that right while it loads the program, and gives it up before it reads anything of others: what they could
 * write there would run in the next process.
 */
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname, join, sep } from 'node:path'

/** The first Node that lets a process give a right up. */
const LEAST_MAJOR = 26

/** Where compiled code is cached; null where it is not. */
export const OWN_CODE_FOLDER = findFolder()

function findFolder(): string | null {
  const folder = getCompileCacheDir() // of this version of Node, in the one that was named
  const mayGiveUp = Number.parseInt(process.versions.node, 10) >= LEAST_MAJOR
  return folder !== undefined && mayGiveUp ? join(dirname(folder), sep) : null
}

/** To be called when the program is loaded, before anything of others is read. Throws when the right stays. */
export function closeOwnCode(): void {
  if (OWN_CODE_FOLDER === null || process.permission === undefined) return
  flushCompileCache()
  process.permission.drop('fs.write', OWN_CODE_FOLDER)
  if (process.permission.has('fs.write', OWN_CODE_FOLDER))
    throw new Error(`the right to write to ${OWN_CODE_FOLDER} stays`)
}
