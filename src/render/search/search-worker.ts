/** The thread in which search indexes are made: cutting the text of a large site into words takes seconds. */
import { parentPort, workerData } from 'node:worker_threads'
import { createSearchIndexes, type SearchScript } from './search-index.ts'
import type { IndexSettings, SearchPage } from './search-pages.ts'
import type { SearchFile } from './search-parts.ts'

/** The page is null for a place in the order that no page takes. */
export interface PlacedPage {
  place: number
  page: SearchPage | null
}

export type ToSearchWorker = { kind: 'pages'; pages: readonly PlacedPage[] } | { kind: 'finish' }

export type FromSearchWorker =
  | { kind: 'file'; file: SearchFile }
  /** One message with pages less is waiting. */
  | { kind: 'taken' }
  | { kind: 'finished'; scripts: readonly SearchScript[] }

const indexes = createSearchIndexes(workerData as IndexSettings)
const early = new Map<number, SearchPage | null>()
let next = 0
/** Pages are taken in one after the other. */
let last = Promise.resolve()

const send = (message: FromSearchWorker) => parentPort?.postMessage(message)
const sendFiles = (files: readonly SearchFile[]) => {
  for (const file of files) send({ kind: 'file', file })
}

const take = async (page: SearchPage | null): Promise<void> => {
  if (page !== null) sendFiles(await indexes.add(page))
}

parentPort?.on('message', (message: ToSearchWorker) => {
  if (message.kind === 'finish') {
    last = last.then(() => {
      const { files, scripts } = indexes.finish()
      sendFiles(files)
      send({ kind: 'finished', scripts })
    })
    return
  }
  for (const { place, page } of message.pages) early.set(place, page)
  for (let page = early.get(next); page !== undefined; page = early.get(next)) {
    const taken = page
    last = last.then(() => take(taken))
    early.delete(next)
    next += 1
  }
  // What has come too early waits for pages that are still to be sent, and nobody for it.
  last = last.then(() => send({ kind: 'taken' }))
})
