/** Removes the mirrors that nothing has asked for in a long time: the next job makes them anew. */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { acquireFileLock } from '../base/files/file-lock.ts'

const DAY_MS = 86_400_000
/** Of a project that is no more: a job of it may still run. */
const ORPHAN_DAYS = 1

/**
 * `daysOf` tells for each project how many days its mirrors stay; 0 is for ever. Answers how many were removed. A fetch
 * touches its mirror and waits while one is removed, so a mirror that is at work is never old.
 */
export async function sweepMirrors(
  folder: string,
  daysOf: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  for (const projectId of await namesIn(folder)) {
    const days = daysOf.get(projectId) ?? ORPHAN_DAYS
    if (days === 0) continue
    for (const name of await namesIn(join(folder, projectId))) {
      signal.throwIfAborted()
      if (!name.endsWith('.git')) continue
      if (await removeOld(join(folder, projectId, name), days, signal)) removed += 1
    }
    await rmdir(join(folder, projectId)).catch(() => undefined) // unless something is left in it
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
  // Moved aside first: a half-deleted mirror must not be taken for a whole one.
  const aside = `${gitDir}.${randomUUID()}`
  await rename(gitDir, aside)
  await rm(aside, { recursive: true, force: true })
  return true
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
