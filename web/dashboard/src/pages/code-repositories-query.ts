/** Query for the code repositories that the project's agent may read, by name. */
import { queryOptions } from '@tanstack/react-query'
import { octavo } from '../api/octavo.ts'

export function codeRepositoriesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['listCodeRepositories', projectId],
    queryFn: () => octavo.call('listCodeRepositories', { params: { projectId } }),
  })
}
