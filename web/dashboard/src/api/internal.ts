/**
 * The internal API, typed by its table. The addresses stand here again, since the table brings the whole schema library
 * with it; the types make each one equal to the table's.
 */
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Static, TSchema } from 'typebox'
import { queryOf } from '../../../../src/client/call.ts'
import type {
  DASHBOARD_OPERATIONS,
  DashboardOperationId,
} from '../../../../src/contract/dashboard-operations.ts'
import type { ProjectEvent } from '../../../../src/contract/dashboard-projects.ts'
import { caller, currentOrganization } from './send.ts'

type Table = typeof DASHBOARD_OPERATIONS

const ADDRESSES: { [Id in DashboardOperationId]: `${Table[Id]['method']} ${Table[Id]['path']}` } = {
  getSession: 'GET /internal/session',
  setUp: 'POST /internal/setup',
  getInvitation: 'POST /internal/invitation/look-up',
  acceptInvitation: 'POST /internal/invitation/accept',
  resetPassword: 'POST /internal/password-reset',
  listSessions: 'GET /internal/sessions',
  endOtherSessions: 'DELETE /internal/sessions',
  endSession: 'DELETE /internal/sessions/{sessionId}',
  listMembers: 'GET /internal/members',
  updateMember: 'PATCH /internal/members/{userId}',
  removeMember: 'DELETE /internal/members/{userId}',
  listInvitations: 'GET /internal/invitations',
  createInvitation: 'POST /internal/invitations',
  revokeInvitation: 'DELETE /internal/invitations/{invitationId}',
  listAgentWork: 'GET /internal/projects/{projectId}/agent-jobs',
  getAgentWork: 'GET /internal/projects/{projectId}/agent-jobs/{id}',
  getAgentPreviews: 'GET /internal/projects/{projectId}/agent-jobs/{id}/previews',
  listExportWork: 'GET /internal/projects/{projectId}/exports',
  getExportWork: 'GET /internal/projects/{projectId}/exports/{jobId}',
  getWebhookDelivery: 'GET /internal/webhooks/{webhookId}/deliveries/{deliveryId}',
  listProjects: 'GET /internal/projects',
  createProject: 'POST /internal/projects',
  getProject: 'GET /internal/projects/{projectId}',
  updateProject: 'PATCH /internal/projects/{projectId}',
  checkDomain: 'POST /internal/projects/{projectId}/domains/{domain}/check',
  getOverview: 'GET /internal/projects/{projectId}/overview',
  getPublishedSite: 'GET /internal/projects/{projectId}/site',
  getSourceLines: 'GET /internal/projects/{projectId}/source-lines',
  searchFeedback: 'GET /internal/projects/{projectId}/feedback/search',
  listFeedbackGroups: 'GET /internal/projects/{projectId}/feedback/groups',
  getFeedbackContext: 'GET /internal/projects/{projectId}/feedback/{feedbackId}/context',
  listFeedbackViews: 'GET /internal/projects/{projectId}/feedback/views',
  createFeedbackView: 'POST /internal/projects/{projectId}/feedback/views',
  updateFeedbackView: 'PATCH /internal/projects/{projectId}/feedback/views/{viewId}',
  deleteFeedbackView: 'DELETE /internal/projects/{projectId}/feedback/views/{viewId}',
  search: 'GET /internal/projects/{projectId}/search',
  streamProjectEvents: 'GET /internal/projects/{projectId}/events',
  getOrganization: 'GET /internal/organization',
  updateOrganization: 'PATCH /internal/organization',
  listApiKeys: 'GET /internal/api-keys',
  createApiKey: 'POST /internal/api-keys',
  revokeApiKey: 'POST /internal/api-keys/{keyId}/revoke',
  listGitCredentials: 'GET /internal/git-credentials',
  createGitCredential: 'POST /internal/git-credentials',
  replaceGitCredential: 'PATCH /internal/git-credentials/{credentialId}',
  deleteGitCredential: 'DELETE /internal/git-credentials/{credentialId}',
  listAudit: 'GET /internal/audit',
  exportAudit: 'GET /internal/audit/export',
}

/** Which changes of a project make an answer stale. Lists that must not move by themselves are not here. */
const LIVE: Partial<Record<DashboardOperationId, readonly ProjectEvent['kind'][]>> = {
  listProjects: ['project', 'deployment'],
  getProject: ['project'],
  getOverview: ['feedback', 'agent_job', 'export', 'deployment', 'project'],
  getPublishedSite: ['deployment', 'project'],
  getFeedbackContext: ['feedback', 'agent_job'],
  listAgentWork: ['agent_job'],
  getAgentWork: ['agent_job', 'feedback'],
  listExportWork: ['export'],
  getExportWork: ['export'],
  listFeedbackGroups: ['feedback'],
}

type Part<Name extends string, Schema> = Schema extends TSchema
  ? Record<never, never> extends Static<Schema>
    ? { [Key in Name]?: Static<Schema> }
    : { [Key in Name]: Static<Schema> }
  : unknown

/** `params`, `query` and `body`, as far as the operation has them. */
export type InputOf<Id extends DashboardOperationId> = Part<'params', Table[Id]['params']> &
  Part<'query', Table[Id]['query']> &
  Part<'body', Table[Id]['body']>
export type AnswerOf<Id extends DashboardOperationId> = Static<Table[Id]['success']['schema']>

type Arguments<Id extends DashboardOperationId, More> =
  Record<never, never> extends InputOf<Id>
    ? [input?: InputOf<Id>, more?: More]
    : [input: InputOf<Id>, more?: More]

interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Address of an operation, for links and streams. */
export function addressOf<Id extends DashboardOperationId>(id: Id, ...[input]: Arguments<Id, never>): string {
  const { params = {}, query = {} } = (input ?? {}) as AnyInput
  const path = ADDRESSES[id].slice(ADDRESSES[id].indexOf(' ') + 1)
  return (
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) + queryOf(query)
  )
}

/** Calls an operation; rejects with ApiError, or OfflineError. */
export function internal<Id extends DashboardOperationId>(
  id: Id,
  ...[input, more]: Arguments<Id, { signal?: AbortSignal }>
): Promise<AnswerOf<Id>> {
  const { body } = (input ?? {}) as AnyInput
  return caller.call<AnswerOf<Id>>({
    method: ADDRESSES[id].split(' ', 1)[0] as 'GET',
    path: addressOf(id, ...([input] as unknown as Arguments<Id, never>)),
    ...(body === undefined ? {} : { body }),
    ...more,
  })
}

/** What `useQuery` and `prefetchQuery` take, for an operation that reads. The key begins with the operation's id. */
export function internalQuery<Id extends DashboardOperationId>(id: Id, ...[input]: Arguments<Id, never>) {
  return queryOptions<AnswerOf<Id>>({
    queryKey: internalKey(id, ...([input] as unknown as Arguments<Id, never>)),
    ...(LIVE[id] === undefined ? {} : { meta: { live: LIVE[id] } }),
    queryFn: ({ signal }) =>
      internal(id, ...([input, { signal }] as unknown as Arguments<Id, { signal: AbortSignal }>)),
  })
}

/** `[id, organization or params, query]`; without an input it matches all of an operation's answers. */
export function internalKey<Id extends DashboardOperationId>(
  id: Id,
  ...[input]: Arguments<Id, never>
): QueryKey {
  const { params, query } = (input ?? {}) as AnyInput
  const key: unknown[] = [id, params ?? currentOrganization()]
  if (query !== undefined) key.push(query)
  return key
}
