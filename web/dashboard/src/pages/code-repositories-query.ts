/** The repositories of code that the agent of a project may read, by name. */
import { queryOptions } from '@tanstack/react-query'
import { octavo } from '../api/octavo.ts'

export function codeRepositoriesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['listCodeRepositories', projectId],
    queryFn: () => octavo.call('listCodeRepositories', { params: { projectId } }),
  })
}
