/** Automatic publishing: push webhooks of forges, and polling of the source. */

import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { Nullable } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'
import { PreviewSettings } from './previews.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const Moment = Nullable(Type.String({ format: 'date-time' }))

export const Publishing = Type.Object(
  {
    sourceKind: Type.Enum(['folder', 'git']),
    branch: Nullable(
      Type.String({
        description: 'The only one whose pushes count; null: the default branch, not known yet.',
      }),
    ),
    follows: Type.Boolean({
      description: 'The repository is asked once a minute, or the folder watched, and news are published.',
    }),
    previews: PreviewSettings,
    previewDomain: Nullable(
      Type.String({ description: 'Below it previews are; null: this server or plan has none.' }),
    ),
    hook: Type.Object(
      {
        url: Type.String({ description: 'For the webhook at the forge.' }),
        secretMadeAt: Moment,
        calledAt: Moment,
        forge: Nullable(Type.Enum(['github', 'gitlab', 'gitea', 'bitbucket'])),
      },
      { additionalProperties: false, description: 'Without a secret no message is taken.' },
    ),
  },
  closed('Publishing'),
)
export type Publishing = Static<typeof Publishing>

export const UpdatePublishingBody = Type.Object(
  {
    follows: Type.Optional(Type.Boolean()),
    previews: Type.Optional(Type.Partial(PreviewSettings, { additionalProperties: false })),
  },
  closed('UpdatePublishing'),
)
export type UpdatePublishing = Static<typeof UpdatePublishingBody>

export const PushSecret = Type.Object(
  { secret: Type.String({ description: 'For the webhook at the forge; shown this once.' }) },
  closed('PushSecret'),
)

const PUBLISHING = '/internal/projects/{projectId}/publishing'

export const PUBLISHING_OPERATIONS = {
  getPublishing: {
    ...ROW,
    method: 'GET',
    path: PUBLISHING,
    summary:
      'What publishes a project without being asked: its push webhook, and whether its source is followed',
    permission: 'read',
    params: ProjectParams,
    success: { status: 200, schema: Publishing },
  },
  updatePublishing: {
    ...ROW,
    method: 'PATCH',
    path: PUBLISHING,
    summary: 'Choose whether the source is followed, and what gets previews',
    permission: 'projects',
    audit: 'project.publishing_changed',
    params: ProjectParams,
    body: UpdatePublishingBody,
    success: { status: 200, schema: Publishing },
  },
  makePushSecret: {
    ...ROW,
    method: 'POST',
    path: `${PUBLISHING}/secret`,
    summary: 'Make a secret for the push webhook, in the place of the one before',
    permission: 'projects',
    audit: 'project.push_secret_made',
    params: ProjectParams,
    success: { status: 201, schema: PushSecret, isSecret: true },
  },
  deletePushSecret: {
    ...ROW,
    method: 'DELETE',
    path: `${PUBLISHING}/secret`,
    summary: 'Take no push webhooks any more',
    permission: 'projects',
    audit: 'project.push_secret_deleted',
    params: ProjectParams,
    success: { status: 200, schema: Publishing },
  },
} as const satisfies Record<string, DashboardOperation>
