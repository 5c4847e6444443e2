/** Lists of projects other than the main list. */
import { projectsQuery } from './current-project.ts'
import { queryClient } from './query-client.ts'

export const ARCHIVED_KEY = ['listArchivedProjects']
export const DELETED_KEY = ['listDeletedProjects']
export const OFFERS_KEY = ['listTransfers']

export async function refreshProjects(...listKeys: readonly (readonly string[])[]): Promise<void> {
  await Promise.all(listKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
}
