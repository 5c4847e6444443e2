/**
 * Every operation of the internal API, which the dashboard uses beside the public one: the same kind of table, with what
 * a member must be allowed to. It takes sessions, no keys, and may change with any version.
 */
import { Type } from 'typebox'
import {
  CreateFeedbackViewBody,
  DeletedFeedbackView,
  FeedbackContext,
  FeedbackGroupList,
  FeedbackGroupsQuery,
  FeedbackView,
  FeedbackViewList,
  FeedbackViewParams,
  SearchedFeedback,
  SearchFeedbackQuery,
  SearchQuery,
  SearchResult,
  UpdateFeedbackViewBody,
} from './dashboard-feedback.ts'
import {
  ApiKey,
  ApiKeyList,
  ApiKeyParams,
  AuditExportQuery,
  AuditList,
  AuditQuery,
  CreateApiKeyBody,
  CreatedApiKey,
  OrganizationDetail,
  UpdateOrganizationBody,
} from './dashboard-organization.ts'
import { Overview, OverviewQuery } from './dashboard-overview.ts'
import {
  CreateProjectBody,
  ProjectDetail,
  ProjectParams,
  ProjectSummaryList,
  PublishedSite,
  PublishedSiteQuery,
  SourceLines,
  SourceLinesQuery,
  UpdateProjectBody,
} from './dashboard-projects.ts'
import { DOMAIN_OPERATIONS } from './domains.ts'
import { FeedbackEntryParams } from './feedback.ts'
import { GIT_CREDENTIAL_OPERATIONS } from './git-credentials.ts'
import type { Operation } from './operations.ts'
import { PEOPLE_OPERATIONS } from './people-operations.ts'
import type { Permission } from './roles.ts'
import { WORK_OPERATIONS } from './work-operations.ts'

export type DashboardOperation = Operation & {
  area: 'dashboard'
  /** Null: open to visitors, who need not be signed in. */
  permission: Permission | null
}

const PROJECT = '/internal/projects/{projectId}'
const VIEW = `${PROJECT}/feedback/views/{viewId}` as const

/** What most rows have. */
const ROW = {
  area: 'dashboard',
  limit: { name: 'members', counts: 'request' },
  params: null,
  query: null,
  body: null,
} as const
const OF_PROJECT = { ...ROW, params: ProjectParams } as const
const WRITE_ERRORS = [400, 404, 409, 413, 415, 422] as const

export const DASHBOARD_OPERATIONS = {
  ...PEOPLE_OPERATIONS,
  ...WORK_OPERATIONS,
  ...GIT_CREDENTIAL_OPERATIONS,
  ...DOMAIN_OPERATIONS,
  listProjects: {
    ...ROW,
    method: 'GET',
    path: '/internal/projects',
    summary: 'List the projects of the organization',
    permission: 'read',
    success: { status: 200, schema: ProjectSummaryList },
    errors: [400],
  },
  createProject: {
    ...ROW,
    method: 'POST',
    path: '/internal/projects',
    summary: 'Make a project',
    audit: 'project.created',
    permission: 'projects',
    body: CreateProjectBody,
    success: { status: 201, schema: ProjectDetail, headers: { Location: 'Address of the project.' } },
    errors: WRITE_ERRORS,
  },
  getProject: {
    ...OF_PROJECT,
    method: 'GET',
    path: PROJECT,
    summary: 'Get a project with all its settings',
    permission: 'read',
    success: { status: 200, schema: ProjectDetail },
    errors: [400, 404],
  },
  updateProject: {
    ...OF_PROJECT,
    method: 'PATCH',
    path: PROJECT,
    summary: 'Change settings of a project; 409 when they have changed since they were read',
    audit: 'project.updated',
    permission: 'projects',
    body: UpdateProjectBody,
    success: { status: 200, schema: ProjectDetail },
    errors: WRITE_ERRORS,
  },
  getOverview: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/overview`,
    summary: 'The health of a project at a glance',
    permission: 'read',
    query: OverviewQuery,
    success: { status: 200, schema: Overview },
    errors: [400, 404],
  },
  getPublishedSite: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/site`,
    summary: 'The published version of the site, its problems page by page, and the deployment at work',
    permission: 'read',
    query: PublishedSiteQuery,
    success: { status: 200, schema: PublishedSite },
    errors: [400, 404],
  },
  getSourceLines: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/source-lines`,
    summary: 'Lines of a file of the docs folder, around one of them',
    permission: 'read',
    query: SourceLinesQuery,
    success: { status: 200, schema: SourceLines },
    errors: [400, 404],
  },
  searchFeedback: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/feedback/search`,
    summary: 'Find feedback by its words or its vote, newest first',
    permission: 'read',
    query: SearchFeedbackQuery,
    success: { status: 200, schema: SearchedFeedback },
    errors: [400, 404],
  },
  listFeedbackGroups: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/feedback/groups`,
    summary: 'Feedback of a page that says the same, or is about the same code block, grouped',
    permission: 'read',
    query: FeedbackGroupsQuery,
    success: { status: 200, schema: FeedbackGroupList },
    errors: [400, 404],
  },
  getFeedbackContext: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/feedback/{feedbackId}/context`,
    summary:
      'The page and the code block that an entry is about, its duplicates, and the jobs that answer it',
    permission: 'read',
    params: FeedbackEntryParams,
    success: { status: 200, schema: FeedbackContext },
    errors: [400, 404],
  },
  listFeedbackViews: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/feedback/views`,
    summary: 'List saved views of the inbox: own ones and shared ones',
    permission: 'read',
    success: { status: 200, schema: FeedbackViewList },
    errors: [400, 404],
  },
  createFeedbackView: {
    ...OF_PROJECT,
    method: 'POST',
    path: `${PROJECT}/feedback/views`,
    summary: 'Save a view of the inbox',
    audit: 'feedback_view.created',
    permission: 'feedback',
    body: CreateFeedbackViewBody,
    success: { status: 201, schema: FeedbackView, headers: { Location: 'Address of the view.' } },
    errors: WRITE_ERRORS,
  },
  updateFeedbackView: {
    ...ROW,
    method: 'PATCH',
    path: VIEW,
    summary: 'Change a saved view: its maker, or an admin when it is shared',
    audit: 'feedback_view.updated',
    permission: 'feedback',
    params: FeedbackViewParams,
    body: UpdateFeedbackViewBody,
    success: { status: 200, schema: FeedbackView },
    errors: WRITE_ERRORS,
  },
  deleteFeedbackView: {
    ...ROW,
    method: 'DELETE',
    path: VIEW,
    summary: 'Delete a saved view: its maker, or an admin when it is shared',
    audit: 'feedback_view.deleted',
    permission: 'feedback',
    params: FeedbackViewParams,
    success: { status: 200, schema: DeletedFeedbackView },
    errors: WRITE_ERRORS,
  },
  search: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/search`,
    summary: 'Find pages, feedback, agent jobs and exports of a project',
    permission: 'read',
    query: SearchQuery,
    success: { status: 200, schema: SearchResult },
    errors: [400, 404],
  },
  streamProjectEvents: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/events`,
    summary: 'Follow what changes in a project as server-sent events; does not end by itself',
    permission: 'read',
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({
        description:
          'First an event named `ready` with `{ mayHaveMissed }`: true for who comes back with `Last-Event-ID` and where something changed in the minute before, and then everything is to be looked at anew. Then events named `change`, each with a ProjectEvent as JSON data, at most a second or so after the change.',
      }),
    },
    errors: [400, 404],
  },
  getOrganization: {
    ...ROW,
    method: 'GET',
    path: '/internal/organization',
    summary: 'Name and plan of the organization, its limits with their use, and what it stores',
    permission: 'read',
    success: { status: 200, schema: OrganizationDetail },
    errors: [400],
  },
  updateOrganization: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/organization',
    summary: 'Change the name, the plan, or how long things are kept',
    audit: 'organization.updated',
    permission: 'organization',
    body: UpdateOrganizationBody,
    success: { status: 200, schema: OrganizationDetail },
    errors: WRITE_ERRORS,
  },
  listApiKeys: {
    ...ROW,
    method: 'GET',
    path: '/internal/api-keys',
    summary: 'List admin API keys',
    permission: 'apiKeys',
    success: { status: 200, schema: ApiKeyList },
    errors: [400],
  },
  createApiKey: {
    ...ROW,
    method: 'POST',
    path: '/internal/api-keys',
    summary: 'Make an admin API key; the answer holds its text, and no other does',
    audit: 'api_key.created',
    permission: 'apiKeys',
    body: CreateApiKeyBody,
    success: { status: 201, schema: CreatedApiKey, isSecret: true },
    errors: WRITE_ERRORS,
  },
  revokeApiKey: {
    ...ROW,
    method: 'POST',
    path: '/internal/api-keys/{keyId}/revoke',
    summary: 'Revoke a key, on all servers at once',
    audit: 'api_key.revoked',
    needsRoom: false,
    permission: 'apiKeys',
    params: ApiKeyParams,
    success: { status: 200, schema: ApiKey },
    errors: WRITE_ERRORS,
  },
  listAudit: {
    ...ROW,
    method: 'GET',
    path: '/internal/audit',
    summary: 'List who changed what, newest first',
    permission: 'audit',
    query: AuditQuery,
    success: { status: 200, schema: AuditList },
    errors: [400],
  },
  exportAudit: {
    ...ROW,
    method: 'GET',
    path: '/internal/audit/export',
    summary: 'Stream the audit log that the filters match, newest first',
    permission: 'audit',
    query: AuditExportQuery,
    success: {
      status: 200,
      contentTypes: ['application/x-ndjson', 'text/csv'],
      schema: Type.String({ description: 'Each line an AuditRow as JSON, or a line of CSV.' }),
      headers: { 'Content-Disposition': 'A name for the file.' },
    },
    errors: [400],
  },
} as const satisfies Record<string, DashboardOperation>

export type DashboardOperationId = keyof typeof DASHBOARD_OPERATIONS
