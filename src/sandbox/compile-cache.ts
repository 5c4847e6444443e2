/**
 * A restricted process is started for each site and each agent step, so the load time of its own code matters. Node's
 * compile cache requires write permission for its folder under the permission model. The process has that permission
 * while it loads the program and drops it before reading untrusted content, which could otherwise plant code for the
 * next process.
 */
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname, join, sep } from 'node:path'

/** First version of Node in which a process can drop permissions. */
const MIN_NODE_MAJOR = 26

export const COMPILE_CACHE_FOLDER = findFolder()

function findFolder(): string | null {
  const folder = getCompileCacheDir() // subfolder of the configured folder for this version of Node
  const canDropPermission = Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR
  return folder !== undefined && canDropPermission ? join(dirname(folder), sep) : null
}

/**
 * Drops the write permission. Must be called after loading the program and before reading untrusted content.
 * Throws if the permission could not be dropped.
 */
export function dropCachePermission(): void {
  if (COMPILE_CACHE_FOLDER === null || process.permission === undefined) return
  flushCompileCache()
  process.permission.drop('fs.write', COMPILE_CACHE_FOLDER)
  if (process.permission.has('fs.write', COMPILE_CACHE_FOLDER))
    throw new Error(`the permission to write to ${COMPILE_CACHE_FOLDER} could not be dropped`)
}
