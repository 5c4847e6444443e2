/** Web analytics for the dashboard: an overview of a project's readership, and its rows. */

import { type Static, Type } from 'typebox'
import { INSIGHT_AUDIENCES, INSIGHT_LISTS, OVERVIEW_DAYS } from '../../../base/api/form-choices.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
const closed = { additionalProperties: false } as const

const PERIOD = {
  days: Type.Optional(Type.Integer({ enum: [...OVERVIEW_DAYS], default: 30 })),
  audience: Type.Optional(Type.Enum([...INSIGHT_AUDIENCES], { default: 'all' })),
}

export const InsightsQuery = Type.Object(PERIOD, closed)
export type InsightsQuery = Static<typeof InsightsQuery>

export const InsightRowsQuery = Type.Object(
  {
    ...PERIOD,
    list: Type.Enum([...INSIGHT_LISTS]),
    by: Type.Optional(
      Type.Enum(['name', 'page', 'day'], { default: 'name', description: 'What a row is about.' }),
    ),
    name: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Only of this one: a host, searched words, an agent.' }),
    ),
    page: Type.Optional(Type.String({ maxLength: 2048, description: 'Only at this page.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 50 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
  },
  closed,
)
export type InsightRowsQuery = Static<typeof InsightRowsQuery>

const InsightRow = Type.Object(
  {
    name: Type.String({
      description: 'Path, host, words, agent or day; empty for views that came from nowhere else.',
    }),
    title: Nullable(Type.String({ description: 'Of a page that the published site has.' })),
    now: count(),
    before: count('In the period of the same length before.'),
    visitors: count('Of pages and days: readers, each counted once a day.'),
  },
  closed,
)
export type InsightRow = Static<typeof InsightRow>

const rows = (description: string) => Type.Array(InsightRow, { description })

export const InsightRows = Type.Object(
  { rows: Type.Array(InsightRow), hasMore: Type.Boolean() },
  { ...closed, title: 'InsightRows' },
)
export type InsightRows = Static<typeof InsightRows>

const Figure = Type.Object({ now: count(), before: count() }, closed)

const TroubledPage = Type.Object(
  {
    path: Type.String(),
    title: Nullable(Type.String()),
    thumbsUp: count(),
    thumbsDown: count(),
    open: count('Entries of feedback that are pending or in progress.'),
    views: count('Of people and AI agents.'),
  },
  closed,
)

export const Insights = Type.Object(
  {
    days: Type.Integer(),
    audience: Type.Enum([...INSIGHT_AUDIENCES]),
    from: DateTime,
    to: DateTime,
    counting: Type.Object(
      {
        hosted: Type.Enum(['on', 'off', 'unpublished'], {
          description: 'Whether the pages of the published version tell how they are read.',
        }),
        bundles: Type.Boolean({
          description: 'Whether client-hosted exports do, unless one says otherwise.',
        }),
        countries: Type.Boolean({ description: 'Whether the operator has a database of countries.' }),
      },
      closed,
    ),
    hasAny: Type.Boolean({ description: 'Whether anything was ever counted.' }),
    views: Figure,
    visitors: Nullable(Type.Object(Figure.properties, { ...closed, description: 'Null of other programs.' })),
    searches: Figure,
    unfound: Figure,
    aiViews: Figure,
    allViews: Figure,
    series: Type.Array(
      Type.Object(
        { date: Type.String(), human: count(), ai: count(), bots: count(), visitors: count() },
        closed,
      ),
      { description: 'One for each day of the period, oldest first.' },
    ),
    troubled: Type.Array(TroubledPage, { maxItems: 10, description: 'Most votes against first.' }),
    lists: Type.Object(
      {
        pages: rows('Most views first.'),
        rising: rows('Those that gained most first.'),
        falling: rows('Those that lost most first.'),
        referrers: rows('Where people come from.'),
        devices: rows('What people read with.'),
        countries: rows('Where people are, by code.'),
        searches: rows('What was searched for.'),
        unfound: rows('What was searched for and not found.'),
        agents: rows('AI agents and assistants.'),
        outbound: rows('Hosts that links lead to.'),
        copies: rows('Pages of which code was copied.'),
      },
      { ...closed, description: 'The first rows of each.' },
    ),
  },
  { ...closed, title: 'Insights' },
)
export type Insights = Static<typeof Insights>

export const INSIGHT_OPERATIONS = {
  getInsights: {
    ...ROW,
    params: ProjectParams,
    method: 'GET',
    path: '/internal/projects/{projectId}/insights',
    summary: 'How the site is read, at a glance',
    permission: 'read',
    query: InsightsQuery,
    success: { status: 200, schema: Insights },
  },
  listInsightRows: {
    ...ROW,
    params: ProjectParams,
    method: 'GET',
    path: '/internal/projects/{projectId}/insights/rows',
    summary: 'The rows of one figure',
    permission: 'read',
    query: InsightRowsQuery,
    success: { status: 200, schema: InsightRows },
  },
} as const satisfies Record<string, DashboardOperation>
