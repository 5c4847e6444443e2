/**
 * Exact rolling windows: in any `windowSeconds` never more than `limit` are accepted, and never fewer, whatever the
 * number of servers and parallel callers. One round trip; the counting is in the database, by its clock
 * (`take_places_from_window` in the migrations).
 */
import { CompiledQuery } from 'kysely'
import { isDiskFull } from '../base/files/disk-full.ts'
import { JoinedCalls } from '../base/joined-calls.ts'
import type { Queries } from '../database/database.ts'

export interface RateWindow {
  /** Who shares the window, for example `analytics:org_…`. */
  bucket: string
  limit: number
  /** Whole seconds. */
  windowSeconds: number
}

export interface RateVerdict {
  accepted: boolean
  limit: number
  /** Places left after this call. */
  remaining: number
  /** Seconds until one more place is free; 0 when all are. */
  resetSeconds: number
  /** 0 when accepted; otherwise whoever waits for so long is accepted, unless another caller of the bucket was faster. */
  retryAfterSeconds: number
}

/** In a transaction the place is taken when that commits, and other callers of the bucket wait until then. */
export function takeFromWindow(db: Queries, window: RateWindow): Promise<RateVerdict> {
  return ask(db, 'take_from_window', window)
}

/** What taking would answer now; counts nothing. */
export function peekWindow(db: Queries, window: RateWindow): Promise<RateVerdict> {
  return ask(db, 'peek_window', window)
}

/**
 * For reading: callers who wait for the same window take their places in one commit. It goes on when the disk of the
 * database is full: what was counted before stands, and this process goes on counting by itself until the database can
 * again.
 */
export async function takeForRead(db: Queries, window: RateWindow): Promise<RateVerdict> {
  try {
    return await takeTogether(db, window)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    return takeInMemory(await peekWindow(db, window), window)
  }
}

interface TakenRow extends Omit<WindowRow, 'accepted'> {
  accepted: number
}

const TAKE_PLACES = 'SELECT accepted, used, free_after_seconds FROM take_places_from_window($1, $2, $3, $4)'
/** For one caller; in a transaction too. */
const ASK = {
  take_from_window: 'SELECT accepted, used, free_after_seconds FROM take_from_window($1, $2, $3)',
  peek_window: 'SELECT accepted, used, free_after_seconds FROM peek_window($1, $2, $3)',
}

const lines = new WeakMap<Queries, JoinedCalls<RateVerdict>>()

function takeTogether(db: Queries, window: RateWindow): Promise<RateVerdict> {
  const line = lines.get(db) ?? new JoinedCalls<RateVerdict>()
  lines.set(db, line)
  const { bucket, limit, windowSeconds } = window
  return line.join(`${bucket} ${limit} ${windowSeconds}`, undefined, async ({ length: callers }) => {
    const { rows } = await db.executeQuery<TakenRow>(
      CompiledQuery.raw(TAKE_PLACES, [bucket, limit, windowSeconds, callers]),
    )
    const [row] = rows
    if (row === undefined) throw new Error('take_places_from_window gave no row')
    return verdictsOf(row, callers, window)
  })
}

/** Of callers whose places the database has counted together, in their order. */
function verdictsOf(row: TakenRow, callers: number, window: RateWindow): RateVerdict[] {
  uncounted.delete(window.bucket)
  return Array.from({ length: callers }, (_, index) =>
    verdictOf(
      { ...row, accepted: index < row.accepted, used: row.used - Math.max(0, row.accepted - index - 1) },
      window,
    ),
  )
}

/** When each read was let in that no row tells of, by bucket; the oldest bucket goes when there are too many. */
const uncounted = new Map<string, number[]>()
const MOST_UNCOUNTED = 10_000

function takeInMemory(counted: RateVerdict, { bucket, windowSeconds }: RateWindow): RateVerdict {
  const now = performance.now()
  const recent = (uncounted.get(bucket) ?? []).filter((at) => at > now - windowSeconds * 1000)
  uncounted.delete(bucket)
  uncounted.set(bucket, recent)
  if (uncounted.size > MOST_UNCOUNTED) uncounted.delete(uncounted.keys().next().value as string)
  const remaining = counted.remaining - recent.length
  if (remaining <= 0) {
    const [first = now] = recent
    const waitSeconds = counted.accepted
      ? Math.ceil((first - now) / 1000 + windowSeconds)
      : counted.retryAfterSeconds
    return { ...counted, accepted: false, remaining: 0, retryAfterSeconds: Math.max(1, waitSeconds) }
  }
  recent.push(now)
  return { ...counted, remaining: remaining - 1, resetSeconds: counted.resetSeconds || windowSeconds }
}

interface WindowRow {
  accepted: boolean
  used: number
  free_after_seconds: number | null
}

async function ask(db: Queries, name: keyof typeof ASK, window: RateWindow): Promise<RateVerdict> {
  const { bucket, limit, windowSeconds } = window
  const { rows } = await db.executeQuery<WindowRow>(
    CompiledQuery.raw(ASK[name], [bucket, limit, windowSeconds]),
  )
  const [row] = rows
  if (row === undefined) throw new Error(`${name} gave no row`)
  return verdictOf(row, window)
}

function verdictOf(row: WindowRow, { limit, windowSeconds }: RateWindow): RateVerdict {
  const { accepted, used, free_after_seconds: freeAfter } = row
  // A limit of 0 has no hit that could leave.
  const resetSeconds = freeAfter === null ? (accepted ? 0 : windowSeconds) : Math.ceil(freeAfter)
  return {
    accepted,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds,
    retryAfterSeconds: accepted ? 0 : Math.max(1, resetSeconds),
  }
}
