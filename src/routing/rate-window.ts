/**
 * Exact rolling windows: in any period of `windowSeconds`, up to `limit` calls are accepted and never more,
 * regardless of the number of servers and concurrent callers. One round trip: the database counts, using its
 * own clock (`take_places_from_window` in the migrations).
 */
import { CompiledQuery } from 'kysely'
import { BatchedCalls } from '../base/batched-calls.ts'
import { isDiskFull } from '../base/files/disk-full.ts'
import type { Queries } from '../database/database.ts'

export interface RateWindow {
  /** Identifies the callers that share the window, for example `analytics:org_…`. */
  bucket: string
  limit: number
  /** Whole seconds. */
  windowSeconds: number
}

export interface RateVerdict {
  accepted: boolean
  limit: number
  remaining: number
  /** Seconds until another slot is free; 0 when all slots are free. */
  resetSeconds: number
  /**
   * 0 when accepted. Otherwise, a caller that waits this long is accepted, unless another caller of the bucket is
   * faster.
   */
  retryAfterSeconds: number
}

/** Takes a slot. In a transaction, it is taken at commit, and other callers of the bucket wait until then. */
export function consumeSlot(db: Queries, window: RateWindow): Promise<RateVerdict> {
  return queryWindow(db, 'take_from_window', window)
}

/** Returns the verdict for a call made now, without taking a slot. */
export function peekWindow(db: Queries, window: RateWindow): Promise<RateVerdict> {
  return queryWindow(db, 'peek_window', window)
}

/**
 * Takes a slot for a read. Callers waiting for the same window share one commit. Works when the database's
 * disk is full: earlier counts stay, and this process counts in memory until the database is writable again.
 */
export async function consumeForRead(db: Queries, window: RateWindow): Promise<RateVerdict> {
  try {
    return await consumeBatched(db, window)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    return consumeInMemory(await peekWindow(db, window), window)
  }
}

interface TakeResultRow extends Omit<WindowRow, 'accepted'> {
  accepted: number
}

const TAKE_SLOTS_QUERY =
  'SELECT accepted, used, free_after_seconds FROM take_places_from_window($1, $2, $3, $4)'
const WINDOW_QUERIES = {
  take_from_window: 'SELECT accepted, used, free_after_seconds FROM take_from_window($1, $2, $3)',
  peek_window: 'SELECT accepted, used, free_after_seconds FROM peek_window($1, $2, $3)',
}

const queues = new WeakMap<Queries, BatchedCalls<RateVerdict>>()

function consumeBatched(db: Queries, window: RateWindow): Promise<RateVerdict> {
  const queue = queues.get(db) ?? new BatchedCalls<RateVerdict>()
  queues.set(db, queue)
  const { bucket, limit, windowSeconds } = window
  return queue.join(`${bucket} ${limit} ${windowSeconds}`, async (callers) => {
    const { rows } = await db.executeQuery<TakeResultRow>(
      CompiledQuery.raw(TAKE_SLOTS_QUERY, [bucket, limit, windowSeconds, callers]),
    )
    const [row] = rows
    if (row === undefined) throw new Error('take_places_from_window returned no row')
    return createVerdicts(row, callers, window)
  })
}

function createVerdicts(row: TakeResultRow, callers: number, window: RateWindow): RateVerdict[] {
  acceptedInMemory.delete(window.bucket)
  return Array.from({ length: callers }, (_, index) =>
    verdictOf(
      { ...row, accepted: index < row.accepted, used: row.used - Math.max(0, row.accepted - index - 1) },
      window,
    ),
  )
}

/**
 * Times of accepted reads that could not be stored in the database, by bucket. The oldest bucket is evicted
 * when there are too many.
 */
const acceptedInMemory = new Map<string, number[]>()
const MAX_BUCKETS_IN_MEMORY = 10_000

function consumeInMemory(counted: RateVerdict, { bucket, windowSeconds }: RateWindow): RateVerdict {
  const now = performance.now()
  const recent = (acceptedInMemory.get(bucket) ?? []).filter((at) => at > now - windowSeconds * 1000)
  acceptedInMemory.delete(bucket)
  acceptedInMemory.set(bucket, recent)
  if (acceptedInMemory.size > MAX_BUCKETS_IN_MEMORY)
    acceptedInMemory.delete(acceptedInMemory.keys().next().value as string)
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

async function queryWindow(
  db: Queries,
  name: keyof typeof WINDOW_QUERIES,
  window: RateWindow,
): Promise<RateVerdict> {
  const { bucket, limit, windowSeconds } = window
  const { rows } = await db.executeQuery<WindowRow>(
    CompiledQuery.raw(WINDOW_QUERIES[name], [bucket, limit, windowSeconds]),
  )
  const [row] = rows
  if (row === undefined) throw new Error(`${name} returned no row`)
  return verdictOf(row, window)
}

function verdictOf(row: WindowRow, { limit, windowSeconds }: RateWindow): RateVerdict {
  const { accepted, used, free_after_seconds: freeAfter } = row
  // With a limit of 0, there is no accepted call that could expire.
  const resetSeconds = freeAfter === null ? (accepted ? 0 : windowSeconds) : Math.ceil(freeAfter)
  return {
    accepted,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds,
    retryAfterSeconds: accepted ? 0 : Math.max(1, resetSeconds),
  }
}
