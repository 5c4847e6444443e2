/** Client of the internal API, typed by its operations table. */
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import {
  type ResponseOf as Answer,
  type AnyInput,
  type Arguments,
  createOperationCalls,
} from '../../../../src/client/operation-calls.ts'
import { DASHBOARD_ADDRESSES } from '../../../../src/features/dashboard-addresses.ts'
import type {
  DASHBOARD_OPERATIONS,
  DashboardOperationId,
} from '../../../../src/features/dashboard-operations.ts'
import type { ProjectEvent } from '../../../../src/features/projects/operations/projects.ts'
import { caller, currentOrganizationId } from './send.ts'

type Table = typeof DASHBOARD_OPERATIONS

const calls = createOperationCalls<Table>(caller, DASHBOARD_ADDRESSES)

/** Project events that make an operation's response stale. Lists that must not update automatically are omitted. */
const LIVE_EVENT_KINDS: Partial<Record<DashboardOperationId, readonly ProjectEvent['kind'][]>> = {
  listProjects: ['project', 'deployment'],
  getProject: ['project'],
  getOverview: ['feedback', 'agent_job', 'export', 'deployment', 'project'],
  getPublishedSite: ['deployment', 'project'],
  getFeedbackContext: ['feedback', 'agent_job'],
  listAgentWork: ['agent_job'],
  getAgentWork: ['agent_job', 'feedback'],
  listExportWork: ['export'],
  getExportWork: ['export'],
  listDeploymentWork: ['deployment'],
  getDeploymentWork: ['deployment'],
  listFeedbackGroups: ['feedback'],
  countUnread: ['notification'],
  listNotifications: ['notification'],
}

export type OperationResponse<Id extends DashboardOperationId> = Answer<Table[Id]>

export const { addressOf } = calls

/** Calls an operation; rejects with ApiError or OfflineError. */
export const internal = calls.call

/** Options for `useQuery` and `prefetchQuery` of a read operation. The query key begins with the operation id. */
export function internalQuery<Id extends DashboardOperationId>(
  id: Id,
  ...[input]: Arguments<Table[Id], never>
) {
  return queryOptions<OperationResponse<Id>>({
    queryKey: buildQueryKey(id, input as AnyInput),
    ...(LIVE_EVENT_KINDS[id] === undefined ? {} : { meta: { live: LIVE_EVENT_KINDS[id] } }),
    queryFn: ({ signal }) => calls.send(id, input as AnyInput, { signal }),
  })
}

type PagedOperationId = {
  [Id in DashboardOperationId]: OperationResponse<Id> extends { nextCursor: string | null } ? Id : never
}[DashboardOperationId]

export function internalPages<Id extends PagedOperationId>(id: Id, ...[input]: Arguments<Table[Id], never>) {
  const operationInput = input as AnyInput
  return {
    queryKey: buildQueryKey(id, operationInput),
    ...(LIVE_EVENT_KINDS[id] === undefined ? {} : { meta: { live: LIVE_EVENT_KINDS[id] } }),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) => {
      const query =
        pageParam === null ? operationInput?.query : { ...operationInput?.query, cursor: pageParam }
      return calls.send(id, { ...operationInput, ...(query === undefined ? {} : { query }) }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: OperationResponse<Id>) => (page as { nextCursor: string | null }).nextCursor,
  }
}

/**
 * Returns `[id, organization or params, query]`; without an input, the key matches all responses of the operation.
 */
export function internalKey<Id extends DashboardOperationId>(
  id: Id,
  ...[input]: Arguments<Table[Id], never>
): QueryKey {
  return buildQueryKey(id, input as AnyInput)
}

function buildQueryKey(id: DashboardOperationId, { params, query }: AnyInput = {}): QueryKey {
  const key: unknown[] = [id, params ?? currentOrganizationId()]
  if (query !== undefined) key.push(query)
  return key
}
