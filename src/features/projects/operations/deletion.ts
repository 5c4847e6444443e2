/** Deletion of projects, which can be restored for a while, and permanent deletion of feedback. */

import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const Params = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })

export const DeletedProject = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), { description: 'Held for it until it is removed.' }),
    deletedAt: DateTime,
    removedFrom: Nullable(
      Type.String({
        format: 'date-time',
        description: 'From when on it is removed and cannot be brought back; null: never.',
      }),
    ),
  },
  closed('DeletedProject'),
)
export type DeletedProject = Static<typeof DeletedProject>

export const DeletedProjectList = Type.Object(
  {
    projects: Type.Array(DeletedProject, {
      description: 'Those that can be brought back, the newest deletion first.',
    }),
  },
  closed('DeletedProjectList'),
)

export const ProjectHoldings = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String()),
    feedback: count('Entries of feedback, with their history.'),
    questions: count('Questions to the assistant.'),
    deployments: count('Deployments, with their logs and problems.'),
    exports: count('Static exports, with their archives.'),
    agentJobs: count(
      'Agent jobs, with their conversations. Branches and pull requests at the git host stay.',
    ),
    webhooks: count('Webhooks of this project alone.'),
    passes: count('Passwords and signed links of readers.'),
    hasAnalytics: Type.Boolean({ description: 'Whether there are counts of readers.' }),
    objects: count('Objects in storage; those that other projects have too stay for them.'),
    bytes: count('Of these, before compression.'),
    isAtLeast: Type.Boolean({ description: 'There are more versions of the site than were looked through.' }),
    graceDays: Type.Integer({ minimum: 0, description: 'How long it could be brought back; 0: for ever.' }),
  },
  {
    ...closed('ProjectHoldings'),
    description:
      'What goes with a project. Members, API keys, git tokens and the audit log are of the organization, and stay.',
  },
)
export type ProjectHoldings = Static<typeof ProjectHoldings>

export const DeleteProjectQuery = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Of the project: with another name than its own nothing is deleted.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const MAX_DELETED_FEEDBACK = 10_000
/** Fits into a request body with room to spare. */
const MAX_NAMED_FEEDBACK = 1000

export const DeleteFeedbackBody = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: MAX_NAMED_FEEDBACK,
        description: 'Entries with these ids.',
      }),
    ),
    contact: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 320,
        description: 'Entries with this contact address, however it is spelt in upper and lower case.',
      }),
    ),
    before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'Entries said before this date or moment. Those without a time are in no such range.',
        examples: ['2026-01-01'],
      }),
    ),
    isDryRun: Type.Optional(Type.Boolean({ default: false, description: 'Count, and delete nothing.' })),
  },
  { ...closed('DeleteFeedback'), description: 'With several, entries that are meant by all of them.' },
)
export type DeleteFeedbackBody = Static<typeof DeleteFeedbackBody>

export const DeletedFeedback = Type.Object(
  {
    matched: count('Entries that were meant before the call.'),
    deleted: count('Entries that are gone.'),
    hasMore: Type.Boolean({ description: 'More entries are meant than one call deletes: call again.' }),
  },
  closed('DeletedFeedback'),
)
export type DeletedFeedback = Static<typeof DeletedFeedback>

/** Common fields of most operations. */
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
    summary: 'List deleted projects that can be brought back',
    params: null,
    success: { status: 200, schema: DeletedProjectList },
  },
  getProjectHoldings: {
    ...ROW,
    method: 'GET',
    path: '/v1/projects/{projectId}/holdings',
    summary: 'Count what would go with a project',
    success: { status: 200, schema: ProjectHoldings },
  },
  deleteProject: {
    ...CHANGE,
    method: 'DELETE',
    path: '/v1/projects/{projectId}',
    summary: 'Delete a project: its site is taken down at once, and it can be brought back for a while',
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
    summary: 'Bring a deleted project back, with all that it had',
    audit: 'project.restored',
    needsRoom: false,
    success: { status: 200, schema: DeletedProject },
  },
  deleteFeedback: {
    ...CHANGE,
    ofArchived: 'allowed',
    path: '/v1/projects/{projectId}/feedback/delete',
    summary: 'Delete feedback by id, contact address or age for good, at most 10,000 entries a call',
    audit: 'feedback.deleted',
    needsFresh: true,
    needsRoom: false,
    body: DeleteFeedbackBody,
    success: { status: 200, schema: DeletedFeedback },
  },
} as const satisfies Record<string, Operation>
