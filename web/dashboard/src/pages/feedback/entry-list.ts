/**
 * The entries that one set of filters finds, as far as they were loaded, newest first. It lives as long as the tab
 * remembers it, so that going back finds the same rows at the same place.
 *
 *   known      loaded, or put in when asked; shown while the status is among the wanted ones
 *   arrived    came while one was reading: counted, and put in when asked for, so that nothing moves under the eyes
 *
 *   held       its status was changed here and the server has not answered yet: what comes meanwhile may be older
 *
 * An optimistic change is a change of the known entry; taking it back is another one, and each finds its place by itself.
 */
import type {
  FeedbackEntry,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'

interface EntryPage {
  feedback: FeedbackEntry[]
  nextCursor: string | null
  hasMore: boolean
}

/** What can be shown now; a new object at each change. */
export interface EntryListState {
  /** Of the entries that are shown, in order. */
  ids: readonly string[]
  /** There are entries behind the last loaded one. */
  hasMore: boolean
  isLoading: boolean
  /** Why the last page did not come. */
  error: unknown
  /** Entries that wait to be shown. */
  arrived: number
  /** More have arrived than were counted. */
  isManyArrived: boolean
}

interface LoadedPage {
  /** What it was asked for with; null for the first. */
  cursor: string | null
  ids: string[]
  isStale: boolean
}

type LoadPage = (cursor: string | null) => Promise<EntryPage>

export class EntryList {
  readonly #load: LoadPage
  readonly #statuses: ReadonlySet<FeedbackStatus> | null
  readonly #admits: (entry: FeedbackEntry) => boolean
  readonly #listeners = new Set<() => void>()
  readonly #entries = new Map<string, FeedbackEntry>()
  readonly #arrived = new Map<string, FeedbackEntry>()
  /** How many changes of each entry are on their way. */
  readonly #held = new Map<string, number>()
  /** All known ones, also those that no longer match. */
  #order: string[] = []
  #pages: LoadedPage[] = []
  #cursor: string | null = null
  #loading: Promise<void> | null = null
  /** Raised at each beginning anew: what was asked for before is not taken any more. */
  #round = 0
  #refreshing = false
  #isManyArrived = false
  #state: EntryListState = {
    ids: [],
    hasMore: true,
    isLoading: false,
    error: null,
    arrived: 0,
    isManyArrived: false,
  }
  /** Asked after each page: whether the next one is wanted already, before what came is shown. */
  isMoreWanted: (count: number) => boolean = () => false
  /** Where the list was scrolled to, and the row that was marked, for who comes back. */
  scrollOffset = 0
  activeId: string | null = null

  /** `statuses` null: all of them match. `admits` says of an entry that comes by itself whether the other filters do. */
  constructor(
    load: LoadPage,
    statuses: readonly FeedbackStatus[] | null,
    admits: (entry: FeedbackEntry) => boolean = () => true,
  ) {
    this.#load = load
    this.#statuses = statuses === null ? null : new Set(statuses)
    this.#admits = admits
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): EntryListState => this.#state

  entry(id: string): FeedbackEntry | undefined {
    return this.#entries.get(id)
  }

  /** For who is about to look: the first page, when nothing is known. */
  loadFirst(): Promise<void> {
    return this.#pages.length === 0 ? this.loadMore() : Promise.resolve()
  }

  /** Loads the next page, unless one is on its way or there is none. Never rejects: the state tells of errors. */
  loadMore(): Promise<void> {
    if (this.#loading !== null || !this.#state.hasMore) return this.#loading ?? Promise.resolve()
    const round = this.#round
    const cursor = this.#cursor
    this.#set({ isLoading: true, error: null })
    const loading = this.#load(cursor)
      .then((page) => {
        if (round !== this.#round) return
        this.#loading = null
        this.#append(cursor, page)
        if (this.isMoreWanted(this.#state.ids.length)) void this.loadMore()
      })
      .catch((error: unknown) => {
        if (round !== this.#round) return
        this.#loading = null
        this.#set({ isLoading: false, error })
      })
    this.#loading = loading
    return loading
  }

  #append(cursor: string | null, { feedback, nextCursor, hasMore }: EntryPage): void {
    const unknown = feedback.filter(({ id }) => !this.#entries.has(id))
    for (const entry of feedback) {
      this.#know(entry)
      this.#arrived.delete(entry.id)
    }
    for (const { id } of unknown) this.#order.push(id)
    this.#pages.push({ cursor, ids: feedback.map(({ id }) => id), isStale: false })
    this.#cursor = nextCursor
    const more = { hasMore: hasMore && nextCursor !== null, isLoading: false }
    if (unknown.length < feedback.length) this.#collect(more)
    else {
      // With a hundred thousand rows, only what came is looked at.
      const fresh = unknown.filter((entry) => this.#matches(entry)).map(({ id }) => id)
      this.#set({ ...more, ids: this.#state.ids.concat(fresh), arrived: this.#arrived.size })
    }
  }

  /** Forgets what is known and loads the first page; what is shown stays until that is there. */
  async reload(): Promise<void> {
    const round = ++this.#round
    this.#loading = null
    this.#set({ isLoading: true, error: null })
    try {
      const page = await this.#load(null)
      if (round !== this.#round) return
      this.#entries.clear()
      this.#arrived.clear()
      this.#order = []
      this.#pages = []
      this.#isManyArrived = false
      this.#state = { ...this.#state, ids: [], isManyArrived: false }
      this.#append(null, page)
    } catch (error) {
      if (round === this.#round) this.#set({ isLoading: false, error })
    }
  }

  /** Looks at the newest again: new entries arrive, known ones are brought up to date, and pages below are to be looked at. */
  async refresh(): Promise<void> {
    if (this.#pages.length === 0 || this.#refreshing) return
    this.#refreshing = true
    const round = this.#round
    try {
      const page = await this.#load(null)
      if (round !== this.#round) return
      for (const known of this.#pages) known.isStale = true
      const isOverlapping = page.feedback.some(({ id }) => this.#entries.has(id))
      if (!isOverlapping && page.feedback.length > 0 && page.hasMore && this.#order.length > 0)
        this.#isManyArrived = true
      const first = this.#pages[0]
      if (first && isOverlapping) first.isStale = false
      this.#takeAll(page.feedback, this.#goneFrom(first?.ids ?? [], page))
    } catch {
      // The next change, or the next look, tries again.
    } finally {
      this.#refreshing = false
    }
  }

  /** Brings the pages of these rows up to date, when something has changed since they were loaded. */
  async freshen(first: number, last: number): Promise<void> {
    const shown = new Set(this.#state.ids.slice(Math.max(0, first), last + 1))
    const round = this.#round
    for (const page of this.#pages) {
      if (!page.isStale || !page.ids.some((id) => shown.has(id))) continue
      page.isStale = false
      const newer = await this.#load(page.cursor).catch(() => null)
      if (round !== this.#round) return
      if (newer === null) {
        page.isStale = true
        return
      }
      this.#takeAll(newer.feedback, this.#goneFrom(page.ids, newer))
    }
  }

  /** Entries that a page would still have, if they matched: they have another status now, or are no more. */
  #goneFrom(ids: readonly string[], { feedback, hasMore }: EntryPage): string[] {
    const found = new Set(feedback.map(({ id }) => id))
    const last = feedback.at(-1)
    return ids.filter((id) => {
      const entry = this.#entries.get(id)
      if (entry === undefined || found.has(id)) return false
      return last === undefined ? !hasMore : isBefore(entry, last)
    })
  }

  /** An entry as it is now: a known one changes, another one that matches arrives. */
  take(entry: FeedbackEntry): void {
    this.#takeAll([entry])
  }

  #takeAll(entries: readonly FeedbackEntry[], gone: readonly string[] = []): void {
    for (const entry of entries) {
      if (this.#entries.has(entry.id)) this.#know(entry)
      else if (this.#matches(entry) && this.#admits(entry) && this.#belongs(entry))
        this.#arrived.set(entry.id, entry)
      else this.#arrived.delete(entry.id)
    }
    for (const id of gone) if (!this.#held.has(id)) this.#drop(id)
    this.#collect()
  }

  #know(entry: FeedbackEntry): void {
    const known = this.#entries.get(entry.id)
    const isHeld = known !== undefined && this.#held.has(entry.id)
    this.#entries.set(entry.id, isHeld ? { ...entry, status: known.status } : entry)
  }

  /** Until `release`, what the server says of the status of these is older than what is shown. */
  hold(ids: Iterable<string>): void {
    for (const id of ids) this.#held.set(id, (this.#held.get(id) ?? 0) + 1)
  }

  release(ids: Iterable<string>): void {
    for (const id of ids) {
      const count = this.#held.get(id) ?? 0
      if (count > 1) this.#held.set(id, count - 1)
      else this.#held.delete(id)
    }
  }

  /** One behind the last loaded entry comes with its page. */
  #belongs(entry: FeedbackEntry): boolean {
    if (!this.#state.hasMore) return true
    const last = this.#entries.get(this.#order.at(-1) ?? '')
    return last !== undefined && isBefore(entry, last)
  }

  /** Changes what is known of these; what the filters no longer admit leaves. */
  amend(ids: Iterable<string>, change: (entry: FeedbackEntry) => FeedbackEntry): void {
    for (const id of ids) {
      const entry = this.#entries.get(id)
      if (entry === undefined) continue
      const amended = change(entry)
      this.#entries.set(id, amended)
      if (!this.#admits(amended)) this.#drop(id)
    }
    this.#collect()
  }

  /** It is no more. */
  remove(id: string): void {
    this.#drop(id)
    this.#arrived.delete(id)
    this.#collect()
  }

  #drop(id: string): void {
    if (this.#entries.delete(id)) this.#order = this.#order.filter((known) => known !== id)
  }

  /** Puts what has arrived where it belongs. */
  async showArrived(): Promise<void> {
    if (this.#isManyArrived) return this.reload()
    for (const entry of this.#arrived.values()) this.#entries.set(entry.id, entry)
    this.#order.push(...this.#arrived.keys())
    this.#arrived.clear()
    this.#order.sort((a, b) =>
      isBefore(this.#entries.get(a) as FeedbackEntry, this.#entries.get(b) as FeedbackEntry) ? -1 : 1,
    )
    this.#collect()
  }

  /** Sets statuses at once; answers what they were, of those that are known and change. */
  setStatuses(wanted: ReadonlyMap<string, FeedbackStatus>): Map<string, FeedbackStatus> {
    const before = new Map<string, FeedbackStatus>()
    for (const [id, status] of wanted) {
      const entry = this.#entries.get(id)
      if (entry === undefined || entry.status === status) continue
      before.set(id, entry.status)
      this.#entries.set(id, { ...entry, status })
    }
    if (before.size > 0) this.#collect()
    return before
  }

  #matches({ status }: FeedbackEntry): boolean {
    return this.#statuses === null || this.#statuses.has(status)
  }

  #collect(more: Partial<EntryListState> = {}): void {
    const ids = this.#order.filter((id) => this.#matches(this.#entries.get(id) as FeedbackEntry))
    this.#set({ ...more, ids, arrived: this.#arrived.size, isManyArrived: this.#isManyArrived })
  }

  #set(change: Partial<EntryListState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Newest first; without a time last; ids break ties: the order of the API. */
function isBefore(a: FeedbackEntry, b: FeedbackEntry): boolean {
  const [atA, atB] = [a.createdAt ?? '', b.createdAt ?? '']
  return atA === atB ? a.id > b.id : atA > atB
}
