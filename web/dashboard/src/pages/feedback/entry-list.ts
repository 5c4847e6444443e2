/**
 * Loaded entries of one combination of filters, newest first. A list is cached for the lifetime of the tab, so that
 * going back restores the same rows at the same scroll position.
 *
 *   known      loaded, or shown on request; visible while its status matches the filter
 *   arrived    new, not shown yet: only counted, and inserted on request, so that the rows do not move
 *
 *   held       status changed here, response pending: data received meanwhile may be older
 *
 * Optimistic changes and their rollback modify the known entry and move it to its new position.
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

export interface EntryListState {
  ids: readonly string[]
  hasMore: boolean
  isLoading: boolean
  error: unknown
  arrived: number
  /** True if the actual number of new entries may be higher than `arrived`. */
  isManyArrived: boolean
}

interface LoadedPage {
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
  readonly #held = new Map<string, number>()
  /** Ids of all known entries, including those that no longer match. */
  #order: string[] = []
  #pages: LoadedPage[] = []
  #cursor: string | null = null
  #loading: Promise<void> | null = null
  /** Incremented by each reload; responses to earlier requests are ignored. */
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
  /** Called after each page to decide whether to request the next page before rendering. */
  shouldLoadMore: (count: number) => boolean = () => false
  /** Scroll position and marked row, restored when the user returns. */
  scrollOffset = 0
  activeId: string | null = null

  /** `statuses: null` matches all. `admits` checks the other filters for entries that arrive by live events. */
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

  loadFirst(): Promise<void> {
    return this.#pages.length === 0 ? this.loadMore() : Promise.resolve()
  }

  /**
   * Loads the next page, unless a page is loading or there is none. Never rejects; errors are part of the
   * state.
   */
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
        if (this.shouldLoadMore(this.#state.ids.length)) void this.loadMore()
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
      // Only checks the new entries, because the list may have a hundred thousand.
      const fresh = unknown.filter((entry) => this.#matches(entry)).map(({ id }) => id)
      this.#set({ ...more, ids: this.#state.ids.concat(fresh), arrived: this.#arrived.size })
    }
  }

  /** Clears the list and loads the first page; the visible entries stay until it has loaded. */
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

  /**
   * Fetches the newest page: new entries arrive, known entries are updated, and all other pages become stale.
   */
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
      // Retried with the next change or refresh.
    } finally {
      this.#refreshing = false
    }
  }

  async refreshRows(first: number, last: number): Promise<void> {
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

  /**
   * Returns entries that a refetched page should still contain but does not, because their status changed or they were
   * deleted.
   */
  #goneFrom(ids: readonly string[], { feedback, hasMore }: EntryPage): string[] {
    const found = new Set(feedback.map(({ id }) => id))
    const last = feedback.at(-1)
    return ids.filter((id) => {
      const entry = this.#entries.get(id)
      if (entry === undefined || found.has(id)) return false
      return last === undefined ? !hasMore : isBefore(entry, last)
    })
  }

  /** Updates a known entry, or adds a matching new entry as arrived. */
  receive(entry: FeedbackEntry): void {
    this.#takeAll([entry])
  }

  #takeAll(entries: readonly FeedbackEntry[], missingIds: readonly string[] = []): void {
    for (const entry of entries) {
      if (this.#entries.has(entry.id)) this.#know(entry)
      else if (this.#matches(entry) && this.#admits(entry) && this.#belongs(entry))
        this.#arrived.set(entry.id, entry)
      else this.#arrived.delete(entry.id)
    }
    for (const id of missingIds) if (!this.#held.has(id)) this.#drop(id)
    this.#collect()
  }

  #know(entry: FeedbackEntry): void {
    const known = this.#entries.get(entry.id)
    const isStatusLocked = known !== undefined && this.#held.has(entry.id)
    this.#entries.set(entry.id, isStatusLocked ? { ...entry, status: known.status } : entry)
  }

  /**
   * Ignores the server's status of these entries until `releaseStatuses`, because the displayed status is
   * newer.
   */
  lockStatuses(ids: Iterable<string>): void {
    for (const id of ids) this.#held.set(id, (this.#held.get(id) ?? 0) + 1)
  }

  releaseStatuses(ids: Iterable<string>): void {
    for (const id of ids) {
      const count = this.#held.get(id) ?? 0
      if (count > 1) this.#held.set(id, count - 1)
      else this.#held.delete(id)
    }
  }

  /** Returns whether the entry is within the loaded range; entries after that range are loaded with their page. */
  #belongs(entry: FeedbackEntry): boolean {
    if (!this.#state.hasMore) return true
    const last = this.#entries.get(this.#order.at(-1) ?? '')
    return last !== undefined && isBefore(entry, last)
  }

  /** Changes known entries and hides entries that no longer match the filters. */
  updateEntries(ids: Iterable<string>, change: (entry: FeedbackEntry) => FeedbackEntry): void {
    for (const id of ids) {
      const entry = this.#entries.get(id)
      if (entry === undefined) continue
      const amended = change(entry)
      this.#entries.set(id, amended)
      if (!this.#admits(amended)) this.#drop(id)
    }
    this.#collect()
  }

  remove(id: string): void {
    this.#drop(id)
    this.#arrived.delete(id)
    this.#collect()
  }

  #drop(id: string): void {
    if (this.#entries.delete(id)) this.#order = this.#order.filter((known) => known !== id)
  }

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

  /** Sets statuses immediately; returns the previous status of each known entry that changed. */
  setStatuses(statusById: ReadonlyMap<string, FeedbackStatus>): Map<string, FeedbackStatus> {
    const before = new Map<string, FeedbackStatus>()
    for (const [id, status] of statusById) {
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

/** Order of the API: newest first, entries without a time last, ties broken by id. */
function isBefore(a: FeedbackEntry, b: FeedbackEntry): boolean {
  const [atA, atB] = [a.createdAt ?? '', b.createdAt ?? '']
  return atA === atB ? a.id > b.id : atA > atB
}
