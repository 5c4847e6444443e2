/** Files that change their folder, where others may change the same folders just then. */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

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

/** In the place of what has that name. */
export function moveFile(from: string, to: string, path: string): void {
  const place = join(to, path)
  if (!existsSync(dirname(place))) mkdirSync(dirname(place), { recursive: true })
  // A folder with nothing in it is none of ours.
  if (!tryRename(join(from, path), place)) {
    rmSync(place, { recursive: true, force: true })
    renameSync(join(from, path), place)
  }
}

/** With the folders that nothing else is in. */
export function removeFile(root: string, path: string): void {
  rmSync(join(root, path), { force: true })
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) rmdirSync(join(root, folder))
  } catch {
    // there is more in it
  }
}
