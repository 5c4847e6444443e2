import { octavo } from '../../api/octavo.ts'

/**
 * Query for the review, for which the server reads two states of the repository. The response is therefore cached, and
 * refetched when the job changes.
 */
export function reviewQuery(projectId: string, id: string) {
  return {
    queryKey: ['getAgentReview', projectId, id],
    queryFn: () => octavo.getAgentReview(projectId, id),
    meta: { live: ['agent_job'] as const },
  }
}
