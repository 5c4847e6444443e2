/** Deployments: fetch the source, render it, and publish it under the project's host names. */

import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, JobErrorCode, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { ExportWarning } from '../../export/operations/static-export.ts'

export const DEPLOYMENT_TRIGGERS = ['request', 'push', 'poll', 'folder', 'merge', 'retry'] as const
export type DeploymentTrigger = (typeof DEPLOYMENT_TRIGGERS)[number]

/** In this order; `waiting` lasts from the start to the first attempt. */
export const DEPLOYMENT_STAGES = ['waiting', 'source', 'render', 'store', 'publish'] as const
export type DeploymentStage = (typeof DEPLOYMENT_STAGES)[number]

export const PAGE_CHANGES = ['added', 'changed', 'removed'] as const
export type PageChange = (typeof PAGE_CHANGES)[number]

/** Maximum number of lines of a log; the last ones are retained. */
export const MAX_LOG_LINES = 200
/** Maximum number of changed pages listed; the counts include all of them. */
export const MAX_CHANGED_PAGES = 200

const count = (description: string) => Type.Integer({ minimum: 0, description })
const plain = { additionalProperties: false } as const

const STATE = {
  deploymentId: Type.String({ pattern: '^dep_[0-9a-z]+$' }),
  projectId: Type.String(),
  status: Type.Enum(['queued', 'running', 'published', 'failed']),
  isLive: Type.Boolean({ description: 'Whether readers see this version.' }),
  isKept: Type.Boolean({ description: 'Whether its files still exist, so that it can be made live.' }),
  trigger: Type.Enum([...DEPLOYMENT_TRIGGERS], {
    description:
      'What started the deployment: a request, push, poll of the repository or folder, merge or retry.',
  }),
  previewId: Nullable(
    Type.String({
      description: 'The preview that the deployment belongs to; null: it belongs to the site itself.',
    }),
  ),
  revision: Nullable(Type.String({ description: 'Commit or content hash that was rendered.' })),
  commit: Nullable(
    Type.Object(
      {
        title: Type.String({ description: 'First line of the commit message.' }),
        author: Type.String(),
        committedAt: DateTime,
      },
      { ...plain, description: 'Null for a folder, or before the source has been read.' },
    ),
  ),
  pageCount: Type.Integer({ minimum: 0 }),
  totalPages: Nullable(Type.Integer({ minimum: 0 })),
  changes: Nullable(
    Type.Object(
      {
        added: count('New pages.'),
        changed: count('Pages with changed text.'),
        removed: count('Removed pages.'),
      },
      { ...plain, description: 'Compared with the version that was live before; null if there was none.' },
    ),
  ),
  stages: Type.Array(
    Type.Object(
      { name: Type.Enum([...DEPLOYMENT_STAGES]), startedAt: DateTime, endedAt: Nullable(DateTime) },
      plain,
    ),
    { description: 'Steps of the last attempt, in order.' },
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
  endedAt: Nullable(DateTime),
  error: Nullable(Type.String()),
  errorCode: Nullable(JobErrorCode),
  warningCount: Type.Integer({ minimum: 0 }),
}

export const ChangedPage = Type.Object({ path: Type.String(), change: Type.Enum([...PAGE_CHANGES]) }, plain)
export type ChangedPage = Static<typeof ChangedPage>

export const DeploymentState = Type.Object(STATE, { ...plain, title: 'DeploymentState' })
export type DeploymentState = Static<typeof DeploymentState>

export const Deployment = Type.Object(
  {
    ...STATE,
    warnings: Type.Array(ExportWarning, { maxItems: 100 }),
    log: Type.Array(Type.Object({ at: DateTime, text: Type.String() }, plain), { maxItems: MAX_LOG_LINES }),
    changedPages: Type.Array(ChangedPage, {
      maxItems: MAX_CHANGED_PAGES,
      description: 'The first entries.',
    }),
  },
  { ...plain, title: 'Deployment' },
)
export type Deployment = Static<typeof Deployment>

export const DeploymentList = Type.Object(
  {
    deployments: Type.Array(DeploymentState),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  { ...plain, title: 'DeploymentList' },
)
export type DeploymentList = Static<typeof DeploymentList>

export const UPDATE_SOURCES = ['api', 'dashboard', 'github', 'gitlab', 'internal'] as const

/** A deployment with the field names and statuses of the upstream API. Omits values that are not known yet. */
export const UpdateStatus = Type.Object(
  {
    _id: Type.String({ description: 'The `statusId`, which is the ID of the deployment.' }),
    projectId: Type.String(),
    createdAt: DateTime,
    endedAt: Type.Optional(DateTime),
    status: Type.Enum(['queued', 'in_progress', 'success', 'failure']),
    summary: Type.String({ description: 'Status, or reason for the failure, in one sentence.' }),
    logs: Type.Array(Type.String(), { maxItems: MAX_LOG_LINES }),
    subdomain: Type.Optional(Type.String({ description: 'Host name under which it is published.' })),
    author: Nullable(
      Type.Object(
        { name: Type.String() },
        { ...plain, description: 'Author of the commit; null for a folder.' },
      ),
    ),
    commit: Type.Optional(
      Type.Object(
        {
          sha: Type.String({ description: 'The commit, or the content hash of a folder.' }),
          ref: Type.String({ description: 'The branch; empty for a folder.' }),
          message: Type.String({ description: 'First line of the commit message.' }),
          filesChanged: Type.Object(
            {
              added: Type.Array(Type.String()),
              modified: Type.Array(Type.String()),
              removed: Type.Array(Type.String()),
            },
            { ...plain, description: 'Page paths; only the first ones, as in `changedPages`.' },
          ),
        },
        plain,
      ),
    ),
    source: Type.Enum([...UPDATE_SOURCES], {
      description: 'What started the deployment: a key, a member, a push to a forge, or Octavo itself.',
    }),
  },
  { ...plain, title: 'UpdateStatus' },
)
export type UpdateStatus = Static<typeof UpdateStatus>

const TriggeredUpdate = Type.Object(
  { statusId: Type.String({ description: 'The deployment that was started or was already waiting.' }) },
  { ...plain, title: 'TriggeredUpdate' },
)

export const SitePointer = Type.Object(
  {
    deploymentId: Type.String({ description: 'The deployment that readers see.' }),
    publishedAt: DateTime,
    pinnedAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'When this version was pinned. While pinned, newer deployments do not replace it. Null: not pinned.',
      }),
    ),
  },
  { ...plain, title: 'SitePointer' },
)
export type SitePointer = Static<typeof SitePointer>

export const ListDeploymentsQuery = Type.Object({ ...PageQuery }, plain)
export type ListDeploymentsQuery = Static<typeof ListDeploymentsQuery>

export const StartDeploymentParams = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })
export const DeploymentParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  deploymentId: Type.String({ minLength: 1, maxLength: 64 }),
})

const ALL = '/v1/deployments/{projectId}'
const ONE = `${ALL}/{deploymentId}`

const ROW = { ...PUBLIC_ROW, area: 'deployments' } as const

const CHANGE = {
  ...ROW,
  method: 'POST',
  params: DeploymentParams,
} as const

export const DEPLOYMENT_OPERATIONS = {
  startDeployment: {
    ...ROW,
    method: 'POST',
    path: ALL,
    summary:
      'Fetch the source and publish the site; if a deployment is already queued, it is returned instead',
    audit: 'deployment.started',
    params: StartDeploymentParams,
    success: { status: 202, schema: Deployment, headers: { Location: 'URL of the deployment.' } },
  },
  listDeployments: {
    ...ROW,
    method: 'GET',
    path: ALL,
    summary: 'List deployments of a project, newest first',
    params: StartDeploymentParams,
    query: ListDeploymentsQuery,
    success: { status: 200, schema: DeploymentList },
  },
  getDeployment: {
    ...ROW,
    method: 'GET',
    path: ONE,
    summary: 'Get a deployment with its log, problems and changed pages',
    params: DeploymentParams,
    success: { status: 200, schema: Deployment },
  },
  cancelDeployment: {
    ...CHANGE,
    path: `${ONE}/cancel`,
    summary: 'Cancel a queued or running deployment',
    audit: 'deployment.cancelled',
    needsRoom: false,
    success: { status: 200, schema: Deployment },
  },
  retryDeployment: {
    ...CHANGE,
    path: `${ONE}/retry`,
    summary: 'Retry a failed deployment',
    audit: 'deployment.started',
    success: { status: 202, schema: Deployment, headers: { Location: 'URL of the new deployment.' } },
  },
  promoteDeployment: {
    ...CHANGE,
    path: `${ONE}/promote`,
    summary: 'Make an earlier version live and pin it',
    audit: 'deployment.promoted',
    needsRoom: false,
    success: { status: 200, schema: SitePointer },
  },
  releaseSite: {
    ...CHANGE,
    path: `${ALL}/live/release`,
    summary: 'Unpin a version, which makes the newest one live',
    audit: 'deployment.released',
    needsRoom: false,
    params: StartDeploymentParams,
    success: { status: 200, schema: SitePointer },
  },
  triggerUpdate: {
    ...ROW,
    method: 'POST',
    path: '/v1/project/update/{projectId}',
    summary: 'Start a deployment; the path is the same as on other platforms',
    audit: 'deployment.started',
    limit: { name: 'projectUpdates', counts: 'request' },
    params: StartDeploymentParams,
    success: { status: 202, schema: TriggeredUpdate, headers: { Location: 'URL of its status.' } },
  },
  getUpdateStatus: {
    ...ROW,
    method: 'GET',
    ownerTable: 'deployments',
    path: '/v1/project/update-status/{statusId}',
    summary: 'Get a deployment of a site or a preview by its `statusId`',
    params: Type.Object({ statusId: Type.String({ minLength: 1, maxLength: 64 }) }),
    success: { status: 200, schema: UpdateStatus },
  },
} as const satisfies Record<string, Operation>
