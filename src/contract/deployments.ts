/** Deployments: bring the source up to date, render it, and publish it under the project's host names. */

import { type Static, Type } from 'typebox'
import type { Operation } from './operation.ts'
import { DateTime, JobErrorCode, Nullable } from './schema.ts'
import { ExportWarning } from './static-export.ts'

export const Deployment = Type.Object(
  {
    deploymentId: Type.String({ pattern: '^dep_[0-9a-z]+$' }),
    projectId: Type.String(),
    status: Type.Enum(['queued', 'running', 'published', 'failed']),
    revision: Nullable(Type.String({ description: 'The commit (or content hash) that was rendered.' })),
    pageCount: Type.Integer({ minimum: 0 }),
    totalPages: Nullable(Type.Integer({ minimum: 0 })),
    createdAt: DateTime,
    updatedAt: DateTime,
    error: Nullable(Type.String()),
    errorCode: Nullable(JobErrorCode),
    warnings: Type.Array(ExportWarning, { maxItems: 100 }),
    warningCount: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false, title: 'Deployment' },
)
export type Deployment = Static<typeof Deployment>

export const StartDeploymentParams = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })
export const DeploymentParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  deploymentId: Type.String({ minLength: 1, maxLength: 64 }),
})

/** What most rows have. */
const ROW = {
  area: 'deployments',
  limit: { name: 'reads', counts: 'request' },
  params: null,
  query: null,
  body: null,
} as const

export const DEPLOYMENT_OPERATIONS = {
  startDeployment: {
    ...ROW,
    method: 'POST',
    path: '/v1/deployments/{projectId}',
    summary: 'Bring the source up to date and publish the site',
    audit: 'deployment.started',
    params: StartDeploymentParams,
    success: { status: 202, schema: Deployment, headers: { Location: 'Address of the deployment.' } },
    errors: [400, 404, 409, 413, 415, 422],
  },
  getDeployment: {
    ...ROW,
    method: 'GET',
    path: '/v1/deployments/{projectId}/{deploymentId}',
    summary: 'Get a deployment',
    params: DeploymentParams,
    success: { status: 200, schema: Deployment },
    errors: [400, 404],
  },
} as const satisfies Record<string, Operation>
