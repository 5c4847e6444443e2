/** Actions on a job as a whole: cancel it, archive it, open its pull request. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { explainError } from '../../api/errors.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { t } from '../../words/words.ts'

export function JobActions({
  projectId,
  work: { job, state, canPublish },
  mayWork,
  isTight,
}: {
  projectId: string
  work: AgentWorkDetail
  mayWork: boolean
  /** Without labels, for lack of space. */
  isTight: boolean
}) {
  const isActive = job.status === 'active'
  const { cancel, archive } = useEndActions(projectId, job.id)
  const [asks, setAsks] = useState<'archive' | 'cancel' | null>(null)
  const mayArchive = mayWork && job.status !== 'archived'
  // Asks first, because an open change would be forgotten in the archive.
  const requestArchive = () => (isActive || state === 'open' ? setAsks('archive') : archive.mutate())
  useCommands([
    {
      id: 'job-cancel',
      label: t('Cancel the job'),
      icon: 'circle-x',
      isOff: !isActive || !mayWork,
      run: () => setAsks('cancel'),
    },
    {
      id: 'job-archive',
      label: t('Archive the job'),
      icon: 'archive',
      keys: 'e',
      isOff: !mayArchive,
      run: requestArchive,
    },
  ])
  const link = findPullRequestUrl(job)
  return (
    <>
      {link !== null && <RequestLink href={link} jobId={job.id} isTight={isTight} />}
      {isActive && mayWork && (
        <CancelButton isTight={isTight} isBusy={cancel.isPending} onAsk={() => setAsks('cancel')} />
      )}
      {canPublish && mayWork && <PublishAgain projectId={projectId} jobId={job.id} isTight={isTight} />}
      {mayArchive && <ArchiveButton isTight={isTight} isBusy={archive.isPending} onAsk={requestArchive} />}
      {asks === 'cancel' && isActive && (
        <CancelDialog onClose={() => setAsks(null)} onConfirm={() => cancel.mutate()} />
      )}
      {asks === 'archive' && (
        <ArchiveDialog isActive={isActive} onClose={() => setAsks(null)} onConfirm={() => archive.mutate()} />
      )}
    </>
  )
}

function ArchiveButton({ isTight, isBusy, onAsk }: { isTight: boolean; isBusy: boolean; onAsk: () => void }) {
  return (
    <Button size="small" look="quiet" icon="archive" isBusy={isBusy} onClick={onAsk}>
      <span class={isTight ? 'sr-only' : ''}>{t('Archive')}</span>
    </Button>
  )
}

function CancelButton({ isTight, isBusy, onAsk }: { isTight: boolean; isBusy: boolean; onAsk: () => void }) {
  return (
    <Button
      size="small"
      look={isTight ? 'quiet' : 'secondary'}
      icon="circle-x"
      isBusy={isBusy}
      onClick={onAsk}
    >
      <span class={isTight ? 'sr-only' : ''}>{t('Cancel …')}</span>
    </Button>
  )
}

function useEndActions(projectId: string, jobId: string) {
  const cancel = useJobAction(projectId, jobId, {
    send: () => octavo.cancelAgentJob(projectId, jobId),
    done: t('The job was cancelled'),
    failed: t('The job was not cancelled'),
  })
  const archive = useJobAction(projectId, jobId, {
    send: () => octavo.archiveAgentJob(projectId, jobId),
    done: t('Job archived'),
    failed: t('The job was not archived'),
  })
  return { cancel, archive }
}

function RequestLink({ href, jobId, isTight }: { href: string; jobId: string; isTight: boolean }) {
  const isHere = isLocalReview(href, jobId)
  return (
    <ButtonLink
      size="small"
      look={isTight ? 'quiet' : 'secondary'}
      icon={isHere ? 'eye' : 'git-pull-request'}
      href={href}
      target="_blank"
    >
      <span class={isTight ? 'sr-only' : ''}>{isHere ? t('Review page') : t('Pull request')}</span>
    </ButtonLink>
  )
}

interface Asking {
  onClose: () => void
  onConfirm: () => void
}

function CancelDialog({ onClose, onConfirm }: Asking) {
  return (
    <ConfirmDialog
      title={t('Cancel this job?')}
      width="sm"
      action={t('Cancel the job')}
      cancel={t('Keep it running')}
      onClose={onClose}
      onConfirm={async () => onConfirm()}
    >
      <p>{t('The agent stops after the step at hand. What it has done stays; a message makes it go on.')}</p>
    </ConfirmDialog>
  )
}

function ArchiveDialog({ isActive, onClose, onConfirm }: Asking & { isActive: boolean }) {
  return (
    <ConfirmDialog
      title={isActive ? t('Stop this job and archive it?') : t('Archive a job whose change is undecided?')}
      width="sm"
      action={t('Archive')}
      cancel={t('Keep it')}
      onClose={onClose}
      onConfirm={async () => onConfirm()}
    >
      <p>{t('An archived job keeps its steps and takes no more messages. You cannot undo this.')}</p>
    </ConfirmDialog>
  )
}

function PublishAgain({ projectId, jobId, isTight }: { projectId: string; jobId: string; isTight: boolean }) {
  const publish = useJobAction(projectId, jobId, {
    send: () => octavo.publishAgentJob(projectId, jobId),
    done: t('The change is being published'),
    failed: t('The change was not published'),
  })
  return (
    <Button
      size="small"
      look={isTight ? 'quiet' : 'secondary'}
      icon="git-pull-request"
      isBusy={publish.isPending}
      onClick={() => publish.mutate()}
    >
      {t('Publish again')}
    </Button>
  )
}

/** Returns the current pull request; `prLink` stays the first one, even after it was merged or closed. */
export function findPullRequestUrl({
  prLink,
  pullRequests,
}: Pick<AgentWorkDetail['job'], 'prLink' | 'pullRequests'>): string | null {
  return prLink === null ? null : (pullRequests.at(-1)?.link ?? prLink)
}

/** Returns whether the change is reviewed on a page of this server, as for a repository without a forge. */
export function isLocalReview(prLink: string, jobId: string): boolean {
  return URL.parse(prLink)?.pathname.startsWith(`/reviews/${jobId}/`) === true
}

/** Sends an action on a job, reports the result and reloads the job. */
export function useJobAction<Input = void>(
  projectId: string,
  jobId: string,
  {
    send,
    done,
    failed,
    failureAction,
  }: {
    send: (input: Input) => Promise<unknown>
    done: string | null
    failed: string
    /** Button of the error message that helps against this failure. */
    failureAction?: (error: unknown) => { label: string; run: () => void } | null
  },
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      if (done !== null) toast({ kind: 'done', title: done })
    },
    onError: (error) => {
      const action = failureAction?.(error) ?? null
      // The button replaces the advice.
      toastFailure(failed, error, action === null ? {} : { action, detail: explainError(error).title })
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['listAgentWork'] })
      void queries.invalidateQueries({ queryKey: ['getAgentWork', { projectId, id: jobId }] })
      void queries.invalidateQueries({ queryKey: ['getAgentReview', projectId, jobId] })
    },
  })
}
