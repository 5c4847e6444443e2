/**
 * Limits how many events per project and day are stored as individual rows with a distinguishable visitor. Events over
 * the limit are still counted. Counts need no such limit, because the number of names is limited. Without a limit,
 * individual rows would let an attacker fill the disk with requests.
 */
import { CompiledQuery } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { type ProjectEvent, startOf } from './intake/tally.ts'

/** Per project and day: about 120 MB of events, and another 120 MB of visitors. */
const MAX_SINGLE_ROWS = 1_000_000

interface SingleRows {
  /** All events. Events over the limit are included, but have no visitor. */
  counted: readonly ProjectEvent[]
  accepted: readonly ProjectEvent[]
}

export async function limitSingleRows(
  tx: Tx,
  events: readonly ProjectEvent[],
  max: number = MAX_SINGLE_ROWS,
): Promise<SingleRows> {
  const remainingByDay = new Map<string, number>()
  for (const [day, alreadyCounted] of await readEarlierCounts(tx, events))
    remainingByDay.set(day, max - alreadyCounted)
  const accepted: ProjectEvent[] = []
  const counted = events.map((event) => {
    const day = dayKey(event)
    const remaining = remainingByDay.get(day) ?? max
    remainingByDay.set(day, remaining - 1)
    if (remaining <= 0) return { ...event, visitor: null }
    accepted.push(event)
    return event
  })
  return { counted, accepted }
}

async function readEarlierCounts(tx: Tx, events: readonly ProjectEvent[]): Promise<Map<string, number>> {
  const days = [...new Map(events.map((event) => [dayKey(event), event])).values()]
  const { rows } = await tx.executeQuery<{ project_id: string; day: number; alreadyCounted: number }>(
    CompiledQuery.raw(
      `SELECT project_id, extract(epoch FROM starts_at)::bigint * 1000 AS day, sum(human + ai + bots)::bigint AS "alreadyCounted"
        FROM unnest($1::text[], $2::float8[]) AS asked (asked_id, asked_day)
        JOIN analytics_counts ON project_id = asked_id AND dimension = 'event' AND period = 'day'
          AND starts_at = to_timestamp(asked_day)
        GROUP BY project_id, starts_at`,
      [days.map(({ projectId }) => projectId), days.map(({ at }) => startOf('day', at) / 1000)],
    ),
  )
  return new Map(rows.map(({ project_id, day, alreadyCounted }) => [`${project_id}\0${day}`, alreadyCounted]))
}

function dayKey({ projectId, at }: ProjectEvent): string {
  return `${projectId}\0${startOf('day', at)}`
}
