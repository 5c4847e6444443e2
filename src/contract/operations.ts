/**
 * Every operation of the API, by operation id: address, who may call it, its limit, and the shapes both ways. Routes,
 * validation, the OpenAPI descriptions and the tests all read this table.
 */
import { type TSchema, Type } from 'typebox'
import { AGENT_OPERATIONS } from './agent-operations.ts'
import type { AuditRule } from './audit-actions.ts'
import { Deployment, DeploymentParams, StartDeploymentParams } from './deployments.ts'
import {
  FeedbackByPageQuery,
  FeedbackDetail,
  FeedbackEntryParams,
  FeedbackExportQuery,
  FeedbackList,
  FeedbackParams,
  FeedbackQuery,
  PageFeedbackList,
  UpdatedFeedback,
  UpdateFeedbackBody,
  UpdateManyFeedbackBody,
  UpdateManyFeedbackQuery,
} from './feedback.ts'
import type { LimitName } from './limits.ts'
import {
  ExportBundle,
  ExportJob,
  ExportJobList,
  ExportJobParams,
  ListExportsQuery,
  StartExportBody,
} from './static-export.ts'
import { WEBHOOK_OPERATIONS } from './webhook-operations.ts'

/** `dashboard` is the internal API of the dashboard, in a table of its own. */
export type Area = 'analytics' | 'agent' | 'static-export' | 'deployments' | 'webhooks' | 'dashboard'

interface AnyOperation {
  /** OpenAPI form, `{name}` for parameters. */
  path: string
  area: Area
  summary: string
  /**
   * `request` limits count every request that passed the key checks; `accepted` ones count only what was accepted, in
   * the transaction that accepts it, and are only looked at before.
   */
  limit: { name: LimitName; counts: 'request' | 'accepted' } | null
  params: TSchema | null
  query: TSchema | null
  body: TSchema | null
  success: {
    status: 200 | 201 | 202
    schema: TSchema
    contentType?: string
    /** The answer is a stream of one of these types, which the handler names. */
    contentTypes?: readonly string[]
    headers?: Record<string, string>
    /** It holds something that is shown this once: an answer kept for a repetition is sealed. */
    isSecret?: true
  }
  /** Statuses of the error shape it can answer, beside those of every operation (401, 403, 405, 408, 429, 431, 500, 503). */
  errors: readonly (400 | 404 | 409 | 413 | 415 | 422)[]
}

interface ReadOperation extends AnyOperation {
  method: 'GET'
  audit?: undefined
  needsRoom?: undefined
}

interface WriteOperation extends AnyOperation {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** What a call leaves in the audit log. */
  audit: AuditRule
  /** It goes on while the disk is nearly full: it takes next to no room, or ends what takes some. So do all deletions. */
  needsRoom?: false
}

export type Operation = ReadOperation | WriteOperation

const JOB = '/v1/static-export/jobs/{jobId}'
const FEEDBACK = '/v1/analytics/{projectId}/feedback'

export const OPERATIONS = {
  startExport: {
    method: 'POST',
    path: '/v1/static-export/jobs',
    area: 'static-export',
    summary: 'Start a static export of the site at a domain',
    audit: 'static_export.started',
    limit: { name: 'exportStarts', counts: 'accepted' },
    params: null,
    query: null,
    body: StartExportBody,
    success: { status: 202, schema: ExportJob, headers: { Location: 'Address of the job.' } },
    errors: [400, 409, 413, 415, 422],
  },
  listExports: {
    method: 'GET',
    path: '/v1/static-export/jobs',
    area: 'static-export',
    summary: 'List static export jobs, newest first',
    limit: { name: 'reads', counts: 'request' },
    params: null,
    query: ListExportsQuery,
    body: null,
    success: { status: 200, schema: ExportJobList },
    errors: [400],
  },
  getExport: {
    method: 'GET',
    path: JOB,
    area: 'static-export',
    summary: 'Get a static export job with its live progress',
    limit: { name: 'reads', counts: 'request' },
    params: ExportJobParams,
    query: null,
    body: null,
    success: { status: 200, schema: ExportJob },
    errors: [400, 404],
  },
  generateBundle: {
    method: 'POST',
    path: `${JOB}/bundle`,
    area: 'static-export',
    summary: 'Get a presigned link to the archive of a completed job',
    audit: 'static_export.link_made',
    needsRoom: false,
    limit: { name: 'reads', counts: 'request' },
    params: ExportJobParams,
    query: null,
    body: null,
    success: { status: 200, schema: ExportBundle },
    errors: [400, 404, 409, 413, 415, 422],
  },
  cancelExport: {
    method: 'POST',
    path: `${JOB}/cancel`,
    area: 'static-export',
    summary: 'Cancel a job that is queued or running',
    audit: 'static_export.cancelled',
    needsRoom: false,
    limit: { name: 'reads', counts: 'request' },
    params: ExportJobParams,
    query: null,
    body: null,
    success: { status: 200, schema: ExportJob },
    errors: [400, 404, 409, 413, 415, 422],
  },
  streamExportEvents: {
    method: 'GET',
    path: `${JOB}/events`,
    area: 'static-export',
    summary: 'Follow a job as server-sent events; ends when the job ends',
    limit: { name: 'reads', counts: 'request' },
    params: ExportJobParams,
    query: null,
    body: null,
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({ description: 'Events named `job`, each with a StaticExportJob as JSON data.' }),
    },
    errors: [400, 404],
  },
  startDeployment: {
    method: 'POST',
    path: '/v1/deployments/{projectId}',
    area: 'deployments',
    summary: 'Bring the source up to date and publish the site',
    audit: 'deployment.started',
    limit: { name: 'reads', counts: 'request' },
    params: StartDeploymentParams,
    query: null,
    body: null,
    success: { status: 202, schema: Deployment, headers: { Location: 'Address of the deployment.' } },
    errors: [400, 404, 409, 413, 415, 422],
  },
  getDeployment: {
    method: 'GET',
    path: '/v1/deployments/{projectId}/{deploymentId}',
    area: 'deployments',
    summary: 'Get a deployment',
    limit: { name: 'reads', counts: 'request' },
    params: DeploymentParams,
    query: null,
    body: null,
    success: { status: 200, schema: Deployment },
    errors: [400, 404],
  },
  getFeedback: {
    method: 'GET',
    path: FEEDBACK,
    area: 'analytics',
    summary: 'List feedback of readers and agents, newest first',
    limit: { name: 'analytics', counts: 'request' },
    params: FeedbackParams,
    query: FeedbackQuery,
    body: null,
    success: { status: 200, schema: FeedbackList },
    errors: [400, 404],
  },
  updateManyFeedback: {
    method: 'PATCH',
    path: FEEDBACK,
    area: 'analytics',
    summary: 'Set the status of the feedback that the filters match, at most 10,000 entries a call',
    audit: 'feedback.updated',
    limit: { name: 'analytics', counts: 'request' },
    params: FeedbackParams,
    query: UpdateManyFeedbackQuery,
    body: UpdateManyFeedbackBody,
    success: { status: 200, schema: UpdatedFeedback },
    errors: [400, 404, 409, 413, 415, 422],
  },
  getFeedbackByPage: {
    method: 'GET',
    path: `${FEEDBACK}/by-page`,
    area: 'analytics',
    summary: 'Count feedback by page, the page with the most first',
    limit: { name: 'analytics', counts: 'request' },
    params: FeedbackParams,
    query: FeedbackByPageQuery,
    body: null,
    success: { status: 200, schema: PageFeedbackList },
    errors: [400, 404],
  },
  exportFeedback: {
    method: 'GET',
    path: `${FEEDBACK}/export`,
    area: 'analytics',
    summary:
      'Stream all feedback that the filters match, newest first; `include=cursor` lets a broken one go on',
    limit: { name: 'analytics', counts: 'request' },
    params: FeedbackParams,
    query: FeedbackExportQuery,
    body: null,
    success: {
      status: 200,
      contentTypes: ['application/x-ndjson', 'text/csv'],
      schema: Type.String({
        description:
          'Each line a FeedbackEntry as JSON, or a line of CSV. With `include=cursor` each entry carries a `cursor`: the export that is given it goes on behind that entry.',
      }),
      headers: { 'Content-Disposition': 'A name for the file.' },
    },
    errors: [400, 404],
  },
  getFeedbackEntry: {
    method: 'GET',
    path: `${FEEDBACK}/{feedbackId}`,
    area: 'analytics',
    summary: 'Get one entry with its history',
    limit: { name: 'analytics', counts: 'request' },
    params: FeedbackEntryParams,
    query: null,
    body: null,
    success: { status: 200, schema: FeedbackDetail },
    errors: [400, 404],
  },
  updateFeedback: {
    method: 'PATCH',
    path: `${FEEDBACK}/{feedbackId}`,
    area: 'analytics',
    summary: 'Set the status of an entry, leave an internal note, or both',
    audit: 'feedback.updated',
    limit: { name: 'analytics', counts: 'request' },
    params: FeedbackEntryParams,
    query: null,
    body: UpdateFeedbackBody,
    success: { status: 200, schema: FeedbackDetail },
    errors: [400, 404, 409, 413, 415, 422],
  },
  ...AGENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof OPERATIONS
