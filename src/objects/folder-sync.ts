/** Makes renames durable: fsync of the folder, where all who wait for the same folder share one call. */
import { open } from 'node:fs/promises'

/** Resolves when every change made in the folder before the call is on disk. */
export type FolderSync = (folder: string) => Promise<void>

export function createFolderSync(): FolderSync {
  // A call that comes while an fsync runs cannot know whether that one saw its rename: it joins the next.
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()

  function start(folder: string): Promise<void> {
    const run = syncFolder(folder).finally(() => running.delete(folder))
    running.set(folder, run)
    return run
  }

  return (folder) => {
    const current = running.get(folder)
    if (current === undefined) return start(folder)
    const waiting = next.get(folder)
    if (waiting !== undefined) return waiting
    const after = current
      .catch(() => undefined)
      .then(() => {
        next.delete(folder)
        return start(folder)
      })
    next.set(folder, after)
    return after
  }
}

// A folder that is gone has nothing left to lose.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(ignoreMissing)
  if (handle === undefined) return
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
