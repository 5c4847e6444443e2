/**
 * Facts about how this process was called: parent process, PATH, folders. Separate from the configuration, because
 * every command needs them, but few commands read settings.
 */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Returns the id of the process whose death ends this one, or null. Removes it from the environment. */
export function readParentPid(env: Record<string, string | undefined> = process.env): number | null {
  const parent = Number(env.OCTAVO_PARENT)
  delete env.OCTAVO_PARENT
  return Number.isSafeInteger(parent) && parent > 0 ? parent : null
}

export function readCaller(env: Readonly<Record<string, string | undefined>> = process.env): {
  path: string
  isNpx: boolean
  /** Current working directory. */
  folder: string
} {
  return { path: env.PATH ?? '', isNpx: env.npm_command === 'exec', folder: process.cwd() }
}

export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env.XDG_CACHE_HOME
  return join(given && isAbsolute(given) ? given : join(homedir(), '.cache'), 'octavo')
}
