/** Reads the rows of a metric for a period and the preceding one. Whole months are read from monthly counts. */
import { CompiledQuery } from 'kysely'
import type { InsightAudience, InsightList } from '../../base/api/form-choices.ts'
import type { Queries } from '../../database/database.ts'
import { createValues, type Values } from '../feedback/filters.ts'
import type { Dimension } from './intake/tally.ts'
import type { InsightRow, InsightRowsQuery } from './operations/insights.ts'
import type { Range } from './range.ts'
import { countSource } from './read-counts.ts'

export interface Period {
  now: Range
  /** The preceding period of the same length. */
  before: Range
}

export interface RowsQuery extends Pick<InsightRowsQuery, 'name' | 'page'> {
  list: InsightList
  audience: InsightAudience
  by?: 'name' | 'page' | 'day'
  names?: readonly string[]
  limit: number
  offset?: number
}

interface ListDefinition {
  dimension: Dimension
  /** Counted column if the audience does not determine it. */
  amount?: 'human' | 'ai' | 'empty' | 'visitors'
  order?: 'gain' | 'loss'
  /** True if each row is a page; in other lists, `page` is the page on which the event occurred. */
  isOfPages?: true
}

const LISTS: Record<InsightList, ListDefinition> = {
  pages: { dimension: 'page', isOfPages: true },
  visitors: { dimension: 'page', isOfPages: true, amount: 'visitors' },
  rising: { dimension: 'page', isOfPages: true, order: 'gain' },
  falling: { dimension: 'page', isOfPages: true, order: 'loss' },
  referrers: { dimension: 'referrer', amount: 'human' },
  devices: { dimension: 'device', amount: 'human' },
  countries: { dimension: 'country', amount: 'human' },
  searches: { dimension: 'search' },
  unfound: { dimension: 'search', amount: 'empty' },
  clicks: { dimension: 'click' },
  agents: { dimension: 'agent', amount: 'ai' },
  outbound: { dimension: 'outbound' },
  copies: { dimension: 'copy', isOfPages: true },
}

const VIEWS: Record<InsightAudience, string> = {
  all: 'human + ai',
  human: 'human',
  ai: 'ai',
  bot: 'bots',
}
const VISITORS: Record<InsightAudience, string> = {
  all: 'human_visitors + ai_visitors',
  human: 'human_visitors',
  ai: 'ai_visitors',
  bot: '0',
}

const DAY = `to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`

const SORT_ORDERS = {
  most: { by: 'now DESC', having: 'now > 0' },
  gain: { by: 'now - before DESC', having: 'now > before' },
  loss: { by: 'before - now DESC', having: 'now < before' },
  day: { by: 'name DESC', having: 'now > 0' },
} as const

type Row = Omit<InsightRow, 'title'>

export async function readInsightRows(
  queries: Queries,
  projectId: string,
  period: Period,
  { list, ...asked }: RowsQuery,
): Promise<Row[]> {
  const lists = await readInsightLists(queries, projectId, period, [list], asked)
  return lists.get(list) ?? []
}

/** Reads lists with the same source in one query, because they differ only in order. */
export async function readInsightLists(
  queries: Queries,
  projectId: string,
  period: Period,
  lists: readonly InsightList[],
  asked: Omit<RowsQuery, 'list'>,
): Promise<ReadonlyMap<InsightList, Row[]>> {
  const groups = [...Map.groupBy(lists, sourceName).values()]
  const read = await Promise.all(groups.map((group) => readSource(queries, projectId, period, group, asked)))
  const rows = read.flat()
  return new Map(
    lists.map((name) => [name, rows.flatMap(({ list, place: _, ...row }) => (list === name ? [row] : []))]),
  )
}

function sourceName(list: InsightList): string {
  const { dimension, amount } = LISTS[list]
  return `${dimension} ${amount}`
}

interface PlacedRow extends Row {
  list: InsightList
  place: number
}

async function readSource(
  queries: Queries,
  projectId: string,
  period: Period,
  lists: readonly InsightList[],
  asked: Omit<RowsQuery, 'list'>,
): Promise<PlacedRow[]> {
  const values = createValues()
  const definition = LISTS[lists[0] as InsightList]
  const visitors = VISITORS[asked.audience]
  const amount = definition.amount === 'visitors' ? visitors : (definition.amount ?? VIEWS[asked.audience])
  const names = asked.names === undefined ? '' : `WHERE key = ANY(${values.add([...asked.names])}::text[])`
  const source = `
    SELECT ${groupExpression(definition, asked)} AS name,
      coalesce(sum(${amount}) FILTER (WHERE is_now), 0)::bigint AS now,
      coalesce(sum(${amount}) FILTER (WHERE NOT is_now), 0)::bigint AS before,
      coalesce(sum(${visitors}) FILTER (WHERE is_now), 0)::bigint AS visitors
    FROM (${countsSql(projectId, period, definition, asked, values)}) AS counts ${names} GROUP BY 1`
  const [limit, offset] = [values.add(asked.limit), values.add(asked.offset ?? 0)]
  const ordered = lists.map((list) => {
    const { by, having } = SORT_ORDERS[asked.by === 'day' ? 'day' : (LISTS[list].order ?? 'most')]
    return `(SELECT ${values.add(list)}::text AS list, row_number() OVER (ORDER BY ${by}, name) AS place, *
      FROM rows WHERE ${having} ORDER BY place LIMIT ${limit} OFFSET ${offset})`
  })
  const { rows } = await queries.executeQuery<PlacedRow>(
    CompiledQuery.raw(
      `WITH rows AS MATERIALIZED (${source}) SELECT * FROM (${ordered.join(' UNION ALL ')}) AS shown ORDER BY place`,
      values.list,
    ),
  )
  return rows
}

function groupExpression({ isOfPages }: ListDefinition, { by = 'name' }: Pick<RowsQuery, 'by'>): string {
  if (by === 'day') return DAY
  return by === 'page' && isOfPages !== true ? 'page' : 'key'
}

/** Selects the counts of both periods, or only of the current one when grouped by day. */
function countsSql(
  projectId: string,
  { now, before }: Period,
  { dimension, isOfPages }: ListDefinition,
  { by, name, page }: Omit<RowsQuery, 'list'>,
  values: Values,
): string {
  const key = isOfPages === true ? (page ?? name) : name
  const reading = {
    dimension,
    by: [by === 'day' ? 'day' : by === 'page' ? 'page' : 'key'] as const,
    ...(key === undefined ? {} : { key }),
    ...(page === undefined || isOfPages === true ? {} : { page }),
  }
  const counts = (range: Range, isNow: boolean) =>
    `SELECT *, ${isNow} AS is_now FROM (${countSource(projectId, { ...reading, range }, values)}) AS part`
  return by === 'day' ? counts(now, true) : `${counts(now, true)} UNION ALL ${counts(before, false)}`
}
