/** Automatic publishing: push webhooks of forges, and polling of the source. */

import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { Nullable } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'
import { PreviewSettings } from './previews.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const Moment = Nullable(Type.String({ format: 'date-time' }))

export const Publishing = Type.Object(
  {
    sourceKind: Type.Enum(['folder', 'git']),
    branch: Nullable(
      Type.String({
        description:
          'Branch whose pushes are published; null: the default branch, whose name is not known yet.',
      }),
    ),
    follows: Type.Boolean({
      description:
        'Whether the repository is polled once a minute, or the folder watched, and changes are published.',
    }),
    previews: PreviewSettings,
    previewDomain: Nullable(
      Type.String({ description: 'Domain of previews; null: not available on this server or plan.' }),
    ),
    hook: Type.Object(
      {
        url: Type.String({ description: 'URL for the webhook on the forge.' }),
        secretMadeAt: Moment,
        calledAt: Moment,
        forge: Nullable(Type.Enum(['github', 'gitlab', 'gitea', 'bitbucket'])),
      },
      { additionalProperties: false, description: 'Without a secret, all messages are rejected.' },
    ),
  },
  closedObject('Publishing'),
)
export type Publishing = Static<typeof Publishing>

export const UpdatePublishingBody = Type.Object(
  {
    follows: Type.Optional(Type.Boolean()),
    previews: Type.Optional(Type.Partial(PreviewSettings, { additionalProperties: false })),
  },
  closedObject('UpdatePublishing'),
)
export type UpdatePublishing = Static<typeof UpdatePublishingBody>

export const PushSecret = Type.Object(
  { secret: Type.String({ description: 'Secret for the webhook on the forge. Shown only once.' }) },
  closedObject('PushSecret'),
)

const PUBLISHING_PATH = '/internal/projects/{projectId}/publishing'

export const PUBLISHING_OPERATIONS = {
  getPublishing: {
    ...ROW,
    method: 'GET',
    path: PUBLISHING_PATH,
    summary:
      'Get how a project is published automatically: its push webhook, and whether its source is watched',
    permission: 'read',
    params: ProjectParams,
    success: { status: 200, schema: Publishing },
  },
  updatePublishing: {
    ...ROW,
    method: 'PATCH',
    path: PUBLISHING_PATH,
    summary: 'Update whether the source is watched, and what gets previews',
    permission: 'projects',
    audit: 'project.publishing_changed',
    params: ProjectParams,
    body: UpdatePublishingBody,
    success: { status: 200, schema: Publishing },
  },
  makePushSecret: {
    ...ROW,
    method: 'POST',
    path: `${PUBLISHING_PATH}/secret`,
    summary: 'Create or replace the secret of the push webhook',
    permission: 'projects',
    audit: 'project.push_secret_made',
    params: ProjectParams,
    success: { status: 201, schema: PushSecret, isSecret: true },
  },
  deletePushSecret: {
    ...ROW,
    method: 'DELETE',
    path: `${PUBLISHING_PATH}/secret`,
    summary: 'Stop accepting push webhooks',
    permission: 'projects',
    audit: 'project.push_secret_deleted',
    params: ProjectParams,
    success: { status: 200, schema: Publishing },
  },
} as const satisfies Record<string, DashboardOperation>
