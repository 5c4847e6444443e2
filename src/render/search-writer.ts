/** Makes the search indexes of a site beside its pages, in a thread of its own. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SearchPage, SearchScript } from './search-index.ts'
import type { FromSearchWorker, ToSearchWorker } from './search-worker.ts'

export interface SearchWriter {
  /** In any order; each place from 0 on comes once. Null for a place that no page takes. */
  add(place: number, page: SearchPage | null): void
  /** By language. To be called when every place has come. */
  finish(): Promise<readonly SearchScript[]>
  [Symbol.asyncDispose](): Promise<void>
}

export function openSearchWriter(): SearchWriter {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./search-worker.${ending}`, import.meta.url))
  // Listened for from the start, so that a thread that dies early is noticed when its answer is asked for.
  const answer = once(worker, 'message') as Promise<[FromSearchWorker]>
  const isGone = once(worker, 'exit').then(() => {
    throw new Error('the thread of the search index has ended without an answer')
  })
  const scripts = Promise.race([answer, isGone])
  scripts.catch(() => {})
  isGone.catch(() => {})
  const send = (message: ToSearchWorker) => worker.postMessage(message)
  return {
    add: (place, page) => send({ kind: 'page', place, page }),
    finish: async () => {
      send({ kind: 'finish' })
      const [made] = await scripts
      return made
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}
