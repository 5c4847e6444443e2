/** Who called this process, and from where. Every command asks that, and most read no configuration. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The process whose end is to be this one's too, as scripts/run.mjs says it; null when there is none. Taken out. */
export function takeParent(env: Record<string, string | undefined> = process.env): number | null {
  const parent = Number(env.OCTAVO_PARENT)
  delete env.OCTAVO_PARENT
  return Number.isSafeInteger(parent) && parent > 0 ? parent : null
}

/** Where and by what this process was called. */
export function readCaller(env: Readonly<Record<string, string | undefined>> = process.env): {
  /** Folders in which a shell looks for programs. */
  path: string
  isNpx: boolean
  /** The folder the person stands in. */
  folder: string
} {
  return { path: env.PATH ?? '', isNpx: env.npm_command === 'exec', folder: process.cwd() }
}

/** Where builds of folders store what they have rendered, of this user alone. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env.XDG_CACHE_HOME
  return join(given && isAbsolute(given) ? given : join(homedir(), '.cache'), 'octavo')
}
