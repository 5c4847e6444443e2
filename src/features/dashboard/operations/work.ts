/** Background work for the dashboard: agent jobs, exports, webhook deliveries, and who started them. */

import { type Static, Type } from 'typebox'
import { DASHBOARD_ROW, type DashboardOperation } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AgentJob, AgentJobParams, AgentReview, PULL_REQUEST_STATES } from '../../agent/operations/agent.ts'
import { ExportJob } from '../../export/operations/static-export.ts'
import { FEEDBACK_SOURCES, FEEDBACK_STATUSES } from '../../feedback/operations/feedback.ts'
import {
  ChangedPage,
  Deployment,
  DeploymentParams,
  DeploymentState,
  SitePointer,
} from '../../hosting/operations/deployments.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'
import { WebhookDelivery, WebhookDeliveryParams } from '../../webhooks/operations/webhooks.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const Person = Nullable(
  Type.Object(
    {
      id: Type.String(),
      kind: Type.Enum(['member', 'key', 'automation']),
      name: Nullable(Type.String({ description: 'Null: deleted.' })),
    },
    { additionalProperties: false, description: 'Null: not recorded.' },
  ),
)
export type WorkPerson = Static<typeof Person>

const AGENT_LINE = {
  job: AgentJob,
  state: Type.Enum(['none', ...PULL_REQUEST_STATES]),
  prompt: Type.String({ description: 'Beginning of the first prompt.' }),
}

export const AgentJobLine = Type.Object(AGENT_LINE, closedObject('AgentJobLine'))
export type AgentJobLine = Static<typeof AgentJobLine>

const AGENT_WORK = {
  ...AGENT_LINE,
  startedBy: Person,
  costUsd: Nullable(Type.Number({ minimum: 0, description: 'Null if no price is configured.' })),
}

export const AgentWork = Type.Object(AGENT_WORK, closedObject('AgentWork'))
export type AgentWork = Static<typeof AgentWork>

export const AgentWorkQuery = Type.Object(
  {
    list: Type.Optional(
      Type.Enum(['current', 'archived'], {
        default: 'current',
        description: 'Archived or active jobs.',
      }),
    ),
    ...PageQuery,
  },
  { additionalProperties: false },
)
export type AgentWorkQuery = Static<typeof AgentWorkQuery>

export const AgentWorkList = Type.Object(
  { jobs: Type.Array(AgentWork), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  closedObject('AgentWorkList'),
)
export type AgentWorkList = Static<typeof AgentWorkList>

const AnsweredFeedback = Type.Object(
  {
    id: Type.String(),
    path: Type.String(),
    source: Type.Enum([...FEEDBACK_SOURCES]),
    status: Type.Enum([...FEEDBACK_STATUSES]),
    comment: Nullable(Type.String()),
  },
  { additionalProperties: false },
)

const whole = () => Type.Integer({ minimum: 0 })

export const AgentWorkDetail = Type.Object(
  {
    ...AGENT_WORK,
    caps: Type.Object(
      { steps: whole(), tokens: whole(), minutes: whole(), files: whole() },
      { additionalProperties: false, description: 'Limits of a turn.' },
    ),
    turn: Type.Object(
      {
        steps: whole(),
        tokens: whole(),
        startedAt: Nullable(DateTime),
        workedMs: Type.Integer({ minimum: 0, description: 'Milliseconds from the start to the last step.' }),
      },
      { additionalProperties: false, description: 'Usage of the last turn.' },
    ),
    canPublish: Type.Boolean({
      description: 'Whether publishing the checked change failed and can be retried.',
    }),
    prompts: Type.Array(
      Type.Object(
        {
          number: Type.Integer({ minimum: 1 }),
          prompt: Type.String(),
          askedBy: Person,
          createdAt: DateTime,
          startedAt: Nullable(DateTime),
          endedAt: Nullable(DateTime),
        },
        { additionalProperties: false },
      ),
    ),
    feedback: Type.Array(AnsweredFeedback, { description: 'Feedback that the job addresses.' }),
    questions: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          path: Nullable(Type.String()),
          question: Type.String({ description: 'Text from readers: untrusted.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'Reader questions that the documentation should answer.' },
    ),
  },
  closedObject('AgentWorkDetail'),
)
export type AgentWorkDetail = Static<typeof AgentWorkDetail>

export const AgentPreviews = Type.Object(
  {
    pages: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'Path relative to the docs folder.' }),
          before: Nullable(Type.String({ description: 'Path on this server; null: the page is new.' })),
          after: Nullable(Type.String({ description: 'Path on this server; null: the page was removed.' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  {
    ...closedObject('AgentPreviews'),
    description: 'Changed pages as rendered. Show them in a sandboxed frame.',
  },
)
export type AgentPreviews = Static<typeof AgentPreviews>

/** Accepts empty values so that every invalid link gets the same response. */
const ReviewLink = Type.Object(
  {
    jobId: Type.String({ pattern: '^[\\w-]*$', maxLength: 64 }),
    token: Type.String({ pattern: '^[\\w-]*$', maxLength: 64 }),
  },
  closedObject('ReviewLink'),
)

export const LinkedReview = Type.Object(
  { projectId: Type.String(), review: AgentReview, ...AgentPreviews.properties },
  closedObject('LinkedReview'),
)
export type LinkedReview = Static<typeof LinkedReview>

const isOn = Type.Boolean()

export const ExportWork = Type.Object(
  {
    job: ExportJob,
    features: Type.Object(
      { search: isOn, assistant: isOn, analytics: isOn, playground: isOn, export: isOn },
      { additionalProperties: false },
    ),
    paths: Nullable(Type.Integer({ minimum: 1, description: 'Number of selected pages; null: all pages.' })),
    revision: Nullable(Type.String()),
    bundle: Nullable(
      Type.Object({ sizeBytes: whole(), sha256: Type.String() }, { additionalProperties: false }),
    ),
    startedBy: Person,
  },
  closedObject('ExportWork'),
)
export type ExportWork = Static<typeof ExportWork>

export const ExportWorkQuery = Type.Object({ ...PageQuery }, { additionalProperties: false })
export type ExportWorkQuery = Static<typeof ExportWorkQuery>

export const ExportWorkList = Type.Object(
  {
    exports: Type.Array(ExportWork, { description: 'Exports without their warnings.' }),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  closedObject('ExportWorkList'),
)
export type ExportWorkList = Static<typeof ExportWorkList>

export const ExportWorkParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  jobId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const DeploymentWork = Type.Object(
  {
    deployment: DeploymentState,
    startedBy: Person,
    firstChange: Nullable(ChangedPage),
  },
  closedObject('DeploymentWork'),
)
export type DeploymentWork = Static<typeof DeploymentWork>

export const DeploymentWorkDetail = Type.Object(
  {
    deployment: Deployment,
    startedBy: Person,
    pointer: Nullable(SitePointer),
    url: Nullable(Type.String({ description: 'URL of the site; null if no domain is served.' })),
    commitUrl: Nullable(Type.String({ description: 'URL on the forge, if the forge is known.' })),
  },
  closedObject('DeploymentWorkDetail'),
)
export type DeploymentWorkDetail = Static<typeof DeploymentWorkDetail>

export const DeploymentWorkList = Type.Object(
  {
    deployments: Type.Array(DeploymentWork),
    pointer: Nullable(SitePointer),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  { ...closedObject('DeploymentWorkList'), description: '`pointer` is the deployment that readers see.' },
)
export type DeploymentWorkList = Static<typeof DeploymentWorkList>

export const WebhookDeliveryDetail = Type.Object(
  {
    delivery: WebhookDelivery,
    payload: Type.String({ description: 'The exact request body.' }),
  },
  closedObject('WebhookDeliveryDetail'),
)
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>

const AGENT_JOBS = '/internal/projects/{projectId}/agent-jobs'
const EXPORTS = '/internal/projects/{projectId}/exports'
const DEPLOYMENTS = '/internal/projects/{projectId}/deployments'

const READ = {
  method: 'GET',
  area: 'dashboard',
  permission: 'read',
  limit: { name: 'members', counts: 'request' },
  query: null,
  body: null,
} as const

export const WORK_OPERATIONS = {
  listAgentWork: {
    ...READ,
    path: AGENT_JOBS,
    summary: 'List agent jobs with their cost and who started them, newest first',
    params: ProjectParams,
    query: AgentWorkQuery,
    success: { status: 200, schema: AgentWorkList },
  },
  getAgentWork: {
    ...READ,
    path: `${AGENT_JOBS}/{id}`,
    summary: 'Get an agent job with its prompts, related feedback and usage against its limits',
    params: AgentJobParams,
    success: { status: 200, schema: AgentWorkDetail },
  },
  getAgentPreviews: {
    ...READ,
    path: `${AGENT_JOBS}/{id}/previews`,
    summary: 'Get the rendered pages of an agent job, before and after the change',
    params: AgentJobParams,
    success: { status: 200, schema: AgentPreviews },
  },
  openReview: {
    ...DASHBOARD_ROW,
    method: 'POST',
    isQuery: true,
    path: '/internal/review/look-up',
    permission: null,
    summary:
      'Get the change that a review link points to; the token is not part of the URL, because URLs are logged',
    body: ReviewLink,
    success: { status: 200, schema: LinkedReview },
  },
  listExportWork: {
    ...READ,
    path: EXPORTS,
    summary: 'List static exports with their options and who started them, newest first',
    params: ProjectParams,
    query: ExportWorkQuery,
    success: { status: 200, schema: ExportWorkList },
  },
  getExportWork: {
    ...READ,
    path: `${EXPORTS}/{jobId}`,
    summary: 'Get a static export with its warnings, options and who started it',
    params: ExportWorkParams,
    success: { status: 200, schema: ExportWork },
  },
  listDeploymentWork: {
    ...READ,
    path: DEPLOYMENTS,
    summary: 'List deployments, newest first, with who started each one and which is live',
    params: ProjectParams,
    query: ExportWorkQuery,
    success: { status: 200, schema: DeploymentWorkList },
  },
  getDeploymentWork: {
    ...READ,
    path: `${DEPLOYMENTS}/{deploymentId}`,
    summary: 'Get a deployment with its log, problems and changed pages, who started it and what is live',
    params: DeploymentParams,
    success: { status: 200, schema: DeploymentWorkDetail },
  },
  getWebhookDelivery: {
    ...READ,
    path: '/internal/webhooks/{webhookId}/deliveries/{deliveryId}',
    summary: 'Get a webhook delivery with its body',
    permission: 'webhooks',
    params: WebhookDeliveryParams,
    success: { status: 200, schema: WebhookDeliveryDetail },
  },
} as const satisfies Record<string, DashboardOperation>
