/**
 * Reports changes below a folder, shortly after they happen and once per burst. It does not report what has changed:
 * editors write a new file and rename it over the old one, and events may name neither.
 */
import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'

export interface FolderWatch {
  [Symbol.dispose](): void
}

export interface FolderWatchEvents {
  changed(): void
  failed(error: unknown): void
}

/** Changes within this time count as one. */
const DEBOUNCE_MS = 15
/** Maximum delay of a report after the first change of a burst. */
const MAX_DELAY_MS = 120
const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])

/**
 * Resolves when every folder is watched. Folders created later are watched too, including one that replaces a removed
 * folder. Rejects with WatchLimitError.
 */
export async function watchFolder(folder: string, events: FolderWatchEvents): Promise<FolderWatch> {
  const debouncer = createDebouncer(events.changed)
  const open = () =>
    hasRecursiveWatch()
      ? watchRecursively(folder, debouncer.change)
      : watchEachFolder(folder, debouncer.change, events.failed)
  let watches = await open()
  let isEnded = false
  const openAgain = async () => {
    const newWatches = await open()
    watches.close()
    watches = newWatches
    if (isEnded) newWatches.close()
    else debouncer.change()
  }
  // A watch follows the folder rather than its path, so watch again when a new folder is created at the path.
  const above = watchFolderName(folder, () => void openAgain().catch(events.failed))
  return {
    [Symbol.dispose]: () => {
      isEnded = true
      debouncer.end()
      above?.close()
      watches.close()
    },
  }
}

function createDebouncer(onChange: () => void): { change(): void; end(): void } {
  let timer: NodeJS.Timeout | null = null
  let first = 0
  const fire = () => {
    timer = null
    onChange()
  }
  return {
    change: () => {
      const now = performance.now()
      if (timer === null) first = now
      else clearTimeout(timer)
      timer = setTimeout(fire, Math.min(DEBOUNCE_MS, Math.max(0, first + MAX_DELAY_MS - now)))
    },
    end: () => {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/**
 * Returns whether the system watches folders recursively. Elsewhere, Node watches every file individually,
 * which may exceed the system's limit.
 */
function hasRecursiveWatch(): boolean {
  return process.platform === 'darwin' || process.platform === 'win32'
}

interface Watches {
  close(): void
}

/** Watches a folder's name in its parent. Returns null if the parent cannot be watched. */
function watchFolderName(folder: string, onChange: () => void): Watches | null {
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

async function watchRecursively(folder: string, onChange: () => void): Promise<Watches> {
  try {
    const watcher = watch(folder, { recursive: true }, (_, name) => {
      if (!isSkipped(name)) onChange()
    })
    return watcher.on('error', onChange)
  } catch {
    return { close: () => {} } // currently missing
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
        // A new name may be a folder that already has content.
        if (kind === 'rename' && name !== null) rewatch(join(folder, name)).then(onChange, onFault)
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
      if (watcher !== null && watchers.get(folder) === watcher) drop(folder) // a file, or already removed
    }
  }

  /** Watches a folder again, because it and the folders below it may have been replaced by folders of the same name. */
  const rewatch = (folder: string): Promise<void> => {
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

export class WatchLimitError extends Error {
  override name = 'WatchLimitError'
  constructor(folder: string) {
    super(
      `${folder} has more folders than this system can watch. Raise fs.inotify.max_user_watches and max_user_instances.`,
    )
  }
}

function isSkipped(name: string | null): boolean {
  return name !== null && SKIPPED.has(name.split(sep, 1)[0] ?? '')
}
