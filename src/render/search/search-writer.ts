/**
 * Makes the search indexes of a site beside its pages. Where few pages have changed, the files of the last indexes are
 * changed; else all are made, in a thread of their own.
 */
import { changeIndexes, type OrderedPage, type PlannedFile } from './search-changed.ts'
import type { IndexSettings, SamePage } from './search-index.ts'
import type { LedgerLanguage } from './search-ledger.ts'
import type { SearchPage } from './search-page.ts'
import { FEW_PAGES, type MadeIndexes, openSearchThread, type SearchThread } from './search-thread.ts'

/** Each is to be called in any order; each place from 0 on comes once. */
export interface SearchWriter {
  /** `name` says what the page is made of; null: it is not kept. The page is null for a place that none takes. */
  add(place: number, page: SearchPage | null, name?: string | null): void
  /** The last index has the page under this name: then it is enough to add it as the same. */
  knows(name: string): boolean
  /** `read` makes the page after all. */
  addSame(place: number, page: SamePage, name: string, read: () => Promise<SearchPage>): void
  /** To be waited for after each page: a site that is large would lie in memory before the index. */
  room(): Promise<void>
  /**
   * The root of each language, by language, when all other files are written. To be called when every place has come.
   * Rejects with MachineryError when the thread has ended, and when a file could not be written.
   */
  finish(): Promise<MadeIndexes>
  [Symbol.asyncDispose](): Promise<void>
}

/** What earlier indexes have left; null where there is nothing. */
export interface SearchMemory {
  ledger: readonly LedgerLanguage[] | null
  index(): Promise<Uint8Array | null>
}

type WriteFile = (file: PlannedFile) => Promise<void>

/** `write` is told each file but the roots as soon as it is made. Without a memory nothing is kept. */
export async function openSearchWriter(
  settings: IndexSettings,
  write: WriteFile,
  memory: SearchMemory | null = null,
): Promise<SearchWriter> {
  const open = async (): Promise<SearchThread> =>
    openSearchThread(
      settings,
      ({ content, ...file }) => write({ ...file, content: () => content }),
      memory && { known: await memory.index() },
    )
  return memory?.ledger ? changingWriter({ settings, write, open, ledger: memory.ledger }) : open()
}

interface Changing {
  settings: IndexSettings
  write: WriteFile
  /** For what is more than a few changes. */
  open(): Promise<SearchThread>
  ledger: readonly LedgerLanguage[]
}

/** Holds what comes until it is too much. */
function changingWriter({ settings, write, open, ledger }: Changing): SearchWriter {
  const names = new Set(ledger.flatMap((known) => known.names))
  const places = new Map<number, OrderedPage | null>()
  let changed = 0
  let thread: Promise<SearchThread> | null = null
  const handOn = (hand: (to: SearchThread) => Promise<unknown>) => {
    thread = (thread ?? open()).then(async (to) => {
      await hand(to)
      return to
    })
    thread.catch(() => {}) // told at the end
  }
  const handAll = () => {
    const held = [...places]
    places.clear()
    handOn(async (to) => {
      for (const [place, one] of held) await handPage(to, place, one)
    })
  }
  const put = (place: number, one: OrderedPage | null) => {
    if (thread !== null) return handOn((to) => handPage(to, place, one))
    places.set(place, one)
    if (one?.kind === 'page') changed += 1
    if (changed > FEW_PAGES) handAll()
  }
  return {
    add: (place, page, name = null) => put(place, page && { kind: 'page', name, about: page, page }),
    knows: (name) => names.has(name),
    addSame: (place, about, name, read) => put(place, { kind: 'same', name, about, read }),
    room: async () => (await thread?.catch(() => null))?.room(),
    finish: async () => {
      if (thread === null) {
        const inOrder = [...places].sort(([a], [b]) => a - b).flatMap(([, one]) => one ?? [])
        const made = await changeIndexes(ledger, inOrder, settings)
        if (made !== null) {
          for (const file of made.files) await write(file)
          return { scripts: made.scripts, kept: null }
        }
        handAll()
      }
      // Of another order: the next build is to find its own.
      return (await (thread as Promise<SearchThread> | null))?.finish(true) ?? { scripts: [], kept: null }
    },
    [Symbol.asyncDispose]: async () => {
      const to = await thread?.catch(() => null)
      await to?.[Symbol.asyncDispose]()
    },
  }
}

async function handPage(to: SearchThread, place: number, one: OrderedPage | null): Promise<void> {
  if (one === null) to.add(place, null)
  else if (one.kind === 'page') to.add(place, one.page, one.name)
  else if (one.name !== null && to.knows(one.name)) to.addSame(place, one.about, one.name)
  else to.add(place, await one.read(), one.name)
}
