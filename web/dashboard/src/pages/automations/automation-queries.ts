import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { octavo } from '../../api/octavo.ts'
import { queryClient } from '../../app/query-client.ts'

export function automationsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['listAutomations', projectId],
    queryFn: () => octavo.call('listAutomations', { params: { projectId } }),
  })
}

export function runsQuery(projectId: string, automationId: string) {
  return infiniteQueryOptions({
    queryKey: ['listAutomationRuns', projectId, automationId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      octavo.call('listAutomationRuns', {
        params: { projectId, automationId },
        query: { limit: 20, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export async function refreshAutomations(projectId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['listAutomations', projectId] })
  void queryClient.invalidateQueries({ queryKey: ['listAutomationRuns', projectId] })
}
