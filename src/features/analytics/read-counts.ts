/** Sums counts over a range, optionally grouped. Each part of the range is a range of the primary key. */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { createValues, type Values } from '../feedback/filters.ts'
import { type Dimension, hasPages } from './intake/tally.ts'
import { type Range, splitRange } from './range.ts'

export type Group = 'key' | 'page' | 'day'

export interface Reading {
  dimension: Dimension
  range: Range
  /** An empty list returns a single row with the total. */
  by: readonly Group[]
  key?: string
  page?: string
  /** Excludes rows with an empty name. */
  isNamed?: boolean
  /** Column to sort by, descending; rows without a value are left out. Rows by day are sorted newest first. */
  order?: keyof typeof SORT_ORDERS
  limit?: number
  offset?: number
}

export interface CountSum {
  key: string
  page: string
  /** Date such as `2026-11-21`; empty unless grouped by day. */
  day: string
  human: number
  ai: number
  bots: number
  humanVisitors: number
  aiVisitors: number
  empty: number
  lastAt: Date
}

const SORT_ORDERS = {
  views: { most: 'sum(human) + sum(ai)', least: 'sum(human) + sum(ai) + sum(bots) > 0' },
  visitors: {
    most: 'sum(human_visitors) + sum(ai_visitors)',
    least: 'sum(human_visitors) + sum(ai_visitors) > 0',
  },
  empty: { most: 'sum(empty)', least: 'sum(empty) > 0' },
} as const

const GROUPS = {
  key: 'key',
  page: 'page',
  day: `to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
} as const

export async function readCounts(
  queries: Queries,
  projectId: string,
  countQuery: Reading,
): Promise<CountSum[]> {
  const values = createValues()
  const { by, order = 'views' } = countQuery
  const { most, least } = SORT_ORDERS[order]
  const columns = (['key', 'page', 'day'] as const).map((group) =>
    by.includes(group) ? `${GROUPS[group]} AS "${group}"` : `'' AS "${group}"`,
  )
  const groups = by.map((group) => GROUPS[group])
  const ordered = [by.includes('day') ? `${GROUPS.day} DESC` : `${most} DESC`, ...groups]
  const text = `
    SELECT ${columns.join(', ')}, ${sumColumns()}
    FROM (${countSource(projectId, countQuery, values)}) AS counts
    ${by.length === 0 ? '' : `GROUP BY ${groups.join(', ')} HAVING ${least} ORDER BY ${ordered.join(', ')}`}
    ${countQuery.limit === undefined ? '' : `LIMIT ${values.add(countQuery.limit)} OFFSET ${values.add(countQuery.offset ?? 0)}`}`
  const { rows } = await queries.executeQuery<CountSum>(CompiledQuery.raw(text, values.list))
  return rows
}

function sumColumns(): string {
  const summed = {
    human: 'human',
    ai: 'ai',
    bots: 'bots',
    human_visitors: 'humanVisitors',
    ai_visitors: 'aiVisitors',
    empty: 'empty',
  }
  const each = Object.entries(summed).map(
    ([column, name]) => `coalesce(sum(${column}), 0)::bigint AS "${name}"`,
  )
  return [...each, 'coalesce(max(last_at), max(starts_at)) AS "lastAt"'].join(', ')
}

/** Selects the rows of single pages when grouped by page, otherwise the rows that count all pages together. */
function pageFilter(dimension: Dimension, by: readonly Group[]): string[] {
  if (!hasPages(dimension)) return []
  return [by.includes('page') ? `page <> ''` : `page = ''`]
}

/** Returns a subquery for the rows whose counts add up to the range. */
export function countSource(
  projectId: string,
  { dimension, range, by, key, page, isNamed }: Omit<Reading, 'order' | 'limit' | 'offset'>,
  values: Values,
): string {
  const conditions = [
    `project_id = ${values.add(projectId)}`,
    `dimension = ${values.add(dimension)}`,
    ...(key === undefined ? [] : [`key = ${values.add(key)}`]),
    ...(page === undefined ? pageFilter(dimension, by) : [`page = ${values.add(page)}`]),
    ...(isNamed === true ? [`key <> ''`] : []),
  ].join(' AND ')
  const rangeParts = splitRange(range, by.includes('day')).map(({ period, from, to }) => {
    const bounds = [new Date(from), new Date(to)].map((moment) => values.add(moment))
    return `SELECT * FROM analytics_counts WHERE ${conditions} AND period = ${values.add(period)}
      AND starts_at >= ${bounds[0]} AND starts_at < ${bounds[1]}`
  })
  return rangeParts.join(' UNION ALL ')
}
