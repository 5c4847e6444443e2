/**
 * Limits the number of distinct names that clients can create: each project has a maximum number of rows per
 * day and dimension. Names over the limit, and paths too long for an index, are counted as `OTHER_KEY`.
 */
import { CompiledQuery } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { type Dimension, type ProjectEvent, startOf } from './tally.ts'

/** Maximum number of rows per project and day. A docs site has a few thousand pages; clients can invent other names. */
const MAX_ROWS = { page: 20_000, referrer: 5000, search: 5000, click: 5000, outbound: 5000 } as const
type BoundedDimension = keyof typeof MAX_ROWS & Dimension

/**
 * Maximum length of a path in UTF-8 bytes. An index entry holds two paths and is limited to 2,704 bytes; a longer
 * path would make counting fail for every site.
 */
const MAX_PATH_BYTES = 1000

/** Stands for all names over the limits. */
export const OTHER_KEY = '(other)'

interface Row {
  dimension: BoundedDimension
  key: string
  page: string
}

interface Group {
  projectId: string
  day: number
  dimension: BoundedDimension
  rows: Map<string, Row>
}

export async function limitKeys(
  tx: Tx,
  given: readonly ProjectEvent[],
  max: Readonly<Record<BoundedDimension, number>> = MAX_ROWS,
): Promise<readonly ProjectEvent[]> {
  const events = given.map(withShortPaths)
  const full = new Map<string, ReadonlySet<string>>()
  for (const [name, group] of groupEvents(events)) {
    const without = await findExcessRows(tx, group, max[group.dimension])
    if (without.size > 0) full.set(name, without)
  }
  return full.size === 0 ? events : events.map((event) => replaceKeys(event, full))
}

function withShortPaths(event: ProjectEvent): ProjectEvent {
  const path = isLong(event.path) ? OTHER_KEY : event.path
  const detail = event.detail !== null && isLong(event.detail) ? null : event.detail
  return { ...event, path, detail }
}

function isLong(path: string): boolean {
  return Buffer.byteLength(path) > MAX_PATH_BYTES
}

function groupEvents(events: readonly ProjectEvent[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const event of events)
    for (const row of toRows(event)) {
      const { projectId } = event
      const name = groupName(event, row.dimension)
      const known = groups.get(name)
      const { dimension } = row
      const group = known ?? { projectId, day: startOf('day', event.at), dimension, rows: new Map() }
      group.rows.set(rowName(row), row)
      groups.set(name, group)
    }
  return groups
}

/** Returns the rows of an event in dimensions whose names come from clients. */
function toRows({ kind, path, subject, detail }: ProjectEvent): Row[] {
  const page: Row = { dimension: 'page', key: path, page: '' }
  switch (kind) {
    case 'view':
      return subject === null ? [page] : [page, { dimension: 'referrer', key: subject, page: path }]
    case 'search': {
      const search: Row = { dimension: 'search', key: subject ?? '', page: path }
      return detail === null ? [search] : [search, { dimension: 'click', key: subject ?? '', page: detail }]
    }
    case 'outbound':
      return [{ dimension: 'outbound', key: subject ?? '', page: path }]
    case 'copy':
      return [page]
  }
}

function groupName({ projectId, at }: ProjectEvent, dimension: BoundedDimension): string {
  return `${projectId}\0${startOf('day', at)}\0${dimension}`
}

function rowName({ key, page }: Pick<Row, 'key' | 'page'>): string {
  return `${key}\0${page}`
}

/** Returns the new rows that exceed the limit; existing rows are always allowed. */
async function findExcessRows(
  tx: Tx,
  { projectId, day, dimension, rows }: Group,
  max: number,
): Promise<Set<string>> {
  const ofDay = `project_id = $1 AND dimension = $2 AND period = 'day' AND starts_at = to_timestamp($3::float8)`
  const candidates = [...rows.values()]
  const { rows: found } = await tx.executeQuery<{ known: { key: string; page: string }[]; total: number }>(
    CompiledQuery.raw(
      `SELECT
        (SELECT count(*) FROM (SELECT FROM analytics_counts WHERE ${ofDay} AND (page <> '' OR dimension = 'page') LIMIT $4) AS counted)::integer AS total,
        (SELECT coalesce(json_agg(json_build_object('key', asked.key, 'page', asked.page)), '[]')
          FROM unnest($5::text[], $6::text[]) AS asked (key, page)
          WHERE EXISTS (SELECT FROM analytics_counts AS stored WHERE ${ofDay}
            AND stored.key = asked.key AND stored.page = asked.page)) AS known`,
      [
        projectId,
        dimension,
        day / 1000,
        max,
        candidates.map(({ key }) => key),
        candidates.map(({ page }) => page),
      ],
    ),
  )
  const { known = [], total = 0 } = found[0] ?? {}
  const newNames = new Set(rows.keys()).difference(new Set(known.map(rowName)))
  return new Set([...newNames].slice(Math.max(0, max - total)))
}

/** Replaces each name of the event that is over its limit. An opened search result is dropped instead. */
function replaceKeys(event: ProjectEvent, full: ReadonlyMap<string, ReadonlySet<string>>): ProjectEvent {
  const replaced = { ...event }
  for (const row of toRows(event)) {
    if (full.get(groupName(event, row.dimension))?.has(rowName(row)) !== true) continue
    if (row.dimension === 'page') replaced.path = OTHER_KEY
    else if (row.dimension === 'click') replaced.detail = null
    else replaced.subject = OTHER_KEY
  }
  return replaced
}
