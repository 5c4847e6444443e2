/** Overview of a project: votes and feedback of a period, current work, published versions. */

import { type Static, Type } from 'typebox'
import { OVERVIEW_DAYS } from '../../../base/api/form-choices.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { ExportJob } from '../../export/operations/static-export.ts'
import { FEEDBACK_SOURCES, FEEDBACK_STATUSES } from '../../feedback/operations/feedback.ts'
import { DeploymentState } from '../../hosting/operations/deployments.ts'
import { ProjectParams, PublishedState } from '../../projects/operations/projects.ts'
import { AgentJobLine } from './work.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const OverviewQuery = Type.Object(
  { days: Type.Optional(Type.Integer({ enum: [...OVERVIEW_DAYS], default: 30 })) },
  { additionalProperties: false },
)
export type OverviewQuery = Static<typeof OverviewQuery>

const Votes = Type.Object(
  {
    thumbsUp: count('Positive votes (the page helped).'),
    thumbsDown: count('Negative votes (the page did not help).'),
    rate: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of positive votes; null if there are no votes.',
      }),
    ),
    total: count('All feedback of the period.'),
  },
  { additionalProperties: false },
)

const counts = <Word extends string>(words: readonly Word[]) =>
  Type.Object(
    Object.fromEntries(words.map((word) => [word, Type.Integer({ minimum: 0 })])) as Record<
      Word,
      ReturnType<typeof Type.Integer>
    >,
    { additionalProperties: false },
  )

export const Overview = Type.Object(
  {
    days: Type.Integer(),
    newerInMs: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'Milliseconds until newer figures are available, if the returned figures are cached. Null: the figures are current.',
      }),
    ),
    from: DateTime,
    to: DateTime,
    votes: Type.Object({ now: Votes, before: Votes }, { additionalProperties: false }),
    series: Type.Array(
      Type.Object(
        {
          date: Type.String({ description: 'Day in UTC.', examples: ['2026-11-21'] }),
          thumbsUp: Type.Integer({ minimum: 0 }),
          thumbsDown: Type.Integer({ minimum: 0 }),
          bySource: counts(FEEDBACK_SOURCES),
          byStatus: counts(FEEDBACK_STATUSES),
        },
        { additionalProperties: false },
      ),
      { description: 'One per day of the period, oldest first, including days without feedback.' },
    ),
    worstPages: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          title: Nullable(Type.String()),
          thumbsUp: Type.Integer({ minimum: 0 }),
          thumbsDown: Type.Integer({ minimum: 0 }),
          open: count('Entries that are pending or in progress.'),
          total: Type.Integer({ minimum: 0 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 10, description: 'Most negative votes first.' },
    ),
    open: Type.Object(
      {
        pending: Type.Integer({ minimum: 0 }),
        inProgress: Type.Integer({ minimum: 0 }),
        isMore: Type.Boolean({ description: 'Whether a count stopped at 10,000.' }),
      },
      { additionalProperties: false },
    ),
    agent: Type.Object(
      { active: Type.Integer({ minimum: 0 }), jobs: Type.Array(AgentJobLine, { maxItems: 5 }) },
      { additionalProperties: false, description: 'Newest jobs first.' },
    ),
    exports: Type.Object(
      { running: Type.Integer({ minimum: 0 }), jobs: Type.Array(ExportJob, { maxItems: 5 }) },
      {
        additionalProperties: false,
        description: 'Newest jobs of this project first, without warnings.',
      },
    ),
    site: Type.Object(
      { published: Nullable(PublishedState), lastDeployment: Nullable(DeploymentState) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, title: 'Overview' },
)
export type Overview = Static<typeof Overview>

export const OVERVIEW_OPERATIONS = {
  getOverview: {
    ...ROW,
    params: ProjectParams,
    method: 'GET',
    path: '/internal/projects/{projectId}/overview',
    summary: 'Get an overview of a project',
    permission: 'read',
    query: OverviewQuery,
    success: { status: 200, schema: Overview },
  },
} as const satisfies Record<string, DashboardOperation>
