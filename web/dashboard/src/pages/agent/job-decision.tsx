/** Accepting or declining a change: here for a repository without a forge, otherwise at the forge. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { ApiError } from '../../../../../src/client/call.ts'
import type { AgentReview } from '../../../../../src/features/agent/operations/agent.ts'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
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
import { findPullRequestUrl, isLocalReview, useJobAction } from './job-actions.tsx'
import { jobTitle } from './job-labels.ts'
import { reviewQuery } from './review-query.ts'
import { RiskList } from './risk-list.tsx'

export function Decision({
  projectId,
  work,
  onLook,
}: {
  projectId: string
  work: AgentWorkDetail
  /** Null when the change is already shown. */
  onLook: (() => void) | null
}) {
  const { job } = work
  // Prefetched, because members usually open the change before deciding.
  const { data: review } = useQuery(reviewQuery(projectId, job.id))
  const risks = review?.needsSecondYes === true ? review.risks : null
  const branch = job.source.ref === 'HEAD' ? null : job.source.ref
  const isHere = job.prLink !== null && isLocalReview(job.prLink, job.id)
  const { accept, decline } = useDecision(projectId, job.id, { branch, confirmRisks: risks !== null })
  const [asks, setAsks] = useState<'accept' | 'decline' | null>(null)
  const isOff = !isHere || accept.isPending || decline.isPending
  const [toAccept, toDecline] = [() => setAsks('accept'), () => setAsks('decline')]
  useCommands([
    { id: 'job-accept', label: t('Accept the change'), icon: 'git-merge', isOff, run: toAccept },
    { id: 'job-decline', label: t('Decline the change'), icon: 'x', isOff, run: toDecline },
  ])
  return (
    <section aria-label={t('Decision')} class="border-b border-line bg-sunken px-6 py-2.5 max-md:px-4">
      <div class="flex max-w-page flex-wrap items-center gap-3">
        <PendingChanges filesChanged={job.filesChanged} how={acceptHint(isHere, branch)} />
        <div class="flex gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
          {onLook !== null && (
            <Button size="small" look="quiet" onClick={onLook}>
              {t('View the change')}
            </Button>
          )}
          {isHere ? (
            <DecisionButtons
              isAccepting={accept.isPending}
              isDeclining={decline.isPending}
              onAccept={toAccept}
              onDecline={toDecline}
            />
          ) : (
            <ForgeLink href={findPullRequestUrl(job) ?? ''} />
          )}
        </div>
      </div>
      {asks !== null && (
        <DecisionDialog
          verb={asks}
          work={work}
          branch={branch}
          risks={risks}
          onClose={() => setAsks(null)}
          onConfirm={() => (asks === 'accept' ? accept : decline).mutate()}
        />
      )}
    </section>
  )
}

function PendingChanges({ filesChanged, how }: { filesChanged: number; how: string }) {
  return (
    <>
      <Icon name="git-pull-request" class="text-warning" />
      <p class="min-w-60 flex-1 text-13 text-soft">
        <span class="font-medium text-text">
          {plural(
            filesChanged,
            '{count} file changed, to be reviewed.',
            '{count} files changed, to be reviewed.',
          )}
        </span>{' '}
        {how}
      </p>
    </>
  )
}

function ForgeLink({ href }: { href: string }) {
  return (
    <ButtonLink size="small" look="primary" icon="external-link" href={href} target="_blank">
      {t('Pull request')}
    </ButtonLink>
  )
}

function useDecision(
  projectId: string,
  jobId: string,
  { branch, confirmRisks }: { branch: string | null; confirmRisks: boolean },
) {
  const together = useJobAction(projectId, jobId, {
    send: () => octavo.sendAgentMessage(projectId, jobId, { prompt: conflictPrompt(branch) }),
    done: t('The agent brings both together'),
    failed: t('The agent was not asked'),
  })
  const accept = useJobAction(projectId, jobId, {
    failureAction: (error) =>
      error instanceof ApiError && error.code === 'merge_conflict' && error.details.length > 0
        ? { label: t('Ask the agent to resolve it'), run: () => together.mutate() }
        : null,
    send: () => octavo.acceptAgentJob(projectId, jobId, { confirmRisks }),
    done: mergedMessage(branch),
    failed: t('The change was not merged'),
  })
  const decline = useJobAction(projectId, jobId, {
    send: () => octavo.declineAgentJob(projectId, jobId),
    done: t('The change was declined'),
    failed: t('The change was not declined'),
  })
  return { accept, decline }
}

interface ButtonsProps {
  isAccepting: boolean
  isDeclining: boolean
  onAccept: () => void
  onDecline: () => void
}

function DecisionButtons({ isAccepting, isDeclining, onAccept, onDecline }: ButtonsProps) {
  return (
    <>
      <Button size="small" isBusy={isDeclining} disabled={isAccepting || isDeclining} onClick={onDecline}>
        {t('Decline …')}
      </Button>
      <Button
        size="small"
        look="primary"
        icon="git-merge"
        isBusy={isAccepting}
        disabled={isDeclining}
        onClick={onAccept}
      >
        {t('Accept …')}
      </Button>
    </>
  )
}

interface DialogProps {
  verb: 'accept' | 'decline'
  work: AgentWorkDetail
  branch: string | null
  /** Risks that require a second confirmation; null for any other change. */
  risks: AgentReview['risks'] | null
  onClose: () => void
  onConfirm: () => void
}

/** Confirms a decision that cannot be undone here: a merge is in the repository, and a declined branch is deleted. */
function DecisionDialog({ verb, work, branch, risks, onClose, onConfirm }: DialogProps) {
  const { job, feedback } = work
  const answered = feedback.filter(({ status }) => status !== 'resolved').length
  return (
    <ConfirmDialog
      title={verb === 'accept' ? mergeQuestion(branch) : t('Decline this change?')}
      width="sm"
      look={verb === 'accept' ? 'primary' : 'danger'}
      action={verb === 'accept' ? t('Merge') : t('Decline')}
      cancel={t('Keep it open')}
      onClose={onClose}
      onConfirm={async () => onConfirm()}
    >
      <p class="break-words">
        {richPlural(job.filesChanged, '“{title}”, {count} file.', '“{title}”, {count} files.', {
          title: <PlainText text={jobTitle(work)} />,
        })}{' '}
        {verb === 'accept' ? mergeConsequence(branch) : declineConsequence(branch)}
      </p>
      {verb === 'accept' && risks !== null && (
        <>
          <p>{t('Every file in it carries a serious risk, so it needs a second yes:')}</p>
          <RiskList risks={risks} />
        </>
      )}
      {verb === 'accept' && answered > 0 && <p>{resolvedHint(answered)}</p>}
    </ConfirmDialog>
  )
}
