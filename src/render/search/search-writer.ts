/** Makes the search indexes of a site beside its pages, in a thread of its own. */
import { Worker } from 'node:worker_threads'
import { MachineryError } from '../../base/machinery-error.ts'
import type { IndexSettings, SearchFile, SearchScript } from './search-index.ts'
import type { SearchPage } from './search-page.ts'
import type { FromSearchWorker, PlacedPage, ToSearchWorker } from './search-worker.ts'

export interface SearchWriter {
  /** In any order; each place from 0 on comes once. Null for a place that no page takes. */
  add(place: number, page: SearchPage | null): void
  /**
   * The root of each language, by language, when all other files are written. To be called when every place has come.
   * Rejects with MachineryError when the thread has ended, and when a file could not be written.
   */
  finish(): Promise<readonly SearchScript[]>
  [Symbol.asyncDispose](): Promise<void>
}

/** Each message costs more than what most pages hold. */
const PAGES_AT_A_TIME = 16

/** `write` is told each file but the roots as soon as it is made. */
export function openSearchWriter(
  settings: IndexSettings,
  write: (file: SearchFile) => Promise<void>,
): SearchWriter {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./search-worker.${ending}`, import.meta.url), { workerData: settings })
  const writing: Promise<void>[] = []
  // Listened for from the start, so that a thread that dies early is noticed when its answer is asked for.
  const scripts = new Promise<readonly SearchScript[]>((resolve, reject) => {
    const lost = (cause?: Error) =>
      reject(new MachineryError('the search index could not be made', { cause }))
    worker.on('message', (message: FromSearchWorker) => {
      if (message.kind === 'finished') return resolve(message.scripts)
      const written = write(message.file)
      written.catch(() => {}) // told when all are waited for
      writing.push(written)
    })
    worker.once('error', lost)
    worker.once('exit', () => lost())
  })
  scripts.catch(() => {})
  const send = (message: ToSearchWorker) => worker.postMessage(message)
  let waiting: PlacedPage[] = []
  const sendWaiting = () => {
    if (waiting.length > 0) send({ kind: 'pages', pages: waiting })
    waiting = []
  }
  return {
    add: (place, page) => {
      waiting.push({ place, page })
      if (waiting.length >= PAGES_AT_A_TIME) sendWaiting()
    },
    finish: async () => {
      sendWaiting()
      send({ kind: 'finish' })
      const made = await scripts
      await Promise.all(writing)
      return made
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}
