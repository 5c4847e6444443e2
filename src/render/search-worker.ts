/** The thread in which search indexes are made: cutting the text of a large site into words takes seconds. */
import { parentPort } from 'node:worker_threads'
import { createSearchIndexes, type SearchPage, type SearchScript } from './search-index.ts'

/** `page` is null for a place in the order that no page takes. */
export type ToSearchWorker = { kind: 'page'; place: number; page: SearchPage | null } | { kind: 'finish' }

export type FromSearchWorker = readonly SearchScript[]

const indexes = createSearchIndexes()
const early = new Map<number, SearchPage | null>()
let next = 0

parentPort?.on('message', (message: ToSearchWorker) => {
  if (message.kind === 'finish') {
    parentPort?.postMessage(indexes.scripts() satisfies FromSearchWorker)
    return
  }
  early.set(message.place, message.page)
  for (let page = early.get(next); page !== undefined; page = early.get(next)) {
    if (page) indexes.add(page)
    early.delete(next)
    next += 1
  }
})
