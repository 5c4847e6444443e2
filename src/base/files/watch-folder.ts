/**
 * Tells that something below a folder has changed, soon after and once for a burst of changes. What changed is for the
 * reader of the folder to find out: editors write a file beside the old one and rename it, and events may name neither.
 */
import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'

export interface FolderWatch {
  [Symbol.dispose](): void
}

export interface FolderNews {
  changed(): void
  /** Part of the folder cannot be watched: changes there go unnoticed. */
  failed(error: unknown): void
}

/** Changes this close together count as one. */
const QUIET_MS = 15
/** Something is told this long after the first change, however many follow it. */
const LONGEST_MS = 120
const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])

/**
 * Resolves when every folder is watched; a folder that comes later is watched too, also in the place of one that went
 * away. Rejects with WatchLimitError.
 */
export async function watchFolder(folder: string, news: FolderNews): Promise<FolderWatch> {
  const burst = createBurst(news.changed)
  const open = () =>
    hasRecursiveWatch()
      ? watchWhole(folder, burst.change)
      : watchEachFolder(folder, burst.change, news.failed)
  let watches = await open()
  let isEnded = false
  const openAgain = async () => {
    const fresh = await open()
    watches.close()
    watches = fresh
    if (isEnded) fresh.close()
    else burst.change()
  }
  // What is watched is a folder and not its name: another one may come to be at its place.
  const above = watchName(folder, () => void openAgain().catch(news.failed))
  return {
    [Symbol.dispose]: () => {
      isEnded = true
      burst.end()
      above?.close()
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

interface Watches {
  close(): void
}

/** Null when the folder above may not be watched. */
function watchName(folder: string, onChange: () => void): Watches | null {
  const name = basename(folder)
  try {
    const watcher = watch(dirname(folder), (kind, changed) => {
      if (kind === 'rename' && changed === name) onChange()
    })
    return watcher.on('error', () => watcher.close())
  } catch {
    return null
  }
}

async function watchWhole(folder: string, onChange: () => void): Promise<Watches> {
  try {
    const watcher = watch(folder, { recursive: true }, (_, name) => {
      if (!isSkipped(name)) onChange()
    })
    return watcher.on('error', onChange)
  } catch {
    return { close: () => {} } // gone for now
  }
}

async function watchEachFolder(
  root: string,
  onChange: () => void,
  onFault: (error: unknown) => void,
): Promise<Watches> {
  const watchers = new Map<string, FSWatcher>()
  let isClosed = false

  const add = async (folder: string): Promise<void> => {
    if (isClosed || watchers.has(folder)) return
    let watcher: FSWatcher | null = null
    try {
      watcher = watch(folder, (kind, name) => {
        if (isSkipped(name)) return
        // A new name may be a folder, in which there may be something already.
        if (kind === 'rename' && name !== null) addAgain(join(folder, name)).then(onChange, onFault)
        onChange()
      })
      watcher.on('error', () => drop(folder))
      watchers.set(folder, watcher)
      const children = await readdir(folder, { withFileTypes: true })
      const folders = children.filter((child) => child.isDirectory() && !isSkipped(child.name))
      await Promise.all(folders.map((child) => add(join(folder, child.name))))
    } catch (error) {
      if (error instanceof WatchLimitError) throw error
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EMFILE') throw new WatchLimitError(root)
      if (watcher !== null && watchers.get(folder) === watcher) drop(folder) // a file, or gone already
    }
  }

  /** The folder of that name may be another one than before, and so may those below it. */
  const addAgain = (folder: string): Promise<void> => {
    for (const known of watchers.keys())
      if (known === folder || known.startsWith(`${folder}${sep}`)) drop(known)
    return add(folder)
  }

  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  const close = () => {
    isClosed = true
    for (const folder of watchers.keys()) drop(folder)
  }

  await add(root).catch((error: unknown) => {
    close()
    throw error
  })
  return { close }
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
