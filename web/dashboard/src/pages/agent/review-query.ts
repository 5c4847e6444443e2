import { octavo } from '../../api/octavo.ts'

/** The review reads two states of the repository: it is kept, and asked for anew when the job has moved. */
export function reviewQuery(projectId: string, id: string) {
  return {
    queryKey: ['getAgentReview', projectId, id],
    queryFn: () => octavo.getAgentReview(projectId, id),
    meta: { live: ['agent_job'] as const },
  }
}
