/** Previews: rendered branches and pull requests, each at a separate URL. */

import { type Static, Type } from 'typebox'
import { MAX_PREVIEW_DAYS } from '../../../base/api/form-limits.ts'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { DeploymentState } from './deployments.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const Id = Type.String({ minLength: 1, maxLength: 64 })

export const PREVIEW_MODES = ['off', 'pull_requests', 'branches'] as const
export const PREVIEW_ACCESS = ['public', 'members', 'password'] as const

/** Branches with longer names get no preview. */
export const MAX_BRANCH_CHARACTERS = 250

const BranchName = Type.String({ minLength: 1, maxLength: MAX_BRANCH_CHARACTERS })

/** Returns true for branch names that git accepts, except those that git commands would treat as patterns. */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > MAX_BRANCH_CHARACTERS || !name.isWellFormed()) return false
  if (/[\p{Cc}\s~^:?*[\\]/u.test(name) || /^[-./@]/.test(name)) return false
  if (['..', '//', '@{', '/.', '.lock/'].some((part) => name.includes(part))) return false
  return !['/', '.', '.lock'].some((end) => name.endsWith(end))
}

export const PreviewSettings = Type.Object(
  {
    mode: Type.Enum([...PREVIEW_MODES], {
      description: 'What gets previews automatically: nothing, pull requests, or matching branches.',
    }),
    branches: Type.Array(Type.String({ minLength: 1, maxLength: MAX_BRANCH_CHARACTERS }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Branch names; `*` matches any characters.',
    }),
    access: Type.Enum([...PREVIEW_ACCESS], {
      description:
        'Who can read previews: anyone with the URL, members of the organization, or readers with a password or link for the site. Previews of a private site are never public.',
    }),
    days: Type.Integer({
      minimum: 1,
      maximum: MAX_PREVIEW_DAYS,
      description: 'Days after the last push until a preview is removed.',
    }),
    forks: Type.Boolean({
      description: 'Whether pull requests from forks get previews. Anyone can open such pull requests.',
    }),
  },
  closedObject('PreviewSettings'),
)
export type PreviewSettings = Static<typeof PreviewSettings>

export const Preview = Type.Object(
  {
    previewId: Type.String({ pattern: '^pv_[0-9a-z]+$' }),
    projectId: Type.String(),
    branch: Type.String(),
    pullRequest: Nullable(Type.Integer({ description: 'Number of the pull request on the forge.' })),
    isFork: Type.Boolean(),
    state: Type.Enum(['building', 'ready', 'failed'], {
      description:
        'State of the newest deployment. While it runs, or if it fails, readers see the previous deployment.',
    }),
    previewUrl: Nullable(
      Type.String({
        format: 'uri',
        description:
          'Does not change during the life of the preview; null if the server has no preview domain.',
      }),
    ),
    isServed: Type.Boolean({ description: 'Whether a version is being served.' }),
    deployment: DeploymentState,
    createdAt: DateTime,
    pushedAt: DateTime,
    expiresAt: DateTime,
    report: Nullable(
      Type.Object(
        { error: Type.String({ description: 'The error message.' }) },
        { additionalProperties: false, description: 'Why the status could not be reported to the forge.' },
      ),
    ),
  },
  closedObject('Preview'),
)
export type Preview = Static<typeof Preview>

export const PreviewList = Type.Object(
  {
    previews: Type.Array(Preview),
    most: Type.Integer({
      description:
        'Maximum number of previews per project. When the maximum is exceeded, the oldest preview is removed.',
    }),
  },
  closedObject('PreviewList'),
)
export type PreviewList = Static<typeof PreviewList>

const CreatePreviewBody = Type.Object({ branch: BranchName }, closedObject('CreatePreview'))
export const TriggeredPreview = Type.Object(
  {
    statusId: Type.String({ description: 'The deployment that was started or was already waiting.' }),
    previewUrl: Type.String({ format: 'uri' }),
    previewId: Type.String(),
  },
  closedObject('TriggeredPreview'),
)

const PreviewProjectParams = Type.Object({ projectId: Id })
const PreviewParams = Type.Object({ projectId: Id, previewId: Id })

const ROW = { ...PUBLIC_ROW, area: 'deployments' } as const
const ALL = '/v1/previews/{projectId}'
const PREVIEWS_LIMIT = { name: 'previews', counts: 'request' } as const

export const PREVIEW_OPERATIONS = {
  createPreview: {
    ...ROW,
    method: 'POST',
    path: '/v1/project/preview/{projectId}',
    summary: 'Create or update the preview of a branch',
    audit: 'preview.created',
    limit: PREVIEWS_LIMIT,
    params: PreviewProjectParams,
    body: CreatePreviewBody,
    success: { status: 202, schema: TriggeredPreview, headers: { Location: 'URL of the preview.' } },
  },
  listPreviews: {
    ...ROW,
    method: 'GET',
    path: ALL,
    summary: 'List the previews of a project, most recently pushed first',
    params: PreviewProjectParams,
    success: { status: 200, schema: PreviewList },
  },
  getPreview: {
    ...ROW,
    method: 'GET',
    path: `${ALL}/{previewId}`,
    summary: 'Get a preview with its newest deployment',
    params: PreviewParams,
    success: { status: 200, schema: Preview },
  },
  rebuildPreview: {
    ...ROW,
    method: 'POST',
    path: `${ALL}/{previewId}/rebuild`,
    summary: 'Rebuild a preview from its branch',
    audit: 'preview.rebuilt',
    limit: PREVIEWS_LIMIT,
    params: PreviewParams,
    success: { status: 202, schema: Preview },
  },
  removePreview: {
    ...ROW,
    method: 'DELETE',
    path: `${ALL}/{previewId}`,
    summary: 'Remove a preview and its URL',
    audit: 'preview.removed',
    params: PreviewParams,
    success: {
      status: 200,
      schema: Type.Object({ previewId: Type.String() }, closedObject('RemovedPreview')),
    },
  },
} as const satisfies Record<string, Operation>
