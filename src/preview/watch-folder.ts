/**
 * Tells that something below a folder has changed, soon after and once for a burst of changes. What changed is for the
 * reader of the folder to find out: editors write a file beside the old one and rename it, and events may name neither.
 */
import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface FolderWatch {
  [Symbol.dispose](): void
}

/** Changes this close together count as one. */
const QUIET_MS = 15
/** Something is told this long after the first change, however many follow it. */
const LONGEST_MS = 120
const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])

/** Resolves when every folder is watched; a folder that comes later is watched too. */
export async function watchFolder(folder: string, onChange: () => void): Promise<FolderWatch> {
  const burst = createBurst(onChange)
  const watches = hasRecursiveWatch()
    ? watchWhole(folder, burst.change)
    : await watchEachFolder(folder, burst.change)
  return {
    [Symbol.dispose]: () => {
      burst.end()
      watches.close()
    },
  }
}

function createBurst(onChange: () => void): { change(): void; end(): void } {
  let timer: NodeJS.Timeout | null = null
  let first = 0
  const tell = () => {
    timer = null
    onChange()
  }
  return {
    change: () => {
      const now = performance.now()
      if (timer === null) first = now
      else clearTimeout(timer)
      timer = setTimeout(tell, Math.min(QUIET_MS, Math.max(0, first + LONGEST_MS - now)))
    },
    end: () => {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Elsewhere Node watches every single file for it, of which there may be more than the system allows. */
function hasRecursiveWatch(): boolean {
  return process.platform === 'darwin' || process.platform === 'win32'
}

function watchWhole(folder: string, onChange: () => void): { close(): void } {
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (!isSkipped(name)) onChange()
  })
  watcher.on('error', onChange)
  return watcher
}

async function watchEachFolder(root: string, onChange: () => void): Promise<{ close(): void }> {
  const watchers = new Map<string, FSWatcher>()
  let isClosed = false

  const add = async (folder: string): Promise<void> => {
    if (isClosed || watchers.has(folder)) return
    try {
      const watcher = watch(folder, (kind, name) => {
        if (isSkipped(name)) return
        // A new name may be a folder, in which there may be something already.
        if (kind === 'rename' && name !== null) void add(join(folder, name)).then(onChange)
        onChange()
      })
      watcher.on('error', () => drop(folder))
      watchers.set(folder, watcher)
      const children = await readdir(folder, { withFileTypes: true })
      const folders = children.filter((child) => child.isDirectory() && !isSkipped(child.name))
      await Promise.all(folders.map((child) => add(join(folder, child.name))))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EMFILE') throw new WatchLimitError(root)
      drop(folder) // a file, or gone already
    }
  }

  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  await add(root)
  return {
    close: () => {
      isClosed = true
      for (const folder of watchers.keys()) drop(folder)
    },
  }
}

/** The system watches no more. The message is for whoever started the preview. */
export class WatchLimitError extends Error {
  override name = 'WatchLimitError'
  constructor(folder: string) {
    super(
      `${folder} has more folders than this system watches; raise fs.inotify.max_user_watches and max_user_instances.`,
    )
  }
}

function isSkipped(name: string | null): boolean {
  return name !== null && SKIPPED.has(name.split(sep, 1)[0] ?? '')
}
