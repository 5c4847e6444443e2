/** Makes the search indexes of a site beside its pages, in a thread of its own. */
import { Worker } from 'node:worker_threads'
import { MachineryError } from '../base/machinery-error.ts'
import type { SearchPage, SearchScript } from './search-index.ts'
import type { FromSearchWorker, ToSearchWorker } from './search-worker.ts'

export interface SearchWriter {
  /** In any order; each place from 0 on comes once. Null for a place that no page takes. */
  add(place: number, page: SearchPage | null): void
  /** By language. To be called when every place has come. Rejects with MachineryError when the thread has ended. */
  finish(): Promise<readonly SearchScript[]>
  [Symbol.asyncDispose](): Promise<void>
}

export function openSearchWriter(): SearchWriter {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./search-worker.${ending}`, import.meta.url))
  // Listened for from the start, so that a thread that dies early is noticed when its answer is asked for.
  const scripts = new Promise<FromSearchWorker>((resolve, reject) => {
    const lost = (cause?: Error) =>
      reject(new MachineryError('the search index could not be made', { cause }))
    worker.once('message', resolve)
    worker.once('error', lost)
    worker.once('exit', () => lost())
  })
  scripts.catch(() => {})
  const send = (message: ToSearchWorker) => worker.postMessage(message)
  return {
    add: (place, page) => send({ kind: 'page', place, page }),
    finish: async () => {
      send({ kind: 'finish' })
      return await scripts
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}
