/** Makes the search indexes of a site beside its pages, in a thread of its own. */

import { Worker } from 'node:worker_threads'
import { MachineryError } from '../../base/machinery-error.ts'
import { entryFile } from '../../base/program-files.ts'
import type { IndexKeeping, IndexSettings, KeptIndexes, SamePage, SearchScript } from './search-index.ts'
import { namesIn } from './search-kept.ts'
import type { SearchPage } from './search-page.ts'
import type { SearchFile } from './search-parts.ts'
import type { FromSearchWorker, PlacedPage, SearchWorkerData, ToSearchWorker } from './search-worker.ts'

/** Each is to be called in any order; each place from 0 on comes once. */
export interface SearchThread {
  /** `name` says what the page is made of; null: it is not kept. The page is null for a place that none takes. */
  add(place: number, page: SearchPage | null, name?: string | null): void
  /** The last index has the page under this name: then it is enough to add it as the same. */
  knows(name: string): boolean
  addSame(place: number, page: SamePage, name: string): void
  /** Resolves when not too much waits for the thread, which may be slower than what pages are made with. */
  room(): Promise<void>
  /**
   * The root of each language, by language, when all other files are written. To be called when every place has come.
   * Rejects with MachineryError when the thread has ended, and when a file could not be written. `keeps`: also when few
   * pages have changed.
   */
  finish(keeps?: boolean): Promise<MadeIndexes>
  [Symbol.asyncDispose](): Promise<void>
}

export interface MadeIndexes {
  scripts: readonly SearchScript[]
  /** For the next index; null where nothing is kept, or what the last one has left is as good. */
  kept: KeptIndexes | null
}

/** To cut the text of so many pages into words once more costs less than to keep all anew. */
export const FEW_PAGES = 32
/** Each message costs more than what most pages hold. */
const PAGES_AT_A_TIME = 16
/** Messages that lie before the thread: each has up to some hundred kilobytes. */
const MOST_WAITING = 16

/** `write` is told each file but the roots as soon as it is made. */
export function openSearchThread(
  settings: IndexSettings,
  write: (file: SearchFile) => Promise<void>,
  keeping: IndexKeeping | null = null,
): SearchThread {
  const names = new Set(keeping?.known ? namesIn(keeping.known) : [])
  const workerData: SearchWorkerData = { settings, keeping }
  const worker = new Worker(entryFile('search'), { workerData })
  const writing: Promise<void>[] = []
  const queue = createQueue((pages) => send({ kind: 'pages', pages }))
  // Listened for from the start, so that a thread that dies early is noticed when its answer is asked for.
  const made = new Promise<MadeIndexes>((resolve, reject) => {
    const lost = (cause?: Error) => {
      queue.close()
      reject(new MachineryError('the search index could not be made', { cause }))
    }
    worker.on('message', (message: FromSearchWorker) => {
      if (message.kind === 'finished') return resolve(message)
      if (message.kind === 'taken') return queue.leave()
      const written = write(message.file)
      written.catch(() => {}) // told when all are waited for
      writing.push(written)
    })
    worker.once('error', lost)
    worker.once('exit', () => lost())
  })
  made.catch(() => {})
  const send = (message: ToSearchWorker) => worker.postMessage(message)
  let [newPages, samePages] = [0, 0]
  return {
    add: (place, page, name = null) => {
      if (page !== null) newPages += 1
      queue.put(page === null ? { place, kind: 'none' } : { place, kind: 'page', page, name })
    },
    knows: (name) => names.has(name),
    addSame: (place, page, name) => {
      samePages += 1
      queue.put({ place, kind: 'same', page, name })
    },
    room: queue.room,
    finish: async (keeps = false) => {
      queue.flush()
      const isAsGood = names.size > 0 && newPages + names.size - samePages <= FEW_PAGES
      send({ kind: 'finish', keeps: keeps || !isAsGood })
      const { scripts, kept } = await made
      await Promise.all(writing)
      // An index of a large site is hundreds of megabytes, which nobody needs while pages are laid out.
      await worker.terminate()
      return { scripts, kept }
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}

/** Pages on their way, some at a time. Who adds to it is to wait while it is full; one that is closed is never full. */
function createQueue(send: (pages: PlacedPage[]) => void) {
  let waiting: PlacedPage[] = []
  let sent = 0
  let isClosed = false
  let free = Promise.withResolvers<void>()
  const flush = () => {
    if (waiting.length === 0) return
    sent += 1
    send(waiting)
    waiting = []
  }
  const wake = () => {
    free.resolve()
    free = Promise.withResolvers()
  }
  return {
    put: (placed: PlacedPage) => {
      waiting.push(placed)
      if (waiting.length >= PAGES_AT_A_TIME) flush()
    },
    flush,
    leave: () => {
      sent -= 1
      if (sent < MOST_WAITING) wake()
    },
    close: () => {
      isClosed = true
      wake()
    },
    room: async (): Promise<void> => {
      while (sent >= MOST_WAITING && !isClosed) await free.promise
    },
  }
}
