/**
 * Writes event batches. Batches that arrive during a write are written together by the next one, so that one commit
 * serves many senders; each is answered after its own commit.
 */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import type { Audience, EventKind } from '../operations/analytics-events.ts'

/** An event that waits to be counted. */
export interface StoredEvent {
  /** Milliseconds since the epoch. */
  at: number
  kind: EventKind
  audience: Audience
  path: string
  /** Referring host, search query, or host of a link. */
  subject: string | null
  /** The followed search result, or the name of the agent. */
  detail: string | null
  results: number | null
  device: string | null
  /** Country of a person, if the operator has configured a country database; empty when unknown. */
  country?: string
  /** Hash of the visitor in base64; null for programs that are not AI agents. */
  visitor: string | null
}

export interface Batch {
  projectId: string
  /** Hash of the sender's batch id: the same batch is stored once. */
  hash: Buffer
  events: readonly StoredEvent[]
}

export interface Inbox {
  /** Resolves when the batch is committed. */
  put(batch: Batch): Promise<void>
}

/** Maximum number of batches per statement, followed by the number of concurrent statements. */
const MOST_TOGETHER = 500
const LANES = 2

interface Waiting extends PromiseWithResolvers<void> {
  batch: Batch
}

export function createInbox(queries: Queries): Inbox {
  let waiting: Waiting[] = []
  let atWork = 0

  async function work(): Promise<void> {
    atWork += 1
    while (waiting.length > 0) {
      const taken = waiting.slice(0, MOST_TOGETHER)
      waiting = waiting.slice(MOST_TOGETHER)
      try {
        await putBatches(
          queries,
          taken.map(({ batch }) => batch),
        )
        for (const { resolve } of taken) resolve()
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    atWork -= 1
  }

  return {
    put(batch) {
      const settled = Promise.withResolvers<void>()
      waiting.push({ batch, ...settled })
      if (atWork < LANES) void work()
      return settled.promise
    },
  }
}

const PUT = `
  WITH given AS (
    SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[]) AS given (hash, project_id, events)
  ), fresh AS (
    INSERT INTO analytics_batches (hash) SELECT hash FROM given ON CONFLICT DO NOTHING RETURNING hash
  )
  INSERT INTO analytics_inbox (project_id, events)
    SELECT project_id, events::json FROM given JOIN fresh USING (hash)`

/** Sorts by hash, so that two writers of the same batches lock rows in the same order. */
export async function putBatches(queries: Queries, batches: readonly Batch[]): Promise<void> {
  const byHash = new Map(batches.map((batch) => [batch.hash.toString('hex'), batch]))
  const sorted = [...byHash].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, batch]) => batch)
  await queries.executeQuery(
    CompiledQuery.raw(PUT, [
      sorted.map(({ hash }) => hash),
      sorted.map(({ projectId }) => projectId),
      sorted.map(({ events }) => JSON.stringify(events)),
    ]),
  )
}
