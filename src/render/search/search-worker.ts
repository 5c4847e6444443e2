/** Thread that builds search indexes, because splitting the text of a large site into words takes seconds. */
import { parentPort, workerData } from 'node:worker_threads'
import { createSearchIndexes, type SearchScript } from './search-index.ts'
import type { IndexSettings, SearchPage } from './search-pages.ts'
import type { SearchFile } from './search-parts.ts'

export interface IndexedPage {
  pageIndex: number
  page: SearchPage | null
}

export type ToSearchWorker = { kind: 'pages'; pages: readonly IndexedPage[] } | { kind: 'finish' }

export type FromSearchWorker =
  | { kind: 'file'; file: SearchFile }
  /** Acknowledges a message with pages: the queue has room for another message. */
  | { kind: 'taken' }
  | { kind: 'finished'; scripts: readonly SearchScript[] }

const indexes = createSearchIndexes(workerData as IndexSettings)
const early = new Map<number, SearchPage | null>()
let next = 0
let last = Promise.resolve()

const send = (message: FromSearchWorker) => parentPort?.postMessage(message)
const sendFiles = (files: readonly SearchFile[]) => {
  for (const file of files) send({ kind: 'file', file })
}

const addInOrder = async (page: SearchPage | null): Promise<void> => {
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
  for (const { pageIndex, page } of message.pages) early.set(pageIndex, page)
  for (let page = early.get(next); page !== undefined; page = early.get(next)) {
    const taken = page
    last = last.then(() => addInOrder(taken))
    early.delete(next)
    next += 1
  }
  // Also acknowledges pages that arrived early. Otherwise a full queue would hold back the pages they wait for.
  last = last.then(() => send({ kind: 'taken' }))
})
