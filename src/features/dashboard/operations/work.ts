/** Background work for the dashboard with the people who started it: agent jobs, exports, webhook deliveries. */

import { type Static, Type } from 'typebox'
import type { DashboardOperation } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AgentJob, AgentJobParams, PULL_REQUEST_STATES } from '../../agent/operations/agent.ts'
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

const closed = (title: string) => ({ additionalProperties: false, title })

const Person = Nullable(
  Type.Object(
    {
      id: Type.String(),
      kind: Type.Enum(['member', 'key', 'automation']),
      name: Nullable(Type.String({ description: 'Null: gone since.' })),
    },
    { additionalProperties: false, description: 'Null: it was not written down.' },
  ),
)
export type WorkPerson = Static<typeof Person>

const AGENT_LINE = {
  job: AgentJob,
  /** State of the pull request; `none` when there is none. */
  state: Type.Enum(['none', ...PULL_REQUEST_STATES]),
  prompt: Type.String({ description: 'The beginning of the first prompt.' }),
}

/** Summary of a job in a list on another page. */
export const AgentJobLine = Type.Object(AGENT_LINE, closed('AgentJobLine'))
export type AgentJobLine = Static<typeof AgentJobLine>

const AGENT_WORK = {
  ...AGENT_LINE,
  startedBy: Person,
  costUsd: Nullable(Type.Number({ minimum: 0, description: 'Null when no price is configured.' })),
}

export const AgentWork = Type.Object(AGENT_WORK, closed('AgentWork'))
export type AgentWork = Static<typeof AgentWork>

export const AgentWorkQuery = Type.Object(
  {
    list: Type.Optional(
      Type.Enum(['current', 'archived'], {
        default: 'current',
        description: 'Archived jobs, or the others.',
      }),
    ),
    ...PageQuery,
  },
  { additionalProperties: false },
)
export type AgentWorkQuery = Static<typeof AgentWorkQuery>

export const AgentWorkList = Type.Object(
  { jobs: Type.Array(AgentWork), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  closed('AgentWorkList'),
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
      { additionalProperties: false, description: 'The most that a turn may use.' },
    ),
    turn: Type.Object(
      {
        steps: whole(),
        tokens: whole(),
        startedAt: Nullable(DateTime),
        workedMs: Type.Integer({ minimum: 0, description: 'As of its last step.' }),
      },
      { additionalProperties: false, description: 'What the last turn has used.' },
    ),
    canPublish: Type.Boolean({
      description: 'It failed while its checked change was published, which can be tried again.',
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
    feedback: Type.Array(AnsweredFeedback, { description: 'What the job answers.' }),
    questions: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          path: Nullable(Type.String()),
          question: Type.String({ description: 'Text of readers: untrusted.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'Questions of readers that the documentation is to answer.' },
    ),
  },
  closed('AgentWorkDetail'),
)
export type AgentWorkDetail = Static<typeof AgentWorkDetail>

export const AgentPreviews = Type.Object(
  {
    pages: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'File below the docs folder.' }),
          before: Nullable(Type.String({ description: 'Path on this server; null: the page is new.' })),
          after: Nullable(Type.String({ description: 'Path on this server; null: the page is gone.' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  {
    ...closed('AgentPreviews'),
    description: 'Changed pages as they are rendered, to be shown in a sandbox.',
  },
)
export type AgentPreviews = Static<typeof AgentPreviews>

const isOn = Type.Boolean()

export const ExportWork = Type.Object(
  {
    job: ExportJob,
    features: Type.Object(
      { search: isOn, assistant: isOn, analytics: isOn, playground: isOn, export: isOn },
      { additionalProperties: false },
    ),
    paths: Nullable(Type.Integer({ minimum: 1, description: 'How many were chosen; null: all pages.' })),
    revision: Nullable(Type.String()),
    bundle: Nullable(
      Type.Object({ sizeBytes: whole(), sha256: Type.String() }, { additionalProperties: false }),
    ),
    startedBy: Person,
  },
  closed('ExportWork'),
)
export type ExportWork = Static<typeof ExportWork>

export const ExportWorkQuery = Type.Object({ ...PageQuery }, { additionalProperties: false })
export type ExportWorkQuery = Static<typeof ExportWorkQuery>

export const ExportWorkList = Type.Object(
  {
    exports: Type.Array(ExportWork, { description: 'Without their warnings.' }),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  closed('ExportWorkList'),
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
  closed('DeploymentWork'),
)
export type DeploymentWork = Static<typeof DeploymentWork>

export const DeploymentWorkDetail = Type.Object(
  {
    deployment: Deployment,
    startedBy: Person,
    pointer: Nullable(SitePointer),
    url: Nullable(Type.String({ description: 'Of the site; null without a domain that is served.' })),
    commitUrl: Nullable(Type.String({ description: 'At the forge, when the source is at a known one.' })),
  },
  closed('DeploymentWorkDetail'),
)
export type DeploymentWorkDetail = Static<typeof DeploymentWorkDetail>

export const DeploymentWorkList = Type.Object(
  {
    deployments: Type.Array(DeploymentWork),
    pointer: Nullable(SitePointer),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  { ...closed('DeploymentWorkList'), description: '`pointer` says what readers are served.' },
)
export type DeploymentWorkList = Static<typeof DeploymentWorkList>

export const WebhookDeliveryDetail = Type.Object(
  {
    delivery: WebhookDelivery,
    payload: Type.String({ description: 'The body, byte for byte as it is sent.' }),
  },
  closed('WebhookDeliveryDetail'),
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
    summary: 'List agent jobs with who began them and what they cost, newest first',
    params: ProjectParams,
    query: AgentWorkQuery,
    success: { status: 200, schema: AgentWorkList },
  },
  getAgentWork: {
    ...READ,
    path: `${AGENT_JOBS}/{id}`,
    summary: 'An agent job with its prompts, the feedback it answers, and how much of its caps it has used',
    params: AgentJobParams,
    success: { status: 200, schema: AgentWorkDetail },
  },
  getAgentPreviews: {
    ...READ,
    path: `${AGENT_JOBS}/{id}/previews`,
    summary: 'Where the changed pages of an agent job are, rendered before and after the change',
    params: AgentJobParams,
    success: { status: 200, schema: AgentPreviews },
  },
  listExportWork: {
    ...READ,
    path: EXPORTS,
    summary: 'List static exports of a project with who began them and what was chosen, newest first',
    params: ProjectParams,
    query: ExportWorkQuery,
    success: { status: 200, schema: ExportWorkList },
  },
  getExportWork: {
    ...READ,
    path: `${EXPORTS}/{jobId}`,
    summary: 'A static export of a project with its warnings, who began it and what was chosen',
    params: ExportWorkParams,
    success: { status: 200, schema: ExportWork },
  },
  listDeploymentWork: {
    ...READ,
    path: DEPLOYMENTS,
    summary: 'List deployments of a project with who began them, newest first, and what is live',
    params: ProjectParams,
    query: ExportWorkQuery,
    success: { status: 200, schema: DeploymentWorkList },
  },
  getDeploymentWork: {
    ...READ,
    path: `${DEPLOYMENTS}/{deploymentId}`,
    summary: 'A deployment with its log, problems and changed pages, who began it and what is live',
    params: DeploymentParams,
    success: { status: 200, schema: DeploymentWorkDetail },
  },
  getWebhookDelivery: {
    ...READ,
    path: '/internal/webhooks/{webhookId}/deliveries/{deliveryId}',
    summary: 'A delivery of a webhook with the body that is sent',
    permission: 'webhooks',
    params: WebhookDeliveryParams,
    success: { status: 200, schema: WebhookDeliveryDetail },
  },
} as const satisfies Record<string, DashboardOperation>
