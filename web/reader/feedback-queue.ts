/**
 * Queue of unsent feedback in the browser's storage. Entries are identified by an id created here, so that sending
 * one twice is harmless.
 *
 *   waiting ──delivered, or rejected permanently──▶ removed
 *   waiting ──undone──▶ withdrawn ──delivered──▶ removed
 *   stored, without a platform ──saved to a file──▶ stored and saved: removed first to make room
 *
 * Each change reads, modifies and writes the queue synchronously, so that two tabs do not overwrite each other.
 * Stored data may have been written by anyone, so its shape is validated.
 */
import type { FeedbackFileEntry } from '../../src/features/feedback/operations/feedback-file.ts'

export type FeedbackBody = Omit<FeedbackFileEntry, 'createdAt'>

export interface QueueEntry {
  body: FeedbackBody
  createdAt: string
  /** Earliest time to send, in ms since 1970. */
  after: number
  /** Incremented by each change, so that the response to an older version does not remove a newer version. */
  version: number
  isWithdrawn?: boolean
  isSaved?: boolean
}

export interface QueueState {
  entries: QueueEntry[]
  /** Number of consecutive failures to reach the platform. */
  tries: number
  /** Earliest time to send anything, in ms since 1970. */
  after: number
}

export interface FeedbackQueue {
  read(): QueueState
  /**
   * Adds feedback to the entry with its id. Returns true when an unsaved older entry was dropped to make
   * room.
   */
  put(body: FeedbackBody, options?: { holdMs?: number }): boolean
  /** Stores the revision of the site that the reader saw. */
  stamp(id: string, revision: string): void
  withdraw(id: string): void
  /** Ends the undo period of held entries and returns them. */
  release(): QueueEntry[]
  /** Removes an entry, unless it has changed in the meantime. */
  remove(entry: QueueEntry): void
  forget(id: string): void
  markSaved(ids: readonly string[]): void
  pause(state: Pick<QueueState, 'tries' | 'after'>): void
}

/** Prefix of the storage key; the URL of the site follows. */
const STORAGE_KEY = 'octavo-feedback'
const MAX_ENTRIES = 200
/** In UTF-16 code units of JSON; browsers allow about five million per origin. */
const MAX_LENGTH = 1_000_000
const EMPTY_STATE: QueueState = { entries: [], tries: 0, after: 0 }

/** `site` is the URL of the site; it is part of the key because all pages opened from disk share one storage. */
export function openQueue(site: string): FeedbackQueue {
  const { read, write } = openStorage(`${STORAGE_KEY} ${site}`)
  const removeWhere = (isRemoved: (entry: QueueEntry) => boolean) => {
    const state = read()
    write({ ...state, entries: state.entries.filter((entry) => !isRemoved(entry)) })
  }

  return {
    read,
    put(body, { holdMs = 0 } = {}) {
      const { state, known, others, next } = locateEntry(read(), body.id)
      const after = holdMs === 0 ? 0 : Date.now() + holdMs
      const room = dropExcessEntries([...others, { ...next, body: mergeBodies(known?.body, body), after }])
      write({ ...state, entries: room.entries })
      return room.isLossy
    },
    stamp(id, revision) {
      const { state, known } = locateEntry(read(), id)
      if (known === undefined) return
      known.body.pageVersion ??= revision
      write(state)
    },
    withdraw(id) {
      const { state, known, others, next } = locateEntry(read(), id)
      const body = known?.body ?? { id, path: '/' }
      write({ ...state, entries: [...others, { ...next, body, after: 0, isWithdrawn: true }] })
    },
    release() {
      const state = read()
      const held = state.entries.filter(({ after }) => after > Date.now())
      for (const entry of held) entry.after = 0
      if (held.length > 0) write(state)
      return held
    },
    remove: ({ body, version }) =>
      removeWhere((entry) => entry.body.id === body.id && entry.version === version),
    forget: (id) => removeWhere((entry) => entry.body.id === id),
    markSaved(ids) {
      const state = read()
      for (const entry of state.entries) if (ids.includes(entry.body.id)) entry.isSaved = true
      write(state)
    },
    pause: ({ tries, after }) => write({ ...read(), tries, after }),
  }
}

function openStorage(key: string) {
  /** Fallback for browsers without storage; lasts as long as the page. */
  let memoryText: string | null = null
  return {
    read(): QueueState {
      try {
        return parse(memoryText ?? localStorage.getItem(key))
      } catch {
        return parse(memoryText)
      }
    },
    write(state: QueueState): void {
      const text = JSON.stringify(state)
      try {
        localStorage.setItem(key, text)
        memoryText = null
      } catch {
        memoryText = text
      }
    },
  }
}

/** Returns the entry with that id, the other entries, and the fields of the entry's next version. */
function locateEntry(state: QueueState, id: string) {
  const known = state.entries.find((entry) => entry.body.id === id)
  return {
    state,
    known,
    others: state.entries.filter((one) => one !== known),
    next: {
      createdAt: known?.createdAt ?? new Date().toISOString(),
      version: (known?.version ?? 0) + 1,
    },
  }
}

/** Merges feedback; a reason is dropped when the vote changes direction. */
function mergeBodies(known: FeedbackBody | undefined, newBody: FeedbackBody): FeedbackBody {
  const both = { ...known, ...newBody }
  if (known?.helpful !== newBody.helpful && newBody.reason === undefined) delete both.reason
  return both
}

/** Drops the oldest entries, those already saved to a file first, but never the newest. */
function dropExcessEntries(entries: QueueEntry[]): { entries: QueueEntry[]; isLossy: boolean } {
  let isLossy = false
  let remaining = entries
  while (
    remaining.length > 1 &&
    (remaining.length > MAX_ENTRIES || JSON.stringify(remaining).length > MAX_LENGTH)
  ) {
    const others = remaining.slice(0, -1)
    const oldest = others.find((entry) => entry.isSaved) ?? others[0]
    isLossy ||= oldest?.isSaved !== true
    remaining = remaining.filter((entry) => entry !== oldest)
  }
  return { entries: remaining, isLossy }
}

function parse(text: string | null): QueueState {
  try {
    const { entries, tries, after } = JSON.parse(text ?? 'null') as Record<string, unknown>
    if (!Array.isArray(entries)) return { ...EMPTY_STATE }
    return {
      entries: entries.filter(isEntry),
      tries: typeof tries === 'number' ? tries : 0,
      after: typeof after === 'number' ? after : 0,
    }
  } catch {
    return { ...EMPTY_STATE }
  }
}

function isEntry(value: unknown): value is QueueEntry {
  const { body, createdAt, after, version } = (value ?? {}) as Record<string, unknown>
  const { id, path } = (body ?? {}) as Record<string, unknown>
  return (
    typeof id === 'string' &&
    typeof path === 'string' &&
    typeof createdAt === 'string' &&
    typeof after === 'number' &&
    typeof version === 'number'
  )
}
