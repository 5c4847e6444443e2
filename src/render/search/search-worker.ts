/** The thread in which search indexes are made: cutting the text of a large site into words takes seconds. */
import { parentPort, workerData } from 'node:worker_threads'
import {
  createSearchIndexes,
  type IndexKeeping,
  type IndexSettings,
  type KeptIndexes,
  type SamePage,
  type SearchScript,
} from './search-index.ts'
import type { SearchPage } from './search-page.ts'
import type { SearchFile } from './search-parts.ts'

/**
 * A page, or one that the last index knows by the same name. The name is null for what is not kept, the page for a place
 * in the order that no page takes.
 */
export type PlacedPage = { place: number } & (
  | { kind: 'none' }
  | { kind: 'page'; page: SearchPage; name: string | null }
  | { kind: 'same'; page: SamePage; name: string }
)

export type ToSearchWorker =
  | { kind: 'pages'; pages: readonly PlacedPage[] }
  | { kind: 'finish'; keeps: boolean }

export type FromSearchWorker =
  | { kind: 'file'; file: SearchFile }
  /** One message with pages less is waiting. */
  | { kind: 'taken' }
  | { kind: 'finished'; scripts: readonly SearchScript[]; kept: KeptIndexes | null }

export interface SearchWorkerData {
  settings: IndexSettings
  keeping: IndexKeeping | null
}

const { settings, keeping } = workerData as SearchWorkerData
const indexes = createSearchIndexes(settings, keeping)
const early = new Map<number, PlacedPage>()
let next = 0
/** Pages are taken in one after the other. */
let last = Promise.resolve()

const send = (message: FromSearchWorker) => parentPort?.postMessage(message)
const sendFiles = (files: readonly SearchFile[]) => {
  for (const file of files) send({ kind: 'file', file })
}

const take = async (placed: PlacedPage): Promise<void> => {
  if (placed.kind === 'page') sendFiles(await indexes.add(placed.page, placed.name))
  else if (placed.kind === 'same') sendFiles(await indexes.addSame(placed.page, placed.name))
}

parentPort?.on('message', (message: ToSearchWorker) => {
  if (message.kind === 'finish') {
    last = last.then(() => {
      const { files, scripts, kept } = indexes.finish(message.keeps)
      sendFiles(files)
      send({ kind: 'finished', scripts, kept })
    })
    return
  }
  for (const placed of message.pages) early.set(placed.place, placed)
  for (let page = early.get(next); page !== undefined; page = early.get(next)) {
    const taken = page
    last = last.then(() => take(taken))
    early.delete(next)
    next += 1
  }
  // What has come too early waits for pages that are still to be sent, and nobody for it.
  last = last.then(() => send({ kind: 'taken' }))
})
