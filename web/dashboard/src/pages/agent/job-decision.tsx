/** Whether a change goes in: decided here for a repository without a forge, at the forge otherwise. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { ApiError } from '../../../../../src/client/call.ts'
import type { AgentReview } from '../../../../../src/contract/agent.ts'
import type { AgentWorkDetail } from '../../../../../src/contract/dashboard-work.ts'
import { octavo } from '../../api/send.ts'
import { useCommands } from '../../app/commands.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { counted } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { t } from '../../words/words.ts'
import { isLocal, requestLink, useJobAction } from './job-actions.tsx'
import { titleOf } from './job-words.ts'
import { reviewQuery } from './review-query.ts'
import { RiskList } from './risk-list.tsx'

export function Decision({
  projectId,
  work,
  onLook,
}: {
  projectId: string
  work: AgentWorkDetail
  /** Null: one looks at the change already. */
  onLook: (() => void) | null
}) {
  const { job } = work
  // Looked at ahead: whoever decides wants to see it.
  const { data: review } = useQuery(reviewQuery(projectId, job.id))
  const risks = review?.needsSecondYes === true ? review.risks : null
  const target = job.source.ref === 'HEAD' ? 'the default branch' : job.source.ref
  const isHere = job.prLink !== null && isLocal(job.prLink, job.id)
  const { accept, decline } = useVerdict(projectId, job.id, { target, confirmRisks: risks !== null })
  const [asks, setAsks] = useState<'accept' | 'decline' | null>(null)
  const isOff = !isHere || accept.isPending || decline.isPending
  const [toAccept, toDecline] = [() => setAsks('accept'), () => setAsks('decline')]
  useCommands([
    { id: 'job-accept', label: t('Accept the change'), icon: 'git-merge', isOff, run: toAccept },
    { id: 'job-decline', label: t('Decline the change'), icon: 'x', isOff, run: toDecline },
  ])
  return (
    <section
      aria-label={t('Decision')}
      class="flex flex-wrap items-center gap-x-3 gap-y-3 border-b border-line bg-sunken px-6 py-2.5 max-md:px-4"
    >
      <WhatWaits filesChanged={job.filesChanged} target={isHere ? target : null} />
      <div class="flex gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
        {onLook !== null && (
          <Button size="small" look="quiet" onClick={onLook}>
            {t('Look at it')}
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
          <AtForge href={requestLink(job) ?? ''} />
        )}
      </div>
      {asks !== null && (
        <DecisionDialog
          verb={asks}
          work={work}
          target={target}
          risks={risks}
          onClose={() => setAsks(null)}
          onConfirm={() => (asks === 'accept' ? accept : decline).mutate()}
        />
      )}
    </section>
  )
}

/** `target` is null where the forge decides. */
function WhatWaits({ filesChanged, target }: { filesChanged: number; target: string | null }) {
  return (
    <>
      <Icon name="git-pull-request" class="text-warning" />
      <p class="min-w-60 flex-1 text-13 text-soft">
        <span class="font-medium text-text">{counted(filesChanged, 'file')} changed, to be reviewed.</span>{' '}
        {target === null
          ? t('Decide on the pull request.')
          : t('Accepting merges the change into {target}.', { target })}
      </p>
    </>
  )
}

function AtForge({ href }: { href: string }) {
  return (
    <ButtonLink size="small" look="primary" icon="external-link" href={href} target="_blank">
      {t('Pull request')}
    </ButtonLink>
  )
}

function useVerdict(
  projectId: string,
  jobId: string,
  { target, confirmRisks }: { target: string; confirmRisks: boolean },
) {
  const together = useJobAction(projectId, jobId, {
    send: () => octavo.sendAgentMessage(projectId, jobId, { prompt: togetherWith(target) }),
    done: 'The agent brings both together',
    failed: 'The agent was not asked',
  })
  const accept = useJobAction(projectId, jobId, {
    wayOut: (error) =>
      error instanceof ApiError && error.code === 'merge_conflict' && error.details.length > 0
        ? { label: t('Ask the agent to resolve it'), run: () => together.mutate() }
        : null,
    send: () => octavo.acceptAgentJob(projectId, jobId, { confirmRisks }),
    done: `The change is merged into ${target}`,
    failed: 'The change was not merged',
  })
  const decline = useJobAction(projectId, jobId, {
    send: () => octavo.declineAgentJob(projectId, jobId),
    done: 'The change was declined',
    failed: 'The change was not declined',
  })
  return { accept, decline }
}

/** What came in is merged before the turn begins; the agent is shown where both sides meet. */
function togetherWith(target: string): string {
  return `Others have changed the same places in ${target}. Bring both together, keep what each of them means, and say what you chose.`
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
  target: string
  /** Of a change that is all risk; null for any other. */
  risks: AgentReview['risks'] | null
  onClose: () => void
  onConfirm: () => void
}

/** Neither can be taken back here: a merge is in the repository, and a declined branch is gone. */
function DecisionDialog({ verb, work, target, risks, onClose, onConfirm }: DialogProps) {
  const { job, feedback } = work
  const answered = feedback.filter(({ status }) => status !== 'resolved').length
  return (
    <ConfirmDialog
      title={
        verb === 'accept' ? t('Merge this change into {target}?', { target }) : t('Decline this change?')
      }
      width="sm"
      look={verb === 'accept' ? 'primary' : 'danger'}
      action={verb === 'accept' ? t('Merge') : t('Decline')}
      cancel="Keep it open"
      onClose={onClose}
      onConfirm={async () => onConfirm()}
    >
      <p class="break-words">
        “<PlainText text={titleOf(work)} />
        ”,{' '}
        {verb === 'accept'
          ? `${counted(job.filesChanged, 'file')}. The commit goes onto ${target} at once.`
          : `${counted(job.filesChanged, 'file')}. Its branch is deleted; a message to the job then makes another one. ${capitalized(target)} stays as it is.`}
      </p>
      {verb === 'accept' && risks !== null && (
        <>
          <p>{t('Every file in it carries a serious risk, so it needs a second yes:')}</p>
          <RiskList risks={risks} />
        </>
      )}
      {verb === 'accept' && answered > 0 && (
        <p>
          {answered === 1 ? '1 entry of feedback is' : `${answered} entries of feedback are`} resolved by it.
        </p>
      )}
    </ConfirmDialog>
  )
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
