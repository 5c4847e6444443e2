/** Caller of this process. Separate from the configuration, because every command needs it and few read settings. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Returns the process with which this one must end, set by bin/run.mjs, or null. Removes it from the environment. */
export function readParentPid(env: Record<string, string | undefined> = process.env): number | null {
  const parent = Number(env.OCTAVO_PARENT)
  delete env.OCTAVO_PARENT
  return Number.isSafeInteger(parent) && parent > 0 ? parent : null
}

/** Describes how this process was called. */
export function readCaller(env: Readonly<Record<string, string | undefined>> = process.env): {
  /** Search path of the shell. */
  path: string
  isNpx: boolean
  /** Current working directory. */
  folder: string
} {
  return { path: env.PATH ?? '', isNpx: env.npm_command === 'exec', folder: process.cwd() }
}

/** Cache folder for pages rendered from folders, private to this user. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env.XDG_CACHE_HOME
  return join(given && isAbsolute(given) ? given : join(homedir(), '.cache'), 'octavo')
}
