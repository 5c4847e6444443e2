/**
 * Every operation of the API, by operation id: address, who may call it, its limit, and the shapes both ways. Routes,
 * validation, the OpenAPI descriptions and the tests all read this table.
 */
import { type TSchema, Type } from 'typebox'
import { Deployment, DeploymentParams, StartDeploymentParams } from './deployments.ts'
import type { LimitName } from './limits.ts'
import {
  ExportBundle,
  ExportJob,
  ExportJobList,
  ExportJobParams,
  ListExportsQuery,
  StartExportBody,
} from './static-export.ts'

export type Area = 'analytics' | 'agent' | 'static-export' | 'deployments'

export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
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
    headers?: Record<string, string>
  }
  /** Statuses of the error shape it can answer, beside those of every operation (401, 403, 405, 429, 500, 503). */
  errors: readonly (400 | 404 | 409 | 413 | 415 | 422)[]
}

const JOB = '/v1/static-export/jobs/{jobId}'

export const OPERATIONS = {
  startExport: {
    method: 'POST',
    path: '/v1/static-export/jobs',
    area: 'static-export',
    summary: 'Start a static export of the site at a domain',
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
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof OPERATIONS
