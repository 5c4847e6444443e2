/**
 * Accepting or declining a change: in the dashboard for a repository without a forge, otherwise on the forge.
 */

import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../../../src/client/call.ts'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { explainError } from '../../api/errors.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton, useAction } from '../../app/action.tsx'
import { toastFailure } from '../../app/toasts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, richPlural, t } from '../../words/words.ts'
import {
  acceptHint,
  conflictPrompt,
  declineConsequence,
  mergeConsequence,
  mergedMessage,
  mergeQuestion,
  resolvedHint,
} from './decision-labels.ts'
import { findPullRequestUrl, isLocalReview, JOB_QUERY_IDS, jobOutcome } from './job-actions.tsx'
import { jobTitle } from './job-labels.ts'
import { reviewQuery } from './review-query.ts'
import { RiskList } from './risk-list.tsx'

interface DecisionProps {
  projectId: string
  work: AgentWorkDetail
  /** Shows the change; null when it is already shown. */
  onLook: (() => void) | null
}

export function Decision({ projectId, work, onLook }: DecisionProps) {
  const { job, feedback } = work
  // Prefetched, because members usually open the change before deciding.
  const { data: review } = useQuery(reviewQuery(projectId, job.id))
  const risks = review?.needsSecondYes === true ? review.risks : null
  const branch = job.source.ref === 'HEAD' ? null : job.source.ref
  const isHere = job.prLink !== null && isLocalReview(job.prLink, job.id)
  const answered = feedback.filter(({ status }) => status !== 'resolved').length
  const name = richPlural(job.filesChanged, '“{title}”, {count} file.', '“{title}”, {count} files.', {
    title: <PlainText text={jobTitle(work)} />,
  })
  const resolve = useAction({
    run: () => octavo.sendAgentMessage(projectId, job.id, { prompt: conflictPrompt(branch) }),
    done: t('The agent is resolving the conflict'),
    failed: t('The message to the agent was not sent'),
    refreshes: JOB_QUERY_IDS,
  })
  const onNotMerged = (error: unknown) => {
    const isConflict =
      error instanceof ApiError && error.code === 'merge_conflict' && error.details.length > 0
    const action = { label: t('Ask the agent to resolve it'), run: () => resolve.mutate() }
    // A conflict has a button that asks the agent to resolve it, so the textual advice is omitted.
    toastFailure(
      t('The change was not merged'),
      error,
      isConflict ? { action, detail: explainError(error).title } : {},
    )
  }
  return (
    <section aria-label={t('Decision')} class="border-b border-line bg-sunken px-6 py-2.5 max-md:px-4">
      <div class="flex max-w-page flex-wrap items-center gap-3">
        <Icon name="git-pull-request" class="text-warning" />
        <p class="min-w-60 flex-1 text-13 text-soft">
          <span class="font-medium text-text">
            {plural(job.filesChanged, '{count} changed file to review.', '{count} changed files to review.')}
          </span>{' '}
          {acceptHint(isHere, branch)}
        </p>
        <div class="flex gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
          {onLook !== null && (
            <Button size="small" look="quiet" onClick={onLook}>
              {t('View the change')}
            </Button>
          )}
          {isHere ? (
            // Both actions require confirmation: a merge changes the repository, and a declined branch is
            // deleted.
            <>
              <ActionButton
                command={{ id: 'job-decline', label: t('Decline the change'), icon: 'x' }}
                confirm={{
                  title: t('Decline this change?'),
                  width: 'sm',
                  action: t('Decline'),
                  cancel: t('Keep it open'),
                  text: (
                    <p>
                      {name} {declineConsequence(branch)}
                    </p>
                  ),
                }}
                run={() => octavo.declineAgentJob(projectId, job.id)}
                {...jobOutcome(
                  projectId,
                  job.id,
                  t('The change was declined'),
                  t('The change was not declined'),
                )}
              >
                {t('Decline …')}
              </ActionButton>
              <ActionButton
                look="primary"
                icon="git-merge"
                command={{ id: 'job-accept', label: t('Accept the change'), icon: 'git-merge' }}
                confirm={{
                  title: mergeQuestion(branch),
                  width: 'sm',
                  look: 'primary',
                  action: t('Merge'),
                  cancel: t('Keep it open'),
                  text: (
                    <>
                      <p>
                        {name} {mergeConsequence(branch)}
                      </p>
                      {risks !== null && (
                        <>
                          <p>
                            {t('Every changed file has a high risk. By merging, you accept these risks:')}
                          </p>
                          <RiskList risks={risks} />
                        </>
                      )}
                      {answered > 0 && <p>{resolvedHint(answered)}</p>}
                    </>
                  ),
                }}
                run={() => octavo.acceptAgentJob(projectId, job.id, { confirmRisks: risks !== null })}
                {...jobOutcome(projectId, job.id, mergedMessage(branch), onNotMerged)}
              >
                {t('Accept …')}
              </ActionButton>
            </>
          ) : (
            <ButtonLink
              size="small"
              look="primary"
              icon="external-link"
              href={findPullRequestUrl(job) ?? ''}
              target="_blank"
            >
              {t('Pull request')}
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  )
}
