import { octavo } from '../../api/octavo.ts'

/**
 * Query for the review. It reads two states of the repository, so it is cached and refetched when the job changes.
 */
export function reviewQuery(projectId: string, id: string) {
  return {
    queryKey: ['getAgentReview', projectId, id],
    queryFn: () => octavo.getAgentReview(projectId, id),
    meta: { live: ['agent_job'] as const },
  }
}
