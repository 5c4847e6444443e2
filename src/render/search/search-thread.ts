/** Builds the search indexes of a site in a worker thread, in parallel with its pages. */

import { Worker } from 'node:worker_threads'
import { entryFile } from '../../base/files/program-files.ts'
import { InternalError } from '../../base/internal-error.ts'
import type { SearchScript } from './search-index.ts'
import type { IndexSettings, SearchPage } from './search-pages.ts'
import type { SearchFile } from './search-parts.ts'
import type { FromSearchWorker, IndexedPage, ToSearchWorker } from './search-worker.ts'

/** Pages may be added in any order; each position from 0 on must be added once. */
export interface SearchThread {
  add(index: number, page: SearchPage | null): void
  /** Resolves when the queue has room, because the thread may be slower than the rendering of pages. */
  waitForRoom(): Promise<void>
  /**
   * Resolves to the root file of each language after all other files are written. Must be called after all
   * positions were added. Rejects with InternalError if the thread has ended or a file could not be written.
   */
  finish(): Promise<readonly SearchScript[]>
  [Symbol.asyncDispose](): Promise<void>
}

/** Pages per message, because a message costs more than the content of most pages. */
const PAGES_PER_MESSAGE = 16
/** Maximum number of messages queued for the thread, each up to several hundred kilobytes. */
const MAX_QUEUED_MESSAGES = 16

/** `write` is called for each file except the roots, as soon as it is complete. */
export function openSearchThread(
  settings: IndexSettings,
  write: (file: SearchFile) => Promise<void>,
): SearchThread {
  const worker = new Worker(entryFile('search'), { workerData: settings })
  const writing: Promise<unknown>[] = []
  const queue = createQueue((pages) => send({ kind: 'pages', pages }))
  // Listen from the start, so that an early failure of the thread is noticed when its result is awaited.
  const ended = Promise.withResolvers<readonly SearchScript[] | Error>()
  worker.on('message', (message: FromSearchWorker) => {
    if (message.kind === 'finished') ended.resolve(message.scripts)
    else if (message.kind === 'taken') queue.leave()
    else writing.push(settle(write(message.file)))
  })
  const lost = (cause?: Error) => {
    queue.close()
    ended.resolve(new InternalError('the search index could not be created', { cause }))
  }
  worker.once('error', lost)
  worker.once('exit', () => lost())
  const send = (message: ToSearchWorker) => worker.postMessage(message)
  return {
    add: (index, page) => queue.put({ pageIndex: index, page }),
    waitForRoom: queue.room,
    finish: async () => {
      queue.flush()
      send({ kind: 'finish' })
      const scripts = await ended.promise
      if (scripts instanceof Error) throw scripts
      for (const fault of await Promise.all(writing)) if (fault !== null) throw fault
      // The index of a large site takes hundreds of megabytes, which are freed before pages are laid out.
      await worker.terminate()
      return scripts
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}

/**
 * Resolves to the error instead of rejecting, because a rejection before `finish` awaits it would be
 * unhandled.
 */
function settle(work: Promise<void>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

/** Sends pages in batches. Callers must wait while the queue is full; a closed queue is never full. */
function createQueue(send: (pages: IndexedPage[]) => void) {
  let waiting: IndexedPage[] = []
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
    put: (page: IndexedPage) => {
      waiting.push(page)
      if (waiting.length >= PAGES_PER_MESSAGE) flush()
    },
    flush,
    leave: () => {
      sent -= 1
      if (sent < MAX_QUEUED_MESSAGES) wake()
    },
    close: () => {
      isClosed = true
      wake()
    },
    room: async (): Promise<void> => {
      while (sent >= MAX_QUEUED_MESSAGES && !isClosed) await free.promise
    },
  }
}
