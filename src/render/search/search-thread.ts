/** Makes the search indexes of a site beside its pages, in a thread of its own. */

import { Worker } from 'node:worker_threads'
import { entryFile } from '../../base/files/program-files.ts'
import { MachineryError } from '../../base/machinery-error.ts'
import type { SearchScript } from './search-index.ts'
import type { IndexSettings, SearchPage } from './search-pages.ts'
import type { SearchFile } from './search-parts.ts'
import type { FromSearchWorker, PlacedPage, ToSearchWorker } from './search-worker.ts'

/** Each is to be called in any order; each place from 0 on comes once. */
export interface SearchThread {
  /** The page is null for a place that none takes. */
  add(place: number, page: SearchPage | null): void
  /** Resolves when not too much waits for the thread, which may be slower than what pages are made with. */
  room(): Promise<void>
  /**
   * The root of each language, by language, when all other files are written. To be called when every place has come.
   * Rejects with MachineryError when the thread has ended, and when a file could not be written.
   */
  finish(): Promise<readonly SearchScript[]>
  [Symbol.asyncDispose](): Promise<void>
}

/** Each message costs more than what most pages hold. */
const PAGES_AT_A_TIME = 16
/** Messages that lie before the thread: each has up to some hundred kilobytes. */
const MOST_WAITING = 16

/** `write` is told each file but the roots as soon as it is made. */
export function openSearchThread(
  settings: IndexSettings,
  write: (file: SearchFile) => Promise<void>,
): SearchThread {
  const worker = new Worker(entryFile('search'), { workerData: settings })
  const writing: Promise<unknown>[] = []
  const queue = createQueue((pages) => send({ kind: 'pages', pages }))
  // Listened for from the start, so that a thread that dies early is noticed when its answer is asked for.
  const ended = Promise.withResolvers<readonly SearchScript[] | Error>()
  worker.on('message', (message: FromSearchWorker) => {
    if (message.kind === 'finished') ended.resolve(message.scripts)
    else if (message.kind === 'taken') queue.leave()
    else writing.push(settled(write(message.file)))
  })
  const lost = (cause?: Error) => {
    queue.close()
    ended.resolve(new MachineryError('the search index could not be made', { cause }))
  }
  worker.once('error', lost)
  worker.once('exit', () => lost())
  const send = (message: ToSearchWorker) => worker.postMessage(message)
  return {
    add: (place, page) => queue.put({ place, page }),
    room: queue.room,
    finish: async () => {
      queue.flush()
      send({ kind: 'finish' })
      const scripts = await ended.promise
      if (scripts instanceof Error) throw scripts
      for (const fault of await Promise.all(writing)) if (fault !== null) throw fault
      // An index of a large site is hundreds of megabytes, which nobody needs while pages are laid out.
      await worker.terminate()
      return scripts
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}

/** Null, or what it rejects with: nobody listens until all are waited for. */
function settled(work: Promise<void>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
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
