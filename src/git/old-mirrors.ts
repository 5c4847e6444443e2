/** Removes mirrors that have not been used for a long time; the next job recreates them. */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { acquireFileLock } from '../base/files/file-lock.ts'

const DAY_MS = 86_400_000
/** Days for which mirrors of deleted projects are retained, because a job of the project may still be running. */
const ORPHAN_DAYS = 1

/**
 * Removes old mirrors and returns their number. `daysOf` maps projects to days of retention; 0 retains
 * mirrors forever. Never removes a mirror in use, because a fetch updates the mirror's time and waits for a
 * running removal.
 */
export async function sweepMirrors(
  folder: string,
  retentionDays: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  for (const projectId of await namesIn(folder)) {
    const days = retentionDays.get(projectId) ?? ORPHAN_DAYS
    if (days === 0) continue
    for (const name of await namesIn(join(folder, projectId))) {
      signal.throwIfAborted()
      if (!name.endsWith('.git')) continue
      if (await removeOld(join(folder, projectId, name), days, signal)) removed += 1
    }
    await rmdir(join(folder, projectId)).catch(() => undefined) // the folder is not empty
  }
  return removed
}

async function removeOld(gitDir: string, days: number, signal: AbortSignal): Promise<boolean> {
  const isOld = async () => {
    const found = await stat(gitDir).catch(() => null)
    return found !== null && Date.now() - found.mtimeMs > days * DAY_MS
  }
  if (!(await isOld())) return false
  await using _lock = await acquireFileLock(`${gitDir}.lock`, signal)
  if (!(await isOld())) return false
  // Moves the mirror aside first, so that a partly deleted mirror is never used.
  const trashPath = `${gitDir}.${randomUUID()}`
  await rename(gitDir, trashPath)
  await rm(trashPath, { recursive: true, force: true })
  return true
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
