/** Agent jobs as single lines, for lists in other contexts. */
import type { AgentWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { Badge } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { describeJobState, jobTitle } from './job-labels.ts'

export function JobSummaryList({
  projectId,
  jobs,
}: {
  projectId: string
  jobs: readonly Pick<AgentWork, 'job' | 'state' | 'prompt'>[]
}) {
  return (
    <ul class="space-y-1">
      {jobs.map((job) => (
        <li key={job.job.id} class="flex items-center gap-2 text-13">
          <Badge tone={describeJobState(job).tone}>{describeJobState(job).label}</Badge>
          <Link look="quiet" href={`/p/${projectId}/agent/${job.job.id}`} class="min-w-0 truncate">
            <PlainText text={jobTitle(job)} />
          </Link>
          <RelativeTime at={job.job.createdAt} class="shrink-0 text-12 text-faint" />
        </li>
      ))}
    </ul>
  )
}
