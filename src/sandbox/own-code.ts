/**
 * A restricted process is started for each site and each agent step, so the load time of its own code matters. Node's
 * compile cache requires write permission for its folder under the permission model. The process has that permission
 * while it loads the program and drops it before reading untrusted content, which could otherwise plant code for the
 * next process.
 */
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname, join, sep } from 'node:path'

/** First version of Node in which a process can drop permissions. */
const LEAST_MAJOR = 26

/** Folder of the compile cache; null if there is none. */
export const OWN_CODE_FOLDER = findFolder()

function findFolder(): string | null {
  const folder = getCompileCacheDir() // subfolder for this version of Node in the configured one
  const mayGiveUp = Number.parseInt(process.versions.node, 10) >= LEAST_MAJOR
  return folder !== undefined && mayGiveUp ? join(dirname(folder), sep) : null
}

/**
 * Drops the permission. Call after loading the program and before reading untrusted content. Throws if it persists.
 */
export function closeOwnCode(): void {
  if (OWN_CODE_FOLDER === null || process.permission === undefined) return
  flushCompileCache()
  process.permission.drop('fs.write', OWN_CODE_FOLDER)
  if (process.permission.has('fs.write', OWN_CODE_FOLDER))
    throw new Error(`the right to write to ${OWN_CODE_FOLDER} stays`)
}
