/** Previews: branches and pull requests as readers would see them, each at a separate URL. */

import { type Static, Type } from 'typebox'
import { MAX_PREVIEW_DAYS } from '../../../base/api/form-limits.ts'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { DeploymentState } from './deployments.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const Id = Type.String({ minLength: 1, maxLength: 64 })

export const PREVIEW_MODES = ['off', 'pull_requests', 'branches'] as const
export const PREVIEW_ACCESS = ['public', 'members', 'password'] as const

/** Branches with longer names have no preview. */
export const BRANCH_CHARACTERS = 250

const BranchName = Type.String({ minLength: 1, maxLength: BRANCH_CHARACTERS })

/** Whether git accepts this as a branch name, excluding names that its commands would treat as a pattern. */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > BRANCH_CHARACTERS || !name.isWellFormed()) return false
  if (/[\p{Cc}\s~^:?*[\\]/u.test(name) || /^[-./@]/.test(name)) return false
  if (['..', '//', '@{', '/.', '.lock/'].some((part) => name.includes(part))) return false
  return !['/', '.', '.lock'].some((end) => name.endsWith(end))
}

export const PreviewSettings = Type.Object(
  {
    mode: Type.Enum([...PREVIEW_MODES], {
      description: 'What gets a preview by itself: nothing, pull requests, or branches whose names fit.',
    }),
    branches: Type.Array(Type.String({ minLength: 1, maxLength: BRANCH_CHARACTERS }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Names of branches; `*` stands for any characters.',
    }),
    access: Type.Enum([...PREVIEW_ACCESS], {
      description:
        'Who may read: who has the address, members of the organization, or who has a password or link of the site. Previews of a private site are never public.',
    }),
    days: Type.Integer({
      minimum: 1,
      maximum: MAX_PREVIEW_DAYS,
      description: 'A preview is removed so many days after the last push.',
    }),
    forks: Type.Boolean({
      description: 'Pull requests from forks get previews too: anybody may write those.',
    }),
  },
  closed('PreviewSettings'),
)
export type PreviewSettings = Static<typeof PreviewSettings>

export const Preview = Type.Object(
  {
    previewId: Type.String({ pattern: '^pv_[0-9a-z]+$' }),
    projectId: Type.String(),
    branch: Type.String(),
    pullRequest: Nullable(Type.Integer({ description: 'Number at the forge.' })),
    isFork: Type.Boolean(),
    state: Type.Enum(['building', 'ready', 'failed'], {
      description:
        'Of the newest deployment. While it is made, and when it fails, readers get the one before.',
    }),
    previewUrl: Nullable(
      Type.String({
        format: 'uri',
        description:
          'Stays the same as long as the preview is there; null when the server has no domain for previews.',
      }),
    ),
    isServed: Type.Boolean({ description: 'There is a version that readers get.' }),
    deployment: DeploymentState,
    createdAt: DateTime,
    pushedAt: DateTime,
    expiresAt: DateTime,
    report: Nullable(
      Type.Object(
        { error: Type.String({ description: 'It is tried again.' }) },
        { additionalProperties: false, description: 'Why the forge could not be told of it.' },
      ),
    ),
  },
  closed('Preview'),
)
export type Preview = Static<typeof Preview>

export const PreviewList = Type.Object(
  {
    previews: Type.Array(Preview),
    most: Type.Integer({ description: 'Previews that a project may have; beyond it the oldest goes.' }),
  },
  closed('PreviewList'),
)
export type PreviewList = Static<typeof PreviewList>

const CreatePreviewBody = Type.Object({ branch: BranchName }, closed('CreatePreview'))
export const TriggeredPreview = Type.Object(
  {
    statusId: Type.String({ description: 'The deployment that was started, or waits already.' }),
    previewUrl: Type.String({ format: 'uri' }),
    previewId: Type.String(),
  },
  closed('TriggeredPreview'),
)

const OfProject = Type.Object({ projectId: Id })
const OfPreview = Type.Object({ projectId: Id, previewId: Id })

const ROW = { ...PUBLIC_ROW, area: 'deployments' } as const
const ALL = '/v1/previews/{projectId}'
const BUILDS = { name: 'previews', counts: 'request' } as const

export const PREVIEW_OPERATIONS = {
  createPreview: {
    ...ROW,
    method: 'POST',
    path: '/v1/project/preview/{projectId}',
    summary: 'Make a preview of a branch; of one that has a preview, bring it up to date',
    audit: 'preview.created',
    limit: BUILDS,
    params: OfProject,
    body: CreatePreviewBody,
    success: { status: 202, schema: TriggeredPreview, headers: { Location: 'Address of the preview.' } },
  },
  listPreviews: {
    ...ROW,
    method: 'GET',
    path: ALL,
    summary: 'List the previews of a project, the last pushed first',
    params: OfProject,
    success: { status: 200, schema: PreviewList },
  },
  getPreview: {
    ...ROW,
    method: 'GET',
    path: `${ALL}/{previewId}`,
    summary: 'Get a preview with its newest deployment',
    params: OfPreview,
    success: { status: 200, schema: Preview },
  },
  rebuildPreview: {
    ...ROW,
    method: 'POST',
    path: `${ALL}/{previewId}/rebuild`,
    summary: 'Build a preview again, of what its branch says now',
    audit: 'preview.rebuilt',
    limit: BUILDS,
    params: OfPreview,
    success: { status: 202, schema: Preview },
  },
  removePreview: {
    ...ROW,
    method: 'DELETE',
    path: `${ALL}/{previewId}`,
    summary: 'Remove a preview; its address answers nobody from then on',
    audit: 'preview.removed',
    params: OfPreview,
    success: { status: 200, schema: Type.Object({ previewId: Type.String() }, closed('RemovedPreview')) },
  },
} as const satisfies Record<string, Operation>
