/** Why a job failed and what to do, above its parts: whoever opens it wants to know that first. */
import type { AgentWorkDetail } from '../../../../../src/contract/dashboard-work.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { adviceFor } from './job-words.ts'

export function Trouble({
  projectId,
  job,
  mayWork,
}: {
  projectId: string
  job: AgentWorkDetail['job']
  /** Advice is for those who can follow it. */
  mayWork: boolean
}) {
  const error = job.error ?? 'The job failed.'
  return (
    <section
      aria-label="Why it failed"
      class="flex gap-3 border-b border-line bg-danger-ground px-6 py-3 max-md:px-4"
    >
      <Icon name="circle-alert" class="mt-0.5 text-danger" />
      <div class="min-w-0 max-w-xl flex-1 text-13">
        <p class="line-clamp-4 font-medium break-words" dir="auto" title={error}>
          <PlainText text={error} />
        </p>
        {mayWork && (
          <p class="mt-0.5 text-soft">
            {adviceFor(job.errorCode)}{' '}
            {job.errorCode === 'limit_reached' && (
              <Link href={`/p/${projectId}/settings/agent`}>Model and caps</Link>
            )}
          </p>
        )}
      </div>
    </section>
  )
}
