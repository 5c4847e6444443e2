/** Deletion of projects (restorable for a while), and permanent deletion of feedback. */

import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const Params = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })

export const DeletedProject = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), {
      description: 'Domains reserved until the project is permanently deleted.',
    }),
    deletedAt: DateTime,
    removedFrom: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When it is permanently deleted; null: never.',
      }),
    ),
  },
  closedObject('DeletedProject'),
)
export type DeletedProject = Static<typeof DeletedProject>

export const DeletedProjectList = Type.Object(
  {
    projects: Type.Array(DeletedProject, {
      description: 'Projects that can be restored, most recently deleted first.',
    }),
  },
  closedObject('DeletedProjectList'),
)

export const ProjectHoldings = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String()),
    feedback: count('Feedback entries, with their history.'),
    questions: count('Questions to the assistant.'),
    deployments: count('Deployments, with their logs and problems.'),
    exports: count('Static exports, with their archives.'),
    agentJobs: count(
      'Agent jobs, with their conversations. Branches and pull requests on the git host are not deleted.',
    ),
    webhooks: count('Webhooks that only belong to this project.'),
    passes: count('Passwords and signed links for readers.'),
    hasAnalytics: Type.Boolean({ description: 'Whether the project has analytics.' }),
    objects: count('Stored objects, except those shared with other projects.'),
    bytes: count('Size of these objects before compression.'),
    isAtLeast: Type.Boolean({ description: 'Whether the site has more versions than were counted.' }),
    graceDays: Type.Integer({
      minimum: 0,
      description: 'Days during which the project can be restored; 0: forever.',
    }),
  },
  {
    ...closedObject('ProjectHoldings'),
    description:
      'What is deleted with the project. Members, API keys, git tokens and the audit log belong to the organization and are not deleted.',
  },
)
export type ProjectHoldings = Static<typeof ProjectHoldings>

export const DeleteProjectQuery = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the project, to confirm.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const MAX_DELETED_FEEDBACK = 10_000
/** Maximum number of ids per request; far below the limit of a request body. */
const MAX_NAMED_FEEDBACK = 1000

export const DeleteFeedbackBody = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: MAX_NAMED_FEEDBACK,
        description: 'Entries with these IDs.',
      }),
    ),
    contact: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 320,
        description: 'Entries with this contact address, ignoring case.',
      }),
    ),
    before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'Entries created before this date or time. Entries without a time never match.',
        examples: ['2026-01-01'],
      }),
    ),
    isDryRun: Type.Optional(Type.Boolean({ default: false, description: 'Only count, without deleting.' })),
  },
  { ...closedObject('DeleteFeedback'), description: 'Entries must match all given conditions.' },
)
export type DeleteFeedbackBody = Static<typeof DeleteFeedbackBody>

export const DeletedFeedback = Type.Object(
  {
    matched: count('Entries that matched before the call.'),
    deleted: count('Entries deleted.'),
    hasMore: Type.Boolean({
      description: 'Whether more entries match than one call can delete. Call again to delete them.',
    }),
  },
  closedObject('DeletedFeedback'),
)
export type DeletedFeedback = Static<typeof DeletedFeedback>

const ROW = {
  ...PUBLIC_ROW,
  area: 'projects',
  params: Params,
} as const

const CHANGE = { ...ROW, method: 'POST' } as const

export const DELETION_OPERATIONS = {
  listDeletedProjects: {
    ...ROW,
    method: 'GET',
    keyProjects: 'scoped',
    path: '/v1/deleted-projects',
    summary: 'List deleted projects that can be restored',
    params: null,
    success: { status: 200, schema: DeletedProjectList },
  },
  getProjectHoldings: {
    ...ROW,
    method: 'GET',
    path: '/v1/projects/{projectId}/holdings',
    summary: 'Count what deleting a project would remove',
    success: { status: 200, schema: ProjectHoldings },
  },
  deleteProject: {
    ...CHANGE,
    method: 'DELETE',
    path: '/v1/projects/{projectId}',
    summary:
      'Delete a project. Its site goes offline immediately, and the project can be restored for a limited time',
    audit: 'project.deleted',
    needsFresh: true,
    needsRoom: false,
    query: DeleteProjectQuery,
    success: { status: 200, schema: DeletedProject },
  },
  restoreProject: {
    ...CHANGE,
    ofArchived: 'allowed',
    path: '/v1/projects/{projectId}/restore',
    summary: 'Restore a deleted project with all its data',
    audit: 'project.restored',
    needsRoom: false,
    success: { status: 200, schema: DeletedProject },
  },
  deleteFeedback: {
    ...CHANGE,
    ofArchived: 'allowed',
    path: '/v1/projects/{projectId}/feedback/delete',
    summary: 'Permanently delete feedback by id, contact address or age, at most 10,000 entries per call',
    audit: 'feedback.deleted',
    needsFresh: true,
    needsRoom: false,
    body: DeleteFeedbackBody,
    success: { status: 200, schema: DeletedFeedback },
  },
} as const satisfies Record<string, Operation>
