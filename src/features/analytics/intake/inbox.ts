/**
 * Writes batches down. Those that arrive while one write is under way go together into the next one, so that a commit
 * serves many senders; each is answered after the commit of its own.
 */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import type { Audience, EventKind } from '../operations/analytics-events.ts'

/** As it waits to be counted. */
export interface StoredEvent {
  /** Milliseconds. */
  at: number
  kind: EventKind
  audience: Audience
  path: string
  /** Host that a reader came from, words of a search, or host of a link. */
  subject: string | null
  /** The result that was followed, or the name of the agent. */
  detail: string | null
  results: number | null
  device: string | null
  /** Of people, where the operator has a database of countries; empty when it does not know theirs. */
  country?: string
  /** Hash of the visitor, as base64; null for programs that are no AI agents. */
  visitor: string | null
}

export interface Batch {
  projectId: string
  /** Of the sender's id: the same batch is kept once. */
  hash: Buffer
  events: readonly StoredEvent[]
}

export interface Inbox {
  /** Resolves when the batch is on disk. */
  put(batch: Batch): Promise<void>
}

/** Batches of one statement, and statements under way at once. */
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

/** In the order of their hashes, so that two writers with the same batches wait for each other in one direction. */
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
