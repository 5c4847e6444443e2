/** Explains why a job failed and how to continue. Placed above the tabs, because it is what users look for first. */

import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useIsPhone } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { Reason, ReasonDetails } from '../job-reason.tsx'
import { JOB_QUERY_IDS } from './job-actions.tsx'
import { canRetry, failureAdvice } from './job-labels.ts'

/** Lists what a published change leaves undone because of a limit; collapsed on phones. */
function Unfinished({ text }: { text: string }) {
  const isPhone = useIsPhone()
  const [reason = '', ...parts] = text.split('\n\n')
  return (
    <section
      aria-label={t('What remains to be done')}
      class="border-b border-line bg-warning-ground px-6 py-3 max-md:px-4"
    >
      <div class="flex max-w-form gap-3">
        <Icon name="triangle-alert" class="mt-0.5 text-warning" />
        <div class="min-w-0 flex-1 text-13 break-words">
          <p class="font-medium" dir="auto">
            <PlainText text={reason} />
          </p>
          {parts.length > 0 && (
            <details class="mt-1" open={!isPhone}>
              <summary class="text-soft">{t('What remains to be done')}</summary>
              <div class="mt-1 max-h-40 space-y-1 overflow-y-auto" tabIndex={0}>
                {parts.map((part, index) => (
                  <p key={index} class="whitespace-pre-line" dir="auto">
                    <PlainText text={part} />
                  </p>
                ))}
              </div>
            </details>
          )}
        </div>
      </div>
    </section>
  )
}

/** Prompt for the agent, which has the previous steps in its context. */
const RETRY_PROMPT = t('The last turn failed. Continue from where it stopped and finish the task.')

interface JobFailureProps {
  projectId: string
  job: AgentWorkDetail['job']
  /** True for members who can act on the advice; others do not see the advice. */
  mayWork: boolean
}

export function isFailureExplained({ status, errorCode }: JobFailureProps['job']): boolean {
  return status === 'failed' && errorCode !== 'cancelled'
}

export function JobFailure({ projectId, job, mayWork }: JobFailureProps) {
  if (job.unfinished !== null) return <Unfinished text={job.unfinished} />
  if (!isFailureExplained(job)) return null
  return (
    <section
      aria-label={t('Why it failed')}
      class="border-b border-line bg-danger-ground px-6 py-3 max-md:px-4"
    >
      <div class="flex max-w-form gap-3">
        <Icon name="circle-alert" class="mt-0.5 text-danger" />
        <div class="min-w-0 flex-1 text-13">
          <Reason job={job} otherwise={t('The job failed.')} />
          {mayWork && (
            <p class="mt-0.5 text-soft">
              {failureAdvice(job.errorCode)}{' '}
              {job.errorCode === 'limit_reached' && (
                <Link href={`/p/${projectId}/settings/agent`}>{t('Model and limits')}</Link>
              )}
            </p>
          )}
          <div class="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
            {mayWork && canRetry(job.errorCode) && (
              <ActionButton
                icon="refresh-cw"
                command={{ id: 'job-retry', label: t('Retry the job'), icon: 'refresh-cw' }}
                run={(idempotencyKey) =>
                  octavo.sendAgentMessage(projectId, job.id, { prompt: RETRY_PROMPT }, { idempotencyKey })
                }
                failed={t('The job was not retried')}
                refreshes={JOB_QUERY_IDS}
              >
                {t('Retry')}
              </ActionButton>
            )}
            <ReasonDetails job={job} />
          </div>
        </div>
      </div>
    </section>
  )
}
