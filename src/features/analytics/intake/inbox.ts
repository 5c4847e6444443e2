/**
 * Writes event batches. Batches that arrive during a write are combined in the next write, so one commit serves many
 * senders. A sender gets its response after its batch is committed.
 */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import type { Audience, EventKind } from '../operations/analytics-events.ts'

export interface StoredEvent {
  /** Milliseconds since the epoch. */
  at: number
  kind: EventKind
  audience: Audience
  path: string
  /** Referring host, search query, or host of a link. */
  subject: string | null
  /** Page of the opened search result, or name of the agent. */
  detail: string | null
  results: number | null
  device: string | null
  /** Country code of a human reader; empty if unknown, undefined without a country database. */
  country?: string
  /** Hash of the visitor in base64; null for programs that are not AI agents. */
  visitor: string | null
}

export interface Batch {
  projectId: string
  /** Hash of the sender's batch id; a batch sent twice is stored once. */
  hash: Buffer
  events: readonly StoredEvent[]
}

export interface Inbox {
  /** Resolves when the batch is committed. */
  put(batch: Batch): Promise<void>
}

/** Maximum numbers of batches per statement (first) and of concurrent statements (second). */
const MAX_BATCHES_PER_WRITE = 500
const MAX_CONCURRENT_WRITES = 2

interface Waiting extends PromiseWithResolvers<void> {
  batch: Batch
}

export function createInbox(queries: Queries): Inbox {
  let pending: Waiting[] = []
  let activeWriters = 0

  async function writePending(): Promise<void> {
    activeWriters += 1
    while (pending.length > 0) {
      const writing = pending.slice(0, MAX_BATCHES_PER_WRITE)
      pending = pending.slice(MAX_BATCHES_PER_WRITE)
      try {
        await insertBatches(
          queries,
          writing.map(({ batch }) => batch),
        )
        for (const { resolve } of writing) resolve()
      } catch (error) {
        for (const { reject } of writing) reject(error)
      }
    }
    activeWriters -= 1
  }

  return {
    put(batch) {
      const settled = Promise.withResolvers<void>()
      pending.push({ batch, ...settled })
      if (activeWriters < MAX_CONCURRENT_WRITES) void writePending()
      return settled.promise
    },
  }
}

const INSERT_BATCHES = `
  WITH given AS (
    SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[]) AS given (hash, project_id, events)
  ), fresh AS (
    INSERT INTO analytics_batches (hash) SELECT hash FROM given ON CONFLICT DO NOTHING RETURNING hash
  )
  INSERT INTO analytics_inbox (project_id, events)
    SELECT project_id, events::json FROM given JOIN fresh USING (hash)`

/** Sorts by hash so that concurrent writers of the same batches lock rows in the same order. */
export async function insertBatches(queries: Queries, batches: readonly Batch[]): Promise<void> {
  const byHash = new Map(batches.map((batch) => [batch.hash.toString('hex'), batch]))
  const sorted = [...byHash].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, batch]) => batch)
  await queries.executeQuery(
    CompiledQuery.raw(INSERT_BATCHES, [
      sorted.map(({ hash }) => hash),
      sorted.map(({ projectId }) => projectId),
      sorted.map(({ events }) => JSON.stringify(events)),
    ]),
  )
}
