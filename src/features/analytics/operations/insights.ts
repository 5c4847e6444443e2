/** Web analytics for the dashboard: an overview of a project's readership, and the rows of its lists. */

import { type Static, Type } from 'typebox'
import { INSIGHT_AUDIENCES, INSIGHT_LISTS, OVERVIEW_DAYS } from '../../../base/api/form-choices.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
const closedObject = { additionalProperties: false } as const

const PERIOD = {
  days: Type.Optional(Type.Integer({ enum: [...OVERVIEW_DAYS], default: 30 })),
  audience: Type.Optional(Type.Enum([...INSIGHT_AUDIENCES], { default: 'all' })),
}

export const InsightsQuery = Type.Object(PERIOD, closedObject)
export type InsightsQuery = Static<typeof InsightsQuery>

export const InsightRowsQuery = Type.Object(
  {
    ...PERIOD,
    list: Type.Enum([...INSIGHT_LISTS]),
    by: Type.Optional(
      Type.Enum(['name', 'page', 'day'], { default: 'name', description: 'How rows are grouped.' }),
    ),
    name: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Only this item: a host, search query or agent.' }),
    ),
    page: Type.Optional(Type.String({ maxLength: 2048, description: 'Only this page.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 50 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
  },
  closedObject,
)
export type InsightRowsQuery = Static<typeof InsightRowsQuery>

const InsightRow = Type.Object(
  {
    name: Type.String({
      description: 'Path, host, query, agent or day; empty for views without a referrer.',
    }),
    title: Nullable(Type.String({ description: 'Title of the page, if the published site has it.' })),
    now: count(),
    before: count('Count in the preceding period of the same length.'),
    visitors: count('For pages and days: readers, each counted once per day.'),
  },
  closedObject,
)
export type InsightRow = Static<typeof InsightRow>

const rows = (description: string) => Type.Array(InsightRow, { description })

export const InsightRows = Type.Object(
  { rows: Type.Array(InsightRow), hasMore: Type.Boolean() },
  { ...closedObject, title: 'InsightRows' },
)
export type InsightRows = Static<typeof InsightRows>

const Figure = Type.Object({ now: count(), before: count() }, closedObject)

const TroubledPage = Type.Object(
  {
    path: Type.String(),
    title: Nullable(Type.String()),
    thumbsUp: count(),
    thumbsDown: count(),
    open: count('Feedback entries that are pending or in progress.'),
    views: count('Views by people and AI agents.'),
  },
  closedObject,
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
          description: 'Whether pages of the published version send analytics.',
        }),
        bundles: Type.Boolean({
          description: 'Whether client-hosted exports send analytics by default.',
        }),
        countries: Type.Boolean({ description: 'Whether the operator has configured a country database.' }),
      },
      closedObject,
    ),
    hasAny: Type.Boolean({ description: 'Whether anything has been recorded yet.' }),
    views: Figure,
    visitors: Nullable(
      Type.Object(Figure.properties, {
        ...closedObject,
        description: 'Null for programs other than browsers.',
      }),
    ),
    searches: Figure,
    unfound: Figure,
    aiViews: Figure,
    allViews: Figure,
    series: Type.Array(
      Type.Object(
        { date: Type.String(), human: count(), ai: count(), bots: count(), visitors: count() },
        closedObject,
      ),
      { description: 'One per day of the period, oldest first.' },
    ),
    troubled: Type.Array(TroubledPage, { maxItems: 10, description: 'Most negative votes first.' }),
    lists: Type.Object(
      {
        pages: rows('Most views first.'),
        rising: rows('Largest gains first.'),
        falling: rows('Largest losses first.'),
        referrers: rows('Referrers of people.'),
        devices: rows('Browsers and devices of people.'),
        countries: rows('Countries of people, by code.'),
        searches: rows('Search queries.'),
        unfound: rows('Search queries without results.'),
        agents: rows('AI agents and assistants.'),
        outbound: rows('Hosts of outbound links.'),
        copies: rows('Pages from which code was copied.'),
      },
      { ...closedObject, description: 'First rows of each list.' },
    ),
  },
  { ...closedObject, title: 'Insights' },
)
export type Insights = Static<typeof Insights>

export const INSIGHT_OPERATIONS = {
  getInsights: {
    ...ROW,
    params: ProjectParams,
    method: 'GET',
    path: '/internal/projects/{projectId}/insights',
    summary: "Get an overview of the site's traffic",
    permission: 'read',
    query: InsightsQuery,
    success: { status: 200, schema: Insights },
  },
  listInsightRows: {
    ...ROW,
    params: ProjectParams,
    method: 'GET',
    path: '/internal/projects/{projectId}/insights/rows',
    summary: 'Get the rows of one report',
    permission: 'read',
    query: InsightRowsQuery,
    success: { status: 200, schema: InsightRows },
  },
} as const satisfies Record<string, DashboardOperation>
