/** Actions on a job: cancel it, archive it, publish its change again, open its pull request. */

import type { AgentJob } from '../../../../../src/features/agent/operations/agent.ts'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalKey } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'

interface JobActionsProps {
  projectId: string
  work: AgentWorkDetail
  mayWork: boolean
  isTight: boolean
}

export function JobActions({ projectId, work, mayWork, isTight }: JobActionsProps) {
  const { job, state, canPublish } = work
  const isActive = job.status === 'active'
  const link = findPullRequestUrl(job)
  const isHere = link !== null && isLocalReview(link, job.id)
  const look = isTight ? 'quiet' : 'secondary'
  const labelClass = isTight ? 'sr-only' : ''
  return (
    <>
      {link !== null && (
        <ButtonLink
          size="small"
          look={look}
          icon={isHere ? 'eye' : 'git-pull-request'}
          href={link}
          target="_blank"
        >
          <span class={labelClass}>{isHere ? t('Review page') : t('Pull request')}</span>
        </ButtonLink>
      )}
      {isActive && mayWork && (
        <ActionButton
          look={look}
          icon="circle-x"
          command={{ id: 'job-cancel', label: t('Cancel the job'), icon: 'circle-x' }}
          confirm={{
            title: t('Cancel this job?'),
            width: 'sm',
            action: t('Cancel the job'),
            cancel: t('Keep it running'),
            text: t('The agent stops after the current step. Its work is saved, and a message resumes it.'),
          }}
          run={() => octavo.cancelAgentJob(projectId, job.id)}
          {...jobOutcome(projectId, job.id, t('The job was cancelled'), t('The job was not cancelled'))}
        >
          <span class={labelClass}>{t('Cancel …')}</span>
        </ActionButton>
      )}
      {canPublish && mayWork && (
        <ActionButton
          look={look}
          icon="git-pull-request"
          run={() => octavo.publishAgentJob(projectId, job.id)}
          {...jobOutcome(
            projectId,
            job.id,
            t('The change is being published'),
            t('The change was not published'),
          )}
        >
          {t('Publish again')}
        </ActionButton>
      )}
      {mayWork && job.status !== 'archived' && (
        <ActionButton
          look="quiet"
          icon="archive"
          command={{ id: 'job-archive', label: t('Archive the job'), icon: 'archive', keys: 'e' }}
          // Requires confirmation, because an undecided change is easily forgotten in the archive.
          confirm={
            isActive || state === 'open'
              ? {
                  title: isActive
                    ? t('Stop this job and archive it?')
                    : t('Archive a job with an undecided change?'),
                  width: 'sm',
                  action: t('Archive'),
                  cancel: t('Keep it'),
                  text: t(
                    'An archived job keeps its steps but accepts no more messages. You cannot undo this.',
                  ),
                }
              : undefined
          }
          run={() => octavo.archiveAgentJob(projectId, job.id)}
          {...jobOutcome(projectId, job.id, t('Job archived'), t('The job was not archived'))}
        >
          <span class={labelClass}>{t('Archive')}</span>
        </ActionButton>
      )}
    </>
  )
}

/** Returns the URL of the current pull request. `prLink` still names the first one after it was merged or closed. */
export function findPullRequestUrl({
  prLink,
  pullRequests,
}: Pick<AgentWorkDetail['job'], 'prLink' | 'pullRequests'>): string | null {
  return prLink === null ? null : (pullRequests.at(-1)?.link ?? prLink)
}

/** Returns whether the change is reviewed on a page of this server, as for a repository without a forge. */
export function isLocalReview(prLink: string, jobId: string): boolean {
  return URL.parse(prLink)?.pathname.split('/', 3).join('/') === `/reviews/${jobId}`
}

export const JOB_QUERY_IDS = ['listAgentWork', 'getAgentWork', 'getAgentReview'] as const

/** Outcome of an action on a job: the page shows the returned state immediately, and reloads the rest. */
export function jobOutcome<Failed extends string | ((error: unknown) => unknown)>(
  projectId: string,
  jobId: string,
  done: string,
  failed: Failed,
) {
  return {
    done: (job: AgentJob) => {
      queryClient.setQueryData(
        internalKey('getAgentWork', { params: { projectId, id: jobId } }),
        (work: AgentWorkDetail | undefined) =>
          work && { ...work, job, state: job.pullRequests.at(-1)?.state ?? 'none' },
      )
      toast({ kind: 'done', title: done })
    },
    failed,
    refreshes: JOB_QUERY_IDS,
  }
}
